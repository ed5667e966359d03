"""The stand-in for Tavily, asked without the real server: it uses our search, which may change while that is absent."""

from __future__ import annotations

import json

from tests.upstream.deep_research.backend import backend
from tests.upstream.real import Asked


def test_it_answers_with_pages_of_the_reference() -> None:
    body = json.dumps({"query": "asthma inhaler", "topic": "general", "max_results": 5}).encode()

    said = json.loads(backend(Asked("POST", "/search", {}, body)).body)

    assert 1 <= len(said["results"]) <= 5
    assert any("asthma" in each["content"].lower() for each in said["results"])
