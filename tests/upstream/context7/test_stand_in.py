"""The stand-in for Context7's API, asked without the real servers: it reads our app's answers, which change unseen."""

from __future__ import annotations

from collections.abc import Callable

from farm.testing import LocalApp
from tests.upstream.context7.backend import backend
from tests.upstream.real import by_hand


def test_it_answers_with_rows_of_the_reference(start: Callable[..., LocalApp]) -> None:
    latest = start("context7")
    api = backend(latest, start("context7", profile="paper-2025"))
    row = latest.episode.reference.one("SELECT * FROM libraries WHERE library_id IN (SELECT library_id FROM snippets)")
    assert row is not None
    library_id, title = row["library_id"], row["title"]

    found = by_hand(api, "GET /v2/libs/search", {"libraryName": title, "query": title})[1]["results"]
    said = by_hand(api, "GET /v2/context", {"libraryId": library_id, "query": title})[1]
    older = by_hand(api, f"GET /v2/docs/code{library_id}", {"limit": "10", "type": "txt", "page": "1"})[1]

    assert {each["id"]: each["title"] for each in found}[library_id] == title
    sql = "SELECT source_url FROM snippets WHERE library_id = ?"
    sources = [each["source_url"] for each in latest.episode.reference.all(sql, library_id)]
    assert all(any(f"Source: {each}" in text for each in sources) for text in (said, older))
    assert by_hand(api, "GET /v2/context", {"libraryId": "/no/such", "query": "x"})[0] == 404
