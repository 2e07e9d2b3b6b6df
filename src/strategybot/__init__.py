"""Strategy Bot: describe a trading strategy, test it honestly, paper-trade it."""
