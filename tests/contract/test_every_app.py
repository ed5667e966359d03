"""Rules for every app. A new kernel is covered by existing."""

from __future__ import annotations

import ast
import json
from pathlib import Path

import pytest

from farm import content
from farm.context.schema import Schema
from farm.ids import make_id

APPS = content.app_names(hidden=True)
REAL_APPS = content.app_names()
UPSTREAM = Path(__file__).resolve().parents[3] / "shared" / "upstream"

# A handler that could see these would not be repeatable to the byte.
IMPURE = {"time", "random", "uuid", "secrets", "os", "socket", "subprocess", "http", "threading", "asyncio"}
FARM_FOR_KERNELS = {"farm.kernel", "farm.memo", "farm.app", "farm.dialects", "farm.render", "farm.ids"}


@pytest.fixture(params=APPS)
def loaded(request: pytest.FixtureRequest) -> content.LoadedApp:
    return content.load_app(request.param)


def test_table_and_contract_name_the_same_tools_in_the_same_order(loaded: content.LoadedApp) -> None:
    assert [tool.name for tool in loaded.app.tools] == [entry["name"] for entry in loaded.contract]
    assert list(loaded.bound) == [entry["name"] for entry in loaded.contract]


def test_a_tool_writes_only_tables_there_are(loaded: content.LoadedApp) -> None:
    tables = set(loaded.schema.shapes)

    for tool in loaded.app.tools:
        assert set(tool.writes) <= tables, tool.name


def test_what_a_tool_is_said_to_do_is_what_it_may_do(loaded: content.LoadedApp) -> None:
    for tool, entry in zip(loaded.app.tools, loaded.contract, strict=True):
        hints = entry.get("annotations", {})
        if "readOnlyHint" in hints:
            assert hints["readOnlyHint"] == (not tool.writes), tool.name


def test_every_column_says_how_it_is_made(loaded: content.LoadedApp) -> None:
    for table in loaded.schema.tables:
        for column in table.columns:
            assert column.info.get("made") in ("enumerate", "free-form", "random", "authentic"), (
                f"{table}.{column.name}"
            )


def test_foreign_keys_are_checked_at_once(loaded: content.LoadedApp) -> None:
    # A deferred one fails at COMMIT, after success was rendered.
    for table in loaded.schema.tables:
        assert not any(key.deferrable or key.initially for key in table.foreign_keys)


def test_id_forms_are_sound(loaded: content.LoadedApp) -> None:
    for kind, form in loaded.app.ids.items():
        assert make_id(form, kind, 1) != make_id(form, kind, 2)


def test_menus_name_tools_there_are(loaded: content.LoadedApp) -> None:
    names = set(loaded.bound)

    for menu, tools in loaded.app.menus.items():
        assert tools, menu
        assert set(tools) <= names, menu


def test_a_kernel_imports_the_kernel_interface_and_itself_only(loaded: content.LoadedApp) -> None:
    for path in sorted(loaded.folder.glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
                modules = [node.module]
            elif isinstance(node, ast.Import):
                modules = [alias.name for alias in node.names]
            else:
                continue
            for module in modules:
                assert module.split(".")[0] not in IMPURE, f"{path.name} imports {module}"
                assert module not in ("urllib", "urllib.request"), f"{path.name} imports {module}"
                assert _is_for_kernels(module), f"{path.name} imports {module}"


def _is_for_kernels(module: str) -> bool:
    return not module.startswith("farm") or module in FARM_FOR_KERNELS or module.startswith("farm.formats.")


def test_a_kernel_never_asks_the_wall_clock(loaded: content.LoadedApp) -> None:
    banned = {"now", "utcnow", "today"}

    for path in sorted(loaded.folder.glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in banned:
                assert isinstance(node.func.value, ast.Name), path.name
                assert node.func.value.id not in ("datetime", "date"), f"{path.name}:{node.lineno}"


@pytest.mark.parametrize("app", REAL_APPS)
def test_schemas_are_the_real_servers(app: str) -> None:
    recorded = UPSTREAM / app / "tools.json"
    if not recorded.is_file():
        pytest.skip("the recorded servers are not on this machine")
    real = {tool["name"]: tool for tool in json.loads(recorded.read_text("utf-8"))["tools"]}
    ours = {entry["name"]: entry for entry in content.load_app(app).contract}

    assert list(ours) == list(real)
    for name, tool in real.items():
        assert json.dumps(ours[name]["inputSchema"]) == json.dumps(tool["inputSchema"]), name


@pytest.mark.parametrize("app", REAL_APPS)
def test_descriptions_are_our_own_and_say_something(app: str) -> None:
    recorded = UPSTREAM / app / "tools.json"
    theirs = {}
    if recorded.is_file():
        theirs = {tool["name"]: tool["description"] for tool in json.loads(recorded.read_text("utf-8"))["tools"]}

    for entry in content.load_app(app).contract:
        assert len(entry["description"]) >= 20, entry["name"]
        assert entry["description"] != theirs.get(entry["name"]), entry["name"]


@pytest.mark.parametrize("app", REAL_APPS)
def test_an_app_says_what_it_was_written_from_and_where_it_differs(app: str) -> None:
    folder = content.load_app(app).folder

    fidelity = (folder / "FIDELITY.md").read_text("utf-8")
    for tool in content.load_app(app).app.tools:
        assert tool.name in fidelity, f"FIDELITY.md says nothing of {tool.name}"
    assert (folder / "PROVENANCE.toml").is_file()


def _tests_of(app: str) -> Path:
    """Apps from elsewhere bring their tests along."""
    return content.load_app(app).root.folder / "tests" / "apps" / app


def _named_facts(folder: Path) -> set[str]:
    named = set()
    for path in sorted(folder.glob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "fact":
                named |= {argument.value for argument in node.args if isinstance(argument, ast.Constant)}
    return {str(fact) for fact in named}


def _facts(folder: Path) -> set[str]:
    for node in ast.walk(ast.parse((folder / "facts.py").read_text("utf-8"))):
        if isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(node.value, ast.Dict):
            target = node.target if isinstance(node, ast.AnnAssign) else node.targets[0]
            if isinstance(target, ast.Name) and target.id == "FACTS":
                return {str(key.value) for key in node.value.keys if isinstance(key, ast.Constant)}
    raise AssertionError(f"{folder}/facts.py has no FACTS")


@pytest.mark.parametrize("app", REAL_APPS)
def test_every_fact_has_a_test_and_every_named_fact_exists(app: str) -> None:
    folder = _tests_of(app)

    assert _named_facts(folder) == _facts(folder)


@pytest.mark.parametrize("app", REAL_APPS)
def test_every_fidelity_test_names_a_fact(app: str) -> None:
    for path in sorted(_tests_of(app).glob("test_*.py")):
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                marks = [ast.unparse(mark) for mark in node.decorator_list]
                assert any("mark.fact(" in mark for mark in marks), f"{path.name}: {node.name}"


def test_the_ddl_of_a_schema_is_always_the_same(loaded: content.LoadedApp) -> None:
    assert Schema(loaded.schema.metadata).ddl() == Schema(loaded.schema.metadata).ddl()
