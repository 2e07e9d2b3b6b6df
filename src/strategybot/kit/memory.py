"""Settings of the allocator and the garbage collector for a process that runs for months."""

import ctypes
import gc

OBJECTS_BETWEEN_COLLECTIONS = (10_000, 20, 50)
ARENAS = 2
RETURNED_BYTES = 256 * 1024

_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD, _M_ARENA_MAX = -1, -3, -8  # of glibc's malloc.h


def return_freed_memory() -> None:
    """Let the C library return freed memory to the system. It must be called before libraries start threads.

    By default each thread has its own arena, and after the first large array is freed, arrays of up to 32 MB are kept
    for reuse: a process that has tested years of minutes kept 300 MB more. Only glibc has these settings.
    """
    set_option = getattr(ctypes.CDLL(None), "mallopt", None)
    if set_option is not None:
        set_option(_M_ARENA_MAX, ARENAS)
        set_option(_M_MMAP_THRESHOLD, RETURNED_BYTES)
        set_option(_M_TRIM_THRESHOLD, 4 * RETURNED_BYTES)


def tune_garbage_collector() -> None:
    """Let garbage collection stop a long-running process as rarely and as shortly as possible.

    A full collection of everything that is loaded by now would block every thread for 0.1 s. Those that remain look
    through what runs have left behind, 30 ms each; by default there were three a second beside two long backtests.
    """
    gc.freeze()
    gc.set_threshold(*OBJECTS_BETWEEN_COLLECTIONS)
