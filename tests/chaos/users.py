"""Users who continue while components fail, and remember what was acknowledged."""

import itertools
import random
import threading
from typing import Any

from tests.backtests.driving import Headers, Json
from tests.chaos.history import Event, History
from tests.market.upstream.market import SOL
from tests.simulations.driving import LIVELY
from tests.support import PASSWORD, STRATEGY, bearer

BOTS = 3  # as many as a free user may simulate at once
SPAN = {"kline_interval": "1m", "start_time": 1_754_265_600, "end_time": 1_754_265_600 + 1000 * 60}


def without_expectation(simulation: Json) -> Json:
    """Return the simulation without what its bot's newest backtest expects, which may come after its end."""
    return {name: value for name, value in simulation.items() if name != "expectation"}


class User:
    """A user with three bots, who tests and simulates them, chats, and logs in and out."""

    def __init__(self, history: History, urls: list[str], name: str, chance: random.Random) -> None:
        self.history, self._urls, self._chance = history, urls, chance
        self.email = f"{name}@example.com"
        self._numbers = itertools.count()
        self._lock = threading.Lock()
        registered = self._ask("register", "POST", "/api/auth/register", json=self._credentials())
        assert registered.outcome == "acknowledged", registered
        self.who = bearer(registered.answer["access_token"])
        self.bots = [self._made({"name": f"Bot {number}", "strategy": LIVELY}) for number in range(BOTS)]
        begun = self._ask("begin a conversation", "POST", "/api/conversations", json={}, headers=self.who)
        self.conversation: str = begun.answer["id"]
        self.backtests: dict[str, Json] = {}
        self.simulations: dict[str, Json] = {}
        self.ended: dict[str, Json] = {}
        self.said: list[str] = []
        self.perhaps_said: list[str] = []
        self.logged_out: list[Headers] = []
        self.themes: list[tuple[str, str]] = []

        self.acts = {
            self.simulate: 3,
            self.end: 2,
            self.test: 3,
            self.chat: 3,
            self.set_theme: 3,
            self.log_out: 1,
            self.read: 5,
        }  # each with how often it is done

    def act(self) -> None:
        self._chance.choices(list(self.acts), list(self.acts.values()))[0]()

    def rehearse(self) -> None:
        """Do everything once while nothing is broken. What is refused even now would be tested by no fault."""
        for act in self.acts:
            act()
        counts = self.history.counts()
        assert [name for name, outcomes in counts.items() if not outcomes["acknowledged"]] == []

    def simulate(self) -> None:
        bot = self._chance.choice(self.bots)
        body = {"token": SOL.token_id, "check_interval": 10, "mode": self._chance.choice(["replay", "live"])}
        event = self._ask("simulate", "POST", f"/api/bots/{bot}/simulate", json=body, headers=self.who)
        if event.outcome == "acknowledged":
            self.simulations[event.answer["run_id"]] = event.answer

    def end(self) -> None:
        with self._lock:
            runs = [run for run in self.simulations.values() if run["run_id"] not in self.ended]
        if runs:
            run = self._chance.choice(runs)
            path = f"/api/bots/{run['bot_id']}/simulate/{run['run_id']}/stop"
            event = self._ask("stop a simulation", "POST", path, headers=self.who)
            if event.outcome == "acknowledged":
                self.ended[run["run_id"]] = event.answer

    def test(self) -> None:
        path, body = f"/api/bots/{self._chance.choice(self.bots)}/backtest", {"token": SOL.token_id, **SPAN}
        event = self._ask("backtest", "POST", path, json=body, headers=self.who)
        if event.outcome == "acknowledged":
            self.backtests[event.answer["run_id"]] = event.answer

    def chat(self) -> None:
        words = f"Message {next(self._numbers)}"
        path = f"/api/conversations/{self.conversation}/chat"
        event = self._ask("chat", "POST", path, json={"message": words}, headers=self.who)
        if event.outcome == "acknowledged":
            self.said.append(words)
        elif event.outcome == "unknown":
            self.perhaps_said.append(words)

    def set_theme(self) -> None:
        """Change the theme; one change at a time, so that it is known which was the last."""
        theme = self._chance.choice(["dark", "light"])
        with self._lock:
            event = self._ask(
                "change a setting", "PATCH", "/api/auth/settings", json={"theme": theme}, headers=self.who
            )
            self.themes.append((theme, event.outcome))

    def log_out(self) -> None:
        login = self._ask("log in", "POST", "/api/auth/login", json=self._credentials())
        if login.outcome == "acknowledged":
            token = bearer(login.answer["access_token"])
            if self._ask("log out", "POST", "/api/auth/logout", headers=token).outcome == "acknowledged":
                self.logged_out.append(token)

    def read(self) -> None:
        """Check in any process that stopped simulations have not changed, and that tokens of ended sessions are refused."""
        for run in list(self.ended.values())[-2:]:
            path = f"/api/bots/{run['bot_id']}/simulate/{run['run_id']}"
            event = self._ask("read", "GET", path, headers=self.who)
            if event.outcome == "acknowledged" and without_expectation(event.answer) != without_expectation(run):
                self.history.defect(f"a stopped simulation has changed: {run['run_id']}")
            elif event.outcome == "refused":
                self.history.defect(f"a simulation is gone: {event}")
        for token in self.logged_out[-2:]:
            event = self._ask("read", "GET", "/api/auth/me", headers=token)
            if event.outcome == "acknowledged":
                self.history.defect("somebody who logged out is let in")

    def _credentials(self) -> Json:
        return {"email": self.email, "password": PASSWORD}

    def _made(self, bot: Json) -> str:
        event = self._ask("make a bot", "POST", "/api/bots", json=bot, headers=self.who)
        assert event.outcome == "acknowledged", event
        made: str = event.answer["id"]
        return made

    def _ask(self, what: str, method: str, path: str, **request: Any) -> Event:
        return self.history.ask(what, method, self._chance.choice(self._urls) + path, **request)


class Collector(User):
    """A user who makes bots without end: ten are allowed, whatever fails."""

    def __init__(self, history: History, urls: list[str], name: str, chance: random.Random) -> None:
        super().__init__(history, urls, name, chance)
        self.made = set(self.bots)

    def act(self) -> None:
        body = {"name": f"Bot {next(self._numbers) + BOTS}", "strategy": STRATEGY}
        event = self._ask("make a bot", "POST", "/api/bots", json=body, headers=self.who)
        if event.outcome == "acknowledged":
            self.made.add(event.answer["id"])
