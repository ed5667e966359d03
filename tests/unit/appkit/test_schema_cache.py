"""An app's schema as it is kept between starts: the same as the one it was made from, and never of other sources."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import orjson
import pytest

from farm import content
from farm.appkit.schema_cache import CachedSchema, cache_path
from farm.content import LoadedApp


def loaded_anew(app: str) -> LoadedApp:
    """Return an app as a new process would load it."""
    known = content.load_app(app)
    return LoadedApp(known.app, known.root, known.folder, known.server, known.instructions, known.tool_schemas)


def edit(path: Path, **changes: Any) -> None:
    path.write_bytes(orjson.dumps({**orjson.loads(path.read_bytes()), **changes}))


@pytest.mark.parametrize("app", content.app_names(hidden=True))
def test_a_kept_schema_says_what_the_schema_says(app: str, tmp_path: Path) -> None:
    loaded_anew(app).remember_schema(tmp_path)

    again = loaded_anew(app)
    again.remember_schema(tmp_path)

    kept: Any = again.schema
    derived = loaded_anew(app).schema
    assert isinstance(kept, CachedSchema)
    assert (list(kept.shapes), kept.shapes) == (list(derived.shapes), derived.shapes)
    assert (kept.times, kept.account) == (derived.times, derived.account)
    assert (kept.server_managed, kept.notifies, kept.deleted_value) == (
        derived.server_managed,
        derived.notifies,
        derived.deleted_value,
    )
    assert kept.internal == derived.internal
    assert (kept.roles, kept.formats) == (derived.roles, derived.formats)
    assert (kept.usual, kept.open_keys) == (derived.usual, derived.open_keys)
    assert (kept.visible_keys, kept.searched) == (
        derived.visible_keys,
        derived.searched,
    )
    assert kept.follows == derived.follows
    assert kept.ddl() == derived.ddl()
    assert [each.name for each in kept.tables] == [each.name for each in derived.tables]


def test_a_schema_whose_source_has_changed_is_kept_anew(tmp_path: Path) -> None:
    loaded_anew("slack").remember_schema(tmp_path)
    path = cache_path(tmp_path, "slack")
    made_from = orjson.loads(path.read_bytes())["made_from"]
    source = next(name for name in made_from if name.endswith("contexts/slack/schema.py"))
    edit(path, made_from={**made_from, source: "0"}, schema={})

    again = loaded_anew("slack")
    again.remember_schema(tmp_path)

    assert not isinstance(again.schema, CachedSchema)
    assert orjson.loads(path.read_bytes())["made_from"] == made_from


@pytest.mark.parametrize("text", [b"", b"{", b"[]", b'{"made_from": {}}', b'{"made_from": {"/nowhere": ""}}'])
def test_what_is_no_kept_schema_is_made_anew(text: bytes, tmp_path: Path) -> None:
    cache_path(tmp_path, "slack").write_bytes(text)

    loaded = loaded_anew("slack")
    loaded.remember_schema(tmp_path)

    assert not isinstance(loaded.schema, CachedSchema)
    assert orjson.loads(cache_path(tmp_path, "slack").read_bytes())["schema"]["shapes"]


def test_where_nothing_can_be_kept_the_schema_is_derived(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    loaded = loaded_anew("slack")
    loaded.remember_schema(tmp_path / "file")

    assert loaded.schema.shapes


CALLS = """
import sys
from pathlib import Path
import farm.server.serve
from farm.content import load_app
from farm.testing import LocalApp
folder = Path(sys.argv[1])
load_app("slack").remember_schema(folder)
slack = LocalApp("slack", folder / sys.argv[2], world="harbor")
slack.call("slack_post_message", channel_id="#general", text="hello")
assert slack.changes()["messages"]
slack.close()
print("sqlalchemy" in sys.modules)
"""


@pytest.mark.e2e
def test_what_an_app_does_with_a_kept_schema_needs_no_sqlalchemy(tmp_path: Path) -> None:
    def said(name: str) -> str:
        return subprocess.check_output([sys.executable, "-c", CALLS, tmp_path, name], text=True).strip()

    assert [said("first"), said("second")] == ["True", "False"]


def test_a_schema_is_kept_wherever_it_is_told_to_and_says_nothing_of_kernels(tmp_path: Path) -> None:
    folder = tmp_path / "not" / "there"

    loaded_anew("slack").remember_schema(folder)

    made_from = orjson.loads(cache_path(folder, "slack").read_bytes())["made_from"]
    assert any("/contexts/slack/" in name for name in made_from)
    # An edited handler changes no schema.
    assert not [name for name in made_from if "/kernels/" in name]
    assert [path.name for path in folder.iterdir()] == ["slack.schema.json"]
