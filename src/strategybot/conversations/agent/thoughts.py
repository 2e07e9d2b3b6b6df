"""Hides what a model thinks aloud between `<think>` and `</think>` in its text, wherever the stream cuts the tags."""

import re

_TAG = re.compile(r"<(/?)(?:think|thinking|reasoning)>", re.IGNORECASE)
_BEGINNING_OF_A_TAG = re.compile(r"</?[a-z]{0,9}\Z", re.IGNORECASE)


class ThoughtFilter:
    """Filters a streamed text piece by piece."""

    def __init__(self) -> None:
        self._held = ""
        self._thinking = self._after_thought = False
        self.retracts = False
        """Whether the last piece closed a thought that it had not opened: then all text before it was one too, because
        some servers open the tag in the prompt.
        """

    def take(self, piece: str) -> str:
        """Return what is no thought. What may be the beginning of a tag is held back until the next piece."""
        shown, text, self.retracts = "", self._held + piece, False
        while tag := _TAG.search(text):
            closes = tag[1] == "/"
            if closes and not self._thinking:
                shown, self.retracts = "", True
            elif not self._thinking:
                shown += self._visible(text[: tag.start()])
            self._thinking, self._after_thought = not closes, closes
            text = text[tag.end() :]
        beginning = _BEGINNING_OF_A_TAG.search(text)
        self._held = beginning.group() if beginning else ""
        return shown if self._thinking else shown + self._visible(text.removesuffix(self._held))

    def end(self) -> str:
        """Return what was held back: it was no tag."""
        held, self._held = self._held, ""
        return "" if self._thinking else held

    def _visible(self, text: str) -> str:
        """Return the text without the blank lines that follow a thought."""
        if self._after_thought:
            text = text.lstrip()
            self._after_thought = not text
        return text


def without_thoughts(text: str) -> str:
    """Return a complete text without its thoughts."""
    thoughts = ThoughtFilter()
    return thoughts.take(text) + thoughts.end()
