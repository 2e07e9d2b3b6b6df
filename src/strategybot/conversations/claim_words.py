"""What the words around a number are about: what a run did, a setting, a suggestion. English, and a little more."""

import re
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
    DOWN = 256
    """The number may stand without its minus."""


SUBJECTS = Said.RUN | Said.MOVE | Said.SWING | Said.RULE | Said.COST
_MEANT = {
    "idle": Said.NOTHING,
    "run": Said.RUN,
    "lost": Said.RUN | Said.DOWN,
    "rule": Said.RULE,
    "swing": Said.RULE | Said.SWING,
    "cost": Said.COST | Said.DOWN,
    "offer": Said.OFFER,
    "case": Said.CASE,
    "loss": Said.MOVE | Said.DOWN,
    "gain": Said.MOVE,
    "money": Said.MOVE | Said.CASE,
    "past": Said.PAST,
    "far_rule": Said.RULE,
    "far_loss": Said.MOVE | Said.DOWN,
    "far_gain": Said.MOVE,
}
_CUE = re.compile(
    r"\b(?:"
    r"(?P<idle>made (?:the|a|your|you a) (?:new )?bot|paper[ -]trad\w{1,4}|trading|sign(?:ing)? up|up to|set up)"
    r"|(?P<run>buy(?:ing)?[ -](?:and|&)[ -]hold(?:ing)?|return(?:s|ed|ing)?|earned|earnings|made|won|wins?"
    r"|winning|winners?|gained|sharpe|sortino|calmar|cagr|trades|(?:best|worst|average|1|one) trade|equity"
    r"|p&l|pnl|backtest(?:s|ed|ing)?|simulation|results?|perform(?:ed|ance)|tested|exposure|expectancy|went (?:up|down)"
    r"|grew|ended|yield(?:s|ed)?|roi|bought|sold|turned|makes(?! (?:it|the|that|sure))|gave|brought|generated|achieved"
    r"|produced|delivered)"
    r"|(?P<lost>lost|draw-?downs?|losers?|losing)"
    r"|(?P<rule>stop[ -]?loss(?:es)?|take[ -]?profits?|trail(?:ing|s)?|stops?|targets?|sl|tp"
    r"|(?:buy|sell|exit|hold)(?:s|ing)?|enter(?:s|ing)?|clos(?:es?|ing)|entr(?:y|ies)|conditions?|windows?|thresholds?"
    r"|levels?|volumes?|cooldowns?|position sizes?|set(?:s|tings?)?|above|cross(?:es)?|of (?:the|your|its) cash"
    r"|under its peak|verkauf\w{0,4}|kauf\w{0,3}|vend\w{0,4}|achet\w{0,3}|achat|compr[aeo]\w{0,2}|venta)"
    r"|(?P<swing>dips?|drops?|falls?|rises?|spikes?)"
    r"|(?P<cost>fees?|slippage|commissions?|tax(?:es)?|gebühr(?:en)?|frais|comisi(?:ón|ones))"
    r"|(?P<offer>should|shall|suggest\w{0,3}|recommend\w{0,3}|example|instance|e\.g|such as|try|want|how about"
    r"|what about|would you|perhaps|maybe|consider|say|choices?|options?|typical(?:ly)?|common(?:ly)?|rather)"
    r"|(?P<case>may|might|could|can|would|if|when|at (?:the )?(?:most|least)|price)"
    r"|(?P<loss>loss(?:es)?|loses?|fell|fallen|dropped|negative|minus|worse|worst|down|below|under|cost"
    r"|verlust|perte|pérdida|perdita|убыток)"
    r"|(?P<gain>up|gains?|gaining|profit(?:s|able)?|earns?|rose|risen|climbed|reached|jumped|growth"
    r"|rendite|gewinn|trefferquote|rendement|bénéfice|rentabilidad|ganancia|retorno|lucro|rendimento|profitto"
    r"|доходность|прибыль)"
    r"|(?P<money>cash|balance|worth)"
    r"|(?P<past>was|were|had|been|have|has|war|lag|betrug|était|fue)"
    r")\b"
    r"|(?P<far_rule>止损|止盈|卖出|买入)|(?P<far_loss>亏损|回撤|損失|손실)|(?P<far_gain>回报|收益|盈利|胜率|利益|収益|수익)",
    re.IGNORECASE,
)


class Cue(NamedTuple):
    start: int
    end: int
    said: int


def cues_in(text: str) -> list[Cue]:
    return [Cue(match.start(), match.end(), _MEANT[match.lastgroup or "idle"]) for match in _CUE.finditer(text)]


def together(cues: list[Cue]) -> int:
    said = Said.NOTHING
    for cue in cues:
        said |= cue.said
    return said


def said_in(text: str) -> int:
    return together(cues_in(text))
