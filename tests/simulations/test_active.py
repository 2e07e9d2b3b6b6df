"""When the steps of a simulation are due."""

from datetime import timedelta

import pytest

from strategybot.simulations.active import resume, ticks_beside
from tests.simulations.traded import NOW, traded


@pytest.mark.parametrize(("other_runs", "ticks"), [(0, 12), (999, 12), (1000, 24), (5000, 24)])
def test_steps_are_due_on_a_grid_which_is_finer_if_a_process_has_many_runs(other_runs: int, ticks: int) -> None:
    simulated = traded()
    simulated.run.due_at += timedelta(seconds=1 / 24)
    resumed = resume(simulated.run, simulated.known, ticks_beside(other_runs))
    assert (resumed.due * ticks).is_integer()
    assert (resumed.due * 12).is_integer() == (ticks == 12)
    resumed.go_on(NOW + 1e6 + 1 / 24, None)  # far too late: the interval is counted from now
    assert (resumed.due * ticks).is_integer()
    assert (resumed.due * 12).is_integer() == (ticks == 12)
