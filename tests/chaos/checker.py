"""Checks every promise of reliability after all faults have ended: one function each, which yields what is wrong."""

import time
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from tests.backtests.driving import FINISHED, Json, lasting
from tests.chaos.history import Event, History, client
from tests.chaos.users import Collector, User, without_expectation

SECONDS_TO_RECOVER = 30
MOST_BOTS, LOGINS, LOGIN_SECONDS = 10, 5, 60
OUR_WORDS = "Something went wrong inside"
Promise = Callable[["Checker"], Iterator[str]]


class Checker:
    def __init__(self, history: History, users: list[User], urls: list[str]) -> None:
        self.history, self.users, self.urls = history, users, urls

    def check(self) -> dict[str, list[str]]:
        """Return what is wrong, by promise."""
        return {name: list(promise(self)) for name, promise in PROMISES.items()}

    def read(self, user: User, path: str, **query: Any) -> Json:
        """Read from every process; all must answer with 200. Return the last answer."""
        answers = [client.get(url + path, headers=user.who, params=query, timeout=60) for url in self.urls]
        assert {answer.status_code for answer in answers} == {200}, (path, [answer.text[:300] for answer in answers])
        found: Json = answers[-1].json()
        return found

    def simulation(self, user: User, run: Json, what: str = "") -> Json:
        return self.read(user, f"/api/bots/{run['bot_id']}/simulate/{run['run_id']}{what}")

    def all_simulations(self) -> Iterator[tuple[User, Json]]:
        return ((user, run) for user in self.users for run in user.simulations.values())


def every_running_simulation_goes_on(checker: Checker) -> Iterator[str]:
    """Every running replay must process a candle within 30 s, whichever process has died."""
    before = {run["run_id"]: (user, checker.simulation(user, run)) for user, run in checker.all_simulations()}
    waiting = {run_id: pair for run_id, pair in before.items() if pair[1]["status"] == "running"}
    replays = {run_id: pair for run_id, pair in waiting.items() if pair[1]["mode"] == "replay"}
    deadline = time.monotonic() + SECONDS_TO_RECOVER
    while replays and time.monotonic() < deadline:
        time.sleep(0.25)
        for run_id, (user, run) in list(replays.items()):
            if checker.simulation(user, run)["candles_processed"] > run["candles_processed"]:
                del replays[run_id]
    yield from (f"{run_id} does not go on" for run_id in replays)


def every_backtest_comes_to_its_end(checker: Checker) -> Iterator[str]:
    deadline = time.monotonic() + SECONDS_TO_RECOVER
    for user in checker.users:
        for run in user.backtests.values():
            path = f"/api/bots/{run['bot_id']}/backtest/{run['run_id']}"
            while (now := checker.read(user, path))["status"] not in FINISHED and time.monotonic() < deadline:
                time.sleep(0.1)
            if now["status"] not in FINISHED:
                yield f"{run['run_id']} is still {now['status']}"
            if OUR_WORDS in (now["error"] or ""):
                yield f"{run['run_id']} failed by a defect of ours"


def what_was_acknowledged_is_there(checker: Checker) -> Iterator[str]:
    for user in checker.users:
        bots = {bot["id"] for bot in checker.read(user, "/api/bots", per_page=100)["bots"]}
        missing = set(user.bots) - bots
        yield from (f"bot {bot} of {user.email} is gone" for bot in missing)
        theme = checker.read(user, "/api/auth/settings")["theme"]
        possible = _possible_last(user.themes)
        if possible and theme not in possible:
            yield f"the setting of {user.email} is {theme}, and could be {possible}"
        yield from _conversation(checker, user)


def _possible_last(written: list[tuple[str, str]]) -> set[str]:
    """Return the values that may be stored: the last acknowledged one, and each without an answer, which may be late."""
    acknowledged = [place for place, (_, outcome) in enumerate(written) if outcome == "acknowledged"]
    unknown = {theme for theme, outcome in written if outcome == "unknown"}
    return ({written[acknowledged[-1]][0]} | unknown) if acknowledged else set()


def _conversation(checker: Checker, user: User) -> Iterator[str]:
    messages = checker.read(user, f"/api/conversations/{user.conversation}")["messages"]
    said = Counter(message["content"] for message in messages if message["role"] == "user")
    shown_from = min((int(words.split()[1]) for words in said), default=0)  # only the newest are shown
    for words in user.said:
        if int(words.split()[1]) >= shown_from and said[words] != 1:
            yield f"{words} of {user.email} is there {said[words]} times"
    strange = said.keys() - set(user.said) - set(user.perhaps_said)
    yield from (f"nobody said {words}" for words in strange)


def one_simulation_runs_a_bot(checker: Checker) -> Iterator[str]:
    for user in checker.users:
        for bot in user.bots:
            page = checker.read(user, f"/api/bots/{bot}/simulations", per_page=100)
            running = [run for run in page["simulations"] if run["status"] == "running"]
            if len(running) > 1:
                yield f"{len(running)} simulations of {bot} run"


def a_stopped_simulation_stays_as_it_was(checker: Checker) -> Iterator[str]:
    for user in checker.users:
        for run in user.ended.values():
            if without_expectation(checker.simulation(user, run)) != without_expectation(run):
                yield f"{run['run_id']} has changed since it was stopped"


def every_book_is_the_engines_and_no_candle_is_there_twice(checker: Checker) -> Iterator[str]:
    for user, run in checker.all_simulations():
        report, now = checker.simulation(user, run, "/parity"), checker.simulation(user, run)
        if report["differences"]:
            yield f"{run['run_id']}: {report['differences'][:2]}"
        times = list(dict.fromkeys(entry["time"] for entry in now["trade_log"]))
        if times != [times[0] + 60 * place for place in range(now["candles_processed"])]:
            yield f"{run['run_id']}: its log has not each candle once"
        if now["stop_reason"] not in {None, "user", "replaced", "completed"}:
            yield f"{run['run_id']} was stopped: {now['stop_reason']}"
        if run["trade_log"] != now["trade_log"][: len(run["trade_log"])]:
            yield f"{run['run_id']}: what was shown first is not there any longer"


def equal_backtests_have_equal_results_written_once(checker: Checker) -> Iterator[str]:
    seen: list[Json] = []
    for user in checker.users:
        for run in user.backtests.values():
            path = f"/api/bots/{run['bot_id']}/backtest/{run['run_id']}"
            now = checker.read(user, path)
            if now["status"] == "completed":
                seen.append(lasting(now))
                trades = checker.read(user, f"{path}/trades", per_page=100)
                if trades["total_trades"] != now["metrics"]["total_trades"]:
                    yield f"{run['run_id']} has {trades['total_trades']} trades, and says otherwise"
    for result in seen:
        differing = [name for name in result if result[name] != seen[0][name]]
        if differing:
            yield f"two equal backtests differ in {', '.join(differing)}"


def limits_are_exact(checker: Checker) -> Iterator[str]:
    for user in checker.users:
        if isinstance(user, Collector):
            total = checker.read(user, "/api/bots")["total_bots"]
            if not len(user.made) <= total <= MOST_BOTS:
                yield f"{total} bots, {len(user.made)} of them acknowledged"
    admitted = [event for event in checker.history.events if event.what == "log in" and event.status in {200, 401}]
    admitted.sort(key=_received)
    for first, sixth in zip(admitted, admitted[LOGINS:], strict=False):
        if sixth.received - first.sent < LOGIN_SECONDS:
            yield "six logins within a minute"


def _received(event: Event) -> float:
    return event.received


def whoever_logged_out_stays_out(checker: Checker) -> Iterator[str]:
    for user in checker.users:
        for token in user.logged_out:
            for url in checker.urls:
                status = client.get(f"{url}/api/auth/me", headers=token, timeout=30).status_code
                if status != 401:
                    yield f"{status} for somebody who has logged out"


def no_answer_was_a_defect(checker: Checker) -> Iterator[str]:
    yield from checker.history.defects


PROMISES: dict[str, Promise] = {
    "every running simulation goes on within 30 s": every_running_simulation_goes_on,
    "every backtest comes to its end within 30 s": every_backtest_comes_to_its_end,
    "what was acknowledged is there, once": what_was_acknowledged_is_there,
    "one simulation runs a bot": one_simulation_runs_a_bot,
    "a stopped simulation stays as it was": a_stopped_simulation_stays_as_it_was,
    "every book is the engine's, no candle twice": every_book_is_the_engines_and_no_candle_is_there_twice,
    "equal backtests are equal, results written once": equal_backtests_have_equal_results_written_once,
    "limits are exact": limits_are_exact,
    "whoever logged out stays out": whoever_logged_out_stays_out,
    "no answer was a defect of ours": no_answer_was_a_defect,
}
