"""Plans about searches: many values of a part of the strategy, and many tokens."""

from collections.abc import Generator, Mapping, Sequence
from typing import Any

from strategybot.conversations.offline.conditions import duration_text
from strategybot.conversations.offline.history import Call, Json, Outcome, Turn
from strategybot.conversations.offline.lexicon import Part
from strategybot.conversations.offline.part_fold import paths_of, value_at
from strategybot.conversations.offline.tokens import find_token
from strategybot.trading.language.values import duration_seconds

MOST_VALUES = 12  # of a range whose step was not said
STEPS = tuple(float(f"{digit}e{power}") for power in range(-6, 7) for digit in (1, 2, 5))
TIME_STEPS = (60, 300, 900, 1800, 3600, 7200, 14_400, 21_600, 43_200, 86_400, 172_800, 432_000)
AROUND = (0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 2.0, 3.0)  # times the present value, where no range was said
USUAL = {"LOSS": 5.0, "GAIN": 10.0, "SHARE": 50.0, "DUR": 14_400.0}  # the present value of a setting that is off
WHICH_CHAIN = "On which chain? For example: “test it on the top 20 on solana”."
Arguments = Generator[Call, Outcome, Json | str]


def spread_of(match_values: Mapping[str, Any]) -> Json:
    """What was said about the values of one part, as plain data: a range, or a list, or neither."""
    spread = match_values.get("spread") or {}
    if "first" in spread:
        return {key: spread[key] for key in ("first", "last", "step") if key in spread}
    return {"values": listed(spread)} if spread else {}


def listed(pairs: Mapping[str, Any]) -> list[Any]:
    """Return the items of a phrase that holds its first item and the rest: “7, 14 and 21”."""
    rest = pairs["tail"]
    return [pairs["head"], *(listed(rest) if isinstance(rest, Mapping) else [rest])]


def sweep_arguments(turn: Turn, sweeps: Sequence[Json], strategy: Json) -> Json | str:
    """The parameters of a search in this strategy, or a question."""
    parts = {part.key: part for part in turn.grammar.parts}
    parameters = []
    for sweep in sweeps:
        part = parts[sweep["part"]]
        paths = paths_of(part, strategy)
        if len(paths) != 1:
            return f"The strategy has no single condition with {part.said}. Which part should I vary?"
        path = ".".join(map(str, paths[0])).removeprefix("risk_management.")
        parameters.append({"path": path, **_values(part, sweep, value_at(strategy, paths[0]))})
    return {"parameters": parameters}


def _values(part: Part, sweep: Json, now: Any) -> Json:
    is_time, is_whole = part.slot == "DUR", part.is_parameter
    if "values" in sweep:
        values = sweep["values"]
    elif "first" in sweep and not is_time:
        first, last = sorted((sweep["first"], sweep["last"]))
        return {"from": first, "to": last, "step": sweep.get("step") or _step(first, last, STEPS, 1 if is_whole else 0)}
    elif "first" in sweep:
        first, last = sorted((sweep["first"], sweep["last"]))
        step = sweep.get("step") or _step(first, last, TIME_STEPS)
        values = [first + number * step for number in range(int((last - first) / step) + 1)]
    else:
        base = duration_seconds(now) if isinstance(now, str) else now or USUAL.get(part.slot, 1.0)
        digits = 0 if is_whole else 2 if base >= 0.5 else 8
        limit = {"LOSS": 99.0, "SHARE": 100.0}.get(part.slot, 1e18)
        values = [round(base * times, digits) for times in AROUND if base * times <= limit]
    if not is_time:
        return {"values": list(dict.fromkeys(values))}
    return {"values": [text for text in map(duration_text, dict.fromkeys(values)) if text is not None]}


def _step(first: float, last: float, steps: Sequence[float], least: float = 0) -> float:
    return next(step for step in steps if step >= least and (last - first) / step < MOST_VALUES)


def survey_arguments(said: Json, bot: Json) -> Arguments:
    """The tokens of a survey, each looked up, or the trending ones of a chain; a question if one is not known."""
    arguments = {key: value for key, value in said.items() if key not in ("tokens", "chain", "limit")}
    if not said.get("tokens"):
        chain = said.get("chain") or bot.get("chain")
        limit = {"limit": said["limit"]} if "limit" in said else {}
        return {**arguments, "trending": chain, **limit} if chain else WHICH_CHAIN
    found = []
    for name in said["tokens"]:
        token, told = yield from find_token(name, said.get("chain"))
        if token is None:
            return told
        found.append({"token": token["token_id"], "chain": token["chain"]})
    return {**arguments, "tokens": found}
