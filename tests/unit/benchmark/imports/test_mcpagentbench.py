"""The import of MCPAgentBench: mocks by rules, tasks, and what becomes of code that the rules do not know."""

from __future__ import annotations

import ast
import json
import os
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from mcp.server.mcpserver.utilities.func_metadata import func_metadata

from farm import content
from farm.benchmark.imports.mcpagentbench.mocks import read_mock
from farm.benchmark.imports.mcpagentbench.proof import Played, play_gold
from farm.benchmark.imports.mcpagentbench.write import NAME, Imported, import_checkout
from farm.benchmark.runner.play import Play
from farm.benchmark.tasks import load_suite
from farm.errors import ConflictError, FarmError
from tests.unit.benchmark.imports.checkout import MOCKS, source, write_checkout

ANNOTATIONS = "from __future__ import annotations\nfrom typing import *\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("imported")


@pytest.fixture(scope="module")
def made(folder: Path) -> Iterator[Imported]:
    """The fixture's checkout, imported and among the content folders."""
    made = import_checkout(write_checkout(folder / "checkout"), folder / "content")
    before = os.environ.get("FARM_CONTENT")
    os.environ["FARM_CONTENT"] = str(folder / "content")
    yield made
    if before is None:
        del os.environ["FARM_CONTENT"]
    else:
        os.environ["FARM_CONTENT"] = before


@pytest.fixture(scope="module")
def played(made: Imported) -> Played:
    return play_gold()


def test_mocks_become_one_app_and_tasks_a_suite_and_the_rest_is_named(made: Imported) -> None:
    assert made.tools == tuple(sorted(MOCKS))
    assert len(made.tasks) == 5
    assert made.left_out == {"protask_1_tool_2": "there is no mock 'fly'"}
    assert [tool.name for tool in content.load_app(NAME).app.tools] == sorted(MOCKS)
    suite = load_suite(NAME)
    assert {task.id: task.category for task in suite.tasks}["protask_2_parallel_tools_1"] == "protask_2_parallel"
    assert suite.task("protask_2_parallel_tools_1").compared_by_name == ("cast_lot",)
    assert suite.task("daytask_1_tool_1").compared_by_name == ()
    assert suite.task("daytask_1_tool_1").instruction == 'Which ferry leaves "Bergen" on Monday?\nFor one.'


def test_the_oracle_scores_everything_and_references_that_mocks_refuse_are_listed(played: Played) -> None:
    assert (played.tfs, played.tefs) == (1.0, 1.0)
    assert played.refused.keys() == {"protask_3_tools_1", "protask_1_tool_1"}
    assert "find_ferryArguments city Field required" in played.refused["protask_3_tools_1"]
    assert "1 validation error for two_answersOutput" in played.refused["protask_1_tool_1"]
    assert "input_value=('yes', 'no'), input_type=tuple" in played.refused["protask_1_tool_1"]


@pytest.mark.parametrize("name", sorted(MOCKS))
def test_a_tool_is_listed_as_the_sdk_lists_it(name: str, made: Imported) -> None:
    """The SDK reads the signature of a function with the same head and nothing in it."""
    function = ast.parse(MOCKS[name][1]).body[0]
    assert isinstance(function, ast.FunctionDef)
    function.body = [ast.Pass()]
    scope: dict[str, Any] = {}
    exec("from typing import List, Literal, Optional\n" + ast.unparse(function), scope)
    real = func_metadata(scope[name])

    (listed,) = (each for each in content.load_app(NAME).tool_schemas if each["name"] == name)

    assert listed["inputSchema"] == real.arg_model.model_json_schema(by_alias=True)
    assert listed["outputSchema"] == real.output_schema


def answers(tool: str, **given: Any) -> list[str]:
    """Return the texts of a call, made twice in one episode."""
    with Play(f"{NAME}/daytask_1_tool_1", 5) as play:
        return [play.call(f"{NAME}__{tool}", given).text for _ in range(2)]


def test_a_translated_mock_answers_as_the_original_does(made: Imported) -> None:
    assert answers("find_ferry", city="Bergen", day="Monday", seats=2)[0] == "Tern: 25.00"
    assert answers("find_ferry", city="Oban", day="Monday")[0] == "No ferry from Oban on Monday."
    assert answers("book_ferry", ship="Tern", names=["Ada", "Al"], seat="cabin")[0] == (
        "Booked Tern (cabin) for 2, 5 letters."
    )


def test_what_a_mock_raises_is_a_refusal_in_its_words(made: Imported) -> None:
    assert answers("find_ferry", city=7, day="Monday")[0] == (
        "Error executing tool find_ferry: Parameter 'city' must be a text."
    )


def test_a_mock_keeps_nothing_between_calls(made: Imported) -> None:
    assert answers("add_stop", stops=["Mull"]) == ["Oban, Mull", "Oban, Mull"]


def test_chance_time_and_ids_are_the_episodes(made: Imported) -> None:
    first, second = answers("cast_lot", sides=6, path="notes/a.txt"), answers("cast_lot", sides=6, path="notes/a.txt")

    assert first == second
    assert " a 2025-12-01 2025 " in first[0]
    assert first[0].endswith(" [1, 2] 8")


HOSTILE = {
    "opens a file": ("    return str(open('/etc/passwd'))", "the name open is not known"),
    "imports a module": ("    import subprocess\n    return ''", "the module subprocess is not known"),
    "imports by name": ("    return __import__('os').system('id')", "os.system is not known"),
    "imports by a value": ("    return __import__(text)", "the name __import__ is not known"),
    "uses a module": ("    import os\n    return os.listdir('/')", "os.listdir is not known"),
    "renames a module": ("    import os as json\n    return json.getcwd()", "os.getcwd is not known"),
    "takes a module as a value": ("    import os\n    it = os\n    return it.getcwd()", "os is not known"),
    "climbs to the interpreter": ("    return ''.__class__.__mro__", ".__mro__ is not known"),
    "gets an attribute": ("    return getattr(text, '__class__')", "the name getattr is not known"),
    "formats by a template": ("    return '{0.__class__}'.format(text)", "a template that reaches into its values"),
    "formats by a value": ("    return text.format(text)", ".format is not known"),
    "executes": ("    exec(text)\n    return ''", "the name exec is not known"),
    "evaluates two": ("    return eval(text, {})", "the name eval is not known"),
    "reads globals": ("    return str(globals())", "the name globals is not known"),
    "takes the episode apart": ("    return ep.db", ".db is not known"),
    "uses our helper": ("    return support_.Random", ".Random is not known"),
    "makes a class": ("    class A: pass\n    return ''", "ClassDef is not known"),
    "is a generator": ("    yield text", "Yield is not known"),
    "shifts": ("    return str(1 << 100000000000)", "LShift is not known"),
    "keeps state": ("    global kept\n    kept = text\n    return kept", "Global is not known"),
    "asserts a dunder": ("    __builtins__ = text\n    return ''", "the name __builtins__ has another meaning"),
    "decorates": ("    @staticmethod\n    def inner(): return ''\n    return inner()", "decorators are not known"),
    "opens a context": ("    with text: return ''", "With is not known"),
}


@pytest.mark.parametrize("what", HOSTILE)
def test_what_the_rules_do_not_know_is_refused_with_its_line(what: str, tmp_path: Path) -> None:
    body, why = HOSTILE[what]
    path = tmp_path / "evil.py"
    path.write_text(source("evil", "", f"def evil(text: str) -> str:\n{body}\n"))

    with pytest.raises(FarmError) as refused:
        read_mock(path)

    assert why in str(refused.value)
    assert str(refused.value).startswith(f"{path}, line ")
    assert str(refused.value).endswith("; it is not translated")


def test_a_large_power_and_a_long_text_are_refused_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    body = "def grow(base: int, times: int) -> str:\n    base **= times\n    return str(base) + 'x' * times\n"
    write_checkout(tmp_path / "checkout", {**MOCKS, "grow": ("", body)})
    import_checkout(tmp_path / "checkout", tmp_path / "content")
    monkeypatch.setenv("FARM_CONTENT", str(tmp_path / "content"))

    assert answers("grow", base=2, times=5)[0] == "32xxxxx"
    assert answers("grow", base=2, times=10**9)[0] == "Error executing tool grow: the power is too large"
    assert answers("grow", base=1, times=10**6)[0] == "Error executing tool grow: the power is too large"
    assert answers("grow", base=0, times=15_000)[0].startswith("0xxx")


@pytest.mark.parametrize(
    ("file", "text", "why"),
    [
        ("data/tasks.json", None, "cannot be read (No such file or directory); PATH is a checkout of MCPAgentBench"),
        ("data/tasks.json", "[", "is not JSON"),
        ("data/tasks.json", '[{"id": "a"}]', "has no tasks of MCPAgentBench (KeyError: 'tools')"),
        ("data/tasks.json", '{"a": 1}', "has no tasks of MCPAgentBench (TypeError: "),
        ("configs/evaluation_config.json", "{}", "lacks skip_input_tools"),
        ("servers/find_ferry.py", "def (", "is not Python"),
        ("servers/find_ferry.py", "x = 1", "a mock has one function with @mcp.tool(), not 0"),
    ],
)
def test_what_is_no_checkout_is_refused_in_a_line(file: str, text: str | None, why: str, tmp_path: Path) -> None:
    checkout = write_checkout(tmp_path / "checkout")
    (checkout / file).unlink()
    if text is not None:
        (checkout / file).write_text(text)

    with pytest.raises(FarmError) as refused:
        import_checkout(checkout, tmp_path / "content")

    assert why in str(refused.value)
    assert "\n" not in str(refused.value)
    assert not (tmp_path / "content").exists()


def test_an_import_replaces_an_import_and_nothing_else(tmp_path: Path) -> None:
    checkout, folder = write_checkout(tmp_path / "checkout"), tmp_path / "content"
    import_checkout(checkout, folder)
    (checkout / "servers" / "add_stop.py").unlink()

    again = import_checkout(checkout, folder)

    assert "add_stop" not in again.tools
    assert not (folder / "kernels" / NAME / "mock_add_stop.py").exists()
    assert again.left_out.keys() == {"protask_1_tool_2", "protask_2_parallel_tools_1", "protask_3_tools_1"}
    (folder / "kernels" / NAME / "IMPORTED.md").unlink()
    with pytest.raises(ConflictError, match=r"was not written by farm tasks import; name another --content"):
        import_checkout(checkout, folder)


@pytest.mark.skipif("FARM_MCPAGENTBENCH" not in os.environ, reason="FARM_MCPAGENTBENCH names a checkout")
def test_a_real_checkout_is_imported_and_plays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = import_checkout(Path(os.environ["FARM_MCPAGENTBENCH"]), tmp_path)
    monkeypatch.setenv("FARM_CONTENT", str(tmp_path))

    found = play_gold()

    assert (len(made.tools), len(made.tasks), made.left_out) == (141, 178, {})
    assert (found.tfs, found.tefs) == (1.0, 1.0)
    assert len(made.tasks) - len(found.refused) >= 165
    wire = json.loads((tmp_path / "kernels" / NAME / "tools.json").read_text())
    assert len(wire["tools"]) == 141
    assert tomllib.loads((tmp_path / "tasks" / NAME / f"{made.tasks[0]}.toml").read_text())["world"] == NAME
