"""Receipts: a number that is in no tool result is marked, however it is written; numbers of settings never are."""

import time
from typing import Any

import pytest
from fastapi.testclient import TestClient
from hypothesis import given
from hypothesis import strategies as st

from strategybot.conversations.agent.answer_stream import LONGEST_ANSWER
from strategybot.conversations.receipts.checking import check
from strategybot.settings import Settings
from tests.conversations.known_numbers import BOT, KNOWN, RUN, found
from tests.conversations.talking import Headers, begin, call, say, scripted, stream, text
from tests.engines import on_sqlite_alone
from tests.support import STRATEGY, create_bot

pytestmark = on_sqlite_alone


@pytest.mark.parametrize(
    ("answer", "unverified"),
    [
        ("It returned -12.35 %.", []),
        ("It returned −12.3 %.", []),
        ("It lost 12.3 % in the backtest.", []),
        ("It lost about 12 %.", []),
        ("It lost 12.34 %.", ["12.34 %"]),
        ("It gained 12.3 %.", ["12.3 %"]),
        ("It returned 12.3 %.", ["12.3 %"]),
        ("The total return was 45%.", ["45%"]),
        ("The win rate is 43 % over 7 trades.", []),
        ("The win rate is 42.9 percent.", []),
        ("The win rate is 44 %.", ["44 %"]),
        ("It made 7 trades and won 3 of them.", []),
        ("It lost 4 trades.", []),
        ("It made 8 trades.", ["8"]),
        ("Deepest drawdown: -18.04 %.", []),
        ("The drawdown was 18%.", []),
        ("The Sharpe ratio is 1.23.", []),
        ("The Sharpe ratio is 1.24.", ["1.24"]),
        ("You ended with an equity of $8,765.44.", []),
        ("You ended with an equity of 8.8k.", []),
        ("You ended with an equity of 9.8k.", ["9.8k"]),
        ("Of your 10,000 in cash 8,765 is left.", []),
        ("That is a loss of 1,234.56.", []),
        ("Buy and hold would have returned 5.99 %, your strategy 31 %.", ["31 %"]),
        ("Roughly 140 in fees.", []),
        ("The return was 55 %, the return was 55 %.", ["55 %"]),
        ("CAGR: unknown (CAGR needs 90 days, has 30.)", []),
    ],
)
def test_a_number_about_a_run_is_looked_up(answer: str, unverified: list[str]) -> None:
    assert check(answer, KNOWN).unverified == unverified


@pytest.mark.parametrize(
    "known",
    [
        found({"error": "Backtest not found."}, run_id="991.5"),
        found({"error": "Backtest 991.5 not found."}, run_id="991.5"),
        found({"status": "ok"}, run_id="991.5"),
        found({"bot": {"name": "991.5 %"}}),
        found({"bot": {"name": "Return 991.5 %"}}),
        found({"bot": {"name": "Dip 991.5"}}),
        found({"run_id": "991.5"}),
        "my friend got 991.5 percent",
        "991.5 % stop, please",
    ],
)
def test_arguments_failures_names_and_the_users_words_do_not_verify_a_result(known: Any) -> None:
    for claim in ("Your return was 991.5 %.", "It made 991.5 %.", "The win rate is 991.5 %.", "Drawdown: 991.5 %"):
        assert check(claim, [known]).unverified == ["991.5 %"], claim


def test_the_users_words_verify_settings_and_claims_that_are_not_about_a_run() -> None:
    assert check("You lose 7 % at the most.", ["a stop at 7%, please"]).unverified == []
    assert check("777,7 % hat Ihr Freund gesagt.", ["mein Freund sagt 777,7 Prozent"]).unverified == []
    assert check("Your friend got 777.7 %.", ["my friend got 777.7 percent"]).unverified == []


@pytest.mark.parametrize(
    ("answer", "unverified"),
    [
        ("Your return was 39 %.", ["39 %"]),  # EE39wX…
        ("Your return was 2026 %.", ["2026 %"]),
        ("It lost 15 %.", ["15 %"]),
        ("It made 16 trades.", ["16"]),
        ("It made 42 trades.", ["42"]),  # the end of the run's id
        ("It made 2 trades.", ["2"]),  # the revision
        ("It returned 100 %.", ["100 %"]),  # the progress
        ("It returned 7 %.", ["7 %"]),  # the trades
        ("It returned 33 %.", ["33 %"]),  # the take profit
        ("It returned 66 %.", ["66 %"]),  # the bot's name
        ("It returned 10,000 %.", ["10,000 %"]),  # the cash
    ],
)
def test_digits_of_ids_dates_and_settings_do_not_verify_a_result(answer: str, unverified: list[str]) -> None:
    assert check(answer, KNOWN).unverified == unverified


@pytest.mark.parametrize(
    ("answer", "unverified"),
    [
        ("| Return | Win rate |\n|---|---|\n| 340 % | 77 |", ["340 %", "77"]),
        ("| | PIPO |\n|---|---|\n| Sharpe | 7.7 |\n| Stop loss | 4 % |", ["7.7"]),
        ("Return | Trades\n--- | ---\n-12.3 % | 7", []),
        ("Results:\n\n| 340 | 7 |", ["340"]),
        ("**Total return**\n\n340 %", ["340 %"]),
        ("**Total profit**\n\n340", ["340"]),
        ("## Sharpe ratio\n\n7.7", ["7.7"]),
        ("Results:\n- 340\n- 7", ["340"]),
        ("Your total profit is\n340", ["340"]),
        ("Your return is `340 %`.", ["340 %"]),
        ("`340 %`", ["340 %"]),
        ("`Return: 77`", ["77"]),
        ("```\ntotal_return: 340\n```", ["340"]),
        ("Return:340%", ["340%"]),
        ("Return340%", ["340%"]),
        ("return-340%", ["340%"]),
        ("Your return was **340** %.", ["340 %"]),
        ("Your return was 340\\%.", ["340 %"]),
        ("Your return was 340 %, shall I go on?", ["340 %"]),
        ("Did you know that it made 340 %?", ["340 %"]),
        ("It went up 340 %.", ["340 %"]),
        ("It went down 340 %.", ["340 %"]),
        ("It is up 340 %.", ["340 %"]),
        ("That is 340 % in 30 days!", ["340 %"]),
        ("It would have turned $10,000 into $34,000.", ["$34,000"]),
        ("You'd have $34,000 now.", ["$34,000"]),
        ("The P&L is +3,400 USD.", ["+3,400"]),
        ("Win rate: 9/10", ["9", "10"]),
        ("Your return rises to 340 %.", ["340 %"]),
        ("Your profit falls by 340 %.", ["340 %"]),
        ("Nine of ten trades were winners.", ["ten"]),
        ("Profit factor 3.4", ["3.4"]),
        ("Buying dips gave 340 %.", ["340 %"]),
        ("Target reached: 340 %.", ["340 %"]),
        ("Position: +340 %", ["+340 %"]),
        ("It returned above 340 %.", ["340 %"]),
        ("Holding: 340 %", ["340 %"]),
        ("It closed at a 340 % profit.", ["340 %"]),
        ("The stop is 4 % and the return was 340 %.", ["340 %"]),
        ("Your stop loss strategy returned 340 %.", ["340 %"]),
        ("With your stop, it went up 340 %.", ["340 %"]),
        ("three hundred percent", ["three hundred percent"]),
        ("It made three hundred and forty-two percent.", ["three hundred and forty-two percent"]),
        ("It lost twelve point three percent.", []),
        ("It made one thousand per cent.", ["one thousand per cent"]),
        ("It closed nine trades.", ["nine"]),
        ("It closed seven trades.", []),
        ("It returned 1e3 %.", ["1e3 %"]),
        ("You ended with an equity of 8.76544e3.", []),
        ("You earned 1e999.", ["1e999"]),
        ("You earned 77M.", ["77M"]),
        ("You earned 77 million.", ["77 million"]),
        ("You earned $77m.", ["$77m"]),
        ("You earned 7.7B.", ["7.7B"]),
        ("It returned 4x your money.", ["4x"]),
        ("It returned 1-77 %.", ["1", "77 %"]),
        ("It lost 12-77 %.", ["77 %"]),
        ("It lost 5 % – 77 %.", ["5 %", "77 %"]),
        ("It lost from 12 to 77 %.", ["77 %"]),
    ],
)
def test_a_number_is_found_in_every_notation(answer: str, unverified: list[str]) -> None:
    assert check(answer, KNOWN).unverified == unverified


@pytest.mark.parametrize(
    ("answer", "unverified"),
    [
        ("Die Rendite lag bei 340 %.", ["340 %"]),
        ("Das Ergebnis: 340 Prozent.", ["340 Prozent"]),
        ("Il a fait 340 % en un mois.", ["340 %"]),
        ("Le rendement est de 340\u202f%.", ["340\u202f%"]),
        ("Ganó un 340 por ciento.", ["340 por ciento"]),
        ("Он заработал 340 процентов.", ["340 процентов"]),
        ("回报率为340%。", ["340%"]),
        ("回报率为３４０％。", ["３４０％"]),
        ("Die Rendite lag bei −12,35 %.", []),
        ("Verlust: 12,3 %", []),
        ("Kaufen und halten hätte 5,99 % gebracht.", []),
        ("5,98 %", ["5,98 %"]),
        ("Am Ende waren es 8.765,44 $ (−12,35 %).", []),
        ("À la fin : 8 765,44 $ de bénéfice", []),
        ("Le stop est à 3 % et l'objectif à 33 %.", []),
    ],
)
def test_a_percentage_is_looked_up_in_any_language(answer: str, unverified: list[str]) -> None:
    assert check(answer, KNOWN).unverified == unverified


@pytest.mark.parametrize(
    "answer",
    [
        "Should I set the stop loss to 4 %?",
        "I suggest a stop loss of 4 %.",
        "I set the stop to 4 %.",
        "The stop was 3 %, now it is at 4 %.",
        "You could sell at 20 % or at 25 %.",
        "How about 4 %? Or would you rather have 6 %?",
        "For example: “buy when it drops 5% in an hour, stop loss 6%, take profit 11%”.",
        "It buys dips of 5 % in 15 minutes.",
        "It would read: Sell at a 4 % loss (stop loss), or 6 % under its peak (trailing stop), or at a 17 % gain (take profit).",
        "The fees are 0.3 % and the slippage 0.5 %.",
        "After fees of 0.3 % and 0.2 % slippage it lost 12.3 %.",
        "The stop of 4 % cost you 12.3 % in the backtest.",
        "I made the bot **Dip buyer 66 %**.",
        "Dip buyer 66 % lost 12.3 % in 7 trades.",
        "| Setting | Value |\n|---|---|\n| Stop loss | 4 % |\n| Position size | 50 % |",
        "Stop-Loss bei 4 %, Take-Profit bei 12 %.",
        "I am 100 % sure.",
        "What should the drop be? 3 %, 5 % or 10 %?",
        "Common choices are 5 % and 9 %; I can test it with $1,000 if you want.",
        "Nothing was bought: the price never dropped 8 % within 4h.",
        "It sells at a 3 % loss, at a 33 % gain, or when the price crosses above $0.5.",
        "A token with 12,345 holders.",
        "The backtest ran from 2026-01-01 to 2026-02-01 at 12:30.",
        "In May 2026, on 3 June and since 2024 it lost 12.3 %.",
        "I tested the last 90 days on 15m candles.",
        "A simulation can look every 10, 30 or 60 seconds.",
        "You can run 2 backtests at once, with 10 bots.",
        "The result is in `run 42`; `/backtest PIPO 15m 90d` tests it.",
        "The backtest of `EE39wX…vs8N` (EE39wXdYhJ6qwZN9ueLAZoECEC1qt4LktWRRcatZvs8N) lost 12.3 %.",
        "1. Look at the trades\n2. Change the strategy",
        "The 2 bots made their first 3 trades.",
        "Nothing to say.",
        "",
    ],
)
def test_numbers_that_are_not_about_a_run_are_not_marked(answer: str) -> None:
    assert check(answer, KNOWN).unverified == []


def test_an_error_message_may_be_quoted() -> None:
    reason = "A backtest may have 10,000 candles with 3 % of trades."
    assert check(f"Sorry. {reason}", [found({"error": reason})]).unverified == []
    assert check("It made 3 % in trades.", [found({"error": reason})]).unverified == ["3 %"]


def test_the_summary_of_a_strategy_may_be_quoted() -> None:
    guarded = (
        "Once the equity has fallen 20 % from its highest, buy no more. After 3 losses in a row, buy nothing for 1d."
    )
    known = [found({**BOT, "summary": guarded})]
    assert check(f"Done. {guarded} Shall I test it?", known).unverified == []
    assert check("The equity has fallen 20 %.", known).unverified == ["20 %"]


def test_numbers_of_settings_in_results_verify_settings() -> None:
    assert check("It sells at a 3 % loss or a 33 % gain.", KNOWN).unverified == []
    assert check("A trade may lose 3 % and gain 34 %.", KNOWN).unverified == ["34 %"]


def test_results_in_a_list_of_backtests_are_not_settings() -> None:
    runs = [{"metrics": {"total_return": 1.0}}, {"metrics": {"total_return": 4.2}}]
    known = [{"name": "compare_backtests", "arguments": {}, "result": {"backtests": runs}}]
    assert check("The return is 4.2 % now, 1 % before, 7 % in all.", known).unverified == ["7 %"]


@pytest.mark.parametrize(
    ("answer", "unverified"),
    [
        ("The win rate was 18.04 %.", ["18.04 %"]),  # the drawdown
        ("The win rate was 43 %, the drawdown 42.9 %.", ["42.9 %"]),
        ("The drawdown was 12.3 %.", ["12.3 %"]),  # the return
        ("The max drawdown was 5.99 %.", ["5.99 %"]),
        ("It returned 18.04 %.", ["18.04 %"]),
        ("It returned 5.99 %.", ["5.99 %"]),  # buying and holding
        ("Return: 42.86 %", ["42.86 %"]),
        ("The return was 1.23.", ["1.23"]),  # the Sharpe ratio
        ("Buy and hold: -12.35 %", ["-12.35 %"]),
        ("Buying and holding made 18.04 %.", ["18.04 %"]),
        ("It made 140 trades.", ["140"]),  # the fees
        ("It paid $7 in fees.", ["$7"]),  # the trades
        ("It paid $160.75 in fees.", []),  # with slippage
        ("It paid $140.50 in fees and $20.25 in slippage.", []),
        ("It paid $20.25 in fees and $140.50 in slippage.", ["$20.25", "$140.50"]),
        ("It paid $140.50 in fees, $20.25 in slippage, $31.50 in token tax and $14.07 in price impact.", []),
        ("It paid $20.25 in slippage and $31.50 in price impact.", ["$31.50"]),  # the tax
        ("It paid $206.32 in fees.", []),  # with all other costs
        ("The drawdown of 18.04 % is deeper than the loss of 12.35 %, at a win rate of 42.86 %.", []),
        ("43 % of the trades won.", []),
        ("Win rate 42.86 % (3 of 7).", []),
        ("The return was −12.35 %, holding returned 5.99 %.", []),
        ("It returned −12.35 %; buy and hold 5.99 %. That is a return of 18.34 % less.", []),
        ("Your return of −12.35 % is 18.33 percentage points below buy and hold (5.99 %).", []),
        ("It lost 12.35 % with a drawdown of 18.04 %: 5.69 % came back.", []),
        ("Without its 2 best trades it loses.", []),
        ("It needs 34 trades to tell.", []),
        ("It would read: Sell 50 % of what was bought at a 77 % gain (take profit 1 of 2).", []),  # a setting
    ],
)
def test_a_number_beside_the_words_of_a_metric_must_be_that_metrics(answer: str, unverified: list[str]) -> None:
    run = {**RUN, "metrics": {**RUN["metrics"], "slippage_paid": 20.25, "tax_paid": 31.5, "impact_paid": 14.07}}
    verdict = {"trades_needed": 34, "checks": [{"sentence": "Without its 2 best trades it loses."}]}
    assert check(answer, [found({**run, "verdict": verdict})]).unverified == unverified


def test_a_sum_needs_two_numbers_that_are_shown_and_verified() -> None:
    assert check("It ended 18.33 % behind.", KNOWN).unverified == ["18.33 %"]
    assert check("It lost 12.35 % and 6.01 % more: 18.36 %.", KNOWN).unverified == ["6.01 %", "18.36 %"]


def test_ten_unverified_numbers_are_listed_and_the_others_counted() -> None:
    receipts = check(" ".join(f"It returned {number} %." for number in range(50, 67)), [])
    assert receipts.unverified == [f"{number} %" for number in range(50, 60)]
    assert receipts.more == 7
    assert receipts.note is not None
    assert receipts.note.endswith("58 %, 59 %, and 7 more.*")


@pytest.mark.parametrize(
    "shape",
    [
        "1 ", "\n", "{} ", "{}.77 ", "return {}", "return {} %\n", "| {} |", "{}, ", "{}-", "return was {} and ", "stop {} % ", "`{}` ", "`{}` made ", "**{}**\n",
        "{}:", "…{}", "{}.", " ", "`", "five hundred ", "- ", "0x{}", "return {}e", "{}\u00a0", "|", ", ", "2026-01-",
    ],
)  # fmt: skip
def test_ten_times_the_text_takes_about_ten_times_as_long(shape: str) -> None:
    def seconds(length: int) -> float:
        answer = "return 5 " + "".join(shape.format(number) for number in range(length))[:length]
        begun = time.process_time()
        check(answer, KNOWN)
        return time.process_time() - begun

    short = min(seconds(LONGEST_ANSWER // 10) for _ in range(3))
    long = min(seconds(LONGEST_ANSWER) for _ in range(2))
    assert long < 2
    assert long < 40 * max(short, 0.002)


def test_many_known_results_are_read_only_once() -> None:
    turns: list[Any] = [found([{"x": turn + number / 1000, "note": f"{number}.5 of it"} for number in range(50)])
                        for turn in range(600)]  # fmt: skip
    turns += ["1.5 % " * 600 for _ in range(30)]
    begun = time.process_time()
    receipts = check("return " + " ".join(f"{number}.25" for number in range(1000)), turns)
    assert time.process_time() - begun < 2
    assert receipts.checked == 1000


def test_if_there_are_too_many_results_the_newest_are_known() -> None:
    turns = [found({"bots": [{"x": float(number)} for number in range(1000)]}) for _ in range(100)]
    assert check("It returned 4321 %.", [*turns, found({"total_return": 4321.0})]).unverified == []


@given(st.text(max_size=300), st.recursive(st.none() | st.floats() | st.text(max_size=20), st.lists, max_leaves=8))
def test_any_text_is_checked_without_an_error(answer: str, known: Any) -> None:
    receipts = check(f"return {answer} trades", [found(known)])
    assert len(receipts.unverified) <= receipts.checked


@given(st.floats(min_value=-1e9, max_value=1e9), st.integers(min_value=0, max_value=4))
def test_every_rounding_of_a_found_number_is_verified(value: float, digits: int) -> None:
    for written in (f"{value:.{digits}f}", f"{value:,.{digits}f}", f"{value:+.{digits}f} %"):
        assert check(f"It returned {written}", [found({"total_return": value})]).unverified == [], written


def test_an_invented_number_is_marked_in_the_answer_and_in_the_saved_message(
    client: TestClient, settings: Settings, user: Headers
) -> None:
    bot = create_bot(client, user, strategy=STRATEGY)
    conversation = begin(client, user, bot_id=bot["id"])
    scripted(client, settings, text("Your last backtest returned 481 % with 3 trades."))
    turn = say(client, user, conversation, "how did it do?")
    assert turn["message"]["receipts"] == {"checked": 2, "unverified": ["481 %", "3"]}
    assert turn["message"]["content"].endswith("\n\n*In no result of this conversation: 481 %, 3.*")
    kept = client.get(f"/api/conversations/{conversation['id']}", headers=user).json()["messages"][-1]
    assert kept == turn["message"]
    streamed = stream(client, user, conversation, "really?")
    deltas = "".join(part["delta"] for part in streamed[:-1] if part["type"] == "text-delta")
    assert deltas == streamed[-3]["data"]["message"]["content"]


def test_numbers_found_in_an_earlier_turn_still_count(client: TestClient, settings: Settings, user: Headers) -> None:
    bot = create_bot(client, user, strategy=STRATEGY)
    conversation = begin(client, user, bot_id=bot["id"])
    scripted(client, settings, call("get_current_strategy"), text("Done."), text("A trade may lose 3 % and gain 10 %."))
    say(client, user, conversation, "look")
    assert say(client, user, conversation, "and?")["message"]["receipts"] == {"checked": 2, "unverified": []}


def test_an_answer_with_thousands_of_numbers_is_checked_in_time(
    client: TestClient, settings: Settings, user: Headers
) -> None:
    conversation = begin(client, user)
    scripted(client, settings, text("return " + "1 " * 5900))
    begun = time.monotonic()
    turn = say(client, user, conversation, "how did it do?")
    assert time.monotonic() - begun < 10
    assert turn["message"]["receipts"] == {"checked": 5900, "unverified": ["1"]}


def test_arguments_of_the_model_and_words_of_the_user_do_not_verify_a_result(
    client: TestClient, settings: Settings, user: Headers
) -> None:
    bot = create_bot(client, user, strategy=STRATEGY)
    conversation = begin(client, user, bot_id=bot["id"])
    scripted(client, settings, call("get_backtest", run_id="991.5"), text("Your return was 991.5 %, not 777.7 %."))
    turn = say(client, user, conversation, "my friend got 777.7 percent")
    assert turn["message"]["receipts"]["unverified"] == ["991.5 %", "777.7 %"]
