"""The calls that other environments play are those that the oracle makes today."""

from __future__ import annotations

import json

from tests.harness.client.record import CALLS, recording


def test_the_recorded_calls_are_those_of_the_oracle() -> None:
    assert json.loads(CALLS.read_text("utf-8")) == recording(), "python -m tests.harness.client.record"
