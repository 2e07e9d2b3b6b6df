"""Which module may import which, and which file may use which library. The test reads the imports."""

import ast
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

SOURCE = Path(__file__).parent.parent / "src" / "strategybot"

# From left to right: a module imports its own place or places to its left.
ORDER = (
    "trading", "kit", "accounts", "events", "notifications", "market", "bots", "runs", "verdicts", "backtests", "searches", "surveys",
    "simulations", "watches", "conversations", "mcp",
    "client", "warm_up", "migrations", "data_folder", "secret", "settings", "rates", "run_kinds", "retention", "backends", "figures", "document", "app", "doctor",
    "evaluation", "terminal", "cli", "__main__",
)  # fmt: skip
SLICES = {
    "accounts", "events", "notifications", "market", "bots", "backtests", "searches", "surveys", "simulations", "watches",
    "conversations", "mcp",
}  # fmt: skip
DOORS = {"service", "schemas", "dependencies", "tiers", "agent/tools"}
PUT_THE_PARTS_TOGETHER = {
    "app",
    "backends",
    "cli",
    "doctor",
    "evaluation",
    "figures",
    "retention",
    "run_kinds",
    "terminal",
    "warm_up",
}

# A library, and the only places that may import it.
OWNERS = {
    "fastapi": ("*/api.py", "*/dependencies.py", "kit/http/*", "run_kinds.py", "app.py"),
    "starlette": ("kit/http/*",),
    "sqlalchemy": (
        "*/storage.py",
        "market/candle_store.py",
        "market/listings.py",
        "market/rate_tables.py",
        "simulations/saves.py",
        "runs/retention.py",
        "kit/changes.py",
        "kit/database.py",
        "runs/leases.py",
        "kit/limits.py",
        "migrations/versions/*",
    ),
    "alembic": ("migrations/*", "migrations/versions/*"),
    "httpx2": (
        "market/client.py",
        "conversations/agent/model_client.py",
        "notifications/kinds.py",
        "notifications/outgoing.py",
        "notifications/senders.py",
        "terminal/mcp_proxy.py",
        "terminal/service_client.py",
        "client/*",
    ),
    "mcp": ("mcp/*", "terminal/mcp_proxy.py"),
    "mcp_types": ("mcp/*",),
    "jwt": ("accounts/credentials.py",),
    "argon2": ("accounts/credentials.py",),
    "pydantic_settings": ("settings.py",),
    "prometheus_client": ("kit/http/prometheus.py",),
    "docket": ("kit/queue.py",),
    "redis": ("kit/nudges.py",),
    "cryptography": ("notifications/sealing.py",),
    "typer": ("cli.py", "terminal/options.py", "terminal/user_commands.py"),
    "uvicorn": ("terminal/serve.py", "kit/http/protocol.py"),
    "rich": ("terminal/*",),
    "matplotlib": ("terminal/chart.py",),
    "PIL": ("backtests/share_picture.py",),
    "pydantic_ai": (
        "conversations/agent/context.py",
        "conversations/agent/context_check.py",
        "conversations/agent/limits.py",
        "conversations/agent/loop.py",
        "conversations/agent/answer_stream.py",
        "conversations/agent/toolset.py",
        "conversations/agent/language_models.py",
        "conversations/agent/model_client.py",
        "conversations/turn/memory.py",
        "conversations/agent/responses.py",
        "conversations/offline/*",
        "evaluation/counting.py",
        "app.py",
    ),
    "rapidfuzz": ("conversations/commands.py", "conversations/offline/spelling.py"),
}
PURE = {"pydantic", "pydantic_core", "numpy", "numba", "typing_extensions"}
IMPURE_STANDARD = {"asyncio", "datetime", "io", "logging", "os", "pathlib", "random", "socket", "subprocess", "time"}


@cache
def modules() -> list[Path]:
    return sorted(path.relative_to(SOURCE) for path in SOURCE.rglob("*.py"))


@cache
def imports(module: Path) -> list[str]:
    """Return every module that this one imports, by its full dotted name."""
    return list(_imports(module))


def _imports(module: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse((SOURCE / module).read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module} has a relative import"
            yield from _from_import(node)


def _from_import(node: ast.ImportFrom) -> Iterator[str]:
    """`from package import module` imports package.module; `from module import name` imports module."""
    base = node.module or ""
    for alias in node.names:
        deeper = SOURCE.parent / Path(*base.split("."), alias.name)
        yield f"{base}.{alias.name}" if deeper.with_suffix(".py").exists() or deeper.is_dir() else base


def ours(module: Path) -> Iterator[list[str]]:
    """Yield the parts of each import from `strategybot`, without that first part."""
    for name in imports(module):
        if name.startswith("strategybot."):
            yield name.split(".")[1:]


def place(module: Path) -> str:
    return module.parts[0].removesuffix(".py")


def test_a_module_imports_only_its_own_folder_and_folders_to_its_left() -> None:
    wrong = [
        f"{module} imports {target}, which stands to its right"
        for module in modules()
        if module != Path("__init__.py")
        for target, *_ in ours(module)
        if ORDER.index(target) > ORDER.index(place(module))
    ]
    assert wrong == []


def test_other_slices_are_imported_only_by_their_public_modules() -> None:
    wrong = [
        f"{module} enters {target} by {inside or 'its folder'}"
        for module in modules()
        if place(module) not in PUT_THE_PARTS_TOGETHER
        for target, *inside in ours(module)
        if target in SLICES and target != place(module) and door(inside) not in DOORS
    ]
    assert wrong == []


def door(inside: list[str]) -> str:
    return "/".join(inside[: 2 if inside[:1] == ["agent"] else 1])


def test_a_slice_is_api_then_service_then_storage() -> None:
    forbidden = {"service.py": {"api"}, "storage.py": {"api", "service"}, "schemas.py": {"api", "service", "storage"}}
    wrong = [
        f"{module} imports {target}.{inside[0]}"
        for module in modules()
        if place(module) in SLICES and module.name in forbidden
        for target, *inside in ours(module)
        if target == place(module) and inside and inside[0] in forbidden[module.name]
    ]
    assert wrong == []


def test_each_library_is_imported_only_by_its_owners() -> None:
    wrong = [
        f"{module} imports {name}"
        for module in modules()
        for name in imports(module)
        if (owners := OWNERS.get(name.split(".")[0])) and not any(module.match(owner) for owner in owners)
    ]
    assert wrong == []


def test_the_core_is_pure() -> None:
    wrong = [
        f"{module} imports {name}"
        for module in modules()
        if place(module) == "trading"
        for name in imports(module)
        if not is_pure(name, module)
    ]
    assert wrong == []


def is_pure(name: str, module: Path) -> bool:
    top = name.split(".", maxsplit=1)[0]
    if top == "strategybot":
        return name.startswith("strategybot.trading")
    if top in IMPURE_STANDARD:
        # One stamps its cache; the other reads time zones, and no clock.
        return module.name == "jit.py" or (top == "datetime" and module.name == "moments.py")
    return top in PURE | sys.stdlib_module_names


def test_there_is_no_import_cycle() -> None:
    graph = {_name(module): {".".join(parts) for parts in ours(module)} for module in modules()}
    graph = {name: {_known(target, graph) for target in targets} - {name} for name, targets in graph.items()}
    while leaves := {name for name, targets in graph.items() if not targets}:
        graph = {name: targets - leaves for name, targets in graph.items() if name not in leaves}
    assert not graph, f"in or behind a cycle: {sorted(graph)}"


def _name(module: Path) -> str:
    return ".".join(module.with_suffix("").parts).removesuffix(".__init__")


def _known(target: str, graph: dict[str, set[str]]) -> str:
    return target if target in graph else target.rpartition(".")[0]


def test_only_the_composition_root_and_commands_read_settings() -> None:
    readers = {str(module) for module in modules() if ["settings"] in list(ours(module))}
    commands = {f"terminal/{name}.py" for name in ("serve", "setup")}
    evaluation = {"evaluation/evaluate.py", "evaluation/stage.py"}  # makes an installation for each task
    assert readers <= {"app.py", "backends.py", "doctor.py", "rates.py", *evaluation, *commands}


def test_files_are_short() -> None:
    lengths = {str(module): len((SOURCE / module).read_text().splitlines()) for module in modules()}
    assert not {name for name, lines in lengths.items() if lines > 400}


def test_no_test_module_imports_another() -> None:
    folder = Path(__file__).parent
    importing = re.compile(r"^(?:from|import) tests\.(?:\w+\.)*test_\w+", re.MULTILINE)
    assert not [str(file.relative_to(folder)) for file in folder.rglob("*.py") if importing.search(file.read_text())]


def test_no_file_has_a_meaningless_name() -> None:
    nameless = {"models", "utils", "helpers", "core", "common", "manager"}
    assert not [module for module in modules() if {*module.with_suffix("").parts} & nameless]


def test_the_agent_does_not_know_the_offline_model() -> None:
    agent = ["agent/loop", "agent/tools", "agent/run_tools", "turn/memory", "assistant"]
    wrong = [name for name in agent if knows_the_offline_model(Path("conversations", f"{name}.py"))]
    assert wrong == []


def knows_the_offline_model(module: Path) -> bool:
    return any(parts[:2] == ["conversations", "offline"] for parts in ours(module))
