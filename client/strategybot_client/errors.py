"""Refusals of the server as exceptions, with the server's message."""

from typing import Any

import httpx2


class StrategyBotError(Exception):
    """Every error of the client."""


class Unreachable(StrategyBotError):
    """The server did not answer."""


class UnexpectedAnswer(StrategyBotError):
    """The answer is not one of Strategy Bot's: another server is at this address, or a much newer version."""


class Refusal(StrategyBotError):
    """The server refused a request; the text is its own sentence."""

    def __init__(self, response: httpx2.Response) -> None:
        body = _body(response)
        self.status = response.status_code
        self.detail = str(body.get("detail") or f"The server answered with the status {self.status}.")
        self.errors: list[dict[str, str]] = body.get("errors") or []
        self.upsell_message: str | None = body.get("upsell_message")
        self.retry_after = int(response.headers.get("Retry-After") or 0)
        super().__init__(self.detail)


class Unauthorized(Refusal):
    """The token is missing, expired, revoked or unknown."""


class Forbidden(Refusal):
    """The tier or the token's scope does not permit it; `upsell_message` says which tier does."""


class NotFound(Refusal):
    """It does not exist, or belongs to somebody else."""


class Conflict(Refusal):
    """It conflicts with the current state; for example, a name is taken."""


class InvalidInput(Refusal):
    """`errors` names each field that breaks a rule."""


class TooManyRequests(Refusal):
    """`retry_after` says in how many seconds to try again."""


class RunFailed(StrategyBotError):
    """A run that was waited for has failed, or was stopped."""


class WaitedTooLong(StrategyBotError, TimeoutError):
    """A run that was waited for has not ended in time. It goes on."""


_BY_STATUS = {401: Unauthorized, 403: Forbidden, 404: NotFound, 409: Conflict, 422: InvalidInput, 429: TooManyRequests}


def raise_refusal(response: httpx2.Response) -> None:
    if response.is_error:
        response.read()  # a stream has not read its body yet
        raise _BY_STATUS.get(response.status_code, Refusal)(response)


async def raise_refusal_async(response: httpx2.Response) -> None:
    if response.is_error:
        await response.aread()
    raise_refusal(response)


def _body(response: httpx2.Response) -> dict[str, Any]:
    try:
        body = response.json()
    except ValueError:
        return {}
    return body if isinstance(body, dict) else {}
