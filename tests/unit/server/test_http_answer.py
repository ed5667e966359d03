"""What is refused before an app sees it, as an agent hears it."""

from __future__ import annotations

import json

import pytest

from farm.errors import UnauthorizedError
from farm.server.http.answer import refusal


@pytest.mark.parametrize("number", [1, 2**63, 2**64, -(2**90), "a"])
def test_a_refusal_names_the_request_whatever_its_number(number: int | str) -> None:
    answer = refusal(UnauthorizedError("whose is it?"), {"id": number})

    assert json.loads(answer.body)["id"] == number
