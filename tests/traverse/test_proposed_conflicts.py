"""Conflicts that a model proposes: what is taken of an answer, where it is sent, and that nothing is asked twice."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from farm.cli import build, main
from farm.testing.mock_model.endpoint import Endpoint
from farm.testing.mock_model.script import parse_script
from farm.traverse.perturb.plan import plan
from farm.traverse.perturb.proposed import ANSWERS, Proposer, prompt_for, read_proposals
from farm.traverse.recordings.calls import Request
from farm.traverse.recordings.recording import read_recording
from farm.traverse.seeds.seeds import Seed

SMALL = [sys.executable, str(Path(__file__).with_name("small_server.py"))]
SCHEMA = {
    "type": "object",
    "properties": {"title": {"type": "string"}, "text": {"type": "string"}},
    "required": ["title"],
}
FLOUR, YEAST = {"title": "Flour", "text": "24 bags"}, {"title": "Yeast"}
TAKEN = {"title": "Flour", "text": "other words"}
PROPOSALS = [{"arguments": TAKEN, "why": "the name is taken"}]


@contextmanager
def _model(text: str) -> Iterator[Endpoint]:
    endpoint = Endpoint(parse_script({"turns": [{"text": text}]}))
    endpoint.start()
    try:
        yield endpoint
    finally:
        endpoint.close()


def _perturb(tmp_path: Path, url: str, *words: str) -> Any:
    seeds = tmp_path / "seeds.jsonl"
    calls = [{"tool": "add_note", "arguments": each} for each in (FLOUR, YEAST)]
    seeds.write_text("".join(json.dumps(each) + "\n" for each in calls))
    given = ["traverse", "perturb", "--json", "--seeds", str(seeds), "--out", str(tmp_path / "out"), "--sandbox"]
    given += ["--per-seed", "1", "--model", "m", "--base-url", url, *words, "--", *SMALL]
    done = CliRunner().invoke(build(given), given, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done


def test_a_proposed_conflict_is_sent_after_the_last_call_the_model_was_shown(tmp_path: Path) -> None:
    with _model(json.dumps(PROPOSALS)) as model:
        _perturb(tmp_path, model.base_url())
        told = model.plays[""].requests[0]["newest"]

    (sent,) = [call for call in read_recording(tmp_path / "out") if call.operation == "proposed"]
    assert (sent.error_class, sent.request.arguments, sent.seed_step) == ("semantic_conflict", TAKEN, 2)
    assert sent.result["content"][0]["text"] == "there is a note 'Flour' already"
    line = json.loads((tmp_path / "out" / "calls.jsonl").read_text().splitlines()[sent.step or 0])
    assert line["because"] == "the name is taken"
    assert '{"title": "Flour", "text": "24 bags"}' in told
    assert "Keep a note." in told


def test_what_was_answered_is_kept_and_not_asked_again(tmp_path: Path) -> None:
    with _model(json.dumps(PROPOSALS)) as model:
        planned = json.loads(_perturb(tmp_path, model.base_url(), "--dry-run").stdout)["calls"]
        asked = len(model.plays[""].requests)
        _perturb(tmp_path, model.base_url())
        assert len(model.plays[""].requests) == asked == 1

    calls = read_recording(tmp_path / "out")
    assert [each["operation"] for each in planned] == [call.operation for call in calls]
    assert len((tmp_path / "out" / ANSWERS).read_text().splitlines()) == 1


def test_an_answer_that_is_no_list_is_said_and_the_rest_goes_on(tmp_path: Path) -> None:
    with _model("I would rather not.") as model:
        done = _perturb(tmp_path, model.base_url())

    assert "add_note: 1 proposed left out, the answer is no JSON list" in done.stderr
    assert {call.operation for call in read_recording(tmp_path / "out")} & {None, "proposed"} == {None}


def test_what_does_not_fit_the_schema_or_was_sent_before_is_left_out() -> None:
    answer = [
        *PROPOSALS,
        *PROPOSALS,
        {"arguments": FLOUR, "why": "a seed"},
        {"arguments": {"text": "no title"}},
        {"arguments": {"title": 7}},
        {"why": "nothing to send"},
        "words",
    ]

    found, reasons = read_proposals(f"```json\n{json.dumps(answer)}\n```", SCHEMA, [FLOUR, YEAST])

    assert [(each.error_class, each.operation, each.arguments) for each in found] == [
        ("semantic_conflict", "proposed", TAKEN)
    ]
    assert reasons == {"they do not fit the schema": 2, "the same as a seed or as another": 2, "no arguments": 2}


def test_no_more_are_taken_than_were_asked_for(tmp_path: Path) -> None:
    many = [{"arguments": {"title": f"{number}"}} for number in range(9)]
    with _model(json.dumps(many)) as model:
        proposer = Proposer("m", tmp_path / ANSWERS, base_url=model.base_url())
        trace = [Seed(Request("add_note", FLOUR))]
        found = proposer.propose([trace], [{"name": "add_note", "inputSchema": SCHEMA}, {"name": "never"}], per_tool=3)

    assert [each.arguments["title"] for each in found.after[0, 0]] == ["0", "1", "2"]
    assert found.left_out == ("add_note: 6 proposed left out, beyond the limit",)


def test_proposals_change_nothing_of_the_rest_of_the_plan() -> None:
    seeds = [[Seed(Request("add_note", FLOUR)), Seed(Request("add_note", YEAST))]]
    found, _ = read_proposals(json.dumps(PROPOSALS), SCHEMA, [])
    without = plan(seeds, {"add_note": SCHEMA}, seed=1, per_seed=2)[0]
    with_them = plan(seeds, {"add_note": SCHEMA}, seed=1, per_seed=2, proposed={(0, 1): found})[0]

    assert tuple(step for step in with_them if step.operation != "proposed") == without
    assert with_them[-1].because == "the name is taken"


def test_a_model_is_shown_schema_words_and_answers() -> None:
    seed = Seed(Request("add_note", FLOUR), {"content": [{"type": "text", "text": "kept $1 'Flour'"}]})

    told = prompt_for({"name": "add_note", "description": "Keep.", "inputSchema": SCHEMA}, [seed], most=4)

    assert all(each in told for each in ("add_note", "Keep.", '"required": ["title"]', "kept $1 'Flour'", "at most 4"))


def test_a_model_that_does_not_answer_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    seeds = tmp_path / "seeds.jsonl"
    seeds.write_text(json.dumps({"tool": "read_notes", "arguments": {}}))
    given = ("--seeds", str(seeds), "--out", str(tmp_path / "out"), "--model", "m", "--base-url", "http://127.0.0.1:9")
    with pytest.raises(SystemExit):
        main(["traverse", "perturb", *given, "--", *SMALL])

    said = capsys.readouterr().err.strip()
    assert "the model m did not answer" in said
    assert "\n" not in said
    assert not (tmp_path / "out" / "calls.jsonl").exists()
