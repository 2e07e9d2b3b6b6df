"""Let nothing look for garbage while a process imports: there is none, and looking takes a fifth of the time.

Pytest loads this before the tests, and the process that tests fork from loads it before the service.
"""

import gc

gc.disable()


def pytest_collection_finish() -> None:
    """From now on look only at what the tests make."""
    gc.freeze()
    gc.enable()
