"""What holds for the tests of every app: no statement that a kernel runs reads all of what grows."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from farm.appkit.handler_api import Database
from tests import query_plans

_FOUND: dict[str, None] = {}


@pytest.fixture(scope="module", autouse=True)
def _watched_statements() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Database, "__init__", query_plans.watch(lambda line: _FOUND.update({line: None})))
        yield


@pytest.fixture(autouse=True)
def _no_statement_reads_all_of_what_grows() -> Iterator[None]:
    yield
    found = list(_FOUND)
    _FOUND.clear()
    assert not found, "\n".join(found)
