"""The recorded calls, replayed."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from farm.testing import LocalApp
from tests.apps.rednote.conftest import media, rows

CALLS = Path(__file__).resolve().parents[4] / "shared" / "upstream" / "rednote" / "validation.jsonl"


@pytest.mark.fact("recorded")
def test_every_recorded_refusal_is_repeated_to_the_letter(start: Callable[..., LocalApp]) -> None:
    if not CALLS.is_file():
        pytest.skip("the recorded calls are not on this machine")
    # The recording was made at this minute, on a machine that had the file.
    app = start("rednote", rows=[*rows(), media("/tmp/a.jpg")], me="me", now="2026-11-21T01:41:00+08:00")

    for line in CALLS.read_text("utf-8").splitlines():
        recorded = json.loads(line)
        outcome = app.outcome(recorded["tool"], recorded["arguments"])
        result = json.loads(outcome.result)
        result = {"jsonrpc_error": result} if outcome.is_protocol_error else result

        assert result == recorded["result"], recorded["tool"]
    assert app.changes() == {}


@pytest.mark.fact("recorded")
def test_a_missing_argument_is_a_protocol_error_in_go_words(rednote: LocalApp) -> None:
    assert rednote.result("get_feed_detail")["error"] == {
        "code": -32602,
        "message": 'invalid params: validating "arguments": validating root: required: missing properties: '
        '["feed_id" "xsec_token"]',
    }


@pytest.mark.fact("recorded")
def test_tools_without_arguments_take_any(rednote: LocalApp) -> None:
    assert rednote.text("check_login_status", anything=1).startswith("✅ 已登录")
