"""Turns the URLs that targets had before they had fields, such as `ntfy://topic`, into targets with fields.

Only what is listed here is read of a URL. The fields are checked like those of any other target.
"""

from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import parse_qsl, unquote, urlsplit

from strategybot.kit.errors import FieldError, InvalidInput
from strategybot.notifications.kinds import NTFY, TargetKind, target_of
from strategybot.notifications.schemas import KindName

Fields = dict[str, str]
LOOKS = frozenset({"format", "priority", "silent", "sound"})
"""Options that change only how a message looks; they are ignored."""
# Where mailboxes are elsewhere than at their domain.
MAIL_SERVERS = {
    "gmail.com": "smtp.gmail.com",
    "googlemail.com": "smtp.gmail.com",
    "hotmail.com": "smtp-mail.outlook.com",
    "icloud.com": "smtp.mail.me.com",
    "live.com": "smtp-mail.outlook.com",
    "outlook.com": "smtp-mail.outlook.com",
    "yahoo.com": "smtp.mail.yahoo.com",
}
HOSTS_WITH_WEBHOOKS: dict[str, KindName] = {
    "https://discord.com/api/webhooks/": "discord",
    "https://discordapp.com/api/webhooks/": "discord",
    "https://hooks.slack.com/services/": "slack",
}


class BadUrl(InvalidInput):
    def __init__(self, reason: str) -> None:
        super().__init__([FieldError("url", reason)])
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Parts:
    scheme: str
    user: str
    password: str
    host: str
    """With its port; for vendors whatever stands there."""
    path: list[str]
    options: Fields

    @property
    def is_secure(self) -> bool:
        return self.scheme.endswith("s")

    @property
    def server(self) -> str:
        return f"{'https' if self.is_secure else 'http'}://{self.host}"

    def only(self, *options: str, path: int) -> None:
        """Raise if there are other options, or more parts in the path than these."""
        if unknown := self.options.keys() - {*options, *LOOKS}:
            known = f"only {' and '.join(options)}" if options else "none"
            raise BadUrl(f"has {len(unknown)} options that are not taken; {known} can be given, or use fields")
        if len(self.path) > path:
            raise BadUrl("has more parts than a target of this kind needs")

    def part(self, number: int) -> str:
        return self.path[number] if number < len(self.path) else ""


def target_from_url(url: str) -> TargetKind:
    """Return the target that the URL describes. Raise `BadUrl` with the reason if it describes none."""
    for prefix, kind in HOSTS_WITH_WEBHOOKS.items():
        if url.startswith(prefix):
            return _check(kind, {"webhook": url})
    scheme, _, _ = url.partition("://")
    if scheme in ("http", "https"):
        return _check("webhook", {"url": url})
    if scheme not in CONVERSIONS:
        raise BadUrl(f"must begin with one of: {', '.join(sorted([*CONVERSIONS, 'http', 'https']))}")
    if "#" in url or ";" in url:
        raise BadUrl("must have no # and no ; in it")
    kind, convert = CONVERSIONS[scheme]
    return _check(kind, convert(_parts(url)))


def _check(kind: KindName, fields: Fields) -> TargetKind:
    try:
        return target_of(kind, fields)
    except InvalidInput as error:
        wrong = error.errors[0]
        name = wrong.field.removeprefix("fields.")
        raise BadUrl(
            wrong.message if name == "url" else f"is no address of this kind: its {name} {wrong.message}"
        ) from None


def _parts(url: str) -> Parts:
    try:
        parts = urlsplit(url)
    except ValueError:
        raise BadUrl("must be a URL") from None
    login, _, host = parts.netloc.rpartition("@")
    user, _, password = login.partition(":")
    path = [unquote(part) for part in parts.path.split("/") if part]
    options = dict(parse_qsl(parts.query, keep_blank_values=True))
    return Parts(parts.scheme, unquote(user), unquote(password), host, path, options)


def _telegram(parts: Parts) -> Fields:
    parts.only(path=1)
    return {"token": parts.host, "chat": parts.part(0)}


def _webhook_of_vendor(parts: Parts) -> Fields:
    parts.only(path=2)
    return {"webhook": "/".join([parts.host, *parts.path])}


def _ntfy(parts: Parts) -> Fields:
    parts.only("to", path=1)
    if parts.password:
        raise BadUrl("must have an access token instead of a user name and a password")
    topic = parts.part(0) or parts.options.get("to", "")
    if not topic:
        return {"topic": parts.host, "token": parts.user}
    return {"topic": topic, "server": NTFY if parts.host == "ntfy.sh" else parts.server, "token": parts.user}


def _gotify(parts: Parts) -> Fields:
    parts.only(path=1)
    return {"server": parts.server, "token": parts.part(0)}


def _pushover(parts: Parts) -> Fields:
    parts.only(path=0)
    return {"user_key": parts.user, "token": parts.host}


def _matrix(parts: Parts) -> Fields:
    parts.only(path=1)
    if parts.password:
        raise BadUrl("must have an access token instead of a user name and a password")
    return {"server": parts.server, "token": parts.user, "room": parts.part(0)}


def _email(parts: Parts) -> Fields:
    parts.only("from", "name", "pass", "smtp", "to", "user", path=1)
    domain, _, port = parts.host.partition(":")
    user = parts.options.get("user") or parts.user
    mailbox = user if "@" in user else f"{user}@{domain}"
    is_elsewhere = domain in MAIL_SERVERS
    server = parts.options.get("smtp") or MAIL_SERVERS.get(domain, domain)
    return {
        "server": f"{server}:{port}" if port else server,
        "security": "starttls" if parts.is_secure or is_elsewhere else "none",
        "username": mailbox if is_elsewhere else user,
        "password": parts.options.get("pass") or parts.password,
        "sender": parts.options.get("from") or mailbox,
        "recipient": parts.options.get("to") or parts.part(0) or mailbox,
    }


CONVERSIONS: dict[str, tuple[KindName, Callable[[Parts], Fields]]] = {
    "discord": ("discord", _webhook_of_vendor),
    "gotify": ("gotify", _gotify),
    "gotifys": ("gotify", _gotify),
    "mailto": ("email", _email),
    "mailtos": ("email", _email),
    "matrix": ("matrix", _matrix),
    "matrixs": ("matrix", _matrix),
    "ntfy": ("ntfy", _ntfy),
    "ntfys": ("ntfy", _ntfy),
    "pover": ("pushover", _pushover),
    "slack": ("slack", _webhook_of_vendor),
    "tgram": ("telegram", _telegram),
}
