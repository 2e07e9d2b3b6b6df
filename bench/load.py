"""Load: how much of the bare framework's speed is left for a real request. `make bench` runs it.

Each figure is taken beside a bare FastAPI route, alternately and in the same run: the ratio means something on any
machine, the absolute numbers on this one only.
"""

import re
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx2

from tests.servers import ServiceProcess, free_port
from tests.support import PASSWORD, STRATEGY, bearer

CONNECTIONS = 32
SECONDS = 6
ROUNDS = 3
BOTS = 10
GOALS = {"authenticated list": (600.0, 150.0), "healthz": (2500.0, 150.0)}

BARE = """
import fastapi, uvicorn
app = fastapi.FastAPI()
@app.get("/")
def bare() -> dict[str, str]:
    return {"status": "ok"}
uvicorn.run(app, port=%d, log_level="warning", access_log=False)
"""


@dataclass(frozen=True, slots=True)
class Figure:
    requests_a_second: float
    p99_ms: float
    errors: int


def main() -> None:
    if shutil.which("wrk") is None:
        sys.exit("The load test needs wrk: Debian's package is called wrk.")
    with (
        tempfile.TemporaryDirectory() as folder,
        bare_server() as bare,
        ServiceProcess(Path(folder) / "data") as service,
    ):
        header = user_with_bots(service.url)
        targets = {
            "bare FastAPI route": (bare, None),
            "healthz": (f"{service.url}/healthz", None),
            "authenticated list": (f"{service.url}/api/bots", header),
        }
        figures = {name: measure(*target) for name, target in targets.items()}
    report(figures)


@contextmanager
def bare_server() -> Iterator[str]:
    port = free_port()
    process = subprocess.Popen([sys.executable, "-c", BARE % port])
    try:
        wait_for(port)
        yield f"http://127.0.0.1:{port}/"
    finally:
        process.kill()
        process.wait()


def wait_for(port: int) -> None:
    for _ in range(200):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise TimeoutError(f"nothing listens on {port}")


def user_with_bots(url: str) -> str:
    body = {"email": "load@example.com", "password": PASSWORD}
    user = bearer(httpx2.post(f"{url}/api/auth/register", json=body).json()["access_token"])
    for number in range(BOTS):
        httpx2.post(f"{url}/api/bots", json={"name": f"Bot {number}", "strategy": STRATEGY}, headers=user)
    return f"Authorization: {user['Authorization']}"


def measure(url: str, header: str | None) -> Figure:
    """The median of several rounds: one noisy neighbour must not decide."""
    rounds = [run_wrk(url, header) for _ in range(ROUNDS)]
    return Figure(
        statistics.median(figure.requests_a_second for figure in rounds),
        statistics.median(figure.p99_ms for figure in rounds),
        sum(figure.errors for figure in rounds),
    )


def run_wrk(url: str, header: str | None) -> Figure:
    command = ["wrk", "-t1", f"-c{CONNECTIONS}", f"-d{SECONDS}s", "--latency", *(["-H", header] if header else []), url]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    value, unit = re.search(r"99%\s+([\d.]+)(us|ms|s)", output).groups()  # type: ignore[union-attr]
    errors = re.search(r"Non-2xx or 3xx responses: (\d+)", output)
    return Figure(
        float(re.search(r"Requests/sec:\s+([\d.]+)", output).group(1)),  # type: ignore[union-attr]
        float(value) * {"us": 0.001, "ms": 1, "s": 1000}[unit],
        int(errors.group(1)) if errors else 0,
    )


def report(figures: dict[str, Figure]) -> None:
    bare = figures["bare FastAPI route"].requests_a_second
    print(f"{CONNECTIONS} connections, one API process, SQLite, {BOTS} bots in the list")
    print(f"{'':22}{'requests/s':>12}{'p99 ms':>10}{'of bare':>10}{'errors':>8}  goal")
    for name, figure in figures.items():
        goal = GOALS.get(name)
        met = goal and figure.requests_a_second >= goal[0] and figure.p99_ms <= goal[1] and not figure.errors
        verdict = f"≥ {goal[0]:.0f}/s, p99 ≤ {goal[1]:.0f} ms: {'met' if met else 'missed'}" if goal else ""
        share = figure.requests_a_second / bare
        print(
            f"{name:22}{figure.requests_a_second:12.0f}{figure.p99_ms:10.1f}{share:10.2f}{figure.errors:8}  {verdict}"
        )


if __name__ == "__main__":
    main()
