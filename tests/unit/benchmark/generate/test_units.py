"""Units: what is kept beside a kernel can be read again, and is what play shows."""

from __future__ import annotations

from pathlib import Path

import pytest

from farm import content
from farm.benchmark.generate.learn import learn_units
from farm.benchmark.generate.units import (
    AppUnits,
    Argument,
    Edge,
    Unit,
    as_text,
    differences,
    load_units,
    units_path,
)
from farm.benchmark.generate.universe import knowledge
from farm.benchmark.runner.local_host import LocalHost
from farm.errors import FarmError

EDGES_GONE_MAX = 0.03
LEARNED = [app for app in content.app_names() if units_path(app).is_file()]


@pytest.mark.parametrize("app", LEARNED)
def test_kept_units_are_those_of_the_tools(app: str) -> None:
    found = load_units(app)
    tools = {each.name: each.writes for each in content.load_app(app).app.tools}

    assert {name: each.writes for name, each in found.units.items()} == {
        name: writes for name, writes in tools.items() if name in found.units
    }
    assert found.units.keys() | found.missing.keys() == tools.keys()
    assert {each.tool for each in found.edges} | {each.source for each in found.edges} <= found.units.keys()
    for edge in found.edges:
        assert edge.kind in found.units[edge.tool].arguments[edge.argument].kinds


@pytest.mark.slow
@pytest.mark.parametrize("app", LEARNED)
def test_play_shows_what_is_kept(app: str) -> None:
    """Every role holds, and nearly every edge: a world that has got other rows may lack a field or two."""
    kept = load_units(app)

    with LocalHost(interrupts=False) as host:
        played = learn_units(host.farm, app, kept.world, kept.suites)

    assert played.units.keys() == kept.units.keys()
    assert _roles(played) == _roles(kept)
    gone = set(kept.edges) - set(played.edges)
    assert len(gone) <= EDGES_GONE_MAX * len(kept.edges), sorted(gone)


def _roles(found: AppUnits) -> dict[tuple[str, str], str]:
    return {(name, each.path): each.role for name, unit in found.units.items() for each in unit.arguments.values()}


def test_units_are_written_and_read_again(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    unit = Unit(
        "slack_reply_to_thread",
        ("messages",),
        {
            "channel_id": Argument("channel_id", "id", ("channels.id",)),
            "text": Argument("text", "payload", (), ("messages.text",)),
        },
        ("channel_id",),
        (("channels.id",),),
        {"channel_id": "<id>", "text": "<payload>"},
        {".ts": "messages.ts"},
        is_personal=True,
    )
    edges = (Edge("slack_reply_to_thread", ".ts", "slack_reply_to_thread", "thread_ts", "messages.ts"),)
    made = AppUnits("slack", "mini", ("demo",), {unit.tool: unit}, edges, {"slack_get_users": "no example call"})
    path = tmp_path / "units.json"
    path.write_text(as_text(made), "utf-8")
    monkeypatch.setattr("farm.benchmark.generate.units.units_path", lambda app: path)

    assert load_units("slack") == made
    assert differences(made, load_units("slack")) == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "is no JSON"),
        ("[]", "is no file of units"),
        ('{"world": "mini", "suites": [], "units": {"t": {"arguments": {"a": {"role": "x"}}}}, "edges": {}}', "role x"),
        (
            '{"world": "mini", "suites": [], "units": {"gone_tool": {"arguments": {}}}, "edges": {}}',
            "no tool gone_tool",
        ),
    ],
)
def test_a_file_that_is_no_such_file_gets_one_line(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, text: str, said: str
) -> None:
    path = tmp_path / "units.json"
    path.write_text(text, "utf-8")
    monkeypatch.setattr("farm.benchmark.generate.units.units_path", lambda app: path)

    with pytest.raises(FarmError, match=said) as refused:
        load_units("slack")

    assert "\n" not in str(refused.value)


def test_a_tool_that_takes_words_in_several_places_is_not_searched() -> None:
    """Obsidian's complex search: a glob alone fits no place of the expression that its example leaves."""
    words = {path: Argument(path, "query") for path in ("query.if[].glob[]", "query.if[].var")}
    units = {
        "obsidian_complex_search": Unit("obsidian_complex_search", arguments=words, example={"query": {"if": [False]}}),
        "obsidian_simple_search": Unit("obsidian_simple_search", arguments={"query": Argument("query", "query")}),
    }

    assert knowledge(AppUnits("obsidian", "mini", (), units, ()), "mini").queries == {"obsidian_simple_search": "query"}
