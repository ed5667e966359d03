"""Integers beyond 64 bits, as they were written, wherever a trace is read, kept and shown."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import orjson
import pytest

from farm._util.json_io import dumps, loads
from farm.benchmark.runner.log import RunLog
from farm.cli.options import parse_object, print_json
from farm.testing import LocalWorld

LONG = [2**64, -(2**63) - 1, 10**30]


@pytest.mark.parametrize("number", [*LONG, 2**63, 2**64 - 1, -(2**63), 0, 1e15, -1.5])
def test_a_number_is_read_and_printed_as_it_is_written(number: float) -> None:
    text = json.dumps({"a": [number]}, separators=(",", ":"))

    for given in (text, text.encode()):
        (read,) = loads(given)["a"]
        assert (read, type(read)) == (number, type(number))
    assert dumps({"a": [number]}) == text.encode()
    assert json.loads(dumps({"a": [number]}, is_indented=True)) == {"a": [number]}


@pytest.mark.parametrize("text", ["", "{", '{"a": NaN}', '"\\ud800"', f"[{2**64}", f"[{2**64}, NaN]"])
def test_what_is_no_json_stays_none(text: str) -> None:
    with pytest.raises(orjson.JSONDecodeError):
        loads(text)


def test_digits_in_a_text_are_no_number() -> None:
    assert loads('{"a": "18446744073709551616"}') == {"a": "18446744073709551616"}


def test_what_orjson_prints_beside_is_printed_as_orjson_has_it() -> None:
    now = datetime(2026, 3, 9, 9, tzinfo=UTC)

    assert dumps([2**64, now]) == b'[18446744073709551616,"2026-03-09T09:00:00+00:00"]'


@pytest.mark.parametrize("number", LONG)
def test_a_trace_a_run_and_a_command_show_it(number: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with LocalWorld("mini", ["slack"], data=tmp_path) as world:
        world.result("slack", "slack_list_channels", limit=number)
        (call,) = world.calls()
        world.snapshot("sealed")
        world.restore("sealed")
        assert world.calls() == [call]
    log = RunLog.begin(tmp_path / "run", {"suite": "demo"}, resume=False)
    log.append({"task": "a", "trial": 0, "calls": [call]})
    (trial,) = log.trials()
    print_json(trial)

    assert call["arguments"] == {"limit": number}
    assert trial["calls"] == [call]
    assert f'"limit": {number}' in capsys.readouterr().out
    assert parse_object(f'{{"limit": {number}}}', "ARGUMENTS") == {"limit": number}
