"""What PROVENANCE.toml says of measuring, and what it must not say."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from farm import content
from farm.content import LoadedApp
from farm.errors import FarmError
from farm.traverse.fidelity.provenance import load_provenance

CALLS = '[[calls]]\nfile = "validation.jsonl"\ncount = 2\nsha256 = "aa"\n'


def _app(folder: Path, text: str) -> LoadedApp:
    (folder / "PROVENANCE.toml").write_text(text)
    return replace(content.load_app("slack"), folder=folder)


def test_an_app_without_the_file_has_measured_nothing(tmp_path: Path) -> None:
    assert load_provenance(replace(content.load_app("slack"), folder=tmp_path)).calls == ()


def test_a_start_is_a_world_or_rows_beside_the_file(tmp_path: Path) -> None:
    (tmp_path / "start.jsonl").write_text('{"table": "teams", "id": "T1"}\n')
    more = f'{CALLS}state = "start.jsonl"\nme = "ann"\nprofile = "old"\nsequence = true\n'

    world, state = load_provenance(_app(tmp_path, f'{CALLS}world = "harbor"\n{more}')).calls

    assert (world.start.world, world.profile, world.is_sequence) == ("harbor", "latest", None)
    assert state.start.rows == ({"table": "teams", "id": "T1"},)
    assert (state.start.me, state.profile, state.is_sequence) == ("ann", "old", True)


def test_a_file_is_found_by_its_bytes_or_its_name_in_its_profile(tmp_path: Path) -> None:
    other = CALLS.replace("validation", "traces").replace("aa", "bb")
    known = load_provenance(_app(tmp_path, CALLS + other + f'{CALLS}profile = "old"\n'))

    assert known.find("elsewhere.jsonl", "bb", "latest") == known.calls[1]
    assert known.find("validation.jsonl", "cc", "latest") == known.calls[0]
    assert known.find("validation.jsonl", "aa", "old") == known.calls[2]
    assert known.find("elsewhere.jsonl", "cc", "latest") is None


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[calls]\ncount = 1\n", r"'calls' must be tables, each under \[\[calls\]\]"),
        ("[[calls]]\nfile = 'x'\n", r"\[\[calls\]\] has no 'count'"),
        (f"{CALLS}colour = 'red'\n", r"\[\[calls\]\] has an unknown key 'colour'"),
        (f"{CALLS}world = 'w'\nstate = 's'\n", "starts in a world or in a state, not in both"),
        (f"{CALLS}state = 'none.jsonl'\n", r"rows of 'none\.jsonl' cannot be read"),
        ("[[volatile]]\nname = 'id'\npattern = 'x'\n", r"\[\[volatile\]\] has no 'reason'"),
        ("[[volatile]]\nname = 'id'\npattern = '('\nreason = 'r'\n", "'id' is no pattern"),
        ("[[volatile]]\nname = 'id'\npattern = 'x*'\nreason = 'r'\n", "'id' matches nothing at all"),
        ("[[conditions]]\nname = 'off'\ntable = 'teams'\n", r"\[\[conditions\]\] has no 'values'"),
        ("[[conditions]]\nname = 'off'\ntable = 'team'\nvalues = {}\n", "'off' is of no table of the app, 'team'"),
        ("[[conditions]]\nname = 'off'\ntable = 'teams'\nvalues = { x = 1 }\n", "'off': teams has no column 'x'"),
        ("calls = [", "is not TOML"),
    ],
)
def test_what_cannot_be_understood_is_refused_naming_the_place(tmp_path: Path, text: str, told: str) -> None:
    with pytest.raises(FarmError, match=told):
        load_provenance(_app(tmp_path, text))


def test_the_versions_of_the_real_server_have_their_days(tmp_path: Path) -> None:
    given = {"version": "1.2", "read": "2026-01-02", "newest": "1.3", "looked": "2026-02-03"}

    said = load_provenance(_app(tmp_path, "".join(f'{name} = "{value}"\n' for name, value in given.items())))

    assert (said.version, said.read_on) == ("1.2", "2026-01-02")
    assert (said.newest, said.looked_on) == ("1.3", "2026-02-03")
    with pytest.raises(FarmError, match="newest is no text"):
        load_provenance(_app(tmp_path, "newest = 1.3\n"))
