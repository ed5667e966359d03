"""The site of `make docs`: every page of its menu is written, and every command has its help there."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest

from farm.cli import COMMANDS

SITE = Path(__file__).resolve().parents[2] / "docs" / "site"


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pages")
    runpy.run_path(str(SITE / "pages.py"))["main"](folder)
    return folder


def test_every_page_of_the_menu_is_written_and_every_document_is_in_the_menu(pages: Path) -> None:
    named = set(
        re.findall(r": ((?:docs|ways|reference)/[\w-]+\.md|[A-Z]+\.md)$", (SITE / "mkdocs.yml").read_text(), re.M)
    )
    documents = {f"docs/{path.name}" for path in SITE.parent.glob("*.md")}

    assert {name for name in named if not (pages / name).is_file()} == set()
    assert documents <= named


def test_the_ways_in_are_sections_of_the_readme_with_links_that_hold(pages: Path) -> None:
    for page in sorted((pages / "ways").glob("*.md")):
        text = page.read_text()
        links = [link for link in re.findall(r"\]\(([^)#\s]+)", text) if ":" not in link]
        assert "```sh\nfarm " in text
        assert [link for link in links if not (page.parent / link).exists()] == []


def test_every_command_has_its_help(pages: Path) -> None:
    text = (pages / "reference" / "commands.md").read_text()

    assert {name for name in COMMANDS if f"## farm {name}\n" not in text} == set()
    assert "Usage: root" not in text
