"""Table 4: figures over the calls that were held back, computed by hand here."""

from __future__ import annotations

import errno
import json
import os
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from farm.cli import build, main
from farm.traverse.fidelity.compare import equal_leaves

TOOLS = {
    "server": {"name": "notes", "version": "1"},
    "tools": [
        {
            "name": "read",
            "inputSchema": {"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]},
        }
    ],
}


def _said(text: str, **more: Any) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": text}], **more}


DONE, NO = _said('{"id": "a", "n": 1}'), _said("Error: no note", isError=True)
# What the real server said to each call of the one held trace, whether it counts, and what an arm said.
CALLS: list[tuple[Any, dict[str, Any], bool, dict[str, Any]]] = [
    ({"id": "a"}, DONE, True, DONE),  # the same
    ({"id": "b"}, DONE, True, _said('{"n": 1, "id": "a"}')),  # another order
    ({"id": "c"}, DONE, True, NO),  # refused by the arm alone
    ({"id": "d"}, NO, True, _said("Error: absent", isError=True)),  # refused in other words
    ({"id": "e"}, NO, True, DONE),  # done by the arm alone
    ({"id": 7}, NO, True, NO),  # the schema refuses it already
    ({"id": "f"}, DONE, False, DONE),  # does not count
]


@pytest.fixture
def pool(tmp_path: Path) -> Path:
    folder = tmp_path / "pool"
    folder.mkdir()
    lines = [
        {
            "trace": 1,
            "step": step,
            "tool": "read",
            "arguments": arguments,
            "result": result,
            "error_class": "success" if result is DONE else "semantic_conflict",
            "verdict": "success" if result is DONE else "refused",
            "side": "held",
            "scored": counts,
        }
        for step, (arguments, result, counts, _) in enumerate(CALLS)
    ]
    train = {**lines[0], "trace": 0, "side": "train"}
    (folder / "pool.jsonl").write_text("".join(json.dumps(line) + "\n" for line in (train, *lines)))
    (folder / "tools.json").write_text(json.dumps(TOOLS))
    answers = [{"trace": 1, "step": step, "result": arm} for step, (*_, arm) in enumerate(CALLS)]
    (tmp_path / "arm.jsonl").write_text("".join(json.dumps(line) + "\n" for line in answers))
    return folder


def _report(*words: str) -> dict[str, Any]:
    given = ["traverse", "report", "--json", *words]
    done = CliRunner().invoke(build(given), given, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    said: dict[str, Any] = json.loads(done.stdout)
    return said


def test_figures_are_those_computed_by_hand(pool: Path) -> None:
    said = _report(str(pool), "--arm", f"guessed={pool.parent / 'arm.jsonl'}")
    scored = said["arms"][0]["scored"]
    assert {name: scored[name] for name in ("n", "tp", "tn", "fp", "fn")} == {
        "n": 6,
        "tp": 2,
        "tn": 2,
        "fp": 1,
        "fn": 1,
    }
    assert (scored["accuracy"], scored["precision"], scored["recall"]) == (0.6667, 0.6667, 0.6667)
    assert scored["exact"] == round(2 / 6, 4)
    assert (scored["bodies"], scored["leaf_equal"]) == (2, 1.0)
    assert said["arms"][0]["all"]["n"] == 7
    assert said["arms"][0]["beyond_schema"]["n"] == 6
    assert said["arms"][0]["by_class"]["success"]["n"] == 4


def test_a_call_that_was_seen_before_is_in_no_figure(pool: Path) -> None:
    file = pool / "pool.jsonl"
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    file.write_text("".join(json.dumps({**line, "duplicate": line["step"] == 4}) + "\n" for line in lines))
    said = _report(str(pool), "--arm", f"guessed={pool.parent / 'arm.jsonl'}")["arms"][0]
    assert (said["all"]["n"], said["scored"]["n"], said["scored"]["fp"]) == (6, 5, 0)
    assert sum(each["n"] for each in said["by_tool"].values()) == 6


def test_disagreements_have_both_sides_and_say_which_came_first(pool: Path, tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    said = _report(str(pool), "--arm", f"guessed={pool.parent / 'arm.jsonl'}", "--page", str(page))
    found = said["disagreements"]["guessed"]
    assert [(each["step"], each["outcome"]) for each in found] == [(2, False), (4, False), (1, True), (3, True)]
    assert [each["step"] for each in found if each["is_first"]] == [1]
    assert "Error: no note" in page.read_text()
    assert "guessed: 4 differing" in page.read_text()


@pytest.mark.parametrize(
    ("left", "right", "share"),
    [
        ('{"a": 1, "b": [1, 2]}', '{"b": [1, 2], "a": 1}', 1.0),
        ('{"a": 1, "b": 2}', '{"a": 1, "b": 3}', 0.5),
        ('{"a": 1}', '{"a": 1, "b": 3}', 0.5),
        ('{"a": []}', '{"a": {}}', 0.0),
        ("one\ntwo", "one\nthree", 0.5),
        ("", "", 1.0),
    ],
)
def test_values_are_compared_where_they_stand(left: str, right: str, share: float) -> None:
    assert equal_leaves(left, right) == share


def test_bad_input_is_one_line(pool: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def problem(*words: str) -> str:
        with pytest.raises(SystemExit):
            main(["traverse", "report", *words])
        said = capsys.readouterr().err.strip()
        assert "\n" not in said
        return said

    short = tmp_path / "short.jsonl"
    short.write_text(json.dumps({"trace": 1, "step": 0, "result": DONE}) + "\n")
    assert "has no answer to 6 of the calls; the first is 1.1, read" in problem(str(pool), "--arm", f"a={short}")
    short.write_text("{")
    assert f"{short}, line 1 is not JSON" in problem(str(pool), "--arm", f"a={short}")
    assert "write NAME=APP, or NAME=FILE.jsonl" in problem(str(pool), "--arm", "slack")
    assert "no app 'nothere'" in problem(str(pool), "--arm", "a=nothere")
    assert "no side 'back'; a pool has train, check, held" in problem(str(pool), "--arm", "a=b", "--side", "back")
    assert "is no pool: it has no pool.jsonl" in problem(str(tmp_path), "--arm", "a=slack")


def test_an_arm_s_answers_may_hold_any_letter_and_must_be_answers(
    pool: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "odd.jsonl"

    def write(result: Any) -> None:
        lines = [{"trace": 1, "step": step, "result": result} for step in range(len(CALLS))]
        file.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), "utf-8")

    write(_said("a line\u2028another\x85a third"))  # letters that end a line for Python, and not in JSON
    assert _report(str(pool), "--arm", f"a={file}")["arms"][0]["all"]["n"] == len(CALLS)

    def problem(*words: str) -> str:
        with pytest.raises(SystemExit):
            main(["traverse", "report", str(pool), *words])
        said = capsys.readouterr().err.strip()
        assert "\n" not in said
        return said

    no_answers: list[dict[str, Any]] = [{}, {"error": {}}, {"content": "no list"}]
    for each in no_answers:
        write(each)
        assert f"{file}, line 1: 'result' has neither 'content' nor 'error'" in problem("--arm", f"a={file}")
    write({"content": [1]})
    assert f"{file}, line 1: 'content' holds 1, which is no object" in problem("--arm", f"a={file}")
    file.write_bytes(b"\xff\n")
    assert f"{file}, line 1 is not JSON" in problem("--arm", f"a={file}")
    arm = tmp_path / "arm.jsonl"
    assert "two arms are called 'a'" in problem("--arm", f"a={arm}", "--arm", f"a={arm}")


def test_a_full_disk_is_one_line(
    pool: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(Path, "write_text", full)
    with pytest.raises(SystemExit):
        main(["traverse", "report", str(pool), "--arm", f"a={tmp_path / 'arm.jsonl'}", "--page", str(tmp_path / "p")])
    assert capsys.readouterr().err == "farm: what was to be written could not be (No space left on device)\n"
