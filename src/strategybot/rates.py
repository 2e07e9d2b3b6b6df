"""Every rate limit of the service, built from the settings. All processes share them through the database, except the
one of share views.
"""

from collections.abc import Callable, Mapping
from datetime import timedelta

from strategybot.accounts.service import AccountRateLimits
from strategybot.conversations.service import ChatRateLimits
from strategybot.kit.clock import Clock
from strategybot.kit.database import Database
from strategybot.kit.limits import Rate, RollingLimit
from strategybot.settings import Settings

FAILED_LOGINS = Rate(20, timedelta(minutes=15))
VISITORS_AN_HOUR = Rate(10, timedelta(hours=1))
CLIENTS_AN_HOUR = Rate(30, timedelta(hours=1))  # programs that register themselves, from one client address
DELIVERIES_TO_A_TARGET = Rate(30, timedelta(hours=1))
PREVIEWS = Rate(60, timedelta(minutes=1))
SHARE_OF_AN_ADDRESS = 20  # percent of the chat limit, for the visitors of one client address
SHARE_VIEWS = Rate(240, timedelta(minutes=1))
RUNS_OF_A_TIER = Rate(1, timedelta(days=1))  # with the count of the tier
ONCE_AND_FOR_ALL = Rate(1, timedelta(days=36_500))
TOO_MANY_LOGINS = "Too many login attempts. Please wait a moment and try again."
TOO_MANY_FAILED_LOGINS = "Too many failed logins with this email. Please try again later."
TOO_MANY_REGISTRATIONS = "Too many accounts were registered from your address. Please try again later."
TOO_MANY_SIMULATIONS = "You have started too many simulations. Please wait before you start another."
TOO_MANY_RUNS = "You have started as many runs today as your tier allows. Please try again later."
TOO_MANY_TESTS = "This target was sent 30 messages in the last hour. Please try again later."
TOO_MANY_PREVIEWS = "You have asked for too many previews. Please wait a moment."
TOO_MANY_SHARE_VIEWS = "Shared backtests were opened too often from your address. Please wait a moment."
TOO_MANY_CHATS = "Everyone together has sent too many messages. Please try again later."
TOO_MANY_VISITOR_CHATS = "Visitors have sent their share of the messages. Sign up for a free account to go on."
TOO_MANY_CHATS_OF_AN_ADDRESS = (
    "Visitors from your address have sent their share of the messages. Sign up for a free account to go on."
)
TOO_MANY_OWN_CHATS = "You have used your share of the messages that everyone may send. Please try again later."


class RateLimits:
    def __init__(self, settings: Settings, database: Database, clock: Clock) -> None:
        def limit(name: str, rate: Rate, message: str | None = None) -> RollingLimit:
            return RollingLimit(database, clock, name, rate, message)

        self.accounts = AccountRateLimits(
            logins=limit("login", settings.login_limit, TOO_MANY_LOGINS),
            failed_logins=limit("failed_login", FAILED_LOGINS, TOO_MANY_FAILED_LOGINS),
            password_checks=limit("password", settings.login_limit, TOO_MANY_LOGINS),
            visitors=limit("visitor", VISITORS_AN_HOUR),
            registrations=limit("register", settings.register_limit, TOO_MANY_REGISTRATIONS),
            clients=limit("client", CLIENTS_AN_HOUR),
            runs=limit("run", RUNS_OF_A_TIER, TOO_MANY_RUNS),
        )
        self.visitor_backtests = limit("visitor_backtests", ONCE_AND_FOR_ALL)
        self.simulation_starts = limit("simulation", settings.simulation_limit, TOO_MANY_SIMULATIONS)
        self.previews = limit("preview", PREVIEWS, TOO_MANY_PREVIEWS)
        self.chats = _chat_limits(settings, limit)
        self.deliveries = limit("notification", DELIVERIES_TO_A_TARGET, TOO_MANY_TESTS)

    def of_one_owner(self) -> Mapping[str, RollingLimit]:
        """Return the limits of one account, by their names in the profile."""
        chats = {} if self.chats.owner is None else {"chat_messages": self.chats.owner}
        return {"simulation_starts": self.simulation_starts, **chats}


def _chat_limits(settings: Settings, limit: Callable[[str, Rate, str], RollingLimit]) -> ChatRateLimits:
    """Return the limits of chat messages. A share of 100% is no limit of its own."""
    rate = settings.chat_limit
    own, visitors = settings.chat_share, settings.visitor_percent
    return ChatRateLimits(
        everyone=limit("chat", rate, TOO_MANY_CHATS),
        owner=limit("chat_share", rate.share(own), TOO_MANY_OWN_CHATS) if own < 100 else None,
        visitors=limit("visitor_chat", rate.share(visitors), TOO_MANY_VISITOR_CHATS) if visitors < 100 else None,
        visitors_of_address=limit("address_chat", rate.share(SHARE_OF_AN_ADDRESS), TOO_MANY_CHATS_OF_AN_ADDRESS),
    )
