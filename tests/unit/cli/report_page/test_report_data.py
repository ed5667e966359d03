"""What a report shows of finished runs."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import orjson
import pytest

from farm.benchmark.runner.log import RunLog
from farm.cli.report_page.figures import by_category, by_model, figures_with_intervals
from farm.cli.report_page.report_data import MODULES, report_data, report_file

WEB = Path(__file__).parents[4] / "web"
HELEN = "U002RT3G01X"  # Helen Zhou in harbor's Slack
MANIFEST = {"suite": "demo", "agent": "acting", "sealed": True, "profile": "latest", "menu": "selected", "tasks": {}}
USAGE = {"prompt_tokens": 1_000_000, "completion_tokens": 0, "cached_tokens": 0}


def trial(task: str = "slack-preorders-helen", **more: Any) -> dict[str, Any]:
    """Return the line of a trial that did its task without a call."""
    line: dict[str, Any] = {
        "task": task,
        "trial": 0,
        "category": "slack/reply",
        "seed": 0,
        "outcome": "pass",
        "acc": 1.0,
        "exec_acc": 1.0,
        "checkpoints": [{"id": "told-helen", "kind": "operate", "score": 1.0, "why": "1 row", "contested": []}],
        "damage": [],
        "weight": 1,
        "tfs": True,
        "tfs_exact": True,
        "tefs": True,
        "now": "2026-03-09T09:00:00+08:00",
        "answer": "",
        "ended": "answered",
        "usage": None,
        "menu_tokens": 1,
        "time_s": 1.0,
        "turns": None,
        "calls": [],
        "diff": {},
        "transcript": [],
    }
    line["checkpoints"][0] |= {"low": 1.0, "high": 1.0}
    return line | more


def call(tool: str, arguments: dict[str, Any], text: str, number: int = 1) -> dict[str, Any]:
    result = {"content": [{"type": "text", "text": text}]}
    told = {"n": number, "app": "slack", "call": number, "tool": tool, "arguments": arguments, "result": result}
    return told | {"refused": False, "timed_out": False, "wrote": True}


def posted(channel: str, text: str, number: int = 1) -> dict[str, Any]:
    row = {"channel_id": channel, "ts": "1773018000.000001", "user_id": "U001BOHBQ6J", "text": text}
    return {"op": "insert", "key": {"channel_id": channel, "ts": row["ts"]}, "old": None, "new": row, "call": number}


def shown(tmp_path: Path, *trials: dict[str, Any], **manifest: Any) -> dict[str, Any]:
    log = RunLog.write(tmp_path / "run", MANIFEST | manifest, trials)
    found: dict[str, Any] = orjson.loads(orjson.dumps(report_data([log], ["acting"])))
    return found


def test_a_trial_stands_with_each_call_in_words_beside_what_it_changed(tmp_path: Path) -> None:
    made = call("slack_post_message", {"channel_id": "C0ZB0AVX1IK", "text": "hi"}, "{}")
    damage = {"why": "nobody asked", "app": "slack", "table": "messages", "change": "create"} | {
        "key": posted("C0ZB0AVX1IK", "hi")["key"]
    }
    diff = {"slack": {"messages": [posted("C0ZB0AVX1IK", "hi")]}}

    (found,) = shown(tmp_path, trial(calls=[made], diff=diff, damage=[damage], outcome="unsafe"))["trials"]

    change: dict[str, Any] = {"app": "slack", "op": "insert", "one": "message", "name": "", "place": "in #general"}
    change |= {"when": None, "text": "hi", "edits": []}
    assert found["calls"][0]["sentence"] == 'posted a message in #general: "hi"'
    assert found["calls"][0]["changes"] == [change]
    assert found["damage"] == [{"why": "nobody asked", "change": change}]


def test_messages_are_shown_with_the_calls_that_they_ask_for(tmp_path: Path) -> None:
    asked = {"id": "1", "type": "function", "function": {"name": "slack__slack_list_channels", "arguments": "{}"}}
    messages = [
        {"role": "user", "content": [{"type": "text", "text": "Go."}, {"type": "image_url"}]},
        {"role": "assistant", "content": None, "tool_calls": [asked]},
        {"stdout": "x" * 5000, "status": 0, "stderr": ""},
    ]

    (found,) = shown(tmp_path, trial(transcript=messages))["trials"]

    user, assistant, output = found["messages"]
    assert user == {"role": "user", "text": "Go.\n[image_url]", "cut": 0, "calls": []}
    assert assistant["calls"] == [["slack__slack_list_channels", "{}"]]
    assert (output["role"], len(output["text"]), output["cut"]) == (
        "output",
        4000,
        5000 + len("stdout: \nstatus: 0") - 4000,
    )


def test_a_run_of_a_suite_that_is_not_here_is_shown_without_words_and_reasons(tmp_path: Path) -> None:
    made = call("slack_post_message", {}, "{}")

    found = shown(tmp_path, trial(task="gone", calls=[made]), suite="elsewhere")

    assert found["runs"][0]["why"] is None
    assert (found["trials"][0]["calls"], found["trials"][0]["calls_made"], found["tasks"]) == ([], 1, {})


def test_a_trial_without_a_verdict_is_shown_with_its_error(tmp_path: Path) -> None:
    lost = {"task": "slack-preorders-helen", "trial": 0, "category": "slack/reply", "seed": 0, "outcome": "not_graded"}
    lost |= {
        "error": "the farm is gone",
        "acc": None,
        "exec_acc": None,
        "checkpoints": [],
        "damage": [],
        "reverted": [],
    }
    lost |= {"weight": 0, "tfs": None, "tfs_exact": None, "tefs": None, "usage": None, "time_s": 1.0, "calls": []}

    found = shown(tmp_path, lost)

    assert found["trials"][0]["error"] == "the farm is gone"
    assert found["runs"][0]["figures"] == {}


def test_the_reasons_of_a_miss_are_counted_and_stand_with_the_trial(tmp_path: Path) -> None:
    point = {
        "id": "told-helen",
        "kind": "operate",
        "score": 0.0,
        "why": "expected a row",
        "contested": [],
        "low": 0.0,
        "high": 0.0,
    }

    found = shown(tmp_path, trial(outcome="fail", acc=0.0, checkpoints=[point], answer="Done, I told her."))

    assert found["runs"][0]["why"]["claimed but not done"] == 1
    assert "claimed but not done" in [each["kind"] for each in found["trials"][0]["why"]]


def test_an_interval_is_over_tasks_and_the_same_each_time() -> None:
    trials = [trial(task=f"t{n}", acc=n / 3) for n in range(4)]

    found = figures_with_intervals(trials)["acc"]

    low, high = found["interval"]
    assert found["value"] == 0.5
    assert 0.0 <= low < 0.25 < 0.75 < high <= 1.0
    assert found == figures_with_intervals(trials)["acc"]


@pytest.mark.parametrize("trials", [[trial()], [trial(), trial(trial=1)]])
def test_one_task_has_no_interval(trials: list[dict[str, Any]]) -> None:
    assert figures_with_intervals(trials)["acc"] == {"value": 1.0, "interval": None, "tasks": 1}


def test_categories_are_counted_whole_and_by_their_first_part() -> None:
    trials = [trial(category="cross/lark"), trial(category="cross/slack", acc=0.0), trial(category="slack/reply")]

    assert {name: each["trials"] for name, each in by_category(trials).items()} == {
        "cross/lark": 1, "cross/slack": 1, "slack/reply": 1,
    }  # fmt: skip
    assert {name: each["trials"] for name, each in by_category(trials, parts=1).items()} == {"cross": 2, "slack": 1}


def test_tokens_are_summed_by_model(tmp_path: Path) -> None:
    two = {"small": USAGE, "large": {**USAGE, "completion_tokens": 5}}
    trials = [
        trial(usage=USAGE, models=["small"]),
        trial(usage=USAGE, models=["small", "large"], usage_by_model=two),
        trial(),
    ]

    found = by_model(trials)

    assert [(each["model"], each["trials"], each["prompt_tokens"], each["completion_tokens"]) for each in found] == [
        ("large", 1, 1_000_000, 5), ("small", 2, 2_000_000, 0),
    ]  # fmt: skip


def test_the_file_has_all_modules_and_no_text_of_an_agent_ends_its_data(tmp_path: Path) -> None:
    log = RunLog.write(tmp_path / "run", MANIFEST, [trial(answer="</script><script>alert(1)</script>")])

    found = report_file([log], ["acting"]).decode()

    assert [name for name in MODULES if f"const page_{name} = " not in found] == []
    assert "</script><script>alert" not in found
    assert found.count("<script") == 2


def test_the_modules_of_the_report_import_only_those_before_them() -> None:
    for number, name in enumerate(MODULES):
        used = re.findall(r'from "\./(\w+)\.js"', (WEB / f"{name}.js").read_text())
        assert set(used) <= set(MODULES[:number])
