"""What several apps look things up in, the same in every episode."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from farm.context.reference import load_reference
from farm.errors import FarmError, NotFoundError
from farm.testing import LocalApp

SCHEMA = """
from farm.appkit.schema import MetaData, column, table

METADATA = MetaData()
places = table(
    "places",
    METADATA,
    column("name", generation="authentic", primary_key=True),
    column("text", generation="authentic", nullable=False, searched=True),
)
"""
KERNEL = """
from farm.appkit.app import App, Tool
from farm.appkit.dialects import GenericJsonSchema


def find_place(ep, *, name):
    place = ep.reference.one("SELECT text FROM places WHERE name = ?", name)
    return {"text": place and place["text"], "may": sorted(ep.reference.candidates("places", "canal") or ())}


APP = App(
    name="NAME",
    title="Atlas",
    category="maps",
    dialect=GenericJsonSchema(),
    tools=(Tool("find_place", find_place),),
    reference="atlas",
)
"""
TOOLS = """{"server": {"name": "a", "version": "1"}, "tools": [{"name": "find_place", "inputSchema":
{"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}}]}"""
EMPTY = "from farm.appkit.schema import MetaData\nMETADATA = MetaData()\n"


@pytest.fixture
def atlas(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A content folder with two apps on one reference; returns the reference's folder."""
    for app in ("roads", "walks"):
        (tmp_path / "kernels" / app).mkdir(parents=True)
        (tmp_path / "kernels" / app / "__init__.py").write_text(KERNEL.replace("NAME", app))
        (tmp_path / "kernels" / app / "tools.json").write_text(TOOLS)
        (tmp_path / "contexts" / app).mkdir(parents=True)
        (tmp_path / "contexts" / app / "schema.py").write_text(EMPTY)
    folder = tmp_path / "contexts" / "references" / "atlas"
    folder.mkdir(parents=True)
    (folder / "schema.py").write_text(SCHEMA)
    (folder / "places.jsonl").write_text('{"name": "Quay", "text": "by the canal"}\n{"name": "Hill", "text": "high"}\n')
    monkeypatch.setenv("FARM_CONTENT", str(tmp_path))
    return folder


def test_apps_that_name_one_reference_read_the_same(atlas: Path, tmp_path: Path) -> None:
    for app in ("roads", "walks"):
        with LocalApp(app, tmp_path / "data") as local:
            assert local.call("find_place", name="Quay") == {"text": "by the canal", "may": ["Quay"]}
    assert load_reference("atlas") is load_reference("atlas")


READ = """
import sys
from pathlib import Path
from farm.context.reference import load_reference
row = load_reference("atlas", Path(sys.argv[1])).one("SELECT text FROM places WHERE name = 'Quay'")
print(row["text"], "sqlalchemy" in sys.modules)
"""


def test_the_next_process_reads_what_was_kept_and_loads_no_sqlalchemy(atlas: Path, tmp_path: Path) -> None:
    def read() -> str:
        command = [sys.executable, "-c", READ, str(tmp_path / "kept")]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()

    assert [read(), read()] == ["by the canal True", "by the canal False"]
    (atlas / "places.jsonl").write_text('{"name": "Quay", "text": "by the river"}')
    assert read() == "by the river False"
    for kept in (tmp_path / "kept").glob("*.db"):
        kept.write_bytes(b"spoilt")
    assert read() == "by the river False"


def test_nobody_writes_to_it(atlas: Path) -> None:
    with pytest.raises(sqlite3.OperationalError, match="readonly"):
        load_reference("atlas").execute("DELETE FROM places")


def test_a_row_that_does_not_fit_is_named(atlas: Path) -> None:
    (atlas / "places.jsonl").write_text('{"name": "Quay", "texts": ""}')
    with pytest.raises(FarmError, match=r"no column 'texts' in 'places'; have name, text"):
        load_reference("atlas")


def test_a_file_of_no_table_is_named(atlas: Path) -> None:
    (atlas / "rivers.jsonl").write_text("")
    with pytest.raises(FarmError, match=r"rivers.jsonl is of no table; .* declares places"):
        load_reference("atlas")


def test_a_reference_that_is_not_there_is_said_with_those_that_are(atlas: Path) -> None:
    with pytest.raises(NotFoundError, match=r"no reference 'drugs'; have .*atlas"):
        load_reference("drugs")
