"""Mutation testing of the trading engine and the input rules: which small changes do the tests detect?

`python -m bench.mutation [file[:line,line] …]`, from the root; without names all files. Each mutant changes one
comparison, one operator, one constant, one `and`/`or`/`not`, or removes one statement. Nothing is compiled. The tests
are collected once per file; a forked child replaces the mutated functions and runs the quickest and most successful
tests first. A mutant outside of functions needs a child that imports everything again. Prints a line for each survivor
and the figures, which are kept in `docs/mutation.md`.
"""

import ast
import copy
import gc
import json
import os
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any, cast

os.environ |= {"NUMBA_DISABLE_JIT": "1", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}

import hypothesis.strategies
import numba  # noqa: F401
import pydantic  # noqa: F401
import pytest

SOURCE = Path(__file__).parent.parent / "src" / "strategybot"
ENGINE = {
    "engine/columns": ["engine/columns", "rules", "engine/tables"],
    "engine/conditions": ["rules", "words/explain", "engine/loop", "evidence/stress"],
    "engine/step": ["engine/step", "rules", "engine/paper"],
    "engine/ledger": ["engine/step", "rules", "engine/backtest"],
    "engine/loop": ["engine/loop", "rules"],
    "engine/equity": ["engine/backtest", "rules"],
    "engine/tables": ["engine/tables", "engine/backtest"],
    "engine/signals": ["engine/tables", "engine/backtest"],
    "engine/backtest": ["engine/backtest", "rules", "engine/tables"],
    "words/explain": ["words/explain", "engine/paper"],
    "words/numbers": ["words/explain"],
    "engine/metrics": ["engine/metrics", "engine/backtest"],
    "engine/paper": ["engine/paper"],
    "engine/recent": ["engine/recent", "engine/paper"],
    "engine/candles": ["engine/candles"],
    "language/strategy": ["language/strategy"],
}
EDGE = {
    "kit/limits.py": ["kit/test_limits.py"],
    "accounts/credentials.py": ["accounts"],
}


def _test_file(name: str) -> str:
    folder, _, file = f"trading/{name}".rpartition("/")
    return f"{folder}/test_{file}.py"


TESTS = {f"trading/{name}.py": [_test_file(each) for each in tests] for name, tests in ENGINE.items()} | EDGE
MOST_SECONDS = 8.0
OPTIONS = ["-s", "-o", "addopts=--import-mode=importlib", "-W", "ignore", "-k", "not postgresql"]
OPTIONS += ["-p", "no:cacheprovider", "-p", "no:terminal"]
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

    def __init__(self, tree: ast.Module, place: int, change: int, in_function: bool) -> None:
        self.tree = copy.deepcopy(tree)
        self.in_function = in_function
        node = list(ast.walk(self.tree))[place]
        self.line = getattr(node, "lineno", 0)
        before = ast.unparse(node)
        list(changes(node))[change]()
        self.words = f"{before.splitlines()[0][:90]}  →  {ast.unparse(node).splitlines()[0][:90]}"
        ast.fix_missing_locations(self.tree)


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
    skipped: set[int] = set()
    inner: set[int] = set()
    for node in ast.walk(tree):  # types, decorators and what only speaks to the type checker change nothing
        types = (getattr(node, "annotation", None), getattr(node, "returns", None))
        skipped |= all_in((*types, *getattr(node, "decorator_list", [])))
        inner |= all_in(node.body) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) else set()
    for place, node in enumerate(ast.walk(tree)):
        for change in range(0 if id(node) in skipped else len(list(changes(node)))):
            yield Mutant(tree, place, change, id(node) in inner)


def all_in(nodes: Iterable[ast.AST | None]) -> set[int]:
    return {id(each) for node in nodes if node is not None for each in ast.walk(node)}


def from_child(work: Callable[[], object]) -> Any:
    """What the work answers in a forked process; None when it fails or is killed."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.write(writing, json.dumps(work()).encode())
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        answer = pipe.read()
    os.waitpid(child, 0)
    return json.loads(answer) if answer else None


def silent() -> None:
    sink = os.open(os.devnull, os.O_WRONLY)
    os.dup2(sink, 1)
    os.dup2(sink, 2)


class Collected:
    """A plugin of pytest that does something else with the collected tests than to run them all."""

    def __init__(self, work: Callable[[pytest.Session], object]) -> None:
        self._work = work
        self.answer: object = None

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        self.answer = self._work(session)
        return True


class Order:
    """Runs tests, those first that take little time for what they have noticed so far; ends one that runs away.

    What does not fit into `MOST_SECONDS` is left out: a mutant that only the slowest would notice counts as a survivor.
    """

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self.kills: Counter[str] = Counter()

    def first_failure(self, session: pytest.Session) -> str:
        left = MOST_SECONDS
        for item in sorted(session.items, key=lambda item: self._price(item.nodeid)):
            began = time.process_time()
            if item.nodeid in self.seconds:
                left -= self.seconds[item.nodeid]
                signal.setitimer(signal.ITIMER_PROF, 3 + 5 * self.seconds[item.nodeid])
            if left < 0:
                break
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)
            self.seconds.setdefault(item.nodeid, time.process_time() - began)
            if session.testsfailed:
                return item.nodeid
        return "collection" if session.testsfailed else ""

    def _price(self, test: str) -> float:
        return self.seconds.get(test, 0.0) / (1 + self.kills[test])


class Trial:
    """The tests of one file, over the file as it is and over each of its mutants."""

    def __init__(self, name: str, lines: str) -> None:
        self._name = name
        self._path = str(SOURCE / name)
        self._source = Path(self._path).read_text(encoding="utf-8")
        self._mutants = [each for each in mutants(self._source) if not lines or str(each.line) in lines.split(",")]
        self._order = Order()

    def run(self) -> None:
        total = len(self._mutants)
        done = from_child(self._break_functions)
        if done is None:
            raise SystemExit(f"{self._name}: the tests fail without a mutation")
        survived, self._order.seconds, kills = done
        self._order.kills.update(kills)
        killed = total - survived - sum(self._break_module(each) for each in self._mutants if not each.in_function)
        print(f"== {self._name}: {killed} of {total} killed, {100 * killed / max(1, total):.1f} %", flush=True)

    def _break_functions(self) -> object:
        return self._with_tests(ast.parse(self._source), self._break_each_function)

    def _with_tests(self, tree: ast.Module, work: Callable[[pytest.Session], object]) -> object:
        module = ModuleType(f"strategybot.{self._name.removesuffix('.py').replace('/', '.')}")
        module.__file__ = self._path
        sys.modules[module.__name__] = module
        exec(compile(tree, self._path, "exec"), module.__dict__)
        plugin = Collected(work)
        lean = ["--noconftest"] if self._name.startswith("trading/") else []  # which builds the whole application
        pytest.main([*OPTIONS, *lean, *(f"tests/{each}" for each in TESTS[self._name])], plugins=[plugin])
        return plugin.answer

    def _break_each_function(self, session: pytest.Session) -> object:
        """How many mutants survive whose break is inside a function, and what was learned of the tests."""
        failure, self._order.seconds = from_child(lambda: (self._order.first_failure(session), self._order.seconds))
        if failure:
            print(failure, flush=True)
            return None
        functions = [each for each in gc.get_objects() if isinstance(each, FunctionType)]
        functions = [each for each in functions if each.__code__.co_filename == self._path]
        gc.freeze()
        survived = sum(self._survives_inside(session, each, functions) for each in self._mutants if each.in_function)
        return survived, self._order.seconds, self._order.kills

    def _survives_inside(self, session: pytest.Session, mutant: Mutant, functions: list[FunctionType]) -> bool:
        codes = dict(code_by_place(compile(mutant.tree, self._path, "exec")))
        broken = [codes[place_of(each.__code__)] for each in functions]

        def work() -> str:
            silent()
            for each, code in zip(functions, broken, strict=True):
                each.__code__ = code
            return self._order.first_failure(session)

        killer = from_child(work)
        self._order.kills[killer or ""] += 1
        return self._told(mutant, killer)

    def _break_module(self, mutant: Mutant) -> bool:
        def work() -> object:
            silent()
            return self._with_tests(mutant.tree, self._order.first_failure)

        return self._told(mutant, from_child(work))

    def _told(self, mutant: Mutant, killer: str | None) -> bool:
        survives = killer == ""
        if survives:
            print(f"{self._name}:{mutant.line}: {mutant.words}", flush=True)
        return survives


def code_by_place(code: CodeType) -> Iterator[tuple[tuple[str, int], CodeType]]:
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield place_of(each), each
            yield from code_by_place(each)


def place_of(code: CodeType) -> tuple[str, int]:
    return code.co_qualname, code.co_firstlineno


def main(names: list[str]) -> None:
    for name in names or TESTS:
        file, _, lines = name.partition(":")
        Trial(file, lines).run()


if __name__ == "__main__":
    # what fails need not be made small, nor be remembered
    hypothesis.settings.register_profile(
        "mutation", phases=(hypothesis.Phase.explicit, hypothesis.Phase.generate), database=None, deadline=None
    )
    hypothesis.settings.load_profile("mutation")
    main(sys.argv[1:])
