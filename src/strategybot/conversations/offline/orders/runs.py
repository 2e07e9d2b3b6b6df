"""What a message says about a backtest or a simulation: how long, on which candles, of which token."""

import re
from dataclasses import dataclass, field
from typing import Any

from strategybot.conversations.offline.orders.token_names import named_token
from strategybot.conversations.offline.words.lines import UNKNOWN, Line
from strategybot.conversations.offline.words.plain_words import UNSUPPORTED, words_of
from strategybot.conversations.offline.words.quantities import DAY, duration_text
from strategybot.trading.instruments import INTERVAL_SECONDS, INTERVALS

CHECK_INTERVALS = (10, 30, 60)
CHECKS = "A simulation can look every 10, 30 or 60 seconds. Which should it be?"
REPLAY = words_of("replay replays replayed replaying")
LEAST_BARE_CASH = 100  # "test it with 30": hardly dollars
REPLAYED = 3600  # "the last hour" is what a simulation replays anyway
STRATEGIC = words_of(
    """
    BUY SELL STOP TARGET TRAIL HOLDMAX COOLDOWN SIZE DROP RISE VOLUME REMOVE RAISE REDUCE HALVE WINDOW LOSS ABOVE BELOW
    """
)
_AIM = (
    r"^(?:(?:ok|now|please|so|,) )*(?:(?:put|SWITCH|set|change|move|UNKNOWN|START)"
    r"(?: (?:it|this|that|the|my|BOT|TOKEN))* (?:on|to|at|onto)|trade|for|on|with|use|take)"
    r"(?: (?:the|TOKEN))* (?:UNKNOWN|€|@|«)(?= (?:[,:;.]|and|then) )"
)
_SHARE = r"[½%](?: of| my| the| its)* CASH"
_POINTING = frozenset({"point", "aim", "direct"})
_ENDS = frozenset({",", ";", ".", "and", "then"})


@dataclass
class Run:
    """One run that a message asks for."""

    tool: str
    arguments: dict[str, Any] = field(default_factory=dict)
    token: str | None = None
    questions: list[str] = field(default_factory=list)


def read_run(line: Line, tool: str) -> tuple[Run, Line]:
    """The run, and the line without what it said about it."""
    aimed_at, line = _aimed(line)
    first, last = _segment(line)
    run, segment = Run(tool), _with_opening_cash(line.part(first, last))
    used: set[int] = {
        place
        for place, item in enumerate(segment.items)
        if item.name in ("TEST", "SIMULATION", "START", "AGAIN", "LIVE", "CHECK", "SAME", "CANDLE", "RESULT", "SHOW")
    }
    used |= _read_times(segment, run)
    used |= _read_money(segment, run)
    named = named_token(segment)
    used |= {*named.places}
    run.token = named.token or aimed_at
    if named.chain:
        run.arguments["chain"] = named.chain
    _question_segment(segment, run)
    if tool == "start_simulation":
        _read_mode(line, segment, run)
    for place in used:
        line = line.renamed(first + place, first + place, "RUN")
    return run, line


def _aimed(line: Line) -> tuple[str | None, Line]:
    """The token at which a message points the bot before anything else: "put it on KOI, tp 20, and test a month"."""
    for first, last in line.spans(_AIM):
        named = [place for place in range(first, last + 1) if line.items[place].name in (UNKNOWN, "@", "€", "«")]
        verbs = {line.items[place].text.lower() for place in named[:-1]}
        if verbs <= _POINTING:
            return line.items[named[-1]].text.removeprefix("$"), line.renamed(first, last, "RUN")
    return None, line


def _with_opening_cash(segment: Line) -> Line:
    """Of "initial cash" the cash; outside a run, "20% of the initial capital" is no share of what there is now."""
    for first, _ in segment.spans(r"\S+ CASH"):
        if segment.items[first].text.lower() in ("initial", "starting", "start", "opening"):
            segment = segment.renamed(first, first, "START")
    return segment


def _question_segment(segment: Line, run: Run) -> None:
    if any(item.text.lower() in UNSUPPORTED for item in segment.items):
        run.questions.append("I can test so many days back from now. How many should it be?")
    if segment.has(r"~(?: ,)? in (?:a |an )?~(?! CANDLE)"):  # "backtest 30 days, in an hour"
        run.questions.append("I run it once, now. Should I do it at once?")
    tested = any(item.name == "TEST" and "test" in item.text.lower() for item in segment.items)
    if tested and segment.has("SIMULATION"):
        run.questions.append("One after the other: shall I backtest it, or simulate it?")
    if segment.has(rf"{_SHARE}|×(?: as| the| my| more| much)* CASH"):
        run.questions.append("How much cash should it start with?")


def _read_mode(line: Line, segment: Line, run: Run) -> None:
    replayed = any(item.text.lower() in REPLAY for item in line.items)
    if replayed and segment.has("LIVE"):
        run.questions.append("Should it replay the past hour, or follow the market live?")
    elif replayed or segment.has("LIVE"):
        run.arguments["mode"] = "replay" if replayed else "live"


def _segment(line: Line) -> tuple[int, int]:
    """The stretch that is about the run: from a boundary before its verb to where a strategy is spoken of again."""
    names = [item.name for item in line.items]
    verb = next((place for place, name in enumerate(names) if name in ("TEST", "SIMULATION")), 0)
    first = verb
    while first > 0 and names[first - 1] not in _ENDS:
        first -= 1
    if {*names[first:verb]} & STRATEGIC:
        first = verb
    elif not ({*names[:first]} & STRATEGIC or line.part(0, first).has(_SHARE)):
        first = 0
    last = verb
    while last < len(names) and not (
        names[last] in _ENDS and {*names[last + 1 : last + 6]} & (STRATEGIC - {"ABOVE", "RAISE"})
    ):
        last += 1
    return first, last


def _read_times(segment: Line, run: Run) -> set[int]:
    used: set[int] = set()
    strategic = {item.name for item in segment.items} & {"DROP", "RISE", "VOLUME"}
    for place, item in enumerate(segment.items):
        if not item.is_duration or item.token is None:
            continue
        following = segment.items[place + 1].name if place + 1 < len(segment.items) else ""
        ahead = " ".join(other.name for other in segment.items[max(0, place - 3) : place])
        short = item.token.value < DAY and any(
            other.is_duration and other.token and other.token.value >= DAY for other in segment.items
        )  # "2 weeks, 15m"
        if (
            following == "CANDLE"
            or short
            or item.text.endswith("ly")
            or re.search(r"CANDLE(?: of| at| is| :)?$", ahead)
        ):
            _take_candles(item.token.value, run)
        elif run.tool == "start_simulation":
            _take_checks(item.token.value, ahead, run)
        elif strategic and not re.search(r"(?:last|past|previous)", ahead):
            continue
        else:
            _take_days(item.token.value, run)
        used.add(place)
    _question_times(segment, run)
    return used


def _question_times(segment: Line, run: Run) -> None:
    if segment.has("#(?: or| and| to)+ ~|↔|~ (?:or|and|to) ~"):
        run.questions.append("Which of these should it be?")
    if run.tool == "run_backtest" and segment.has("(?:TEST|START) in(?: a| an| about)* ~"):
        run.questions.append("I can only test what has been. Over how many days back from now?")
    if run.tool == "run_backtest" and segment.has("CHECK(?: a| an| other)* ~"):
        run.questions.append("I run it once, now, and not again by itself. Over how many days should I test?")


def _take_candles(seconds: float, run: Run) -> None:
    interval = next((name for name in INTERVALS if INTERVAL_SECONDS[name] == seconds), None)
    if interval is None or (run.tool == "start_simulation" and interval in ("4h", "1d")):
        run.questions.append(f"Candles come in {', '.join(INTERVALS)}. Which should it be?")
    else:
        _take(run, "kline_interval", interval)


def _take_checks(seconds: float, ahead: str, run: Run) -> None:
    if "CHECK" not in ahead and seconds > 60:
        if seconds != REPLAYED or not re.search(r"(?:last|past|previous)", ahead):
            run.questions.append("How long a simulation runs cannot be set. Should it start without a time?")
        return
    if seconds not in CHECK_INTERVALS:
        run.questions.append(CHECKS)
    else:
        _take(run, "check_interval", int(seconds))


def _take(run: Run, name: str, value: float | str) -> None:
    if run.arguments.setdefault(name, value) != value:
        run.questions.append(f"I read two values for the {name.replace('_', ' ')}. Which one do you mean?")


def _take_days(seconds: float, run: Run) -> None:
    days = seconds / DAY
    if "days" in run.arguments and run.arguments["days"] != days:
        run.questions.append("I read two periods. Over how many days should I test?")
    elif days < 1:
        run.questions.append(
            f"{duration_text(seconds) or 'That'} is too short to test. Over how many days should I test?"
        )
    run.arguments["days"] = int(days) if days == int(days) else days


def _read_money(segment: Line, run: Run) -> set[int]:
    used: set[int] = set()
    for pattern, name in (
        (r"(?:%|#) (?:of |as |in |trading )*FEE|FEE (?:of |at |is |to |set to |: |a )*(?:%|#)", "fee_percent"),
        (r"(?:%|#) (?:of |as )*SLIPPAGE|SLIPPAGE (?:of |at |is |to )*(?:%|#)", "slippage_percent"),
        (
            (
                r"(?<!ABOVE )(?<!BELOW )(?<!CROSS )\$(?: CASH)?|(?:with|starting with|of) #(?: CASH)?|"
                r"CASH(?: of| is| at| :| to)* #|# (?:of |in |as |START )*(?:CASH|START(?= [,;.]|$))"
            ),
            "initial_cash",
        ),
    ):
        for first, last in segment.spans(pattern):
            for place in range(first, last + 1):
                item = segment.items[place]
                if item.is_number and item.token is not None and place not in used:
                    _take(run, name, item.token.value)
                    if item.name == "#" and name == "initial_cash" and item.token.value < LEAST_BARE_CASH:
                        run.questions.append(f"I could not tell what {item.text} stands for. What is it?")
            used |= {*range(first, last + 1)}
    return used
