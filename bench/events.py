"""Streams of events: the cost of 2,000 idle ones, and the cost of streams that follow thousands of simulations.

`python -m bench.events`. The idle streams belong to 2,000 visitors of one real service on SQLite; memory and processor
are those of its process, before and after, heartbeats included. The simulations are those of `bench.simulations`, 200
of which belong to owners who have a stream open in the same process, which is read.
"""

import asyncio
import os
import sqlite3
import statistics
import tempfile
import time
from pathlib import Path

import anyio

from bench.simulations import nobody_watches, resident_megabytes, seed, spread, worked
from strategybot.app import Services
from strategybot.kit.identifiers import new_id
from strategybot.migrations import migrate
from strategybot.settings import Settings
from tests.servers import SECRET, ServiceByHand

STREAMS, SIMULATIONS, WATCHED = 2000, 5000, 200
MEASURED_SECONDS = 30
OPENED_AT_ONCE = 50


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        idle_streams(Path(folder) / "data")
    for watched in (0, WATCHED):
        with tempfile.TemporaryDirectory() as folder:
            watched_simulations(watched, Path(folder) / "data")


def idle_streams(data: Path) -> None:
    data.mkdir()
    tokens = visitors(data, STREAMS)
    with ServiceByHand(data, max_connections=str(3 * STREAMS)) as service:
        before = resident_megabytes(service)
        idle = share_of_a_core(service.process.pid)
        after, share, arrived = anyio.run(with_streams, service, tokens)
    streams = f"{STREAMS} idle streams: {after - before:.0f} MiB more than without ({before:.0f} MiB),"
    beats = f"{arrived / STREAMS:.1f} heartbeats a stream in {MEASURED_SECONDS} s"
    print(f"{streams} {share:.1f} % of a core instead of {idle:.1f} %, {beats}", flush=True)


def visitors(data: Path, count: int) -> list[str]:
    services = Services(Settings(_env_file=None, data_dir=data, secret_key=SECRET))
    migrate(services.database)
    tokens = [services.accounts.welcome_visitor(f"bench {number}") for number in range(count)]
    services.database.close()
    return tokens


async def with_streams(service: ServiceByHand, tokens: list[str]) -> tuple[float, float, int]:
    """Memory, processor and heartbeats while all streams are open."""
    arrived = 0

    async def follow(reader: asyncio.StreamReader) -> None:
        nonlocal arrived
        while await reader.readline():
            arrived += 1

    connections = []
    for first in range(0, len(tokens), OPENED_AT_ONCE):
        connections += await asyncio.gather(*(opened(service, each) for each in tokens[first : first + OPENED_AT_ONCE]))
    readers = [asyncio.create_task(follow(reader)) for reader, _ in connections]
    after = await asyncio.to_thread(resident_megabytes, service)
    arrived = 0
    share = await asyncio.to_thread(share_of_a_core, service.process.pid)
    beats = arrived // 4  # a beat is a chunk of a comment and a blank line: its size, both of them, and its end
    for _, writer in connections:
        writer.close()
    for reader in readers:
        reader.cancel()
    return after, share, beats


async def opened(service: ServiceByHand, token: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    reader, writer = await asyncio.open_connection("127.0.0.1", service.port)
    writer.write(f"GET /api/events HTTP/1.1\r\nHost: bench\r\nX-Anonymous-Token: {token}\r\n\r\n".encode())
    head = await reader.readuntil(b"event: ready")
    assert head.startswith(b"HTTP/1.1 200"), head
    return reader, writer


def share_of_a_core(process_id: int) -> float:
    before, began = processor_seconds(process_id), time.monotonic()
    time.sleep(MEASURED_SECONDS)
    return 100 * (processor_seconds(process_id) - before) / (time.monotonic() - began)


def processor_seconds(process_id: int) -> float:
    user, system = Path(f"/proc/{process_id}/stat").read_text().rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def watched_simulations(watched: int, data: Path) -> None:
    data.mkdir()
    spread(seed(data), SIMULATIONS, data)
    owners = given_away(data, watched)
    heard = [0]

    async def watch(services: Services) -> None:
        for owner_id in owners:
            stream = await services.streams.open(owner_id, None, lambda: True)
            listening.append(asyncio.create_task(listen(stream, heard)))

    listening: list[asyncio.Task[None]] = []
    measured = anyio.run(worked, data, watch if watched else nobody_watches)
    late, saved = (statistics.quantiles(each, n=100) for each in (measured.late, measured.saved_late))
    steps = (
        f"made late p50 {late[49]:.1f}, p99 {late[98]:.1f} ms, saved late p50 {saved[49]:.1f}, p99 {saved[98]:.1f} ms"
    )
    print(
        f"{SIMULATIONS} simulations, {watched} watched: {measured.share:.1f} % of a core, {steps}, {heard[0]} events",
        flush=True,
    )


async def listen(stream: object, heard: list[int]) -> None:
    async for part in stream:  # type: ignore[attr-defined]
        heard[0] += part.count(b"event: simulation")


def given_away(data: Path, count: int) -> list[str]:
    """Give so many of the runs to owners of their own, and return these."""
    owners = [new_id() for _ in range(count)]
    with sqlite3.connect(data / "strategybot.db") as connection:
        runs = connection.execute("SELECT run_id, bot_id FROM simulations ORDER BY due_at").fetchall()
        chosen = runs[:: max(1, len(runs) // count)][:count] if count else []
        for owner_id, (run_id, bot_id) in zip(owners, chosen, strict=True):
            connection.execute("INSERT INTO accounts_owners VALUES (?, '2026-01-01 00:00:00')", (owner_id,))
            connection.execute("UPDATE bots SET owner_id = ? WHERE id = ?", (owner_id, bot_id))
            connection.execute("UPDATE simulations SET owner_id = ? WHERE run_id = ?", (owner_id, run_id))
    connection.close()
    return owners


if __name__ == "__main__":
    main()
