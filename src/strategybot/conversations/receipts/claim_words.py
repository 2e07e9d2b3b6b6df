"""What the words around a number are about: what a run did, a setting, a suggestion. English, and a little more."""

import re
from collections.abc import Iterator
from typing import NamedTuple


class Said:
    """Bits of an int: flags of the standard library cost more than all the rest of a check."""

    NOTHING = 0
    RUN = 1
    """What a run did: return, drawdown, trades, made."""
    MOVE = 2
    """Gain, loss, up: of a run, or of a rule."""
    SWING = 4
    """Drop, rise: of a rule, unless it has been."""
    PAST = 8
    RULE = 16
    """The strategy and its settings: stop, target, buy when."""
    COST = 32
    """Fees: as a percentage a setting, else what a run paid."""
    CASE = 64
    """What may be: at most, could, if."""
    OFFER = 128
    NAMED = 256
    """A setting by its name, and no more than that: the stop, the target."""
    DOWN = 512
    """The number may stand without its minus."""


SUBJECTS = Said.RUN | Said.MOVE | Said.SWING | Said.RULE | Said.COST
_MEANINGS = {
    Said.RUN: (
        "return returns returned returning earned earnings made won win wins winning winner winners gained sharpe "
        "sortino calmar cagr trades equity pnl backtest backtests backtested backtesting simulation result results "
        "performed performance tested exposure expectancy grew ended yield yields yielded roi bought sold turned "
        "makes gave brought generated achieved produced delivered"
    ),
    Said.RUN | Said.DOWN: "lost drawdown drawdowns loser losers losing",
    Said.RULE | Said.NAMED: (
        "stoploss stop stops target targets trail trails trailing sl tp entry entries exit exits condition conditions "
        "window windows threshold thresholds level levels volume volumes cooldown cooldowns setting settings"
    ),
    Said.RULE: (
        "buy buys buying sell sells selling exiting enter enters entering close closes set sets above cross crosses "
        "kauf kaufe kaufen kauft verkauf verkaufe verkaufen verkauft acheter achète achat vendre vend vends comprar "
        "compra vender vende venta"
    ),
    Said.RULE | Said.SWING: "dip dips drop drops fall falls rise rises spike spikes",
    Said.COST | Said.DOWN: (
        "fee fees slippage commission commissions tax taxes gebühr gebühren frais comisión comisiones"
    ),
    Said.OFFER: (
        "should shall suggest suggests suggested suggestion recommend recommends recommended example instance try "
        "want perhaps maybe consider say choice choices option options typical typically common commonly rather"
    ),
    Said.CASE: "may might could can would if when price max maximum",
    Said.MOVE | Said.DOWN: (
        "loss losses lose loses fell fallen dropped negative minus worse worst down below under cost verlust perte "
        "pérdida perdita убыток"
    ),
    Said.MOVE: (
        "up gain gains gaining profit profits profitable earn earns rose risen climbed reached jumped growth "
        "rendite gewinn trefferquote rendement bénéfice rentabilidad ganancia retorno lucro rendimento profitto "
        "доходность прибыль"
    ),
    Said.MOVE | Said.CASE: "cash balance worth",
    Said.PAST: "was were had been have has war lag betrug était fue",
}
_WORDS = {word: said for said, words in _MEANINGS.items() for word in words.split()}
# Where one of these fits, its words mean nothing else.
_PHRASES_MEANT = {
    r"at (?:the )?(?:most|least)|per trade": Said.CASE,
    r"(?:average|best|worst) trade": Said.RUN,
    r"buy[ -](?:and|&)[ -]hold|buying (?:and|&) holding": Said.RUN,
    r"p&l|went (?:up|down)": Said.RUN,
    r"draw-downs?": Said.RUN | Said.DOWN,
    r"e\.g|(?:how|what) about|such as|would you": Said.OFFER,
    r"made (?:the|a|your|you a) (?:new )?bot|makes (?:it|the|that|sure)|(?:set|sign|signing) up|up to": Said.NOTHING,
    r"of (?:the|your|its) cash|position sizes?|stop[ -]loss(?:es)?|take[ -]profits?|under its peak": Said.RULE
    | Said.NAMED,
}
_PHRASE_BEGINS = {
    "at", "per", "average", "best", "worst", "buy", "buying", "p", "went", "draw", "e", "how", "what", "such", "would",
    "made", "makes", "set", "sign", "signing", "up", "of", "position", "stop", "take", "under",
}  # fmt: skip
_PHRASES = [(re.compile(rf"(?:{phrase})\b", re.IGNORECASE), said) for phrase, said in _PHRASES_MEANT.items()]
_WORD = re.compile(r"[^\W\d_]+")
_WITHOUT_BLANKS = re.compile(
    r"(?P<rule>止损|止盈|卖出|买入)|(?P<loss>亏损|回撤|損失|손실)|回报|收益|盈利|胜率|利益|収益|수익"
)
_WITHOUT_BLANKS_MEANT = {"rule": Said.RULE | Said.NAMED, "loss": Said.MOVE | Said.DOWN}


class Cue(NamedTuple):
    start: int
    end: int
    said: int


def cues_in(text: str) -> list[Cue]:
    cues, end = [], 0
    for word in _WORD.finditer(text):
        start, lowered = word.start(), word.group().lower()
        if start < end:
            continue
        end, said = _phrase(text, start) if lowered in _PHRASE_BEGINS else (0, None)
        if said is None:
            end, said = word.end(), _WORDS.get(lowered, Said.NOTHING)
        if said:
            cues.append(Cue(start, end, said))
    return cues if text.isascii() else sorted([*cues, *_cues_without_blanks(text)])


def _phrase(text: str, start: int) -> tuple[int, int | None]:
    for phrase, said in _PHRASES:
        if match := phrase.match(text, start):
            return match.end(), said
    return start, None


def _cues_without_blanks(text: str) -> Iterator[Cue]:
    """In scripts that put no blanks between words."""
    for match in _WITHOUT_BLANKS.finditer(text):
        yield Cue(match.start(), match.end(), _WITHOUT_BLANKS_MEANT.get(match.lastgroup or "", Said.MOVE))


def together(cues: list[Cue]) -> int:
    said = Said.NOTHING
    for cue in cues:
        said |= cue.said
    return said


def said_in(text: str) -> int:
    return together(cues_in(text))
