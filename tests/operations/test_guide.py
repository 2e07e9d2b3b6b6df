"""The operations guide: a test in this folder runs every command of it."""

import asyncio
import os
import re
import signal
import stat
import subprocess
from pathlib import Path

import httpx2
import pytest

from strategybot.settings import Settings
from strategybot.settings import environment as every_variable
from tests.backtests.driving import awaited
from tests.backtests.redis import RedisServer
from tests.kit.queueing import Handler, queued, until, working
from tests.operations.guide import GUIDE, PROGRAMS, ROOT, begin, commands, environment, follow, long_form, yaml_of
from tests.servers import SECRET, PostgresServer, free_port
from tests.support import sign_up

SECONDS_TO_START = 90
SECONDS_TO_INSTALL = 3600
needs_redis = pytest.mark.skipif(RedisServer.program() is None, reason="Redis is not installed")


def test_every_command_is_in_a_block_that_a_test_runs() -> None:
    blocks = re.findall(r"^```(?:sh|bash|console)$", GUIDE.read_text(), re.MULTILINE)
    assert len(blocks) == len(commands()) >= 10
    sources = "".join(path.read_text() for path in Path(__file__).parent.glob("test_*.py"))
    followed = set(re.findall(r'(?:follow|begin)\(\s*"([a-z-]+)"', sources))
    assert followed == commands().keys()


@pytest.fixture
def secrets(tmp_path: Path) -> Path:
    """Create the secrets of the containers with the commands of the guide."""
    follow("secrets", tmp_path, environment(tmp_path))
    return tmp_path / "secrets"


def test_the_secrets_are_private_and_strong_enough(secrets: Path) -> None:
    assert stat.S_IMODE(secrets.stat().st_mode) == 0o700
    assert {file.name for file in secrets.iterdir()} == yaml_of("compose.yaml")["secrets"].keys()
    settings = Settings(_env_file=None, _secrets_dir=secrets)
    assert settings.secret_key is not None
    database, queue = settings.database_url or "", settings.queue_url
    passwords = [(secrets / name).read_text() for name in ("postgres_password", "redis_password")]
    assert (database.count(passwords[0]), queue.count(passwords[1]), len(set(passwords))) == (1, 1, 2)


def test_a_key_of_a_language_model_can_be_a_file(tmp_path: Path) -> None:
    (tmp_path / "openai_api_key").write_text("abc\n")
    assert every_variable(tmp_path)["OPENAI_API_KEY"] == "abc"


def first_word_of_redis(port: str, variables: dict[str, str]) -> str:
    """Return what Redis answers to a ping, once it listens."""
    command = f"until redis-cli -p {port} ping; do sleep 0.05; done"
    done = subprocess.run(
        command, shell=True, env={**os.environ, **variables}, capture_output=True, text=True, timeout=30, check=True
    )
    return done.stdout


@needs_redis
def test_redis_takes_its_password_from_the_file(secrets: Path, tmp_path: Path) -> None:
    password, port = (secrets / "redis_password").read_text(), str(free_port())
    program = RedisServer.program() or ""
    server = subprocess.Popen(
        [program, secrets / "redis.conf", "--port", port], cwd=tmp_path, stdout=subprocess.DEVNULL
    )
    try:
        assert "NOAUTH" in first_word_of_redis(port, {})
        assert first_word_of_redis(port, {"REDISCLI_AUTH": password}) == "PONG\n"
    finally:
        server.kill()
        server.wait()


@needs_redis
def test_an_operator_starts_monitors_and_stops_the_service_by_the_guide(
    tmp_path: Path, postgres: PostgresServer
) -> None:
    port = str(free_port())
    url = f"http://127.0.0.1:{port}"
    with RedisServer() as queue:
        shared = environment(
            tmp_path,
            STRATEGYBOT_DATABASE_URL=postgres.new_database(),
            STRATEGYBOT_QUEUE_URL=queue.url,
            STRATEGYBOT_SECRET_KEY=SECRET,
            STRATEGYBOT_METRICS="true",
        )
        serve = begin("another-serve", tmp_path, shared | {"PORT": port})
        worker = begin("another-worker", tmp_path, shared)
        try:
            with httpx2.Client(base_url=url, timeout=60) as client:
                awaited(lambda: {"status": answered(client)}, lambda seen: seen["status"] == 200, SECONDS_TO_START)
                sign_up(client)
                workers_live(client, 2)
            follow("probes", tmp_path, shared | {"URL": url})
            assert 'live_runs{kind="simulation"} 0.0' in (tmp_path / "metrics.txt").read_text()
            said = follow("accounts", tmp_path, shared | {"EMAIL": "ada@example.com"})
            assert "ada@example.com is in the pro tier now." in said
            said = follow("shut-out", tmp_path, shared | {"EMAIL": "ada@example.com"})
            assert "ada@example.com is deleted." in said
            assert "fault" not in follow("doctor", tmp_path, shared)
        finally:
            codes = stopped(serve, worker)
        assert codes == [0, 0]


def answered(client: httpx2.Client) -> int:
    try:
        return client.get("/readyz").status_code
    except httpx2.TransportError:
        return 0


def workers_live(client: httpx2.Client, count: int) -> None:
    """Wait until the server reports this many workers."""

    def look() -> dict[str, str]:
        return {"page": client.get("/metrics").text}

    awaited(look, lambda seen: f"simulation_workers {count}.0" in seen["page"], SECONDS_TO_START)


def stopped(*processes: subprocess.Popen[str]) -> list[int]:
    for process in processes:
        process.send_signal(signal.SIGTERM)
    codes = []
    for process in processes:
        try:
            process.communicate(timeout=30)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
        codes.append(process.returncode)
    return codes


@needs_redis
def test_the_redis_user_of_the_guide_can_run_the_queue_and_nothing_else(tmp_path: Path) -> None:
    follow("redis-acl", tmp_path, environment(tmp_path, QUEUE_PASSWORD=RedisServer.PASSWORD))
    with RedisServer("--aclfile", str(tmp_path / "users.acl")) as queue:
        url = f"redis://strategybot:{RedisServer.PASSWORD}@{queue.address}"
        asyncio.run(a_job_is_done(url))
        for refused in (["SET", "elsewhere", "1"], ["FLUSHALL"], ["CONFIG", "GET", "*"]):
            asked = ["redis-cli", "--no-auth-warning", "-u", url, *refused]
            said = subprocess.run(asked, capture_output=True, text=True, check=False).stdout
            assert said.startswith("NOPERM"), (refused, said)


async def a_job_is_done(url: str) -> None:
    handler = Handler()
    async with working(queued(url, handler, name="compute")) as jobs:
        await jobs.ask("one")
        await until(lambda: handler.done == ["one"])


@long_form
def test_an_installation_by_the_guide_is_complete_and_works(tmp_path: Path) -> None:
    checkout, prefix = tmp_path / "checkout", tmp_path / "opt"
    subprocess.run(["git", "clone", "--quiet", str(ROOT), str(checkout)], check=True)
    # The machine's own settings for package registries are kept: it may need a proxy or certificates.
    builder = {**os.environ, "PATH": path_without_ours(), "PREFIX": str(prefix)}
    follow("install", checkout, builder, seconds=SECONDS_TO_INSTALL)
    installed = environment(tmp_path) | {"PATH": f"{prefix}/bin:{path_without_ours()}"}
    assert "fault" not in follow("doctor", tmp_path, installed)
    site = list(prefix.glob("lib/python3*/site-packages/strategybot/site/index.html"))
    assert len(site) == 1


def path_without_ours() -> str:
    return ":".join(part for part in os.environ["PATH"].split(":") if part != str(PROGRAMS))
