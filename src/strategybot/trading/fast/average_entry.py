"""The average entry of each variant: what buying at any moment would have brought with its exits."""

import math

import numpy as np

from strategybot.trading.candles import Floats, Integers
from strategybot.trading.entry_table import entry_return, holding_end
from strategybot.trading.fast.scan import STOP_REQUESTED
from strategybot.trading.fast.variants import Field, Variants, first_set, join_rows, terms_at
from strategybot.trading.jit import compiled, lean
from strategybot.trading.risk import FOREVER, Terms


@compiled
def average_entries(
    field: Field, variants: Variants, stride: int, into: Floats, first: int, last: int, control: Integers
) -> None:
    """Write the mean return of each variant from `first` on for entries every `stride` candles; NaN if none closed."""
    exit_ = np.zeros(field.words.shape[1], np.int64)
    for number in range(first, last):
        if control[STOP_REQUESTED] != 0:
            return
        join_rows(field.words, variants.exit[number], field.any_exit, exit_)
        into[number] = average_entry(field, terms_at(variants.terms[number]), exit_, variants.exit.shape[1] > 0, stride)


@lean
def average_entry(field: Field, terms: Terms, exit_: Integers, has_exit: bool, stride: int) -> float:
    columns, count = field.columns, len(field.columns.time)
    whole = Terms(
        1.0,
        terms.fee,
        terms.slippage,
        terms.impact,
        terms.buy_kept,
        terms.sell_kept,
        terms.stop_factor,
        terms.trailing_factor,
        terms.target_factor,
        terms.max_holding,
        terms.cooldown,
        terms.interval,
    )
    total, closed, latest, due = 0.0, 0, field.start, -1
    for entry in range(field.start, count, stride):
        if has_exit and due < entry:
            due = first_set(exit_, entry, count)
        if terms.max_holding < FOREVER:
            latest = holding_end(columns.time, terms.max_holding - terms.interval, entry, latest)
        else:
            latest = count
        gain, _ = entry_return(whole, columns, entry, min(due, latest) if has_exit else latest)
        if not math.isnan(gain):
            total += gain
            closed += 1
    return total / closed if closed > 0 else np.nan
