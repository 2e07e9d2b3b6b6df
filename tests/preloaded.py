"""Loads all that a process of the service needs. The process from which tests fork services imports this once.

Loading takes 5 seconds of CPU, which a forked service does not spend again.
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
