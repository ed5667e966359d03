"""What the pages say is true: their examples load, their lists are complete, their links lead somewhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from farm.task import Allow, Operate, OracleCall, Other, Search, Task, Variant, load_task
from farm.task.forms import OPERATORS, PREDICATES
from farm.task.keys import keys_of

ROOT = Path(__file__).resolve().parents[2]
TASKS = (ROOT / "docs" / "tasks.md").read_text("utf-8")
PAGES = [ROOT / "README.md", ROOT / "ARCHITECTURE.md", *sorted((ROOT / "docs").glob("*.md"))]


def test_the_example_of_a_task_is_a_valid_task(tmp_path: Path) -> None:
    example = re.findall(r"^```toml\n(.*?)^```$", TASKS, re.DOTALL | re.MULTILINE)[0]
    path = tmp_path / "venue-fee.toml"
    path.write_text(example, "utf-8")

    task = load_task(path, "demo")

    assert [point.id for point in task.checkpoints] == ["approved"]


def test_the_page_on_tasks_names_every_operator_and_predicate() -> None:
    listed = re.search(r"A table holds operators: (.*?)\. They find", TASKS, re.DOTALL)
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


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_files_that_a_page_names_exist(page: Path) -> None:
    for named in re.findall(
        r"`((?:farm|gateway|tests|contexts|kernels|tasks|docs)/[\w/.-]+)`", page.read_text("utf-8")
    ):
        assert (ROOT / named).exists(), f"{page.name} names {named}"


@pytest.mark.parametrize("declared", [Task, Operate, Search, Other, Allow, OracleCall, Variant])
def test_the_page_on_tasks_says_of_every_key_what_its_declaration_says(declared: type) -> None:
    for name, key in keys_of(declared).items():
        shown = f"**`{name}`**" if key.is_required else f"`{name}`"
        help = key.help.replace("``", "`")

        assert f"| {shown} | {key.shape.words} | {help} |" in TASKS
