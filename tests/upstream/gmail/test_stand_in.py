"""The stand-in for Google, asked without the real server: its ids come from our kernel, which changes unseen by it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from farm.testing import LocalApp
from tests.apps.gmail.mailbox import NOW, NOW_MS, ROWS
from tests.upstream.gmail.backend import Gmail, Moment
from tests.upstream.real import Asked


def test_what_is_made_has_the_id_that_our_app_gives_it_at_that_moment(tmp_path: Path) -> None:
    filters: list[dict[str, Any]] = [
        {"criteria": {"from": name}, "action": {"addLabelIds": ["STARRED"]}} for name in ("ann", "ben")
    ]
    with LocalApp("gmail", tmp_path / "ours", rows=ROWS, me="mira", seed=0, now=NOW) as app:
        moments = []
        for each in filters:
            app.call("create_filter", **each)
            moments.append(Moment(app.episode.now_ms, app.episode.writes))
        ours = {row["filter_id"] for row in app.episode.db.all("SELECT filter_id FROM filters")}
    with LocalApp("gmail", tmp_path / "stand-in", rows=ROWS, me="mira", seed=0, now=NOW) as app:
        gmail = Gmail(app, NOW_MS, moments)
        path = "/gmail/v1/users/me/settings/filters"
        made = [json.loads(gmail.answer(Asked("POST", path, {}, json.dumps(each).encode())).body) for each in filters]

    assert len({each["id"] for each in made}) == 2
    assert {each["id"] for each in made} <= ours
