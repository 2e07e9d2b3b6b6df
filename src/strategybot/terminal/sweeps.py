"""`--sweep conditions.0.percent=2:10:1`: what stands behind the option, made into a grid of variants."""

from strategybot.kit.errors import InvalidInput
from strategybot.research.parameters import grid_asked_for
from strategybot.research.schemas import MOST_PARAMETERS, ParameterRequest
from strategybot.terminal.stopping import Stop
from strategybot.trading.grid import Grid
from strategybot.trading.language.strategy import Strategy

MOST_VARIANTS = 20_000


def swept_grid(strategy: Strategy, sweeps: list[str]) -> Grid:
    """Return the grid of these options. Raise `Stop` where one is wrong."""
    if len(sweeps) > MOST_PARAMETERS:
        raise Stop(f"--sweep can be given {MOST_PARAMETERS} times at the most.")
    try:
        return grid_asked_for(strategy, [_parameter(each) for each in sweeps], MOST_VARIANTS, "Use fewer values.")
    except InvalidInput as error:
        raise Stop(f"--sweep: {error}") from None


def _parameter(text: str) -> ParameterRequest:
    path, _, values = text.partition("=")
    try:
        if ":" in values:
            first, last, step = map(float, values.split(":"))
            return ParameterRequest.model_validate({"path": path, "from": first, "to": last, "step": step})
        return ParameterRequest(path=path, values=[_value(each.strip()) for each in values.split(",")])
    except ValueError:
        raise Stop(f"--sweep {text} must be PATH=FROM:TO:STEP or PATH=VALUE,VALUE,…") from None


def _value(text: str) -> float | str:
    """A duration such as 15m stays a text."""
    return text if text[-1:].isalpha() else float(text)
