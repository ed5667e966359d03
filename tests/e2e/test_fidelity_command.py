"""``farm fidelity`` from the shell: what it prints, and how it answers a mistake."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.conftest import farm_command, farm_here, one_line
from tests.protocol.wire import CONTENT

pytestmark = pytest.mark.e2e

LINES: list[dict[str, Any]] = [
    {"tool": "note_show", "arguments": {}, "result": {"content": [{"type": "text", "text": '{"notes":[]}'}]}},
    {"tool": "note_show", "arguments": {}, "result": {"content": [{"type": "text", "text": '{"notes":[1]}'}]}},
    {"tool": "note_fail", "arguments": {}, "result": {"content": [], "isError": True}},
]


@pytest.fixture
def calls(tmp_path: Path) -> Path:
    file = tmp_path / "calls.jsonl"
    file.write_text("\n".join(map(json.dumps, LINES)))
    return file


def test_the_report_has_every_figure_and_the_place_of_each_difference(calls: Path) -> None:
    told = json.loads(farm_command("fidelity", "toy", "--calls", calls, "--content", CONTENT, "--json").stdout)

    assert {"app", "lines", "agreement", "exact", "confusion", "f1", "similarity", "by_class"} <= told.keys()
    assert set(told["similarity"]) == {"tfidf", "rouge", "bleu", "meteor"}
    assert (told["app"], told["lines"], told["exact"], told["crashes"]) == ("toy", 3, 0.3333, 1)
    assert told["differences"][0]["ours"]["around"] == '{"notes":[▸]}'
    assert told["expected"] is None


def test_a_person_reads_where_the_answers_part(calls: Path) -> None:
    told = farm_command("fidelity", "toy", "--calls", calls, "--content", CONTENT).stdout

    assert "toy: 3 of 3 recorded calls compared in every part" in told
    assert "broke our server or timed out, and agree with nothing: 1 call" in told
    assert "line 2, note_show: differs in text; in text at character 10:" in told
    assert '    recorded success: {"notes":[▸1]}\n    ours     success: {"notes":[▸]}' in told


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--me=nobody"], "no account of 'nobody' in slack; have "),
        (["--world=nowhere"], "no world 'nowhere'; have halfday, harbor"),
        (["--profile=old"], "no profile 'old' of app 'slack'; have latest"),
        (["--state=/nowhere"], "--state /nowhere cannot be read"),
    ],
)
def test_a_mistake_is_one_line(
    calls: Path,
    arguments: list[str],
    told: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(calls.parent))
    found = farm_here(capsys, "fidelity", "slack", "--calls", calls, *arguments, folder=calls.parent)

    assert one_line(found).startswith(told)
