"""What the user has agreed to, by their own words: a language model cannot agree in their place.

An act that ends something for good is refused at first, with a question. It is done in the next turn if the user's
message is a yes, or at once if the message itself orders it. A question or a negation orders nothing.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from strategybot.kit.errors import AppError
from strategybot.kit.json_object import Json

Kind = Literal[
    "end_simulation", "replace_simulation", "end_watch", "replace_watch", "last_backtest", "short_replay",
    "delete_bot", "seal_history", "open_history", "share_run",
]  # fmt: skip
NEEDS_YES = "needs_yes"  # in the result of a refused call: the act that needs the user's yes
YES_OR_NO = "(yes/no)"  # the end of its question

_RUN = (
    r"(?:(?:the|my|this|that|its|your|live|paper|running|old) )*(?:simulation|sim|run|paper[ -]trading|it|this|that)\b"
)
_ORDERS: dict[Kind, re.Pattern[str]] = {
    "end_simulation": re.compile(rf"\b(?:stop|end|halt|cancel|quit|terminate|kill) {_RUN}|^\W*(?:please )?stop\b\W*$"),
    "replace_simulation": re.compile(rf"\b(?:replace|restart) {_RUN}|^\W*(?:please )?restart\b\W*$"),
    "end_watch": re.compile(rf"\b(?:stop|end|cancel) (?:{_RUN}|(?:(?:the|my|this|that) )*(?:watch(?:ing)?|alerts?)\b)"),
    "replace_watch": re.compile(r"\b(?:replace|restart) (?:(?:the|my|this|that|running|old) )*(?:watch|alerts?|it)\b"),
    "delete_bot": re.compile(
        r"\b(?:delete|remove) (?:(?:the|my|this|that) )*bot\b|\bdelete (?:(?:the|my|this|that) )*\S+(?: \S+)? bot\b"
    ),
    "seal_history": re.compile(r"\b(?:seal|hold back|set aside)\b.*\b(?:history|quarter|data|holdout|part)\b"),
    "open_history": re.compile(r"\b(?:open|unseal)\b.*\b(?:history|quarter|data|holdout|seal(?:ed)?|part)\b"),
    "share_run": re.compile(r"\b(?:share|publish)\b|\bmake (?:it|this|that|the result) public\b"),
    # Only who says “simulate” or “replay”, and not of which time, may mean something longer.
    "short_replay": re.compile(r"^(?!.*\b(?:simulat\w*|sim|replay\w*|dry run)\b)|\blast hour\b|\banyway\b", re.DOTALL),
    "last_backtest": re.compile(r"\b(?:(?:back[ -]?)?test(?:ed)?|how (?:would|did) it|would (?:it|this|that) have)\b"),
}
_NEGATION = re.compile(r"\b(?:no|not|never|none|without|nicht|kein\w*|ne pas)\b|n['’]t\b")
_POLITE_ORDER = re.compile(r"^\W*(?:please |and |so )*(?:can|could|would|will) (?:you|it)\b|\bhow (?:would|did) it\b")
_YES = re.compile(
    r"(?<!\w)(?:yes|yeah|yep|yup|y|sure|ok|okay|okey|alright|fine|confirm(?:ed)?|agreed?|absolutely|of course|go ahead|"
    r"go for it|do it|do so|do that|please do|ja|jawohl|klar|gerne|oui|d['’]accord|sí|si|claro|sim|tak|evet|да|はい|"
    r"是的?|好的?|可以|네|예|हाँ)(?!\w)"
)
# What may stand beside a yes. Any other word may mean something else: “ok, show me the trades”.
_BESIDE_A_YES = re.compile(
    r"(?:\W|\b(?:please|thanks|thank you|and|then|now|so|do|it|that|this|the|simulation|stop|end|replace|run|backtest|"
    r"watch|test|i want|to|proceed|continue|with|for|right|just|bitte|das|mach|danke|merci|por favor|gracias)\b)*"
)


class DetailedRefusal(AppError):
    """A refusal with `details`, which a tool's result has beside its `error`: they say in data what would help."""

    def __init__(self, message: str, details: Json) -> None:
        super().__init__(message)
        self.details = details


class NeedsYes(DetailedRefusal):
    """The act ends something for good, and the user has not agreed to it yet. The message is the question."""

    status = 409

    def __init__(self, act: str, question: str) -> None:
        super().__init__(f"{question} {YES_OR_NO}", {NEEDS_YES: act})


@dataclass(frozen=True, slots=True)
class Said:
    """The user's message, the one before it, and the acts that the last answer asked about."""

    text: str
    before: str = ""
    asked: frozenset[str] = frozenset()

    def agrees_to(self, kind: Kind, subject: str) -> bool:
        if self.text.lstrip().startswith("/"):  # a command is the user's own act
            return True
        if act_of(kind, subject) in self.asked and is_yes(self.text):
            return True
        # A backtest may need an answer first: “test it”, “on which token?”, “PIPO”.
        texts = (self.text, self.before) if kind == "last_backtest" else (self.text,)
        return any(_orders(kind, text.casefold()) for text in texts)

    def names(self, *names: str) -> bool:
        """Return whether the message, or the one before it, contains one of these names or ids."""
        return any(_is_in(name, text) for name in names for text in (self.text, self.before))


NOTHING_SAID = Said("")


def act_of(kind: Kind, subject: str) -> str:
    return f"{kind} {subject}"


def said_in(text: str, known: Iterable[str | Mapping[str, Any]]) -> Said:
    """Return what the user said, by their message and what is known of earlier turns: their messages, and tool calls
    with results, oldest first.
    """
    before, asked = "", set[str]()
    for entry in known:
        if isinstance(entry, str):
            before, asked = entry, set()
        elif isinstance(entry["result"], dict) and isinstance(act := entry["result"].get(NEEDS_YES), str):
            asked.add(act)
    return Said(text, before, frozenset(asked))


def is_yes(text: str) -> bool:
    """Return whether the message is a yes and nothing else."""
    lowered = text.casefold()
    rest, agreements = _YES.subn(" ", lowered)
    return agreements > 0 and "?" not in lowered and _BESIDE_A_YES.fullmatch(rest) is not None


def _orders(kind: Kind, text: str) -> bool:
    is_question = "?" in text and not _POLITE_ORDER.search(text)
    return bool(_ORDERS[kind].search(text)) and not is_question and not _NEGATION.search(text)


def _is_in(name: str, text: str) -> bool:
    """Return whether the text has this name as words of its own; blanks and punctuation do not matter."""
    words = re.findall(r"[^\W_]+", name.casefold())
    pattern = r"[\W_]*".join(map(re.escape, words)) if words else re.escape(name.casefold().strip())
    return bool(pattern) and re.search(rf"(?<![^\W_]){pattern}(?![^\W_])", text.casefold()) is not None
