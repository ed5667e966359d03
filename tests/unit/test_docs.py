"""What the pages say is true: their examples load, their lists are complete, their links lead somewhere."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from farm.appkit.column_vocabulary import FORMATS, ROLES, SEEN_BY
from farm.benchmark.tasks import (
    Allow,
    KnownSurvivor,
    Operate,
    OracleCall,
    Other,
    Search,
    StartRow,
    Task,
    Variant,
    load_task,
)
from farm.benchmark.tasks.model import Fault
from farm.benchmark.tasks.sheet_fields import SheetField
from farm.benchmark.tasks.text_rules import ClaimForm, OnlyForm, StanceForm, TextForm
from farm.benchmark.tasks.toml_schema import keys_of
from farm.benchmark.tasks.value_syntax import PREDICATES
from farm.context.operators import OPERATORS
from farm.testing.mock_model import read_script
from farm.testing.mock_model.script import Call, TurnTable

ROOT = Path(__file__).resolve().parents[2]
TASKS = (ROOT / "docs" / "tasks.md").read_text("utf-8")
PAGES = [ROOT / "README.md", ROOT / "ARCHITECTURE.md", ROOT / "SECURITY.md", *sorted((ROOT / "docs").glob("*.md"))]


def test_the_example_of_a_task_is_a_valid_task(tmp_path: Path) -> None:
    example = re.findall(r"^```toml\n(.*?)^```$", TASKS, re.DOTALL | re.MULTILINE)[0]
    path = tmp_path / "venue-fee.toml"
    path.write_text(example, "utf-8")

    task = load_task(path, "demo")

    assert [point.id for point in task.checkpoints] == ["approved"]


def test_a_checkpoint_on_the_trace_is_written_as_the_page_shows(tmp_path: Path) -> None:
    blocks = re.findall(r"^```toml\n(.*?)^```$", TASKS, re.DOTALL | re.MULTILINE)
    (checkpoint,) = [each for each in blocks if "predicate = " in each]
    path = tmp_path / "venue-fee.toml"
    path.write_text(f"{blocks[0]}\n{checkpoint}", "utf-8")

    point = load_task(path, "demo").checkpoints[-1]

    assert isinstance(point, Other)
    assert (point.predicate, point.options) == ("called", {"app": "slack", "tool": "slack_get_users", "min": 1})


def test_the_page_on_tasks_names_every_operator_and_predicate() -> None:
    listed = re.search(r"A table holds operators: (.*?)\.\n", TASKS, re.DOTALL)
    other = re.search(r"\| `other` \| the trace: (.*?), or a function", TASKS)

    assert listed is not None
    assert other is not None
    assert set(re.findall(r"`(\w+)`", listed[1])) == OPERATORS.keys()
    assert set(re.findall(r"`(\w+)`", other[1])) == PREDICATES.keys()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text("utf-8")):
        if "://" not in target:
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


@pytest.mark.parametrize("page", [*PAGES, ROOT / "CHANGELOG.md"], ids=lambda page: page.name)
def test_no_page_shows_where_a_merge_stopped(page: Path) -> None:
    assert re.findall(r"^(?:<{7}|>{7}) .*$", page.read_text("utf-8"), re.MULTILINE) == []


# The files of an example are made by the test that plays it.
@pytest.mark.parametrize("page", [page for page in PAGES if page.name != "new-app.md"], ids=lambda page: page.name)
def test_files_that_a_page_names_exist(page: Path) -> None:
    for named in re.findall(
        r"`((?:farm|gateway|plugins|tests|contexts|kernels|tasks|docs)/[\w/.-]+)`", page.read_text("utf-8")
    ):
        assert (ROOT / named).exists(), f"{page.name} names {named}"


@pytest.mark.parametrize(
    "declared",
    [
        Task,
        Operate,
        Search,
        Other,
        Allow,
        Fault,
        StartRow,
        OracleCall,
        Variant,
        KnownSurvivor,
        TextForm,
        ClaimForm,
        StanceForm,
        OnlyForm,
        SheetField,
    ],
)
def test_the_page_on_tasks_says_of_every_key_what_its_declaration_says(declared: type) -> None:
    for name, key in keys_of(declared).items():
        shown = f"**`{name}`**" if key.is_required else f"`{name}`"
        help = key.help.replace("``", "`")

        assert f"| {shown} | {key.shape.words} | {help} |" in TASKS


def test_the_page_on_apps_lists_every_role_and_format_of_a_column() -> None:
    page = (ROOT / "docs" / "new-app.md").read_text("utf-8")

    for word, meaning in (*ROLES.items(), *SEEN_BY.items(), *FORMATS.items()):
        assert f"| `{word}` | {meaning.replace('|', chr(92) + '|')} |" in page


def test_the_page_on_tests_says_how_a_models_script_is_written() -> None:
    page = (ROOT / "docs" / "testing-agents.md").read_text("utf-8")
    (file,) = re.findall(r"^```toml\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)

    assert read_script(file, "agents.toml").names == ("front-desk", "baker")
    for declared in (TurnTable, Call):
        for name, key in keys_of(declared).items():
            shown = f"**`{name}`**" if key.is_required else f"`{name}`"
            assert f"| {shown} | {key.shape.words} | {key.help.replace('``', '`')} |" in page


def test_the_app_of_the_example_works_and_keeps_the_contract(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "new-app.md").read_text("utf-8")
    files = re.findall(
        r"^`((?:contexts|kernels|tests)/[\w/]+\.py)`.*?^```python\n(.*?)^```$", page, re.DOTALL | re.MULTILINE
    )
    text = {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}
    key = {"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]}
    tools = [
        {"name": "add_note", "description": "Store a note.", "inputSchema": text},
        {"name": "get_note", "description": "Read a note.", "inputSchema": key},
    ]
    (tmp_path / "TOOLS.json").write_text(json.dumps({"tools": tools}), "utf-8")
    mine = tmp_path / "mine"

    def ran(*arguments: str | Path) -> str:
        environment = {**os.environ, "FARM_CONTENT": str(mine) if mine.exists() else ""}
        words = [sys.executable, "-m", *map(str, arguments)]
        done = subprocess.run(words, cwd=ROOT, env=environment, capture_output=True, text=True)
        return done.stdout + done.stderr

    dialect = 'Zod3(sdk="1.22.0")'
    made = ran(
        "farm", "new", "app", "jotter", "--from", tmp_path / "TOOLS.json", "--dialect", dialect, "--content", mine
    )
    assert "2 tools, refusing every call" in made, made
    for name in ("kernels/jotter/handlers.py", "tests/apps/jotter/test_handlers.py"):
        (mine / name).unlink()
    for name, code in files:
        (mine / name).write_text(code, "utf-8")

    tested = ran("pytest", "-q", "-p", "no:cacheprovider", mine / "tests")
    held = ran("pytest", "-q", "-p", "no:cacheprovider", "tests/contract", "-k", "jotter")

    assert len(files) == 7
    assert "2 passed" in tested, tested
    assert " passed" in held, held
    assert "failed" not in held, held
    assert "error" not in held, held
