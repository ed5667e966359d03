"""The stand-in for Notion's API, asked without the real server: it asks our tools, which change unseen by it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from farm.testing import LocalApp
from tests.upstream.notion.backend import backend
from tests.upstream.real import by_hand


@pytest.mark.parametrize("profile", ["latest", "paper-2025"])
def test_it_answers_with_the_rows_of_an_app(start: Callable[..., LocalApp], profile: str) -> None:
    app = start("notion", world="harbor", profile=profile)
    api = backend(app, is_old=profile != "latest")
    pages = {row["id"] for row in app.episode.db.all("SELECT id FROM pages")}
    users = {row["id"]: row["name"] for row in app.episode.db.all("SELECT id, name FROM users")}

    found = by_hand(api, "POST /v1/search", body={"filter": {"property": "object", "value": "page"}})[1]["results"]
    page = by_hand(api, f"GET /v1/pages/{found[0]['id']}")[1]
    people = by_hand(api, "GET /v1/users")[1]["results"]

    assert page["id"] in pages
    assert {each["id"]: each["name"] for each in people}.items() <= users.items()
    assert people
    status, refused = by_hand(api, "GET /v1/pages/01234567-89ab-4def-8123-456789abcdef")
    assert (status, refused["code"]) == (404, "object_not_found")
