"""What in an order to run nobody has read: a run starts as it was ordered, or not at all."""

from strategybot.conversations.offline.lines import Line
from strategybot.conversations.offline.plain_words import words_of

_LIGHT = words_of(
    """
    a about ah alright am amazing an and as at awesome back bad be boy bro but by can cool could do done dude fine first
    for from full fully give going good got great guys had has have hello here hey hi hmm how i id if im in into is it
    its just kindly lemme let lets like look made make man mate maybe me mode my nice now of off oh ok okay on our
    perfect plan please pls plz price prices put quick quickly ran re ready really right see ser should so soon sure
    take thank thanks that thats the then there these thing this time to trading try u up us use using w want wanna was
    we well what whats whole will with works would wow yeah yep yes yo you your market markets ready through across
    last past previous recent latest entire complete available current need starting begin against historic prior
    over during throughout within worth looks seems sounds follow watch track data history days week month
    RUN ABOVE FILL CASH TOKEN BOT STRATEGY SHOW RESULT TEST SIMULATION SAME AGAIN START RAISE NAME title / ? , . ; : «
    """
)
_ASKED = words_of(
    """
    profitable performed perform worked work earned happened happen gone fared fare looked did been lost won paid
    played turned panned out held returned behaved gotten survived woulda traded used ran money PROFIT LOSS SELL RISE
    DROP
    """
)
_EMPTY = r"RUN ago|(?:until|till|to) now|UNDO(?= RUN)|(?:assume|assuming)(?= (?:a |an )*RUN)"
_LIMITING = (
    r"if(?! (?:i|we|FILL))|if (?:i|we) (?!RUN|ran|used|traded|had)|what(?! (?:would|if))|"
    r"(?:only|without|until|till|unless|since|before|after|while|when|once|except|between)"
)


def unread_words(line: Line, asked: bool) -> list[str]:
    """Words of an order to run that are no part of it; `asked`: it has the form of a question about the past."""
    for first, last in line.spans(_EMPTY):
        line = line.renamed(first, last, "RUN")
    light = _LIGHT | _ASKED if asked else _LIGHT
    limiting = {first for first, _ in line.spans(_LIMITING)} if not asked else set()
    return [
        item.text
        for place, item in enumerate(line.items)
        if place in limiting or not {item.name, item.text.lower()} & light
    ]
