"""Simulations as their owners see them."""

from collections.abc import Sequence

from strategybot.bots.schemas import BotSimulation
from strategybot.kit.database import AnyRow, Session
from strategybot.kit.json_object import Json
from strategybot.simulations import storage
from strategybot.simulations.purses import token_rows
from strategybot.simulations.schemas import SimulationSummary, SimulationView
from strategybot.simulations.storage import Simulation
from strategybot.trading.engine.candles import END_OF_TIME
from strategybot.trading.engine.paper import Portfolio
from strategybot.trading.engine.saved_sessions import fills_of, guards_summary_of
from strategybot.trading.words.costs import Traded, cost_notes
from strategybot.trading.words.outlook import Outlook
from strategybot.trading.words.why import pool_reason

MOST_CANDLES = 500


def glance_of(row: AnyRow) -> BotSimulation:
    portfolio: Portfolio = row.portfolio
    last = (row.log or [{}])[-1]
    return BotSimulation(
        **row._mapping,  # noqa: SLF001  SQLAlchemy's public name for the columns of a row
        initial_cash=portfolio.initial_cash,
        total_value=portfolio.total_value,
        pnl=portfolio.pnl,
        pnl_percent=portfolio.pnl_percent,
        entry_price=portfolio.entry_price,
        quantity=portfolio.position.quantity,
        position_value=portfolio.position.value,
        last_time=last.get("time"),
        last_action=last.get("action"),
        last_reason=last.get("reason"),
        last_reasons=last.get("reasons", []),
        last_symbol=last.get("symbol"),
        places_used=getattr(portfolio, "places_used", None),
        max_open=getattr(portfolio, "max_open", None),
        next_check_at=row.due_at if row.status == "running" else None,
    )


def with_outlook(view: SimulationView, now: Outlook) -> SimulationView:
    return view.model_copy(update={"next_entry": now.entry, "next_exit": now.exit})


def _trade_log(run: Simulation, steps: Sequence[storage.Step]) -> list[Json]:
    """Return the log of these steps, with what was noticed about the pool between them."""
    entries: list[Json] = [{**entry, "late": step.late} for step in steps for entry in step.log]
    if not entries:
        return entries
    first, last = entries[0]["time"], entries[-1]["time"] + 2 * run.interval_seconds
    notes = [note for note in run.pool_notes or [] if first <= note["time"] < last]
    empty = dict.fromkeys(("price", "entry_price", "quantity", "pnl"))
    # Numbers below zero: a note is not one of the engine's entries, which a parity check counts.
    noted = [
        {
            **empty,
            "number": -place,
            "time": note["time"],
            "action": "HOLD",
            "reason": note["text"],
            "reasons": [pool_reason(note["text"])],
            "late": False,
        }
        for place, note in enumerate(notes, 1)
    ]
    return sorted([*entries, *noted], key=lambda entry: entry["time"])


def simulation_view(
    session: Session, run: Simulation, since: int | None, token_id: str | None = None
) -> SimulationView:
    steps = storage.steps_of(session, run, since, MOST_CANDLES)
    own = storage.history_of(session, run, steps).of(token_id)
    candles = own.between(max(run.chart_time, since or 0), END_OF_TIME)
    return SimulationView.model_validate(
        {
            **dict(SimulationSummary.model_validate(run)),
            "tokens": token_rows(run),
            "universe": run.universe,
            "dead_token_loss_percent": run.dead_token_loss_percent,
            "klines": (candles[-MOST_CANDLES:] if since is None else candles[:MOST_CANDLES]).records(),
            "signals": [signal for step in steps for signal in step.signals],
            "trade_log": _trade_log(run, steps),
            "pool_warning": run.pool_notes[-1]["text"] if run.pool_notes else None,
            "strategy": run.strategy,
            "cost_notes": cost_notes(
                run.costs,
                traded=Traded(run.strategy, run.initial_cash),
                is_simulation=True,
                tokens=run.asked_tokens or [],
            ),
            "fills_resolved": fills_of(run.state),
            "guards_summary": guards_summary_of(run.strategy, run.state),
            "next_entry": [],
            "next_exit": [],
            "expectation": None,
        }
    )
