"""The questions of `sentences.txt`, each with the order that an answer completes."""

from strategybot.conversations.offline.lexicon import SENTENCES
from strategybot.kit.json_object import Json


class NeedsClarification(Exception):
    """The message cannot be done as it is; the text says what is missing."""

    def __init__(self, text: str, pending: Json | None = None) -> None:
        super().__init__(text)
        self.text, self.pending = text, pending or {}


def question(name: str, more: Json | None = None, /, **said: object) -> NeedsClarification:
    """Return the question with what is said put in. It has one order, or one for each answer as in “up > go {text}”."""
    order, _, text = SENTENCES[f"{name}?"].rpartition(" = ")
    for key, value in said.items():
        order, text = (each.replace(f"{{{key}}}", str(value)) for each in (order, text))
    pending: Json = {"kind": "fill", "order": order} if order else {}
    if text.endswith("(yes/no)"):
        pending = {"kind": "again", "text": order}
    if " > " in order:
        pending = {"kind": "choose", "options": dict(each.split(" > ", maxsplit=1) for each in order.split(" | "))}
    return NeedsClarification(text, {**pending, **(more or {})})
