"""Rules for every app. A new kernel is covered by existing."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

from farm import content
from farm.appkit.ids import make_id
from farm.appkit.schema import Schema
from farm.appkit.tool_schemas import structure
from farm.testing import EPISODE, LocalApp

APPS = [(app, profile) for app in content.app_names(hidden=True) for profile in content.load_app(app).profiles]
REAL_APPS = content.app_names()
# App → the profile whose server was recorded, where ``latest`` is a newer one.
RECORDED_PROFILES = {"telegram": "paper-2025"}
UPSTREAM = Path(__file__).resolve().parents[3] / "shared" / "upstream"

# A handler that could see these would not be repeatable to the byte.
# Keywords whose keys are names, not keywords.
IMPURE = {"time", "random", "uuid", "secrets", "os", "socket", "subprocess", "http", "threading", "asyncio"}


@pytest.fixture(params=APPS, ids=":".join, scope="module")
def loaded(request: pytest.FixtureRequest) -> content.LoadedApp:
    """Every app in each of its profiles; one after the other (scope), so that each has its files parsed once."""
    return content.load_app(*request.param)


def test_another_version_says_what_it_is(loaded: content.LoadedApp) -> None:
    assert (len(loaded.note) > 20) == (loaded.profile != "latest")


def test_table_and_contract_name_the_same_tools_in_the_same_order(loaded: content.LoadedApp) -> None:
    assert [tool.name for tool in loaded.app.tools] == [entry["name"] for entry in loaded.tool_schemas]
    assert list(loaded.bound) == [entry["name"] for entry in loaded.tool_schemas]


def test_a_tool_writes_only_tables_there_are(loaded: content.LoadedApp) -> None:
    tables = set(loaded.schema.shapes)

    for tool in loaded.app.tools:
        assert set(tool.writes) <= tables, tool.name


def test_a_refused_call_changes_nothing_unless_its_row_says_so(loaded: content.LoadedApp, tmp_path: Path) -> None:
    local = LocalApp(loaded.app.name, tmp_path)
    try:
        for tool in loaded.app.tools:
            assert tool.writes or not tool.commits_on_error, f"{tool.name} keeps what it cannot write"
            for arguments in ({}, {"no_such_argument": 1}, ["no object"]):
                outcome = local.outcome(tool.name, arguments)

                entry = local.store.calls(EPISODE)[-1]
                assert (entry.get("refused", False), entry.get("wrote", False)) == (outcome.refused, outcome.wrote)
                assert tool.commits_on_error or not (outcome.refused and outcome.wrote), tool.name
                if outcome.refused and not outcome.wrote:
                    changed = {change["call"] for rows in local.changes().values() for change in rows}
                    assert outcome.call not in changed, tool.name
    finally:
        local.close()


def test_what_a_tool_is_said_to_do_is_what_it_may_do(loaded: content.LoadedApp) -> None:
    """Of a tool that writes a real server may say that it only reads, or the opposite; then ours does, too, and
    FIDELITY.md tells."""
    fidelity = (loaded.folder / "FIDELITY.md").read_text("utf-8") if (loaded.folder / "FIDELITY.md").is_file() else ""
    for tool, entry in zip(loaded.app.tools, loaded.tool_schemas, strict=True):
        hints = entry.get("annotations", {})
        if "readOnlyHint" in hints and hints["readOnlyHint"] != (not tool.writes):
            assert f"`{tool.name}` carries `readOnlyHint`" in fidelity, tool.name


def test_every_column_says_how_it_is_made(loaded: content.LoadedApp) -> None:
    for table in loaded.schema.tables:
        for column in table.columns:
            assert column.info.get("generation") in ("enumerate", "free-form", "random", "authentic"), (
                f"{table}.{column.name}"
            )


def test_every_column_has_a_role(loaded: content.LoadedApp) -> None:
    without = [
        f"{table}.{column.name} has no role: declare one of farm.appkit.column_vocabulary"
        for table in loaded.schema.tables
        for column in table.columns
        if not column.info["role"]
    ]

    assert without == []


def test_a_text_that_people_read_has_a_format_unless_it_is_json_of_parts(loaded: content.LoadedApp) -> None:
    for table in loaded.schema.tables:
        for column in table.columns:
            if column.info["role"] == "body":
                assert column.info["format"] or column.info["json"], f"{table}.{column.name} has no format"


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
    for name, module in _imports(loaded.folder):
        assert module.split(".")[0] not in IMPURE, f"{name} imports {module}"
        assert module not in ("urllib", "urllib.request"), f"{name} imports {module}"
        assert _is_for_authors(module) or (loaded.app.companion and module in _FOR_COMPANIONS), (
            f"{name} imports {module}"
        )


def test_schema_and_generator_import_of_the_farm_what_authors_may(loaded: content.LoadedApp) -> None:
    for name, module in _imports(content.context_dir(loaded.app.name)):
        assert _is_for_authors(module), f"{name} imports {module}"


def _imports(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield the absolute imports of a folder's files: file and module."""
    for name, nodes in _modules(folder):
        for node in nodes:
            if isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
                yield name, node.module
            elif isinstance(node, ast.Import):
                for alias in node.names:
                    yield name, alias.name


# The farm's own servers beside the apps read what an operator writes, as the farm itself does.
_FOR_COMPANIONS = ("farm.context.operators", "farm.errors")


def _is_for_authors(module: str) -> bool:
    return not module.startswith("farm") or module == "farm.appkit" or module.startswith("farm.appkit.")


# Kept between calls, it would make an answer depend on what was asked before.
CACHES = {"cache", "lru_cache", "cached_property"}
MUTATORS = {"add", "append", "clear", "discard", "extend", "insert", "pop", "popitem", "remove", "setdefault", "update"}


@lru_cache(maxsize=2)  # an app's kernel and its context
def _modules(folder: Path) -> list[tuple[str, list[ast.AST]]]:
    """Return the nodes of each of a folder's files, the module first."""
    return [(path.name, [*ast.walk(ast.parse(path.read_text("utf-8")))]) for path in sorted(folder.glob("*.py"))]


def test_a_kernel_writes_no_json_itself(loaded: content.LoadedApp) -> None:
    for name, nodes in _modules(loaded.folder):
        for node in nodes:
            if isinstance(node, ast.Constant) and isinstance(node.value, bytes):
                assert not set(node.value) & set(b'{}"'), f"{name}:{node.lineno}: a handler builds a dictionary"


def test_a_kernel_has_no_cache_of_its_own(loaded: content.LoadedApp) -> None:
    for name, nodes in _modules(loaded.folder):
        for node in nodes:
            named = node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else None
            assert named not in CACHES, f"{name}: a list that is measured to be hot takes farm.appkit.row_cache"


def _root(node: ast.expr) -> str | None:
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None


def _changed(node: ast.AST) -> list[ast.expr]:
    """Return the things whose inside a statement or expression changes."""
    match node:
        case ast.Assign(targets=targets) | ast.Delete(targets=targets):
            return [each for each in targets if isinstance(each, ast.Attribute | ast.Subscript)]
        case ast.AugAssign(target=target) | ast.AnnAssign(target=target):
            return [target] if isinstance(target, ast.Attribute | ast.Subscript) else []
        case ast.Call(func=ast.Attribute(value=value, attr=attr)) if attr in MUTATORS:
            return [value]
        case _:
            return []


def _stateful(nodes: list[ast.AST]) -> list[str]:
    """Return what functions of a module change, or may keep, beyond their call."""
    module, found = nodes[0], []
    assert isinstance(module, ast.Module)
    for function in nodes:
        if not isinstance(function, ast.FunctionDef | ast.Lambda):
            continue
        defaults = [each for each in (*function.args.defaults, *function.args.kw_defaults) if each is not None]
        found += [
            ast.unparse(each) for each in defaults if isinstance(each, ast.Dict | ast.List | ast.Set | ast.DictComp)
        ]
    for top in module.body:
        if not isinstance(top, ast.FunctionDef | ast.ClassDef):
            continue
        inner = list(ast.walk(top))
        own = {node.arg for node in inner if isinstance(node, ast.arg)}
        own |= {node.id for node in inner if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
        own |= {str(node.name) for node in inner if isinstance(node, ast.ExceptHandler | ast.MatchAs | ast.MatchStar)}
        found += [ast.unparse(node) for node in inner if isinstance(node, ast.Global)]
        changed = [each for node in inner for each in _changed(node)]
        found += [ast.unparse(each) for each in changed if _root(each) not in (None, *own)]
    return found


def test_a_kernel_keeps_nothing_between_calls(loaded: content.LoadedApp) -> None:
    for name, nodes in _modules(loaded.folder):
        # ep.db is not a name of the module: what a handler keeps, it keeps there.
        assert not _stateful(nodes), f"{name} keeps {_stateful(nodes)}"


@pytest.mark.parametrize(
    "code",
    [
        "KNOWN = {}\ndef read(ep, *, key):\n    KNOWN[key] = 1",
        "KNOWN = []\ndef read(ep, *, key):\n    KNOWN.append(key)",
        "KNOWN = {}\ndef read(ep, *, key):\n    return KNOWN.setdefault(key, 1)",
        "last = None\ndef read(ep, *, key):\n    global last\n    last = key",
        "def read(ep, *, key, known={}):\n    return known",
        "from . import users\ndef read(ep, *, key):\n    users.known = key",
        "def read(ep, *, key):\n    read.calls += 1",
        "KNOWN = {}\ndef read(ep, *, key):\n    del KNOWN[key]",
    ],
)
def test_keeping_something_between_calls_is_noticed(code: str) -> None:
    assert _stateful([*ast.walk(ast.parse(code))])


def test_a_kernel_never_asks_the_wall_clock(loaded: content.LoadedApp) -> None:
    banned = {"now", "utcnow", "today"}

    for name, nodes in _modules(loaded.folder):
        for node in nodes:
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in banned:
                assert isinstance(node.func.value, ast.Name), name
                assert node.func.value.id not in ("datetime", "date"), f"{name}:{node.lineno}"


@pytest.mark.parametrize("app", REAL_APPS)
def test_schemas_are_the_real_servers(app: str) -> None:
    beside = _beside_the_real(app)

    assert [entry["name"] for entry in _as_recorded(app).tool_schemas] == list(beside)
    for name, (ours, real) in beside.items():
        for part in ("inputSchema", "outputSchema"):
            # As text: the order of keys is part of what a model reads.
            assert json.dumps(structure(ours.get(part))) == json.dumps(structure(real.get(part))), f"{name} {part}"
        assert ours.get("_meta") == real.get("_meta"), name
        assert ("title" in ours) == ("title" in real), name


@pytest.mark.parametrize("app", REAL_APPS)
def test_hints_are_the_real_servers(app: str) -> None:
    """Where a server gives none of a tool, ours may tell what it knows."""
    for name, (ours, real) in _beside_the_real(app).items():
        given, told = ours.get("annotations", {}), real.get("annotations", {})
        assert ("title" in given) >= ("title" in told), name
        if told:
            assert _hints(given) == _hints(told), name


def _hints(annotations: dict[str, Any]) -> dict[str, Any]:
    return {hint: value for hint, value in annotations.items() if hint != "title"}


def _as_recorded(app: str) -> content.LoadedApp:
    return content.load_app(app).in_profile(RECORDED_PROFILES.get(app, "latest"))


def _beside_the_real(app: str) -> dict[str, tuple[dict[str, Any], dict[str, Any]]]:
    recorded = UPSTREAM / app / "tools.json"
    if not recorded.is_file():
        pytest.skip("the recorded servers are not on this machine")
    ours = {entry["name"]: entry for entry in _as_recorded(app).tool_schemas}
    return {
        tool["name"]: (ours.get(tool["name"], {}), tool) for tool in json.loads(recorded.read_text("utf-8"))["tools"]
    }


@pytest.mark.parametrize("app", REAL_APPS)
def test_descriptions_are_our_own_and_say_something(app: str) -> None:
    recorded = UPSTREAM / app / "tools.json"
    theirs = {}
    if recorded.is_file():
        theirs = {tool["name"]: tool["description"] for tool in json.loads(recorded.read_text("utf-8"))["tools"]}

    for entry in content.load_app(app).tool_schemas:
        assert len(entry["description"].encode()) >= 12, entry["name"]
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
