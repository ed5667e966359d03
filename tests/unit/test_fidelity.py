"""Recorded calls replayed: what counts as the same answer, and what the figures are."""

from __future__ import annotations

import json
import math
import tomllib
from pathlib import Path
from typing import Any

import pytest

from farm import content
from farm.errors import FarmError
from farm.traverse.calls import hash_calls, kind_of, read_calls
from farm.traverse.fidelity import Start, fits, replay, report
from farm.traverse.similarity import bleu, mean_similarity, meteor, rouge_l, words
from tests.apps.slack.conftest import GENERAL, rows

RECORDINGS = Path(__file__).parents[3] / "shared" / "upstream"
HARBOR = Start(world="harbor")
ACME = Start(rows=tuple(rows()), me="me")
NOT_FOUND = {"error": {"code": -32602, "message": "MCP error -32602: Tool slack_nope not found"}}


def _text(text: str, **more: Any) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": text}], **more}


def _report(tmp_path: Path, *lines: dict[str, Any], app: str = "slack", start: Start = HARBOR) -> dict[str, Any]:
    file = tmp_path / "calls.jsonl"
    file.write_text("\n".join(json.dumps(line) for line in lines))
    calls = read_calls(file)
    return report(app, calls, replay(content.load_app(app), calls, start, tmp_path / "work"))


@pytest.mark.parametrize("app", ["lark", "slack", "rednote"])
def test_the_recorded_calls_agree_in_all_and_to_the_letter_in_nearly_all(app: str, tmp_path: Path) -> None:
    file = RECORDINGS / app / "validation.jsonl"
    if not file.is_file():
        pytest.skip(f"no recorded calls of {app} here")
    calls = read_calls(file)

    found = report(app, calls, replay(content.load_app(app), calls, HARBOR, tmp_path))

    assert found["compared"] > 10
    assert found["agreement"] == 1.0
    assert found["exact"] >= 0.95
    assert found["shape"]["same_form"] == found["shape"]["same_outcome"]


@pytest.mark.parametrize("app", ["lark", "slack", "rednote"])
def test_the_provenance_names_the_calls_and_what_was_measured_on_them(app: str, tmp_path: Path) -> None:
    file = RECORDINGS / app / "validation.jsonl"
    if not file.is_file():
        pytest.skip(f"no recorded calls of {app} here")
    calls, loaded = read_calls(file), content.load_app(app)

    found = report(app, calls, replay(loaded, calls, HARBOR, tmp_path))

    written = tomllib.loads((loaded.folder / "PROVENANCE.toml").read_text("utf-8"))["calls"]
    assert (written["count"], written["sha256"]) == (len(calls), hash_calls(file))
    assert [written[name] for name in ("compared", "agreement", "exact")] == [
        found[name] for name in ("compared", "agreement", "exact")
    ]


def test_the_same_answer_is_exact_and_another_text_is_shown(tmp_path: Path) -> None:
    wrong = {"error": {"code": -32602, "message": "MCP error -32602: Tool slack_nope is not there"}}
    nope: dict[str, Any] = {"tool": "slack_nope", "arguments": {}, "error_class": "unknown_tool"}

    found = _report(tmp_path, {**nope, "result": NOT_FOUND}, {**nope, "result": wrong})

    assert (found["agreement"], found["exact"]) == (1.0, 0.5)
    assert found["by_class"] == {"unknown_tool": {"lines": 2, "agreement": 1.0, "exact": 0.5}}
    assert [each["line"] for each in found["differences"]] == [2]


def test_the_code_of_a_protocol_error_belongs_to_the_answer(tmp_path: Path) -> None:
    other = {"error": {**NOT_FOUND["error"], "code": -32601}}

    found = _report(tmp_path, {"tool": "slack_nope", "arguments": {}, "result": other})

    assert found["exact"] == 0.0


def test_a_success_where_the_real_server_refused_is_counted_as_confused(tmp_path: Path) -> None:
    refused = _text('{"ok":false,"error":"fatal_error"}')

    found = _report(
        tmp_path,
        {"tool": "slack_list_channels", "arguments": {"limit": 1}, "result": refused},
        {"tool": "slack_nope", "arguments": {}, "result": NOT_FOUND},
    )

    assert found["agreement"] == 0.5
    assert found["confusion"]["body_error"] == {"success": 1}
    assert found["by_kind"]["protocol_error"] == {"precision": 1.0, "recall": 1.0, "f1": 1.0}
    # Three kinds occur: one is always right, one was never found, one never true.
    assert found["f1"] == pytest.approx(1 / 3, abs=1e-4)


def test_calls_before_are_made_first_and_every_line_starts_afresh(tmp_path: Path) -> None:
    react = {"channel_id": GENERAL, "timestamp": "1700000001.000100", "reaction": "eyes"}
    line = {"tool": "slack_add_reaction", "arguments": react}
    done, already = _text('{"ok":true}'), _text('{"ok":false,"error":"already_reacted"}')

    found = _report(
        tmp_path,
        {**line, "result": done},
        {**line, "pre": [line], "result": already},
        {**line, "result": done},
        start=ACME,
    )

    assert found["agreement"] == 1.0


def test_the_clock_stands_at_the_time_of_the_recording(tmp_path: Path) -> None:
    post = {"tool": "slack_post_message", "arguments": {"channel_id": GENERAL, "text": "hi"}}
    file = tmp_path / "calls.jsonl"
    file.write_text(json.dumps({**post, "at": "2024-01-02T03:04:05+00:00", "result": _text('{"ok":true}')}))

    ours = replay(content.load_app("slack"), read_calls(file), ACME, tmp_path / "work")[0].ours

    # 2024-01-02T03:04:05Z in seconds since 1970; a message's id is its time.
    assert json.loads(ours["content"][0]["text"])["ts"].startswith("1704164645.")


def test_times_are_masked_only_where_the_recording_does_not_say_when(tmp_path: Path) -> None:
    late = {"title": "t", "content": "c", "images": ["/tmp/a.jpg"], "schedule_at": "2099-01-01T10:00:00+08:00"}
    told = "发布失败: 定时发布时间不能超过14天，当前设置: 2099-01-01 10:00，最晚可选: 2031-12-05 01:41"
    line = {"tool": "publish_content", "arguments": late, "result": _text(told, isError=True)}

    found = _report(tmp_path, line, {**line, "at": "2026-03-09T09:00:00+08:00"}, app="rednote")

    assert (found["exact"], found["masked"]) == (0.5, 1)


def test_arguments_left_out_are_not_the_same_as_none_given(tmp_path: Path) -> None:
    said = (
        '[\n  {\n    "code": "invalid_type",\n    "expected": "object",\n    "received": "undefined",\n    "path": [],'
    )
    said += '\n    "message": "Required"\n  }\n]'
    message = f"MCP error -32602: Invalid arguments for tool slack_list_channels: {said}"
    line = {"tool": "slack_list_channels", "result": {"jsonrpc_error": {"code": -32602, "message": message}}}

    found = _report(tmp_path, {**line, "arguments": None, "arguments_omitted": True}, {**line, "arguments": {}})

    assert [each["line"] for each in found["differences"]] == [2]


def test_a_stand_in_s_answers_are_compared_by_form_and_another_server_s_not_at_all(tmp_path: Path) -> None:
    listing: dict[str, Any] = {"tool": "slack_list_channels", "arguments": {}}
    stand_in = {"backend": {"status": 200}}

    found = _report(
        tmp_path,
        {**listing, **stand_in, "result": _text('{"ok":true,"channels":[],"response_metadata":{"next_cursor":""}}')},
        {**listing, **stand_in, "result": _text('{"ok":true,"channels":{}}')},
        {**listing, **stand_in, "result": _text('{"ok":false,"error":"ratelimited"}')},
        {**listing, "server": "reference", "result": _text("No arguments provided")},
    )

    assert (found["lines"], found["compared"], found["other_servers"]) == (4, 0, 1)
    assert (found["shape"]["lines"], found["shape"]["same_outcome"], found["shape"]["same_form"]) == (3, 2, 1)
    assert found["agreement"] is None


def test_more_keys_do_no_harm_and_another_type_does() -> None:
    assert fits({"a": [{"b": 1}]}, {"a": [{"b": 2.5, "c": None}], "d": 1})
    assert fits({"a": []}, {"a": [1]})
    assert not fits({"a": 1}, {})
    assert not fits({"a": 1}, {"a": "1"})
    assert not fits({"a": True}, {"a": 1})


def test_refusals_are_known_in_each_of_their_forms() -> None:
    assert kind_of(NOT_FOUND) == "protocol_error"
    assert kind_of(_text("no", isError=True)) == "tool_error"
    assert kind_of(_text('{"ok":false}')) == "body_error"
    assert kind_of(_text('{"code":230002,"msg":"out of the chat"}')) == "body_error"
    assert kind_of(_text('{"code":0,"msg":"success"}')) == "success"
    assert kind_of(_text("plain words")) == "success"


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("{", "line 1 is not JSON"),
        ('{"tool": "t"}', "line 1 is no recorded call"),
        ('{"tool": "t", "result": {}}', "neither 'content' nor 'error'"),
        ('{"tool": "t", "result": {"content": []}, "at": "soon"}', "'at' must be a time"),
        ('{"tool": "t", "result": {"content": []}, "at": "2026-01-01T00:00:00"}', "needs an offset"),
        ('{"tool": "t", "result": {"content": []}, "pre": ["x"]}', "'pre' must be"),
        ("", "holds no recorded call"),
    ],
)
def test_a_file_that_holds_something_else_is_refused_by_line(line: str, told: str, tmp_path: Path) -> None:
    file = tmp_path / "calls.jsonl"
    file.write_text(line)

    with pytest.raises(FarmError, match=told):
        read_calls(file)


# -- likeness, by hand ------------------------------------------------------------------------------------------------


def test_words_are_runs_of_letters_single_chinese_characters_and_marks() -> None:
    assert words("Tool x_1: 缺少 id!") == ["tool", "x", "_", "1", ":", "缺", "少", "id", "!"]


def test_equal_texts_are_alike_and_texts_without_a_common_word_are_not() -> None:
    assert set(mean_similarity([("a b c d e", "a b c d e")]).values()) == {1.0}
    assert set(mean_similarity([("a b", "c d")]).values()) == {0.0}
    assert mean_similarity([]) == {}


def test_rouge_is_the_f1_of_the_longest_common_subsequence() -> None:
    # a, c, d in common of 4 and 5 words.
    assert rouge_l(["a", "b", "c", "d"], ["a", "x", "c", "y", "d"]) == pytest.approx(2 * 3 / 9)


def test_bleu_takes_up_to_four_grams_and_punishes_short_texts() -> None:
    # Of ours, 2 of 2 words and 1 of 1 pairs occur; half the length: exp(1 - 4 / 2).
    assert bleu(["a", "b", "c", "d"], ["a", "b"]) == pytest.approx(math.exp(-1))


def test_meteor_weighs_recall_and_punishes_broken_runs() -> None:
    # 3 matches in 2 runs: precision 3/3, recall 3/4; 10PR/(R+9P) · (1 - 0.5 · (2/3)³).
    expected = 10 * 0.75 / (0.75 + 9) * (1 - 0.5 * (2 / 3) ** 3)
    assert meteor(["a", "b", "c", "d"], ["a", "b", "d"]) == pytest.approx(expected)
