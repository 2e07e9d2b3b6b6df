"""A rolling limit is exact at every time and for every number of callers."""

from collections import deque
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strategybot.kit.database import Database, DatabaseUnavailable
from strategybot.kit.errors import TooManyRequests
from strategybot.kit.identifiers import new_id
from strategybot.kit.limits import Admission, Rate, RollingLimit, forget_expired, write_probe
from strategybot.migrations import migrate
from tests.chaos.disk import SmallDisk
from tests.support import ManualClock


def admitted(database: Database, limit: RollingLimit, subject: str = "someone") -> bool:
    try:
        with database.write() as session:
            limit.admit(session, subject)
    except TooManyRequests:
        return False
    return True


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Database:
    database = Database(f"sqlite:///{tmp_path_factory.mktemp('limits') / 'limits.db'}")
    migrate(database)
    return database


@given(steps=st.lists(st.integers(0, 40), max_size=40), count=st.integers(1, 4))
def test_any_rolling_window_holds_at_most_the_count(memory: Database, steps: list[int], count: int) -> None:
    clock = ManualClock()
    limit = RollingLimit(memory, clock, "test", Rate(count, timedelta(seconds=60)))
    subject = new_id()
    recent: deque[float] = deque()
    for seconds in steps:
        clock.advance(seconds=seconds)
        now = clock.now.timestamp()
        while recent and recent[0] <= now - 60:
            recent.popleft()
        expected = len(recent) < count
        with memory.read() as session:
            assert limit.left(session, subject) == count - len(recent)
        assert admitted(memory, limit, subject) is expected
        if expected:
            recent.append(now)


def test_retry_after_is_exact(database: Database) -> None:
    clock = ManualClock()
    limit = RollingLimit(database, clock, "test", Rate(2, timedelta(seconds=60)), "Slow down.")
    assert admitted(database, limit)
    clock.advance(seconds=10.25)
    assert admitted(database, limit)
    with database.write() as session, pytest.raises(TooManyRequests) as refusal:
        limit.admit(session, "someone")
    assert (refusal.value.retry_after_seconds, refusal.value.message) == (50, "Slow down.")
    clock.advance(seconds=49.7)
    with database.write() as session, pytest.raises(TooManyRequests) as refusal:
        limit.admit(session, "someone")
    assert refusal.value.retry_after_seconds == 1
    clock.advance(seconds=0.3)
    assert admitted(database, limit)


def test_subjects_and_names_have_separate_limits(database: Database) -> None:
    clock = ManualClock()
    one, other = (RollingLimit(database, clock, name, Rate(1, timedelta(seconds=60))) for name in ("a", "b"))
    assert [admitted(database, one, "x"), admitted(database, one, "y"), admitted(database, other, "x")] == [True] * 3
    assert not admitted(database, one, "x")


def test_parallel_callers_are_admitted_exactly_as_often_as_allowed(database: Database) -> None:
    limit = RollingLimit(database, ManualClock(), "test", Rate(7, timedelta(hours=1)))
    with ThreadPoolExecutor(16) as pool:
        assert sum(pool.map(lambda _: admitted(database, limit), range(40))) == 7


def test_an_admission_is_rolled_back_when_the_work_fails(database: Database) -> None:
    limit = RollingLimit(database, ManualClock(), "test", Rate(1, timedelta(hours=1)))
    with pytest.raises(ZeroDivisionError), database.write() as session:
        limit.admit(session, "someone")
        _ = 1 / 0
    assert admitted(database, limit)


def test_expired_admissions_are_forgotten_and_live_ones_kept(database: Database) -> None:
    clock = ManualClock()
    limit = RollingLimit(database, clock, "test", Rate(2, timedelta(seconds=60)))
    admitted(database, limit)
    clock.advance(seconds=59)
    admitted(database, limit)
    clock.advance(seconds=1)
    with database.write() as session:
        forget_expired(session, clock())
        assert session.query(Admission).one().expires_at > clock()


@pytest.mark.parametrize(
    ("text", "count", "seconds"),
    [
        ("5/1m", 5, 60),
        ("500/5h", 500, 18000),
        ("1/1s", 1, 1),
        ("2/3d", 2, 259200),
        ("999999999/99999m", 999999999, 5999940),
    ],
)
def test_a_rate_is_parsed(text: str, count: int, seconds: int) -> None:
    assert Rate.parse(text) == Rate(count, timedelta(seconds=seconds))


@pytest.mark.parametrize(
    "text", ["", "5", "5/", "/1m", "0/1m", "5/0m", "-5/1m", "5/1w", "5 / 1m", "5/1m ", "1e3/1m", "٥/1m"]
)
def test_an_invalid_rate_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="must be a rate such as"):
        Rate.parse(text)


def test_a_clock_that_is_set_back_locks_nobody_out(database: Database) -> None:
    clock = ManualClock()
    limit = RollingLimit(database, clock, "test", Rate(2, timedelta(seconds=60)))
    clock.advance(hours=2)
    assert [admitted(database, limit) for _ in range(3)] == [True, True, False]
    clock.advance(hours=-2)
    assert [admitted(database, limit) for _ in range(3)] == [True, True, False]


def test_the_clocks_of_two_hosts_may_differ_by_seconds(database: Database) -> None:
    ahead, behind = ManualClock(), ManualClock()
    ahead.advance(seconds=30)
    rate = Rate(1, timedelta(seconds=60))
    assert admitted(database, RollingLimit(database, ahead, "test", rate))
    assert not admitted(database, RollingLimit(database, behind, "test", rate))


def test_a_full_disk_is_noticed_by_the_probe() -> None:
    if not SmallDisk.is_possible():
        pytest.skip("it takes the right to mount")
    with SmallDisk() as disk:
        database = Database(f"sqlite:///{disk.path / 'strategybot.db'}")
        migrate(database)
        write_probe(database, ManualClock())
        disk.fill()
        with pytest.raises(DatabaseUnavailable):
            for _ in range(2000):  # the file may have some space left
                write_probe(database, ManualClock())
        disk.empty()
        write_probe(database, ManualClock())
        database.close()
