"""Breaks the trading engine in many small ways, one at a time, and counts which breaks the tests notice.

`python -m bench.mutation [file …]`, from the root. Each mutant changes one comparison, one operator, one constant, one
`and`/`or`/`not`, or takes one statement's effect away. Nothing is compiled, so that a mutant costs a fraction of a
second: the tests run in a forked child over small data, the tables first. Prints a line a survivor and the figures.
"""

import ast
import copy
import os
import resource
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, cast

os.environ["NUMBA_DISABLE_JIT"] = "1"

FOLDER = Path(__file__).parent.parent / "src" / "strategybot" / "trading"
TESTS = {
    "conditions.py": ["test_rules.py", "test_explain.py", "test_kernel.py"],
    "kernel.py": ["test_kernel.py", "test_rules.py"],
    "ledger.py": ["test_kernel.py", "test_rules.py", "test_backtest.py"],
    "windows.py": ["test_blocks.py"],
    "judges.py": ["test_blocks.py"],
    "blocks.py": ["test_blocks.py", "test_rules.py"],
    "scan.py": ["test_rules.py", "test_blocks.py", "test_kernel.py"],
    "equity.py": ["test_backtest.py", "test_rules.py"],
    "readings.py": ["test_tables.py", "test_explain.py"],
    "tables.py": ["test_tables.py", "test_backtest.py"],
    "signals.py": ["test_tables.py", "test_backtest.py"],
    "backtest.py": ["test_backtest.py", "test_rules.py", "test_tables.py"],
    "explain.py": ["test_explain.py", "test_paper.py"],
    "words.py": ["test_explain.py"],
    "metrics.py": ["test_metrics.py", "test_backtest.py"],
    "paper.py": ["test_paper.py"],
    "candles.py": ["test_candles.py"],
    "strategy.py": ["test_strategy.py"],
}
MOST_CPU_SECONDS = 60
COMPARISONS: dict[type[ast.cmpop], list[type[ast.cmpop]]] = {
    ast.Lt: [ast.LtE, ast.GtE],
    ast.LtE: [ast.Lt, ast.Gt],
    ast.Gt: [ast.GtE, ast.LtE],
    ast.GtE: [ast.Gt, ast.Lt],
    ast.Eq: [ast.NotEq],
    ast.NotEq: [ast.Eq],
    ast.Is: [ast.IsNot],
    ast.IsNot: [ast.Is],
    ast.In: [ast.NotIn],
    ast.NotIn: [ast.In],
}
OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.Pow: ast.Mult,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
    ast.RShift: ast.LShift,
    ast.LShift: ast.RShift,
}


class Mutant:
    """One node of the tree, and what stands there instead."""

    def __init__(self, tree: ast.Module, place: int, change: int) -> None:
        self.tree = copy.deepcopy(tree)
        node = list(ast.walk(self.tree))[place]
        self.line = getattr(node, "lineno", 0)
        before = ast.unparse(node)
        list(changes(node))[change]()
        self.words = f"{before.splitlines()[0][:90]}  →  {ast.unparse(node).splitlines()[0][:90]}"


def changes(node: Any) -> Iterator["Change"]:  # noqa: C901 - a case a kind of change
    match node:
        case ast.Compare():
            for k, operator in enumerate(node.ops):
                for other in COMPARISONS[type(operator)]:
                    yield Change(node.ops, k, other())
        case ast.BinOp() if type(node.op) in OPERATORS:
            yield Change(node, "op", OPERATORS[type(node.op)]())
        case ast.AugAssign() if type(node.op) in OPERATORS:
            yield Change(node, "op", OPERATORS[type(node.op)]())
            yield Change(node, "value", ast.Constant(0))
        case ast.BoolOp():
            yield Change(node, "op", ast.Or() if isinstance(node.op, ast.And) else ast.And())
        case ast.UnaryOp(op=ast.Not()):
            yield Change(node, "operand", ast.UnaryOp(ast.Not(), node.operand))
        case ast.UnaryOp(op=ast.USub()):
            yield Change(node, "op", ast.UAdd())
        case ast.Constant(value=bool()):
            yield Change(node, "value", not node.value)
        case ast.Constant(value=int() | float()):
            yield Change(node, "value", cast("float", node.value) + 1)
        case ast.IfExp() | ast.If() | ast.While():
            yield Change(node, "test", ast.Constant(False))
        case ast.Return() if node.value is not None and not isinstance(node.value, ast.Constant):
            yield Change(node, "value", ast.Constant(None))
        case ast.Call(func=ast.Name(id="min" | "max")):
            name = cast("ast.Name", node.func)
            yield Change(name, "id", "max" if name.id == "min" else "min")


class Change:
    def __init__(self, owner: object, key: int | str, value: object) -> None:
        self._owner, self._key, self._value = owner, key, value

    def __call__(self) -> None:
        if isinstance(self._owner, list):
            self._owner[int(self._key)] = self._value
        else:
            setattr(self._owner, str(self._key), self._value)


def mutants(source: str) -> Iterator[Mutant]:
    tree = ast.parse(source)
    skipped = set()
    for node in ast.walk(tree):  # types, decorators and what only speaks to the type checker change nothing
        for part in (
            getattr(node, "annotation", None),
            getattr(node, "returns", None),
            *getattr(node, "decorator_list", []),
        ):
            skipped |= {id(each) for each in ast.walk(part)} if part is not None else set()
    for place, node in enumerate(ast.walk(tree)):
        for change in range(0 if id(node) in skipped else len(list(changes(node)))):
            yield Mutant(tree, place, change)


def survives(name: str, tree: ast.Module) -> bool:
    """Run the tests in a child whose module is this one; a child that computes for too long has noticed."""
    child = os.fork()
    if child == 0:
        resource.setrlimit(resource.RLIMIT_CPU, (MOST_CPU_SECONDS, MOST_CPU_SECONDS))
        sink = os.open(os.devnull, os.O_WRONLY)
        os.dup2(sink, 1)
        os.dup2(sink, 2)
        os._exit(tests_fail(name, tree))
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def tests_fail(name: str, tree: ast.Module) -> int:
    import pytest  # noqa: PLC0415 - only the child loads what is tested

    module = ModuleType(f"strategybot.trading.{name.removesuffix('.py')}")
    module.__file__ = str(FOLDER / name)
    sys.modules[module.__name__] = module
    files = [f"tests/trading/{each}" for each in TESTS[name]]
    options = ["-x", "-q", "-p", "no:cacheprovider", "-p", "no:hypothesispytest", "--no-header", "-W", "ignore"]
    try:
        exec(compile(ast.fix_missing_locations(tree), module.__file__, "exec"), module.__dict__)
        return int(pytest.main([*options, "--noconftest", *files]))
    except BaseException:  # noqa: BLE001 - whatever it is, the mutant was noticed
        return 1


def main(names: list[str]) -> None:
    import hypothesis.strategies  # noqa: F401, PLC0415 - loaded once, for all children
    import numba  # noqa: F401, PLC0415
    import pydantic  # noqa: F401, PLC0415
    import pytest  # noqa: F401, PLC0415

    for name in names or TESTS:
        source = (FOLDER / name).read_text(encoding="utf-8")
        if not survives(name, ast.parse(source)):
            raise SystemExit(f"{name}: the tests fail without a mutation")
        killed = total = 0
        for mutant in mutants(source):
            total += 1
            if survives(name, mutant.tree):
                print(f"{name}:{mutant.line}: {mutant.words}", flush=True)
            else:
                killed += 1
        print(f"== {name}: {killed} of {total} killed, {100 * killed / max(1, total):.1f} %", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
