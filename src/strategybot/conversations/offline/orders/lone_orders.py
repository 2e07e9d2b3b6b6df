"""Orders that stand alone: undo, end the simulation, change to a bot, make one. What else they say is asked about."""

from strategybot.conversations.hygiene import plain_name
from strategybot.conversations.offline.orders.intents import Intent
from strategybot.conversations.offline.words.lines import Line
from strategybot.conversations.offline.words.plain_words import words_of

_COMMON = words_of(
    """
    a actually ah all alright am an and another at back be bring bro can change changed changes could do done edit
    enough first for go good got great has have hey hi hm hmm i id im is it just kindly lemme let lets like look
    make man mate me mind mistake more move my need new nice no now of off oh ok okay on one oops over please pls
    plz really right second see seen should so sorry sure take than thank thanks that thats the then there thing this
    time to trading u up us use using wait wanna want was we well whoa will with work would wow wrong yeah yes yo
    you
    FILL , . ; : ? !
    """
)
_ALLOWED = {
    Intent.UNDO: words_of("UNDO STRATEGY EARLIER FORGET CONDITION from before last latest previous recent step"),
    Intent.STOP_SIMULATION: words_of(
        "SIMULATION END STOP REMOVE COOLDOWN SELL START BOT DROP LIVE ALL FORGET running today"
    ),
    Intent.SWITCH_BOT: {"go to"} | words_of("SWITCH BOT UNDO INSTEAD SHOW CALLED START CREATE other instead today"),
    Intent.CREATE_BOT: words_of("CREATE BOT CALLED ADD START STRATEGY TOKEN NAME SWITCH name called"),
}
_ASKED = {
    Intent.UNDO: "shall I undo first? Say “undo”.",
    Intent.STOP_SIMULATION: "shall I end the simulation at once? Say “stop the simulation”.",
    Intent.SWITCH_BOT: "which bot should we talk about?",
    Intent.CREATE_BOT: "what should the bot be called?",
}
_GOES_ON = (
    r"(?:and|then)(?: \S+)? (?:REMOVE|STOP|SELL|COOLDOWN|START|END)|"
    r"(?:UNDO|SIMULATION|END|BOT|UNKNOWN)(?: [^,]\S*)* (?:[,;.] )?FORGET"
)
_LIMITING = r"if|when|whenever|once|after|before|until|unless|NOT|TEST|SIMULATION|STOP|SELL|BUY|[%#~×$?]"
_AWAITED = (
    r"(?:once|when|whenever|after|before|until|unless)(?: [^,;.]+)? (?:TEST|SIMULATION) (?:is|was|has|RESULT|done|END)|"
    r"if(?: the| my| that| this| last)* (?:TEST|SIMULATION) (?:is|was|has|looks|goes|RESULT|comes|turns|UNKNOWN)"
)
_AFTERWARDS = (  # "set the stop to 4 after testing it", "backtest with a 4% stop but leave the strategy as it is"
    r"(?<!and )after(?: you| we| i| the| a| this| it)* TEST(?! .*\bTEST)(?=.*[%#×])|"
    r"[%#×](?: \S+)* (?<!and )after(?: you| the| a| it)* TEST|"
    r"TEST .*[%#×] .*(?:leave|keep)(?: the| my| this)* STRATEGY"
)
_MANY_CHANGES = r"UNDO(?: \S+){0,3} (?:changes|edits|first (?:change|edit|one|thing))|UNDO ALL$"


def what_else(intent: Intent, line: Line) -> str | None:
    """What is asked when such an order comes with something else, or waits for something."""
    if intent in (Intent.TEST, Intent.SIMULATE):
        return _beside_run(line, intent is Intent.SIMULATE)
    many = any(item.name == "BOT" and item.text.lower().endswith("s") for item in line.items)
    if intent is Intent.STOP_SIMULATION and many:
        return "I end the simulation of one bot at a time. Shall I end this one? Say “stop the simulation”."
    if intent is Intent.UNDO and line.has(_MANY_CHANGES):
        return "I can undo only the last change. Shall I? Say “undo”."
    if intent is Intent.CREATE_BOT and (many or line.has("CALLED .*CALLED|BOT .*and CREATE(?! TARGET)")):
        return "One bot at a time, please. What should the first one be called?"
    if intent is Intent.CREATE_BOT and line.has("SIMULATION|UNDO|REMOVE(?: the| this| my| that)* BOT"):
        return "One after the other, please. What should the bot be called, and when should it buy?"
    if intent in (Intent.UNDO, Intent.STOP_SIMULATION) and (line.has(_GOES_ON) or foreign_words(intent, line)):
        return f"One after the other, please: {_ASKED[intent]}"
    return None


def _beside_run(line: Line, simulates: bool) -> str | None:
    if line.has(_AWAITED):
        return "I cannot make an order wait for something. Should I do it now?"
    if line.has(_AFTERWARDS):
        return "One after the other, please: what should I do first?"
    if simulates and line.has(r"SIMULATION (?:a |an |the )*(?:[%#] )?(?:DROP|RISE)$"):
        return "I cannot make the market move: a simulation follows it. Should it buy on such a move?"
    return None


def foreign_words(intent: Intent, line: Line) -> list[str]:
    """Words that are no part of the order; of an undo only in its own clause: "i want it back, undo that"."""
    if intent is Intent.UNDO:
        line = _clause_of(line, "UNDO")
    if intent is Intent.STOP_SIMULATION:
        line = _without_remark(line)
    known = _COMMON | _ALLOWED[intent]
    return [item.text for item in line.items if not {item.name, item.text.lower()} & known]


def _without_remark(line: Line) -> Line:
    """ "my break is over, please stop the simulation": what stands before and neither limits nor orders anything."""
    for first, last in line.spans(r"^.*?[,;.](?= (?:please |so |now |ok )*(?:STOP|END)(?: the| my| this)* SIMULATION)"):
        if not line.part(first, last).has(_LIMITING):
            return line.part(last + 1, len(line.items))
    return line


def doubt_about(intent: Intent, words: list[str]) -> str:
    quoted = ", ".join(f"“{plain_name(word)}”" for word in words[:4])
    return f"I did not understand {quoted}, so I have done nothing yet: {_ASKED[intent]}"


def _clause_of(line: Line, name: str) -> Line:
    places = [place for place, item in enumerate(line.items) if item.name == name]
    if not places:
        return line
    marks = [place for place, item in enumerate(line.items) if item.name in (",", ".", ";")]
    first = max((mark + 1 for mark in marks if mark < places[0]), default=0)
    return line.part(first, min((mark for mark in marks if mark > places[-1]), default=len(line.items)))
