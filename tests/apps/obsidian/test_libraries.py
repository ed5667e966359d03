"""What the plugin's own libraries said to questions drawn by lot (``libraries.jsonl``), beside what ours say.

``tests/upstream/obsidian/libraries.py`` asked markdown-patch 0.2.2, json-logic-js 2.0.5, glob-to-regexp 0.4.1, yaml
2.8.0 and moment 2.29.4 on Node 20, in November 2026. ``differs`` marks what FIDELITY.md names as a knowing difference.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from farm.appkit import VendorError
from farm.testing import LocalApp
from tests.apps.obsidian.conftest import NOW, MakeVault, vault_rows

LINES = [
    json.loads(line) for line in Path(__file__).with_name("libraries.jsonl").read_text("utf-8").split("\n") if line
]
ASKED: dict[str, list[dict[str, Any]]] = defaultdict(list)
for _line in LINES:
    if "differs" not in _line:
        ASKED[_line["ask"]].append(_line)
MARK = "\u27e6"
FIELDS = 'n: 3\ns: text\nl: [1, two, [3], 4.5, ""]\nm: {k: v, 0: z}\nb: true\ne: ""\nz: null\nf: 0.5\nd: 2026-03-09\n'
CRASHED = "Error 50000: Internal Server Error\n"
PATCH_FAILED = "Error 40080: The patch you provided could not be applied to the target content.\n"
QUERY_FAILED = "Error 40070: The query you provided could not be processed.\n"


def parts(kind: str, count: int) -> list[list[dict[str, Any]]]:
    """Return what was asked of a kind in so many parts."""
    return [ASKED[kind][number::count] for number in range(count)]


def units(text: str, place: int) -> int:
    """Return the place of a character, given that of its first UTF-16 unit."""
    return len(text.encode("utf-16-le")[: place * 2].decode("utf-16-le"))


def outcome(app: LocalApp, tool: str, **arguments: Any) -> Any:
    """Return a call's body, or what it is refused with as ``{"fails": …}``."""
    try:
        return app.call(tool, **arguments)
    except VendorError as refused:
        return {"fails": refused.message}


def write(app: LocalApp, content: str) -> None:
    app.episode.db.update("files", {"vault_id": "v", "path": "n.md"}, content=content)


def patched(app: LocalApp, note: str, operation: str, kind: str, target: str, content: str) -> Any:
    """Patch a note and return its text then, or what the patch is refused with."""
    write(app, note)
    how = {"operation": operation, "target_type": kind, "target": target, "content": content}
    said = outcome(app, "obsidian_patch_content", filepath="n.md", **how)
    return said if isinstance(said, dict) else app.episode.db.scalar("SELECT content FROM files WHERE path = 'n.md'")


@pytest.fixture
def app(vault: MakeVault) -> LocalApp:
    return vault({"n.md": ""})


@pytest.mark.fact("heading", "astray", "block")
@pytest.mark.parametrize("asked", parts("targets", 13))
def test_a_patch_goes_where_the_library_puts_it(app: LocalApp, asked: list[dict[str, Any]]) -> None:
    for each in asked:
        note = each["note"]
        if "fails" in each:
            assert patched(app, note, "append", "heading", "x::y", MARK) == {"fails": CRASHED + each["fails"]}
            continue
        for kind, targets in each["is"].items():
            for target, before, behind in targets:
                for operation, place in (("prepend", before), ("append", behind)):
                    put = place if isinstance(place, str) else None
                    if put is None:
                        at = units(note, place)
                        put = f"{note[:at]}{MARK}{note[at:]}"
                    assert patched(app, note, operation, kind, target, MARK) == put, (operation, kind, target, note)
                if isinstance(before, int) and isinstance(behind, int) and before <= behind:
                    cut = f"{note[: units(note, before)]}{MARK}{note[units(note, behind) :]}"
                    assert patched(app, note, "replace", kind, target, MARK) == cut, (kind, target, note)


@pytest.mark.fact("field", "yaml")
@pytest.mark.parametrize("asked", parts("field", 4))
def test_frontmatter_is_written_as_the_library_writes_it(app: LocalApp, asked: list[dict[str, Any]]) -> None:
    for each in asked:
        said = patched(app, each["note"], each["operation"], "frontmatter", each["field"], each["content"])
        assert said == each.get("is", {"fails": CRASHED + each.get("fails", "")}), each


@pytest.mark.fact("logic", "patterns")
@pytest.mark.parametrize("asked", parts("logic", 10))
def test_a_rule_comes_to_what_the_library_makes_of_it(vault: MakeVault, asked: list[dict[str, Any]]) -> None:
    app = vault({"rules.md": f"---\n{FIELDS}---\n"})
    times = {"made_ms": 1, "changed_ms": 2}
    app.episode.db.update("files", {"vault_id": "v", "path": "rules.md"}, **times)

    for each in asked:
        said = outcome(app, "obsidian_complex_search", query=each["rule"])
        if "fails" in each:
            assert said == {"fails": f"{QUERY_FAILED}{each['fails']} (while processing rules.md)"}, each
        else:
            assert said == [{"filename": "rules.md", "result": value} for value in each["is"]], each


@pytest.mark.fact("yaml", "frontmatter")
def test_frontmatter_is_read_as_the_library_reads_it(app: LocalApp) -> None:
    for each in ASKED["yaml"]:
        write(app, f"---\n{each['text']}\n---\n# A\n")
        said = outcome(app, "obsidian_get_frontmatter", filepath="n.md")
        found = each["is"] if isinstance(each.get("is"), dict) else {}
        # Where Obsidian notes the frontmatter's place, the plugin takes it out.
        assert list(said.items()) == [pair for pair in found.items() if pair[0] != "position"], each


@pytest.mark.fact("yaml")
def test_faults_of_frontmatter_are_told_in_the_library_s_words(app: LocalApp) -> None:
    for each in ASKED["yaml"]:
        if "fails" in each and "worded" not in each:
            told = patched(app, f"---\n{each['text']}\n---\n# A\n", "append", "heading", "A", "x")
            assert told == {"fails": CRASHED + each["fails"]}, each


@pytest.mark.fact("periods")
@pytest.mark.parametrize("asked", parts("moment", 4))
def test_a_name_means_the_day_that_the_library_reads_in_it(
    start: Callable[..., LocalApp], asked: list[dict[str, Any]]
) -> None:
    periods = dict.fromkeys(("daily", "weekly", "monthly", "quarterly", "yearly"), ("P", ""))
    app = start("obsidian", rows=vault_rows({"P/0": ""}, periods), me="me", now=NOW)

    for each in asked:
        app.episode.db.execute("DELETE FROM files")
        path = f"P/{each['stem']}.md"
        app.episode.db.insert("files", vault_id="v", path=path, content="found", seq=1, made_ms=1, changed_ms=1)
        key = {"vault_id": "v", "period": each["period"]}
        app.episode.db.update("periods", key, format=each["format"])
        said = outcome(app, "obsidian_get_periodic_note", period=each["period"])
        assert (said == "found") == each["is"], each
