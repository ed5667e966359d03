"""A stand-in for Tavily: it refuses as Tavily does and answers in its shape.

Which pages fit best is a ranking that nobody publishes, so it asks our kernel; what it says of them is from the rows.
"""

from __future__ import annotations

import json
import threading
from types import SimpleNamespace
from typing import Any

from farm.appkit.handler_api import Row
from farm.content import kernel_module
from farm.context.reference import load_reference
from tests.upstream.real import Asked, Reply

_READ = load_reference("medicine")
_WEB = kernel_module("deep_research", "web")
_ONE_AT_A_TIME = threading.Lock()  # the real server asks several at once, and the reference has one cursor


def backend(asked: Asked) -> Reply:
    """Answer a search."""
    assert asked.path == "/search"
    wanted = json.loads(asked.body)
    query = wanted["query"]
    if not query.strip():
        return _reply({"detail": {"error": "Query is missing."}}, 400)
    if len(query) > 400:
        return _reply({"detail": {"error": "Query is too long. Max query length is 400 characters."}}, 400)
    with _ONE_AT_A_TIME:
        pages = _WEB.read(SimpleNamespace(reference=_READ), wanted["topic"])
        keys = [page.key for page in _WEB.search(pages, query)]
        results = [_result(key, 1 - place / 10) for place, key in enumerate(keys)]
    assert len(results) <= wanted.get("max_results", 5)
    body = {"query": query, "follow_up_questions": None, "answer": None, "images": [], "results": results}
    return _reply({**body, "response_time": 1.02})


def _result(key: str, score: float) -> dict[str, Any]:
    row: Row | None
    if key.startswith("d"):
        row = _READ.one("SELECT title, content FROM documents WHERE document_id = ?", int(key[1:]))
    else:
        row = _READ.one("SELECT title, abstract AS content FROM articles WHERE pmid = ?", key[1:])
    assert row is not None
    return {**row, "url": f"https://web.example/{key}", "score": score, "raw_content": None}


def _reply(body: Any, status: int = 200) -> Reply:
    return Reply(json.dumps(body).encode(), status)
