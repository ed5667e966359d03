"""Random and mutated arguments to every tool: no unhandled exception, no change when refused or reading."""

from __future__ import annotations

import random
import sqlite3
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import orjson
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from farm import content
from farm.appkit.dialects import InvalidArgumentsError
from farm.appkit.handler_api import VendorError
from farm.context.template import load_world
from farm.testing import EPISODE, LocalApp
from tests.property.strategies import broken, fitting
from tests.stress.values import Known, Values

pytestmark = pytest.mark.slow

WORLD = "harbor"
TOOLS = [(app, tool.name) for app in content.app_names() for tool in content.load_app(app).app.tools]


@pytest.fixture(scope="module")
def apps() -> Iterator[dict[str, LocalApp]]:
    with tempfile.TemporaryDirectory() as folder:
        world = WORLD if WORLD in content.world_names() else None
        have = load_world(world).apps if world else []
        started = {
            app: LocalApp(app, Path(folder) / app, world=world if app in have else None) for app in content.app_names()
        }
        yield started
        for each in started.values():
            each.close()


@cache
def _known(app: str) -> dict[str, list[str]]:
    """Return property name → real ids of the world that such a property may hold, by the tables' key columns."""
    ids: dict[str, list[str]] = {}
    if WORLD not in content.world_names() or app not in load_world(WORLD).apps:
        return ids
    with tempfile.TemporaryDirectory() as folder:
        local = LocalApp(app, Path(folder), world=WORLD)
        db: sqlite3.Connection = local.store.open(EPISODE).connection
        for shape in local.store.loaded.schema.shapes.values():
            for row in db.execute(f'SELECT * FROM "{shape.name}" LIMIT 4'):
                for name in row.keys():  # noqa: SIM118 - a Row iterates over its values
                    if isinstance(row[name], str) and name.endswith(("_id", "id", "token", "ts", "guid")):
                        ids.setdefault(name, []).append(row[name])
        local.close()
    known = {name: sorted(set(values)) for name, values in ids.items()}
    # Few enough for hypothesis to print the strategy.
    moments = known.get("ts", sorted({value for values in known.values() for value in values}))[:40]
    return known | {"timestamp": moments, "thread_ts": moments}


@pytest.mark.parametrize(("app", "name"), TOOLS)
@settings(max_examples=25, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_no_arguments_break_a_tool_or_change_anything_they_should_not(
    apps: dict[str, LocalApp], app: str, name: str, data: st.DataObject
) -> None:
    loaded = content.load_app(app)
    schema = next(entry["inputSchema"] for entry in loaded.tool_schemas if entry["name"] == name)
    arguments: Any = data.draw(fitting(schema, _known(app)) | broken(schema, _known(app)))
    local, tool = apps[app], loaded.bound[name].tool
    if local.changes():
        local.store.reset(EPISODE)

    outcome = local.outcome(name, arguments)

    assert isinstance(orjson.loads(outcome.result), dict)
    assert outcome.error is None or isinstance(outcome.error, VendorError | InvalidArgumentsError)
    changed = set(local.changes())
    assert changed <= (set() if outcome.refused and not tool.commits_on_error else set(tool.writes)), arguments


@pytest.mark.parametrize("world", [None, WORLD])
@pytest.mark.parametrize("app", content.app_names())
def test_nothing_breaks_a_tool_in_an_episode_with_or_without_a_world(
    app: str, world: str | None, tmp_path: Path
) -> None:
    local, values = LocalApp(app, tmp_path, world=world), Values(random.Random(7), Known(), "marker")
    broken_by = []
    for tool in content.load_app(app).tool_schemas:
        for arguments in ({}, *(values.arguments(tool["inputSchema"]) for _ in range(30))):
            outcome = local.outcome(tool["name"], arguments)
            # As whoever reads the trace does.
            (line,) = local.store.call_lines(EPISODE, after=outcome.call - 1)
            assert orjson.loads(line)["result"] is not None
            if not isinstance(outcome.error, VendorError | InvalidArgumentsError | None):
                broken_by.append((tool["name"], arguments, outcome.error))
    local.close()

    assert broken_by == []


def test_half_a_character_becomes_the_replacement_character(apps: dict[str, LocalApp]) -> None:
    slack = apps["slack"]
    channel = slack.store.open(EPISODE).connection.execute("SELECT channel_id FROM members LIMIT 1").fetchone()[0]

    posted = slack.outcome("slack_post_message", {"channel_id": channel, "text": "a\ud83db"})

    assert "\\ud83d" not in posted.result.decode()
    entry = slack.store.calls(EPISODE)[-1]
    assert entry["arguments"]["text"] == "a\ufffdb"
