"""What requests about bots and their runs name: the run of a path, and the revision in the header `If-Match`."""

from typing import Annotated, Any, NamedTuple

from fastapi import Depends, Header

from strategybot.accounts.dependencies import CurrentPrincipal
from strategybot.accounts.service import Principal
from strategybot.bots.schemas import StaleBotView
from strategybot.kit.http.parameters import Id

ANY = "*"
STALE: dict[int | str, dict[str, Any]] = {
    412: {"model": StaleBotView, "description": "The strategy has changed since the revision named by `If-Match`"}
}


async def _expected_revisions(
    if_match: Annotated[
        str | None,
        Header(description='The revision that this is based on, such as `"3"`: refused if there is a newer one'),
    ] = None,
) -> frozenset[int] | None:
    """Return the revisions that the request accepts, or None if it accepts all. Unknown tags match no revision."""
    if if_match is None or if_match.strip() == ANY:
        return None
    tags = [tag.strip().removeprefix("W/").strip('"') for tag in if_match.split(",")]
    return frozenset(int(tag) for tag in tags if tag.isascii() and tag.isdigit() and len(tag) <= 10)


ExpectedRevisions = Annotated[frozenset[int] | None, Depends(_expected_revisions)]


def revision_tag(revision: int) -> dict[str, str]:
    """Return the header that names a revision."""
    return {"ETag": f'"{revision}"'}


class RunOfCaller(NamedTuple):
    """The run that a path names, and who asks for it, in the order in which the services take them."""

    principal: Principal
    bot_id: str
    run_id: str


async def _named_run(principal: CurrentPrincipal, bot_id: Id, run_id: Id) -> RunOfCaller:
    return RunOfCaller(principal, bot_id, run_id)


NamedRun = Annotated[RunOfCaller, Depends(_named_run)]
