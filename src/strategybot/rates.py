"""Every rate limit of the service, built from the settings. All processes share them through the database, except the
one of share views.
"""

from collections.abc import Mapping
from datetime import timedelta

from strategybot.accounts.service import AccountRateLimits
from strategybot.kit.clock import Clock
from strategybot.kit.database import Database
from strategybot.kit.limits import Rate, RollingLimit
from strategybot.settings import Settings

VISITORS_AN_HOUR = Rate(10, timedelta(hours=1))
DELIVERIES_TO_A_TARGET = Rate(30, timedelta(hours=1))
PREVIEWS = Rate(60, timedelta(minutes=1))
SHARE_VIEWS = Rate(240, timedelta(minutes=1))
ONCE_AND_FOR_ALL = Rate(1, timedelta(days=36_500))
TOO_MANY_LOGINS = "Too many login attempts. Please wait a moment and try again."
TOO_MANY_REGISTRATIONS = "Too many accounts were registered from your address. Please try again later."
TOO_MANY_SIMULATIONS = "You have started too many simulations. Please wait before you start another."
TOO_MANY_TESTS = "This target was sent 30 messages in the last hour. Please try again later."
TOO_MANY_PREVIEWS = "You have asked for too many previews. Please wait a moment."
TOO_MANY_SHARE_VIEWS = "Shared backtests were opened too often from your address. Please wait a moment."
TOO_MANY_CHATS = "Everyone together has sent too many messages. Please try again later."
TOO_MANY_OWN_CHATS = "You have used your share of the messages that everyone may send. Please try again later."


class RateLimits:
    def __init__(self, settings: Settings, database: Database, clock: Clock) -> None:
        def limit(name: str, rate: Rate, message: str | None = None) -> RollingLimit:
            return RollingLimit(database, clock, name, rate, message)

        self.accounts = AccountRateLimits(
            logins=limit("login", settings.login_limit, TOO_MANY_LOGINS),
            password_checks=limit("password", settings.login_limit, TOO_MANY_LOGINS),
            visitors=limit("visitor", VISITORS_AN_HOUR),
            registrations=limit("register", settings.register_limit, TOO_MANY_REGISTRATIONS),
        )
        self.visitor_backtests = limit("visitor_backtests", ONCE_AND_FOR_ALL)
        self.simulation_starts = limit("simulation", settings.simulation_limit, TOO_MANY_SIMULATIONS)
        self.previews = limit("preview", PREVIEWS, TOO_MANY_PREVIEWS)
        self.chats = limit("chat", settings.chat_limit, TOO_MANY_CHATS)
        self.deliveries = limit("notification", DELIVERIES_TO_A_TARGET, TOO_MANY_TESTS)
        own_rate = settings.chat_limit.share(settings.chat_share)
        # With a share of 100% only the limit of all users together applies.
        self.own_chats = limit("chat_share", own_rate, TOO_MANY_OWN_CHATS) if settings.chat_share < 100 else None

    def of_one_owner(self) -> Mapping[str, RollingLimit]:
        """Return the limits of one account, by their names in the profile."""
        chats = {} if self.own_chats is None else {"chat_messages": self.own_chats}
        return {"simulation_starts": self.simulation_starts, **chats}
