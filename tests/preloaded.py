"""Loads all that a process of the service needs. The process from which tests fork services imports this once.

Loading takes 5 seconds of CPU, which a forked service does not spend again.
"""

import gc
import threading
from pathlib import Path
from tempfile import TemporaryDirectory

import pydantic_ai.models.openai  # noqa: F401
from fastapi.testclient import TestClient

import strategybot.terminal.serve
import strategybot.terminal.worker  # noqa: F401
from strategybot.app import create_app
from strategybot.conversations.agent.toolset import toolset
from strategybot.conversations.offline.responding import compiled_grammar
from strategybot.settings import Settings
from strategybot.warm_up import warm_up

toolset()
compiled_grammar()
warm_up()
with TemporaryDirectory() as folder, TestClient(create_app(Settings(_env_file=None, data_dir=Path(folder)))):
    pass  # a second start takes a quarter less
for thread in threading.enumerate():
    if thread is not threading.current_thread() and thread.name != "reader":  # an idle one, of the application above
        thread.join()  # a fork would be without it
gc.collect()
gc.freeze()
gc.enable()
