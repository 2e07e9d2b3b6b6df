"""`/api/notifications`: the newest events of the caller, and the targets that are told of them."""

from typing import Annotated

from fastapi import APIRouter, Depends

from strategybot.accounts.dependencies import CurrentPrincipal, CurrentUser
from strategybot.kit.http.bodies import JsonRoute
from strategybot.kit.http.error_responses import error_responses
from strategybot.kit.http.parameters import Id
from strategybot.kit.http.provided import provide
from strategybot.notifications.kinds import kind_views
from strategybot.notifications.schemas import (
    KindList,
    NewTarget,
    NotificationList,
    ReadMark,
    TargetDraft,
    TargetList,
    TargetMessage,
    TargetPatch,
    TargetView,
    TestView,
)
from strategybot.notifications.service import Notifications

router = APIRouter(prefix="/api/notifications", tags=["Notifications"], route_class=JsonRoute)

NotificationsService = Annotated[Notifications, Depends(provide(Notifications))]


@router.get("", responses=error_responses(401))
def list_notifications(notifications: NotificationsService, principal: CurrentPrincipal) -> NotificationList:
    """Return the newest 100 events of your runs, with the number of unread ones among them."""
    return notifications.newest(principal)


@router.post("/read", status_code=204, responses=error_responses(401))
def mark_notifications_read(
    notifications: NotificationsService, principal: CurrentPrincipal, mark: ReadMark | None = None
) -> None:
    """Mark all events as read, or those up to a given one."""
    notifications.mark_read(principal, mark.until if mark else None)


@router.get("/kinds", responses=error_responses(401))
def list_target_kinds(_user: CurrentUser) -> KindList:
    """Return the kinds of targets with their fields."""
    return KindList(kinds=kind_views())


@router.get("/targets", responses=error_responses(401))
def list_targets(notifications: NotificationsService, user: CurrentUser) -> TargetList:
    """Return the targets to which your events are sent, without their secrets."""
    return TargetList(targets=notifications.targets(user.principal))


@router.post("/targets", status_code=201, responses=error_responses(401, 409))
async def add_target(notifications: NotificationsService, user: CurrentUser, draft: TargetDraft) -> NewTarget:
    """Add a target, at most 20 per account. A target gets at most 30 messages an hour, then one summary."""
    return await notifications.create(user.principal, draft)


@router.patch("/targets/{target_id}", responses=error_responses(401, 404))
async def change_target(
    notifications: NotificationsService, user: CurrentUser, target_id: Id, patch: TargetPatch
) -> TargetView:
    """Change any subset of name, address, events and whether it is enabled."""
    return await notifications.change(user.principal, target_id, patch)


@router.delete("/targets/{target_id}", status_code=204, responses=error_responses(401, 404))
def delete_target(notifications: NotificationsService, user: CurrentUser, target_id: Id) -> None:
    """Delete a target: nothing is sent to it any more."""
    notifications.delete(user.principal, target_id)


@router.post("/targets/{target_id}/test", responses=error_responses(401, 404, 429))
async def test_target(notifications: NotificationsService, user: CurrentUser, target_id: Id) -> TestView:
    """Send one message now, and return whether it was delivered."""
    return await notifications.test(user.principal, target_id)


def tell_target(message: TargetMessage) -> None:
    """Sent to a target of the kind `webhook`.

    `X-Strategybot-Signature` is `sha256=` and the HMAC-SHA256 of the body with the target's `signing_secret`.
    """
