"""The panics that were recorded, which `farm fidelity` cannot compare because the real process died of them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from farm.testing import LocalApp

RECORDED = Path(__file__).resolve().parents[4] / "shared" / "upstream" / "wecom" / "validation.jsonl"


@pytest.mark.fact("panic")
def test_every_recorded_panic_is_answered_with_its_first_line(wecom: LocalApp) -> None:
    if not RECORDED.is_file():
        pytest.skip("the recorded calls are not on this machine")
    calls = [json.loads(line) for line in RECORDED.read_text("utf-8").splitlines()]
    panics = [call for call in calls if "process_exited" in call["result"]]

    for call in panics:
        error = {"code": -32603, "message": call["result"]["stderr_first_line"]}
        assert wecom.result(call["tool"], **call["arguments"]) == {"error": error}
    assert len(panics) == 10
