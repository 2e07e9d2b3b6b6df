"""What the OpenAPI document says about the API as a whole, and about each group of its operations."""

DESCRIPTION = """Describe a trading strategy, test it honestly on market history, and paper-trade it.

Every error is `{"detail": "<one clear sentence>"}`; a 422 also has `errors`, one entry per field.
Percentages are plain percents: 5 means 5 %. No real trade is ever made."""
TAGS = [
    {"name": name, "description": words}
    for name, words in {
        "Bots": "Bots, their strategies, revisions and sealed history",
        "Accounts": "Registration, logins, settings and personal tokens",
        "Strategy language": "What a strategy can say",
        "Backtests": "Strategies on market history, with trades, charts and verdicts",
        "Research": "Searches for better values, and surveys of many tokens",
        "Simulations": "Paper trading",
        "Watches": "Notifications when entry conditions become true",
        "Shared backtests": "Backtests that their owners share, without a login",
        "Market": "Tokens, prices, candles and risks of the market-data provider",
        "Conversations": "The chat with the assistant",
        "Notifications": "Events of your runs, and where they are sent",
        "Operation": "The state and the version of the server",
    }.items()
]
