"""What a handler sees of its episode."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from farm import content
from farm.appkit.handler_api import VendorError
from farm.context.template import load_world
from farm.testing import LocalApp
from tests.unit._slack import ME, ROWS

WORLD = content.world_names()[0]


@pytest.mark.parametrize(
    ("now", "offset_hours"),
    [("2026-03-09T09:00:00+08:00", 8), ("2026-03-09T09:00:00-05:00", -5), ("2026-03-09T09:00:00Z", 0), ("live", 0)],
)
def test_without_a_world_the_zone_is_the_offset_of_the_clock(now: str, offset_hours: int, tmp_path: Path) -> None:
    app = LocalApp("slack", tmp_path, rows=ROWS, now=now)

    zone = app.episode.zone

    assert datetime(2026, 3, 9, tzinfo=UTC).astimezone(zone).utcoffset() == timedelta(hours=offset_hours)
    app.close()


def test_in_a_world_the_zone_is_the_world_s(tmp_path: Path) -> None:
    known = load_world(WORLD)
    app = LocalApp(known.apps[0], tmp_path, world=WORLD, now="2026-03-09T09:00:00-05:00")

    assert app.episode.zone == known.zone
    app.close()


def test_numbers_go_on_after_the_largest_of_the_same_list(tmp_path: Path) -> None:
    app = LocalApp("slack", tmp_path, rows=[*ROWS, *(_channel(f"C0{n}", created=n) for n in (4, 9))], me="me")
    episode = app.episode

    assert episode.next_number("channels", "created", creator=ME) == 10
    assert episode.next_number("channels", "created", creator="U0NOBODY") == 1
    assert episode.next_number("channels", "created") == 10
    app.close()


class _Missing(VendorError):
    """No {kind} of this name"""


def test_a_refusal_s_docstring_is_its_message_filled_with_what_it_is_raised_with() -> None:
    refused = _Missing(kind="page")

    assert (refused.message, refused.details) == ("No page of this name", {"kind": "page"})
    with pytest.raises(KeyError, match="kind"):
        _Missing(name="page")


def test_a_message_of_its_own_is_taken_as_it_is() -> None:
    assert _Missing("not a valid {open_id}", kind="page").message == "not a valid {open_id}"


def _channel(channel_id: str, **more: int) -> dict[str, object]:
    return {"table": "channels", "id": channel_id, "team_id": ROWS[0]["id"], "name": channel_id, "creator": ME, **more}
