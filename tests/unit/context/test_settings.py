"""What an episode was created with, and the token that opens it."""

from __future__ import annotations

import json
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path

import orjson
import pytest

from farm.context.corrupt_file import CorruptFileError
from farm.context.settings import Settings, is_bearer
from farm.errors import NotFoundError

TOKEN = "tok_1"
HASH = sha256(TOKEN.encode()).hexdigest()


@pytest.mark.parametrize("header", [b"Bearer tok_1", b"bearer tok_1", b"BEARER  tok_1 "])
def test_the_token_opens_whatever_the_schemes_case_and_the_spaces_around_it(header: bytes) -> None:
    assert is_bearer(header, HASH)
    assert is_bearer(header, HASH.upper())


@pytest.mark.parametrize("header", [None, b"", b"tok_1", b"Basic  tok_1", b"Bearer", b"Bearer tok_2", b"Bearer TOK_1"])
def test_anything_else_opens_nothing(header: bytes | None) -> None:
    assert not is_bearer(header, HASH)


def test_what_was_saved_is_loaded(tmp_path: Path) -> None:
    settings = Settings(
        "ep",
        "harbor",
        ("lark", "slack"),
        seed=3,
        now="2026-03-09T09:00:00.250+08:00",
        shift_days=7,
        me="lin.wan",
        menu={"slack": ("slack_get_users",), "lark": ()},
        token_sha256=HASH,
        expires_at="2026-03-09T10:00:00+08:00",
        label="a label",
        created_at="2026-03-09T01:00:00Z",
        rows={"slack": ({"table": "teams", "id": "T1"},)},
        faults=({"app": "slack", "id": "burst", "kind": "rate_limited"},),
        people=({"id": "chairs", "who": "ben"},),
    )

    settings.save(tmp_path)

    assert Settings.load(tmp_path) == Settings.load(str(tmp_path)) == settings
    text = (tmp_path / "episode.json").read_text("utf-8")
    written = orjson.loads(orjson.dumps(asdict(settings)))
    assert written.pop("arrivals") is False
    assert (written.pop("pace_ms"), written.pop("token_turn")) == (0, 0)
    assert written.pop("holders") == {}  # absent where one person acts: older farms read the file, too
    assert orjson.loads(text) == written
    # People read it, too: one line a key, and a newline at the end.
    assert len(text.splitlines()) > len(asdict(settings))
    assert text.endswith("}\n")


def test_an_episode_is_created_once(tmp_path: Path) -> None:
    Settings("ep", None, ()).save(tmp_path)
    before = (tmp_path / "episode.json").read_bytes()

    with pytest.raises(FileExistsError):
        Settings("other", None, ()).save(tmp_path)

    assert (tmp_path / "episode.json").read_bytes() == before


def test_a_folder_without_settings_is_no_episode(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match=r"^no episode 'gone'$"):
        Settings.load(tmp_path / "gone")


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"shift_days": "1"}, "its numbers are none"),
        ({"shift_days": True}, "its numbers are none"),
        ({"calls_max": 1.5}, "its numbers are none"),
        ({"id": 5}, "its id or apps are none"),
        ({"apps": ["../x"]}, "its id or apps are none"),
    ],
)
def test_settings_that_are_damaged_are_told_by_what_is_wrong(
    tmp_path: Path, changed: dict[str, object], why: str
) -> None:
    Settings("ep", None, ("slack",)).save(tmp_path)
    file = tmp_path / "episode.json"
    file.write_text(json.dumps({**json.loads(file.read_text("utf-8")), **changed}), "utf-8")

    with pytest.raises(CorruptFileError, match=why):
        Settings.load(tmp_path)


def test_a_fixed_clock_starts_at_its_time_and_a_live_one_nowhere() -> None:
    fixed, live = Settings("a", None, (), now="1970-01-01T00:00:02.005+00:00"), Settings("b", None, ())

    assert (fixed.clock_ms, fixed.is_live) == (2005, False)
    assert (live.clock_ms, live.is_live) == (0, True)


def test_an_episode_expires_at_its_time_or_never() -> None:
    assert Settings("a", None, (), expires_at="1970-01-01T08:00:10+08:00").expires_s == 10
    assert Settings("a", None, ()).expires_s is None
