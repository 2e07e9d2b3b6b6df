"""Everything that a process of the service loads before its first run: the process that forks them imports this once.

From nothing it takes 5 seconds of a processor, which a test that starts the service need not wait for.
"""

import gc
import threading

import strategybot.terminal.serve
import strategybot.terminal.worker  # noqa: F401
from strategybot.conversations.agent.toolset import toolset
from strategybot.conversations.offline.model import OfflineModel
from strategybot.warm_up import warm_up

toolset()
_ = OfflineModel()._answer
warm_up()
for thread in threading.enumerate():
    if thread is not threading.current_thread():
        thread.join()  # a fork would be without it
gc.collect()
gc.freeze()
