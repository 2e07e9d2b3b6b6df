"""A message written plainly: one kind of quotation mark and dash, fractions as decimals, shorthand spelled out."""

import re
import unicodedata
from functools import partial

from strategybot.conversations.offline.words.quantities import SPELLED_ONES, SPELLED_TENS, VULGAR_FRACTIONS

_PLAIN = str.maketrans(
    {
        "’": "'",
        "‘": "'",
        "“": '"',
        "”": '"',
        "−": "-",
        "–": "-",
        "—": ";",
        "→": "->",
        "≥": ">=",
        "≤": "<=",
        "@": " at ",
        "±": " plusminus ",
    }
)
_PAIR = r"(\d+(?:\.\d+)?) ?(%?) ?/ ?(\d+(?:\.\d+)?) ?(%?)"
_SPELLED = "|".join((*SPELLED_ONES, *SPELLED_TENS))
_REWRITTEN = (
    # "sl/tp 4/16" and "4/16 sl/tp": two names and their two amounts, in the same order.
    (
        re.compile(rf"([a-z]+) ?/ ?([a-z]+(?: [a-z]+)?)(?: ?[:=])? ?(?:to |at |of |is )?{_PAIR}", re.IGNORECASE),
        r"\1 \3\4\6, \2 \5\6",
    ),
    (re.compile(rf"{_PAIR} ([a-z]+) ?/ ?([a-z]+)", re.IGNORECASE), r"\5 \1\2\4, \6 \3\4"),
    (
        re.compile(r"\b(higher|lower|greater|less|longer|more) then (?=\$?[\d.]|an? |the |my |its )", re.IGNORECASE),
        r"\1 than ",
    ),
    (re.compile(r"(?<=\S) - (?=[a-z])", re.IGNORECASE), ", "),  # an aside, and no range
    (re.compile(r"\s+comma\b", re.IGNORECASE), ","),  # dictated
    (re.compile(r"\s+(?:full stop|period)\s*$", re.IGNORECASE), "."),
    (re.compile(r"\b([st])/([lp])\b", re.IGNORECASE), r"\1\2"),  # "S/L"
    (re.compile(rf"\b(?:minus|negative) (?=(?:{_SPELLED})\b)", re.IGNORECASE), "down "),
    (re.compile(rf"(?<=\bat )plus (?=(?:{_SPELLED})\b)", re.IGNORECASE), "up "),
    (re.compile(r"\b(?:minus|negative) (?=\d)", re.IGNORECASE), "-"),
    (re.compile(r"(?<=\bif |\bat )plus (?=\d)|(?<=\bwhen )plus (?=\d)", re.IGNORECASE), "+"),
    (re.compile(r"\bplus (?=[\d.,]+ ?(?:%|p(?:er)?c))", re.IGNORECASE), "+"),
    (re.compile(r"(?<![\w$.])(\d[\d.,]*k?) ?\$(?![\w.])"), r"$\1"),  # "1000$"
    (re.compile(rf"\b({'|'.join(SPELLED_TENS)})-(?=(?:{'|'.join(SPELLED_ONES)})\b)", re.IGNORECASE), r"\1 "),
    (
        re.compile(
            r"\b(for|over|during|past|last) (?:one|a|1|the|a full|a whole|one full) quarter\b(?! of| an?\b)",
            re.IGNORECASE,
        ),
        r"\1 90 days",
    ),
    (re.compile(r"\b(\w+) (last|past) (?=(?:days|weeks|months|hours)\b)", re.IGNORECASE), r"\2 \1 "),  # "7 last days"
    (re.compile(r"(?<=[a-z]) ?\+ ?(?=[a-z])", re.IGNORECASE), " and "),  # "the cooldown + the stop"
    # "first the window to 2h, second backtest it": the order in which they are said anyway
    (re.compile(r"^first(?:ly)?,? (.+)[,;.] (?:and )?(?:second(?:ly)?|then),? (?!of\b)", re.IGNORECASE), r"\1, then "),
    (re.compile(r"(?<=%) ?/ ?(?=\d+ ?(?:m|min|mins|h|hr|hrs|d)\b)", re.IGNORECASE), " in "),  # "7%/30m"
    (re.compile(r"\b(under|over|above|below|hits|reaches|at|to) (?:a|one) (?:dollar|buck)\b", re.IGNORECASE), r"\1 $1"),
    (re.compile(r"\bset (this|that|it|one) up\b", re.IGNORECASE), r"set up \1"),
    (re.compile(r"\bonce (?:a|per|every) (?=minute\b)", re.IGNORECASE), "every "),
    (re.compile(r"(?<![\d%]) / | / (?![\d.])"), ", "),  # "drop 4% in 2h buy / sl 5%"
    (re.compile(r"\bw/ ?(?=[\d$])", re.IGNORECASE), "with "),
    (re.compile(r"\b(?:no|without|zero|without any) (?:trading )?(?:fees?|commissions?)\b", re.IGNORECASE), "0% fees"),
    (re.compile(r"\b(we|they|you)'?re(?= (?:up|down|in|at|[\d.]+ ?%))", re.IGNORECASE), r"\1 are"),
    (re.compile(r"\brisk ?:(?= )", re.IGNORECASE), ","),  # a heading of limits
    (re.compile(r"\be\.? ?g\.", re.IGNORECASE), "for example"),
    (re.compile(r"\bupto\b", re.IGNORECASE), "up to"),
    (re.compile(r"\bone more (?=percent|%|pct|point|minute|hour|day|week)", re.IGNORECASE), "another 1 "),
    (re.compile(r"(?<=\d) or (?:more|so|higher|better) (?=%|p(?:er)?c)", re.IGNORECASE), " "),  # "10 or more percent"
    (
        re.compile(r"(?<!\S)(?:\((?:i{1,3}|iv|vi{0,3}|ix|x)\)|\(?[a-h]\)) ", re.IGNORECASE),
        "",
    ),  # "(i) buy …; (ii) stop …"
    (re.compile(r"(?:(?<!\S)\(?[1-9]\)|^[1-9]\.|(?<=\n)[1-9]\.) (?=[a-z])", re.IGNORECASE), ""),  # "1) buy …"
)


def plainly(text: str) -> str:
    for sign, value in VULGAR_FRACTIONS.items():
        text = re.sub(rf"(\d{{0,6}}){sign}", partial(_whole, value), text)
    flat = unicodedata.normalize("NFKC", text).translate(_PLAIN)
    for written, meant in _REWRITTEN:
        flat = written.sub(meant, flat)
    return flat


def _whole(fraction: float, match: re.Match[str]) -> str:
    return f" {float(match[1] or 0) + fraction:g} "
