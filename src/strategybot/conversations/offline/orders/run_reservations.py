"""What in an order to run nobody has read: a run starts as it was ordered, or not at all."""

from strategybot.conversations.offline.words.lines import Line
from strategybot.conversations.offline.words.plain_words import words_of

_LIGHT = words_of(
    """
    a about across actually against ah alright am amazing an and as at available awesome back bad be begin
    bit boy bro but by can complete cool could current data decent do done dude during enough entire fine follow for
    from full fully get give going good got great guys has have hello here hey hi historic history hmm honest
    how i id if im in into is it its just kindly last latest lemme let lets like little look looks make man market
    markets mate me mode my need nice now of off oh ok okay on our over past perfect plan please pls plz
    previous price prices prior proper put quick quickly ran re ready really recent right see seems ser serious
    should simple so sorry sounds starting sure take thank thanks that thats the then there these thing this
    thorough through throughout time title to track trading try u uh um up us use using w wanna want was watch we
    well what whats whole will with within works worth would wow yeah yep yes yo you your
    conduct looking execute perform preceding fresh covering ah er erm initial
    RUN ABOVE FILL CASH TOKEN BOT STRATEGY SHOW RESULT TEST SIMULATION SAME AGAIN START RAISE NAME / ? , . ; : «
    """
)
_ASKED = words_of(
    """
    profitable performed perform worked work earned happened happen gone fared fare looked did been lost won paid
    played turned panned out held returned behaved gotten survived woulda traded used ran money PROFIT LOSS SELL RISE
    DROP
    """
)
_EMPTY = (
    r"(?:CREATE|one)(?= (?:a |one |me |proper |quick |decent )*RUN)|(?:first|instead)(?= [,;.]|$)|"
    r"(?:this|that) one|RUN ago|(?:until|till|to) now|UNDO(?= RUN)|(?:assume|assuming)(?= (?:a |an )*RUN)"
)
_HEADING = r"(?:SWITCH|CREATE)(?: this| that| it| idea)* :"  # "lets do this: …"
_LIMITING = (
    r"if(?! (?:i|we|FILL)(?!\S))|if (?:i|we) (?!RUN|ran|used|traded|had)|what(?! (?:would|if))|"
    r"(?:only|without|until|till|unless|since|before|after|while|when|once|except|between)"
)


def unread_words(line: Line, asked: bool) -> list[str]:
    """Words of an order to run that are no part of it; `asked`: it has the form of a question about the past."""
    for first, last in line.spans(f"{_EMPTY}|{_HEADING}"):
        line = line.renamed(first, last, "RUN")
    light = _LIGHT | _ASKED if asked else _LIGHT
    limiting = {first for first, _ in line.spans(_LIMITING)} if not asked else set()
    return [
        item.text
        for place, item in enumerate(line.items)
        if place in limiting or not {item.name, item.text.lower()} & light
    ]
