"""Frames that follow from tables: what can be done with any part of a strategy, and with any series."""

from collections.abc import Iterator
from itertools import product

from strategybot.conversations.offline.lexicon import patterns
from strategybot.conversations.offline.parts import Part
from strategybot.conversations.offline.patterns import Frame
from strategybot.conversations.offline.series_frames import SeriesWords


def part_label(part: Part) -> tuple[str, str]:
    """Return the label of a part in the patterns, and the type of its values."""
    return f"{'C' if part.kind else ''}PART_{part.slot}", part.slot


def table_frames(series: SeriesWords) -> Iterator[tuple[str, Frame]]:
    """Return the patterns of `frames.txt`, without the idioms of series that there are not."""
    for pattern, frame in patterns():
        if frame.name != "idiom":
            yield pattern, frame
            continue
        sides = [side for side in (frame.fixed["left"], frame.fixed["right"]) if isinstance(side, dict)]
        if all(side["series"] in series.table for side in sides):
            yield pattern, Frame("condition", {"kind": "compare", "whole": frame.fixed}, frame.cost)


def part_frames(labels: set[tuple[str, str]]) -> Iterator[tuple[str, Frame]]:
    for label, slot in sorted(labels):
        yield from _values(label, slot)
        yield from _changes(label, slot)
        yield from _searches(label, slot)
    for first, second in product(("PART_LOSS", "PART_GAIN"), repeat=2):
        both = f"[both] part:{first} and second:{second}"
        yield f"SET {both} value:LOSS", Frame("set")
        yield (
            f"[(RAISE | LOWER | SET)] {both} [both] TO value:LOSS | [SET] {both} TO value:LOSS and other:LOSS",
            Frame("set"),
        )
        yield f"RAISE {both} BY value:LOSS [POINTS]", Frame("change", {"sign": 1}, 0.9)
        yield f"LOWER {both} BY value:LOSS [POINTS]", Frame("change", {"sign": -1}, 0.9)


def _values(label: str, slot: str) -> Iterator[tuple[str, Frame]]:
    """The ways to give a part a value. A condition is read as one first, so its frames cost a little more."""
    part, value = f"part:{label}", f"value:{slot}"
    old = f"old:{slot}"
    more = 0.05 if label.startswith("C") else 0.0
    verb, instead = "[(SET | adds:ADD)] [LOUD] [new]", f"[(INSTEAD | INSTEADOF {old})]"
    put = Frame("set", cost=1.0 + more)
    entry = {"LOSS": "[INLOSS]", "GAIN": "[INPROFIT]"}.get(slot, "")
    yield f"{verb} {part} [SET] [TO] {value} {entry} {instead} | {verb} {value} {part} {instead}", put
    yield f"{verb} {part} TO {value} BETTER | {verb} {value} {part} BETTER | {value} BETTER (for | as) {part}", put
    yield f"(RAISE | LOWER) [LOUD] {part} TO {value} {instead} | {part} [SET] (RAISE | LOWER) TO {value}", put
    yield f"[(RAISE | LOWER | SET)] {part} (from | INSTEADOF) {old} (to | ->) {value}", put
    yield f"{part} {old} (-> | =>) {value} | SET {old} {part} to {value}", put
    yield f"{value} (is | as) (my | the) [new] {part} | {verb} {value} (for | on | as) {part}", put
    yield f"[from] {old} to {value} (on | for) {part} | INSTEADOF {old} SET {part} [TO] {value}", put
    yield f"INSTEADOF {old} [SET] {value} {part}", put
    if not more:
        yield f"SELL WHEN {part} [(TO | BE | REACH)] {value} | SELL WHEN {value} {part}", put
    if slot == "MULT":
        yield f"(RAISE | LOWER | SET) {part} TO value:NUM", put
    if slot == "DUR":
        yield (
            f"MEASURE {part} OVERTIME {value} | {verb} {part} OVERTIME {value} {instead} | {value} (for | on) {part}",
            put,
        )
        yield f"{verb} {value} {part} AFTERSALE | {verb} {part} [TO] {value} AFTERSALE", put
    if more:
        yield f"{verb} {part} [SET] [TO] {value} w:WINDOW | {verb} {value} {part} w:WINDOW", put
        yield f"(RAISE | LOWER) {part} TO {value} w:WINDOW", put
    bigger = "[ABIT] (RAISE | LOWER)"
    yield f"[SET] {part} {bigger} (, | like | say) {value} | {part} SET {bigger} (, | like) {value}", put
    yield f"[SET] {bigger} {part} (, | : | like | say) {value}", put
    yield f"{part} (is | are) {value}", Frame("states", cost=1.1 + more)


def _changes(label: str, slot: str) -> Iterator[tuple[str, Frame]]:
    part, value = f"part:{label}", f"value:{slot}"
    old = f"old:{slot}"
    up, down = Frame("change", {"sign": 1}, 0.9), Frame("change", {"sign": -1}, 0.9)
    yield f"RAISE {part} BY {value} [POINTS] | [RAISE] {part} RAISE BY {value} [POINTS]", up
    yield f"[(SET | ADD)] {part} [BY] {value} [POINTS] MOREUNIT | ADD {value} to {part}", up
    yield f"{value} [POINTS] MOREUNIT [(for | on | of)] {part}", up
    yield f"LOWER {part} BY {value} [POINTS] | [LOWER] {part} LOWER BY {value} [POINTS]", down
    yield f"[SET] {part} [BY] {value} [POINTS] LESSUNIT | TAKEOFF {value} [POINTS] (from | off) {part}", down
    yield f"{value} [POINTS] LESSUNIT [(for | on | of)] {part}", down
    yield f"(RAISE | LOWER) {part} {value} | [SET] {part} BYWORD {value}", Frame("unclear_change", cost=1.05)
    yield f"[SET] {part} DOUBLE (that | it)", Frame("unclear_change", cost=0.5)
    yield f"DOUBLE {part} | [SET] {part} DOUBLE", Frame("scale", {"factor": 2.0})
    yield f"HALVE {part} | [SET] {part} HALVE | LOWER {part} [(in | by | to)] HALVE", Frame("scale", {"factor": 0.5})
    yield f"[SET] {part} factor:MULT as SIZEWORD", Frame("scale")
    yield f"REPLACE {part} (with | by | for)", Frame("replace")
    yield f"INSTEADPART {part} | REMOVE [both] {part} | REMOVE {old} {part} | [SET] {part} OFF", Frame("remove")
    yield f"REMOVE {part} (of | at) {old}", Frame("remove")
    yield f"KEEP {part} [STAYS] | {part} STAYS | KEEP {part} at {old} [STAYS]", Frame("keep")
    yield f"KEEP {old} {part} [STAYS] | {old} {part} STAYS", Frame("keep")
    yield f"[{old}] {part} [BE] TOOBIG | {part} of {old} [BE] TOOBIG", Frame("complaint")
    yield f"(RAISE | LOWER | SET | ADD) {part} | [SET] {part} (RAISE | LOWER)", Frame("wants_value", cost=1.65)
    yield part, Frame("mention", cost=1.6)
    yield f"SHOW {part} [QUESTIONMARK]", Frame("show_part")


def spread_phrases(slots: set[str]) -> Iterator[tuple[str, Frame]]:
    """Several values of one type: “from 2 to 10 in steps of 2”, “7, 14 and 21”."""
    for slot in sorted(slots):
        label, joint = f"SPREAD_{slot}", "(, | and | or | / | &) [(and | or)]"
        steps = f"[[in] (steps | step) [of] step:{slot}]"
        pattern = f"[(from | between | of)] first:{slot} (to | and | - | – | until | up to) last:{slot} {steps}"
        listed = f"head:{slot} {joint} tail:{slot} | head:{slot} {joint} tail:LIST_{slot}"
        yield f"{pattern}", Frame(label, cost=0.0)
        yield listed, Frame(f"LIST_{slot}", cost=0.02)
        yield listed, Frame(label, cost=0.02)


def _searches(label: str, slot: str) -> Iterator[tuple[str, Frame]]:
    part, values = f"part:{label}", f"spread:SPREAD_{slot}"
    yield (
        f"TRY {part} [TO] {values} | TRY {values} (for | as | on) {part} | TRY {values} {part}",
        Frame("sweep", cost=0.7),
    )
    yield f"OPTIMISE {part} [TO] {values} | OPTIMISE {part} [QUESTIONMARK]", Frame("sweep", cost=0.7)
    yield f"(what | which) {part} (BESTIS | BESTIS [QUESTIONMARK])", Frame("sweep", cost=0.7)
    yield f"[and] {part} [TO] {values}", Frame("sweep_too", cost=1.55)
