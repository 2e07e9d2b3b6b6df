"""Request and response bodies of the account endpoints."""

import re
from collections.abc import Mapping
from datetime import datetime
from functools import cache
from importlib import resources
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError
from pydantic_core import PydanticCustomError

from strategybot.accounts.tiers import Limits, Tier
from strategybot.kit.validation import NAME_PATTERN, Body
from strategybot.trading.engine.instruments import Chain, Interval
from strategybot.trading.language.values import WHOLE, Cash, CostPercent, Timezone


@cache
def _lines(package: str, name: str) -> frozenset[str]:
    return frozenset(resources.files(package).joinpath(name).read_text("utf-8").split("\n")) - {""}


COMMON_PASSWORDS = _lines("strategybot.accounts", "common_passwords.txt")


def _uncommon(password: str) -> str:
    if password.casefold() in COMMON_PASSWORDS or len(set(password)) == 1:
        raise PydanticCustomError("common_password", "is one of the most common passwords; please choose another")
    return password


EMAIL_PATTERN = (
    r"^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*"
    r"@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])$"
)
NOT_ONE_CHARACTER_PATTERN = r"^(?!([\s\S])\1*$)"
PRINTABLE_PATTERN = r"^[^\x00-\x1f\x7f]*$"


def _well_formed_email(text: str) -> str:
    if re.fullmatch(EMAIL_PATTERN, text) is None:
        raise PydanticCustomError("email", "must be an email address such as ada@example.com")
    return text


Email = Annotated[
    str,
    Field(max_length=254, examples=["ada@example.com"], json_schema_extra={"pattern": EMAIL_PATTERN}),
    AfterValidator(_well_formed_email),
]
NewPassword = Annotated[
    str,
    Field(
        min_length=8,
        max_length=1024,
        examples=["correct horse battery staple"],
        description="Not one of the most common passwords, and not one character over and over",
        json_schema_extra={"pattern": NOT_ONE_CHARACTER_PATTERN},
    ),
    AfterValidator(_uncommon),
]
# A wrong password must give 401, not 422: only the length is limited.
GivenPassword = Annotated[str, Field(max_length=1024, examples=["correct horse battery staple"])]
NamedTimezone = Annotated[Timezone, Field(description="An IANA name such as Europe/Vienna")]


class Registration(Body):
    email: Email
    password: NewPassword


class LoginAttempt(Body):
    email: Annotated[str, Field(max_length=254, pattern=PRINTABLE_PATTERN, examples=["ada@example.com"])]
    password: GivenPassword


class PasswordChange(Body):
    current_password: GivenPassword
    new_password: NewPassword


class AccountDeletion(Body):
    password: GivenPassword


class UserSettings(Body):
    """A response has all settings; a PATCH may have any subset."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"default_chain": "base", "theme": "dark"}]})

    default_chain: Chain = "solana"
    default_kline_interval: Interval = "1h"
    default_check_interval: Literal[10, 30, 60] = 60
    initial_cash: Cash = 10_000
    fee_percent: CostPercent = 0.1
    slippage_percent: CostPercent = 0.05
    theme: Literal["system", "light", "dark"] = "system"
    timezone: NamedTimezone = "UTC"

    def own_kline_interval(self) -> Interval | None:
        """Return the interval that the user has set, or None if the run should choose one for its strategy."""
        return self.default_kline_interval if "default_kline_interval" in self.model_fields_set else None

    def chosen(self, **asked: float | None) -> dict[str, float]:
        """Return the given values, with the setting of the same name in place of None."""
        return {name: getattr(self, name) if value is None else value for name, value in asked.items()}

    @classmethod
    def stored(cls, saved: Mapping[str, Any]) -> Self:
        """Return the saved settings. Values that this version does not know or allow become the default."""
        try:
            return cls(**saved)
        except ValidationError as error:
            unusable = {detail["loc"][0] for detail in error.errors()}
            return cls(**{name: value for name, value in saved.items() if name not in unusable})


Scope = Literal["read", "write"]
SCOPES: tuple[list[Scope], ...] = (["read"], ["read", "write"])


def _readable(scopes: list[Scope]) -> list[Scope]:
    if scopes not in SCOPES:
        raise PydanticCustomError("scopes", 'must be ["read"] or ["read", "write"]')
    return scopes


class PersonalTokenDraft(Body):
    name: Annotated[str, Field(min_length=1, max_length=100, pattern=NAME_PATTERN, examples=["Notebook"])]
    scopes: Annotated[
        list[Scope], AfterValidator(_readable), Field(description="`read`, or `read` and `write`", examples=[["read"]])
    ]
    expires_in_days: Annotated[int, Field(ge=1, le=365), WHOLE] = 90


class PersonalTokenFacts(BaseModel):
    model_config = ConfigDict(from_attributes=True)

    id: str
    name: str
    scopes: list[Scope]
    created_at: datetime
    expires_at: datetime


class PersonalTokenView(PersonalTokenFacts):
    last_used_at: Annotated[datetime | None, Field(description="To the minute; null before the first use")]
    connected: Annotated[
        bool, Field(description="Whether it belongs to a program that you connected, and renews itself; absent if not")
    ] = False


class NewPersonalToken(PersonalTokenFacts):
    token: Annotated[str, Field(description="Shown once; send it as `Authorization: Bearer sbt_…`")]


class PersonalTokenList(BaseModel):
    tokens: Annotated[list[PersonalTokenView], Field(description="Those that have not expired, newest first")]


class ConnectionRequestView(BaseModel):
    """A program that asks to be connected."""

    client_name: Annotated[str, Field(description="What the program calls itself")]
    client_uri: Annotated[str | None, Field(description="Where it says to be from")]
    redirect_host: Annotated[str, Field(description="Where the answer is sent")]
    scopes: list[Scope]
    redirect_url: Annotated[str | None, Field(description="Where to send the browser; null before you have decided")]


class TokenView(BaseModel):
    access_token: str
    token_type: Literal["bearer"] = "bearer"
    expires_in: Annotated[int, Field(description="Seconds")]
    notice: Annotated[
        str | None, Field(description="Why what a visitor made stays with the visitor; absent if it was moved")
    ] = None


class UsageView(BaseModel):
    bots: int
    running_backtests: int
    running_simulations: int
    conversations: int


class RateView(BaseModel):
    """At most `count` in any `window_seconds`; `used` of them are in the window that ends now."""

    count: int
    window_seconds: int
    used: int


class MeView(BaseModel):
    id: str
    email: str
    tier: Tier
    created_at: datetime
    limits: Limits
    usage: UsageView
    rates: Annotated[
        dict[str, RateView],
        Field(description="`runs`, `simulation_starts`, and `chat_messages` where one owner has only a share of them"),
    ]
