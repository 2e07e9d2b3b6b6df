"""`strategybot` as a program that starts at once: tests put it first on the path.

It passes its arguments, environment, folder and standard streams to a process that has imported everything, which forks
the command, and it ends with the exit code of the command.
"""

import atexit
import json
import os
import select
import shutil
import signal
import socket
import sys
import tempfile
from contextlib import suppress
from functools import cache
from pathlib import Path

from tests.servers import preloaded, run_command

MOST_BYTES = 100_000
PROGRAM = """#!{python} -IS
import json, os, signal, socket, sys
with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as listener:
    listener.connect({address!r})
    socket.send_fds(listener, [json.dumps([sys.argv[1:], dict(os.environ), os.getcwd()]).encode()], [0, 1, 2])
    process = int(listener.recv(20))
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda number, _: os.kill(process, number))
    sys.exit(int(listener.recv(20)))
"""


@cache
def forked_program() -> Path:
    """Return the program."""
    folder = Path(tempfile.mkdtemp(prefix="strategybot-program-"))
    atexit.register(shutil.rmtree, folder)
    program, address = folder / "strategybot", str(folder / "listener")
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as listener:
        listener.bind(address)
        listener.listen()
        preloaded().Process(target=_listen, args=(listener,), daemon=True).start()
    program.write_text(PROGRAM.format(python=sys.executable, address=address))
    program.chmod(0o700)
    return program


def _listen(listener: socket.socket) -> None:
    """Fork a process for each connection: it forks the command and stays until both have ended."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # ended children need not be waited for
    while True:
        connection, _ = listener.accept()
        with connection:
            if os.fork() == 0:
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                listener.close()
                _attend(connection)


def _attend(connection: socket.socket) -> None:
    """Run the command in a process of its own, and report its process id and its exit code."""
    message, streams, _, _ = socket.recv_fds(connection, MOST_BYTES, 3)
    command = os.fork()
    if command == 0:
        connection.close()
        _become(streams, *json.loads(message))
    for stream in streams:
        os.close(stream)
    connection.send(str(command).encode())
    select.select([connection.fileno(), os.pidfd_open(command)], [], [])
    os.kill(command, signal.SIGKILL)  # the program was killed, or the command has ended already
    _, status = os.waitpid(command, 0)
    with suppress(BrokenPipeError):
        connection.send(str(os.waitstatus_to_exitcode(status)).encode())
    os._exit(0)


def _become(streams: list[int], arguments: list[str], environment: dict[str, str], folder: str) -> None:
    """Run the command with these streams, and end."""
    for standard, stream in enumerate(streams):
        os.dup2(stream, standard)
        os.close(stream)
    encoding = environment.get("PYTHONIOENCODING")
    sys.stdin, sys.stdout, sys.stderr = (os.fdopen(number, "rww"[number], 1, encoding) for number in range(3))
    run_command(arguments, environment, Path(folder))
    sys.exit()
