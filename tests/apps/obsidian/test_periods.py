"""Periodic notes and recent changes, on Monday, 9 March 2026."""

from __future__ import annotations

import json

import pytest

from tests.apps.obsidian.conftest import NOW_MS, MakeVault, refusal

NONE = "Error 40461: Periodic note does not exist for the specified period."
OFF = "Error 40060: Specified period is not enabled."


@pytest.mark.fact("periods")
@pytest.mark.parametrize(
    ("period", "pattern", "name"),
    [
        ("daily", "", "2026-03-09"),
        ("daily", "D MMM YYYY", "9 Mar 2026"),
        ("daily", "YYYY/MM/dddd DD", "Monday 09"),
        ("weekly", "", "2026-W11"),
        ("weekly", "GGGG-[W]WW", "2026-W11"),
        ("monthly", "MMMM YYYY", "March 2026"),
        ("quarterly", "", "2026-Q1"),
        ("yearly", "", "2026"),
    ],
)
def test_the_note_of_a_period_is_found_by_its_name(vault: MakeVault, period: str, pattern: str, name: str) -> None:
    app = vault({f"P/sub/{name}.md": "this"}, {period: ("P", pattern)})

    assert app.call("obsidian_get_periodic_note", period=period) == "this"


@pytest.mark.fact("periods")
@pytest.mark.parametrize(
    ("period", "pattern", "name"),
    [
        ("daily", "", "2026-3-9"),
        ("daily", "", "2026-03-09 x"),
        ("daily", "dddd YYYY-MM-DD", "Sunday 2026-03-09"),
        ("weekly", "", "2026-W10"),
        # An ISO week begins on Monday, the week of the locale on the Sunday before.
        ("weekly", "GGGG-[W]WW", "2026-W10"),
        ("monthly", "", "2026-02"),
        ("quarterly", "", "2026-Q5"),
        ("yearly", "", "26"),
    ],
)
def test_a_note_of_another_period_is_not(vault: MakeVault, period: str, pattern: str, name: str) -> None:
    app = vault({f"P/{name}.md": "that"}, {period: ("P", pattern)})

    assert refusal(app, "obsidian_get_periodic_note", period=period) == NONE


@pytest.mark.fact("periods")
def test_a_period_may_be_off_or_without_its_folder(vault: MakeVault) -> None:
    app = vault({"2026.md": "year"}, {"daily": ("Absent", ""), "yearly": ("", "")})

    assert refusal(app, "obsidian_get_periodic_note", period="weekly") == OFF
    assert "Read timed out" in refusal(app, "obsidian_get_periodic_note", period="daily")
    assert app.call("obsidian_get_periodic_note", period="yearly") == "year"


@pytest.mark.fact("periods")
def test_metadata_is_the_note_as_json(vault: MakeVault) -> None:
    app = vault({"D/2026-03-09.md": "---\nmood: 好\n---\n"}, {"daily": ("D", "")})

    told = app.result("obsidian_get_periodic_note", period="daily", type="metadata")["content"][0]["text"]

    stat = {"ctime": NOW_MS - 86_400_000, "mtime": NOW_MS - 86_400_000, "size": 18}
    note = {"tags": [], "frontmatter": {"mood": "好"}, "stat": stat, "path": "D/2026-03-09.md"}
    assert json.loads(told) == {**note, "content": "---\nmood: 好\n---\n"}
    assert told.startswith('{\n  "tags": [],\n  "frontmatter": {\n    "mood": "好"\n')


@pytest.mark.fact("recent")
def test_recent_changes_are_notes_since_a_midnight(vault: MakeVault) -> None:
    app = vault({"a.md": "", "b.md": "", "c.txt": "", "d.md": ""})

    app.call("obsidian_put_content", filepath="a.md", content="new")
    found = app.call("obsidian_get_recent_changes", days=2)

    assert [each["filename"] for each in found] == ["a.md", "d.md"]
    assert found[1]["result"] == {"file.mtime": "2026-03-08T09:00:00.000+00:00"}
    assert [each["filename"] for each in app.call("obsidian_get_recent_changes", limit=1)] == ["a.md"]
    assert len(app.call("obsidian_get_recent_changes", days=10**12)) == 3


@pytest.mark.fact("recent")
def test_days_begin_where_obsidian_runs(vault: MakeVault) -> None:
    app = vault({"a.md": "", "D/2026-03-10.md": "tomorrow"}, {"daily": ("D", "")})
    # Nine in the morning in UTC is eleven at night there.
    app.episode.db.update("vaults", {"vault_id": "v"}, time_zone="Pacific/Kiritimati")

    app.call("obsidian_put_content", filepath="a.md", content="")
    (changed,) = app.call("obsidian_get_recent_changes", limit=1)

    assert changed["result"]["file.mtime"].startswith("2026-03-09T23:00:00.")
    assert changed["result"]["file.mtime"].endswith("+14:00")
    assert refusal(app, "obsidian_get_periodic_note", period="daily") == NONE


@pytest.mark.fact("recent")
def test_without_dataview_there_are_no_changes_and_recent_periodic_notes_never(vault: MakeVault) -> None:
    app = vault({"D/2026-03-09.md": ""}, {"daily": ("D", "")})
    app.episode.db.update("vaults", {"vault_id": "v"}, has_dataview=0)

    said = refusal(app, "obsidian_get_recent_changes")
    assert said.endswith("\nCannot read properties of undefined (reading 'tryQuery')")
    assert refusal(app, "obsidian_get_recent_periodic_notes", period="daily") == "Error 40400: Not Found"


@pytest.mark.fact("limits")
def test_a_whole_number_with_a_fraction_is_no_limit(vault: MakeVault) -> None:
    app = vault({})

    for tool, arguments, name in (
        ("obsidian_get_recent_changes", {"limit": 3.0}, "limit"),
        ("obsidian_get_recent_changes", {"days": 3.0}, "days"),
        ("obsidian_get_recent_periodic_notes", {"period": "daily", "limit": 3.0}, "limit"),
    ):
        assert refusal(app, tool, **arguments) == f"Invalid {name}: 3.0. Must be a positive integer"
