"""Sentences that tell how things are, in words of which each alone could stand in an order.

"I have a 5% stop", "thanks for removing the stop", "you keep changing it to 5%": nothing in them is asked for.
"""

from strategybot.conversations.offline.words.lines import Line

_PART = "STOP|TARGET|TRAIL|SIZE|COOLDOWN|HOLDMAX|CONDITION"
_NAMED = rf"(?: (?!(?:so|and|but|to)(?!\S))[^,;.:\s]+){{0,4}} (?:{_PART}|%)"  # in the same clause
_START = r"(?:^|[,;.:] )(?:(?:so|and|but|ok|well|yeah|yes|no|oh|hey|FILL|because|now|also|ADD|,) )*"
_OFTEN = r"(?: (?:always|never|still|just|already|currently|now|only|even|really|FILL|ADD|have|been|all))*"
_HAVE = "have(?! to)|has(?! to)|use|uses|keep|keeps|get|notice|observe|respect|match|play|ride"
_IS = "(?:has(?! to)|uses|is)"
_DOING = "using|running|keeping|setting|having|seeing|getting|holding|trading|testing|START|HOLD"
_FEELING = (
    "scared|sick|nervous|glad|happy|tired|proud|wary|sure|certain|careful|cautious|sorry|sad|serious|impatient|bad|good"
)
_CHANGES = "REMOVE|RAISE|REDUCE|ADD|HALVE|SWITCH|START|changing|setting|putting|moving"
_ORDERED = "set|change|make|put|use|move|keep|REMOVE|RAISE|REDUCE|ADD|HALVE|BUY|SELL|START"
_RUN = "TEST|SIMULATION|START|CREATE|SWITCH|STOP the SIMULATION|END"
_THANKED = "(?:thanks|thank you|cheers|sorry) for"
_STATED = (
    rf"{_START}(?:i|we|they){_OFTEN} (?:{_HAVE}){_NAMED}",  # "i have a 5% stop"
    rf"{_START}(?:im|we are|were|i am|ive been|i have been){_OFTEN} (?:{_DOING}){_NAMED}",
    rf"{_START}(?:it|this|that|there|BOT){_OFTEN} {_IS}(?: (?:a|an|the|only|now))+ (?:[%#~×] )?(?:{_PART})",
    rf"{_START}(?:theres|thats|its)(?: (?:a|an|only|now|already|still))+ [%#~×] (?:{_PART})",
    rf"(?:{_PART}) (?:has|have|had|s){_OFTEN} been",
    rf"{_START}hopefully|^(?:(?:so|and|but|hey|ok|FILL) )*wheres",
    rf"(?:im|am|are|is){_OFTEN} (?:{_FEELING}) (?:of|about|that|when){_NAMED}",
    rf"{_THANKED}{_NAMED}|{_THANKED} (?:{_CHANGES})",
    rf"you (?:keep|kept|always|constantly|never|still)(?: (?:on|just))* (?:{_CHANGES})",
    r"[%#~×$](?: (?:,|\.))* (?:right|correct|innit|huh)$",
    rf"{_START}(?:my|the|your) (?:{_PART}) is(?: (?:now|at|set|to|currently|already))* [%#~](?: (?:now|already))*$",
    rf"{_START}(?:i|we|you) (?:would|could|might|may) (?:{_ORDERED}|{_RUN})(?!\S)",
    rf"{_START}(?:i|we) wanted to (?:{_ORDERED}|{_RUN})(?!\S)|thanks to (?:you|him|her|that|this|it)|trick is to",
    rf"(?:its|it is|thats|that is) (?!time)(?:[^,;.\s]+ ){{1,4}}to (?:{_ORDERED}|{_RUN})(?!\S)",  # "it's too early …"
    rf"^(?:before|if|while|until|unless|(?:the )?last time) (?:i|we) (?:{_ORDERED}|{_RUN})(?!\S)",
    rf"^after (?:i|we) (?!BUY)(?:{_ORDERED}|{_RUN})(?!\S)|^the (?:way|button|option|command) to",
    r"(?:after|upon|with|pending|on) my (?:ok|okay|go|approval|permission|signal|say|word|command|confirmation)(?!\S)",
    r"(?:START|SIMULATION|SWITCH|CREATE)(?: [^\s]+)* (?:, )?SHOW(?: it| that| this| me)* first$",
    r"is (?:my|the|our) (?:STRATEGY|plan|idea)$|is (?:a|the|my|an) (?:\S+ )?(?:mistake|error)",
    rf"^(?:wow|lol|omg|wtf|already|no)(?: a| the)? [%#~] (?:{_PART})",  # "no 5% stop" may refuse one
    rf"^(?:current|present|existing)(?: (?:{_PART}))? :|are you (?:serious|kidding|sure|crazy|joking|mad)",
    rf"{_START}we are [%#]",
    r"[%#~×] [,;.] STOP$",  # "set the stop to 5%, stop!"
    r"(?:good|yes|wise|smart|ok|right) or (?:bad|no|NOT|not|wrong|stupid|dumb)|^(?:the )?RISK of",
    r"as an? (?:[^,;.\s]+ )?TEST|^(?:(?:this|it|its|is|just|only) )*a TEST [:,.;]",  # a trial, and no backtest
    rf"{_START}(?:i|we)(?: (?:really|probably|just))* should (?:{_ORDERED})(?!\S)",
)
_YOU_DID = (
    r"(?:you|u|youve|youre)(?: (?:just|already|have|finally|even|FILL))* "
    r"(?:REMOVE|RAISE|REDUCE|ADD|HALVE|SWITCH|changed|moved)"
)


def is_statement(line: Line) -> bool:
    return (
        any(line.has(pattern) for pattern in _STATED)
        or _tells_what_was_done(line)
        or _supposes(line)
        or _judges_doing(line)
        or _tells_where(line)
        or _stops_short(line)
    )


def _stops_short(line: Line) -> bool:
    """ "remove the stop, wait", "set the stop to 5%, dry run", "… but don't save"."""
    last = line.items[-1] if line.items else None
    if last is not None and last.name in ("COOLDOWN", "wait") and last.text.lower() in ("wait", "hold on"):
        return True
    if any(line.items[last].text.lower().startswith("sleep") for _, last in line.spans(rf"{_START}(?:i|we) COOLDOWN")):
        return True
    return any(
        (item.name == "SIMULATION" and item.text.lower().startswith("dry"))
        or (item.name == "kept" and item.text.lower() in ("save", "apply", "store", "commit", "execute", "submit"))
        for item in line.items[1:]
    )


def _tells_where(line: Line) -> bool:
    """ "the stop is at 5%", "the stop hit 5%": their verbs are heard as "to"."""
    said = {
        line.items[last - 1].text.lower() for _, last in line.spans(rf"{_START}(?:my|the|your) (?:{_PART}) to [%#]")
    }
    return any(words.split()[0] in ("is", "was", "hit", "sits", "reached") for words in said)


def _judges_doing(line: Line) -> bool:
    """ "buying 7% dips is my thing"."""
    doing = [item.text.lower().endswith("ing") for item in line.items[:1] if item.name in ("BUY", "SELL")]
    return any(doing) and line.has(r"[%#~](?: [^,;.\s]+){0,3} (?:is|was|are|works)(?!\S)")


def _supposes(line: Line) -> bool:
    """ "let's say the stop is 5%"; but "let's say 5%" decides."""
    return any(
        "say" in line.items[first].text.lower().split() for first, _ in line.spans(rf"FILL (?:the|my|a) (?:{_PART}) is")
    )


def _tells_what_was_done(line: Line) -> bool:
    """ "good that you removed the stop": by the form of its verb."""
    return any(line.items[last].text.lower().split()[0].endswith("ed") for _, last in line.spans(_YOU_DID))
