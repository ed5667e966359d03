"""Values that each run draws anew: proposed from calls made twice, declared in masks.toml, shown in reports."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from farm.cli import build, main
from farm.errors import FarmError
from farm.testing import LocalWorld
from farm.traverse.fidelity.provenance import read_masks
from farm.traverse.pool.volatile import candidates

READS = {"name": "stats", "annotations": {"readOnlyHint": True}}
WRITES = {"name": "add", "annotations": {"readOnlyHint": False}}


def _line(step: int, tool: str, text: str, verdict: str = "success", **more: Any) -> dict[str, Any]:
    said = {"content": [{"type": "text", "text": text}]}
    return {"trace": 0, "step": step, "tool": tool, "arguments": {}, "result": said, "verdict": verdict, **more}


# -- candidates --------------------------------------------------------------------------------------------------------


def test_the_same_call_with_another_answer_is_proposed_with_both_texts() -> None:
    lines = [_line(0, "stats", "drawn 17 of 20"), _line(1, "stats", "drawn 4 of 20")]

    assert candidates(lines, [READS]) == [
        {
            "tool": "stats",
            "calls": 1,
            "seen": [{"call": "0.1", "first": "drawn ▸17 of 20", "then": "drawn ▸4 of 20"}],
        }
    ]


@pytest.mark.parametrize(
    "between",
    [
        [],
        [_line(1, "stats", "no", verdict="refused")],
        [_line(1, "add", "no", verdict="refused")],
        [_line(1, "stats", "other", arguments={"n": 1})],
    ],
    ids=["nothing", "a refused read", "a refused write", "another read"],
)
def test_what_writes_nothing_may_stand_between(between: list[dict[str, Any]]) -> None:
    lines = [_line(0, "stats", "1"), *between, _line(2, "stats", "2")]

    assert [each["tool"] for each in candidates(lines, [READS, WRITES])] == ["stats"]


@pytest.mark.parametrize(
    "lines",
    [
        [_line(0, "stats", "1"), _line(1, "add", "added"), _line(2, "stats", "2")],
        [_line(0, "stats", "1"), _line(0, "stats", "2", trace=1)],
        [_line(0, "stats", "1"), _line(1, "stats", "2", arguments={"n": 1})],
        [_line(0, "stats", "1"), _line(1, "stats", "busy", verdict="refused")],
        [_line(0, "add", "added"), _line(1, "add", "was there")],
    ],
    ids=["a write between", "another trace", "other arguments", "a refusal", "a writer"],
)
def test_what_may_be_state_is_not_proposed(lines: list[dict[str, Any]]) -> None:
    assert candidates(lines, [READS, WRITES]) == []


def test_a_server_that_declares_nothing_is_asked_of_a_person_all_the_same() -> None:
    lines = [_line(0, "add", "id 17"), _line(1, "add", "id 18")]

    assert [each["tool"] for each in candidates(lines, [{"name": "add"}])] == ["add"]


# -- masks.toml --------------------------------------------------------------------------------------------------------

MASKS = '[[volatile]]\nname = "number"\npattern = \'n (?P<value>\\d+)\'\nreason = "drawn"\n'


def test_masks_are_read_and_a_pool_without_them_has_none(tmp_path: Path) -> None:
    assert read_masks(tmp_path) == ()
    (tmp_path / "masks.toml").write_text(MASKS)
    assert [(each.name, each.apply("n 17")) for each in read_masks(tmp_path)] == [("number", "n <number>")]
    assert [each.never_an_argument for each in read_masks(tmp_path)] == [False]
    (tmp_path / "masks.toml").write_text(MASKS + "never_an_argument = true\n")
    assert [each.never_an_argument for each in read_masks(tmp_path)] == [True]
    assert read_masks(tmp_path / "masks.toml") == (), "a file of calls has no masks beside it"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("[[volatile]", "is not TOML"),
        ("[[masks]]\nname = 'n'", "unknown key 'masks'; it holds \\[\\[volatile\\]\\] alone"),
        ("[[volatile]]\nname = 'n'\npattern = 'n'", "has no 'reason'"),
        ("[[volatile]]\nname = 'n'\npattern = '('\nreason = 'r'", "'n' is no pattern"),
        ("[[volatile]]\nname = 'n'\npattern = 'n*'\nreason = 'r'", "matches nothing at all"),
    ],
)
def test_what_is_no_mask_is_named_with_its_file(tmp_path: Path, text: str, problem: str) -> None:
    (tmp_path / "masks.toml").write_text(text)
    with pytest.raises(FarmError, match=f"masks.toml.*{problem}"):
        read_masks(tmp_path)


def test_a_report_masks_what_the_pool_declares_and_shows_the_rule(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pool = tmp_path / "pool"
    pool.mkdir()
    line = {**_line(0, "read", "n 17 of 20"), "error_class": "success", "side": "held", "scored": True}
    (pool / "pool.jsonl").write_text(json.dumps(line) + "\n")
    (pool / "tools.json").write_text(json.dumps({"tools": [{"name": "read", "inputSchema": {"type": "object"}}]}))
    arm = tmp_path / "arm.jsonl"
    arm.write_text(json.dumps({"trace": 0, "step": 0, "result": _line(0, "read", "n 4 of 20")["result"]}) + "\n")
    words = ["traverse", "report", str(pool), "--arm", f"again={arm}", "--page", str(tmp_path / "report.html")]

    def report() -> dict[str, Any]:
        done = CliRunner().invoke(build([*words, "--json"]), [*words, "--json"], catch_exceptions=False)
        assert done.exit_code == 0, done.output
        said: dict[str, Any] = json.loads(done.stdout)
        return said

    assert (report()["arms"][0]["all"]["exact"], report()["masks"]) == (0.0, [])
    (pool / "masks.toml").write_text(MASKS)
    said = report()
    assert (said["arms"][0]["all"]["exact"], said["arms"][0]["all"]["exact_unmasked"]) == (1.0, 0.0)
    assert said["masks"] == [{"name": "number", "pattern": "n (?P<value>\\d+)", "reason": "drawn"}]
    page = (tmp_path / "report.html").read_text()
    assert "<code>n (?P&lt;value&gt;\\d+)</code>: drawn; again: 1 calls" in page
    capsys.readouterr()
    with pytest.raises(SystemExit) as ended:
        main(words)
    assert ended.value.code == 0
    assert "masked: number (drawn), in calls of again 1" in capsys.readouterr().out


# -- replay ------------------------------------------------------------------------------------------------------------


def test_a_replay_names_what_the_app_drew_where_the_recording_names_what_the_server_drew(tmp_path: Path) -> None:
    with LocalWorld("mini", ["slack"]) as world:
        channel = world.call("slack", "slack_list_channels")["channels"][0]["id"]
        posted = world.result("slack", "slack_post_message", channel_id=channel, text="Cake at four.")
    body = json.loads(posted["content"][0]["text"])
    drawn = "1700000000.000001"
    posted["content"][0]["text"] = posted["content"][0]["text"].replace(body["ts"], drawn)
    reaction = {"channel_id": channel, "timestamp": drawn, "reaction": "cake"}
    lines = [
        {**_line(0, "slack_post_message", ""), "arguments": {"channel_id": channel, "text": "Cake at four."}},
        {**_line(1, "slack_add_reaction", '{"ok":true}'), "arguments": reaction},
    ]
    lines[0]["result"] = posted
    pool = tmp_path / "pool"
    pool.mkdir()
    more = {"error_class": "success", "side": "held", "scored": True}
    (pool / "pool.jsonl").write_text("".join(json.dumps({**each, **more}) + "\n" for each in lines))
    tools = [{"name": line["tool"], "inputSchema": {"type": "object"}} for line in lines]
    (pool / "tools.json").write_text(json.dumps({"tools": tools}))
    words = ["traverse", "report", str(pool), "--arm", "farm=slack", "--world", "mini", "--json"]

    def successes() -> int:
        done = CliRunner().invoke(build(words), words, catch_exceptions=False)
        assert done.exit_code == 0, done.output
        return int(json.loads(done.stdout)["arms"][0]["all"]["tp"])

    assert successes() == 1, "the app knows no message of that name"
    mask = '[[volatile]]\nname = "ts"\npattern = \'"ts":"(?P<value>[\\d.]+)"\'\nreason = "time"\n'
    (pool / "masks.toml").write_text(mask)
    assert successes() == 2
