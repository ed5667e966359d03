"""Recorded calls replayed over the wire: which lines count, what counts as the same answer, what the figures are."""

from __future__ import annotations

import json
import math
import re
import signal
import tempfile
import threading
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from farm import content
from farm.errors import FarmError, NotFoundError
from farm.traverse.fidelity import replay
from farm.traverse.fidelity.compare import Mask
from farm.traverse.fidelity.fidelity import fits, measure
from farm.traverse.fidelity.replay import Condition, Start
from farm.traverse.fidelity.similarity import bleu, mean_similarity, meteor, rouge_l, tokenize
from farm.traverse.recordings.calls import Request, kind_of, read_calls
from tests.apps.slack.conftest import GENERAL, ME, rows
from tests.protocol.wire import CONTENT
from tests.threads import still_running

HARBOR = Start(world="harbor")
ACME = Start(rows=tuple(rows()), me="me")
NOTEBOOK = Start()
NOT_FOUND = {"error": {"code": -32602, "message": "MCP error -32602: Tool slack_nope not found"}}
NOPE: dict[str, Any] = {"tool": "slack_nope", "arguments": {}, "error_class": "unknown_tool"}


@pytest.fixture(autouse=True)
def _toy_content(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FARM_CONTENT", str(CONTENT))


def _text(text: str, **more: Any) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": text}], **more}


def _report(
    tmp_path: Path,
    *lines: dict[str, Any],
    app: str = "slack",
    profile: str = "latest",
    start: Start = HARBOR,
    masks: tuple[Mask, ...] = (),
    is_sequence: bool | None = None,
) -> dict[str, Any]:
    file = tmp_path / "calls.jsonl"
    file.write_text("\n".join(json.dumps(line) for line in lines))
    loaded = content.load_app(app, profile)
    work = Path(tempfile.mkdtemp(dir=tmp_path))
    return measure(loaded, read_calls(file), start, work, masks=masks, is_sequence=is_sequence)


def _toy(tmp_path: Path, *lines: dict[str, Any], **options: Any) -> dict[str, Any]:
    return _report(tmp_path, *lines, app="toy", start=NOTEBOOK, **options)


def _line(tool: str, result: dict[str, Any], /, **arguments: Any) -> dict[str, Any]:
    return {"tool": tool, "arguments": arguments, "result": result}


# -- figures ----------------------------------------------------------------------------------------------------------


def test_the_same_answer_is_exact_and_another_text_is_shown(tmp_path: Path) -> None:
    wrong = {"error": {"code": -32602, "message": "MCP error -32602: Tool slack_nope is not there"}}

    found = _report(tmp_path, {**NOPE, "result": NOT_FOUND}, {**NOPE, "result": wrong})

    assert (found["agreement"], found["exact"]) == (1.0, 0.5)
    assert found["by_class"] == {"unknown_tool": {"lines": 2, "agreement": 1.0, "exact": 0.5}}
    (shown,) = found["differences"]
    assert (shown["line"], shown["differs"], shown["position"]) == (2, ("text",), 34)
    assert shown["recorded"]["around"].endswith("Tool slack_nope ▸is not there")
    assert shown["ours"]["around"].endswith("Tool slack_nope ▸not found")


def test_the_code_of_a_protocol_error_belongs_to_the_answer(tmp_path: Path) -> None:
    other = {"error": {**NOT_FOUND["error"], "code": -32601}}

    found = _report(tmp_path, {**NOPE, "result": other})

    assert found["exact"] == 0.0
    assert found["differences"][0]["differs"] == ("code",)


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


def test_refusals_are_known_in_each_of_their_forms() -> None:
    assert kind_of(NOT_FOUND) == "protocol_error"
    assert kind_of(_text("no", isError=True)) == "tool_error"
    assert kind_of(_text('{"ok":false}')) == "body_error"
    assert kind_of(_text('{"code":230002,"msg":"out of the chat"}')) == "body_error"
    assert kind_of(_text('{"code":0,"msg":"success"}')) == "success"
    assert kind_of(_text("plain words")) == "success"


def test_a_derived_answer_may_be_a_body_alone_and_is_counted_apart(tmp_path: Path) -> None:
    said = {**NOPE, "result": {"successful": False, "data": {}, "error": "no"}, "derived": True}

    found = _report(tmp_path, said, {**NOPE, "result": NOT_FOUND})

    assert (found["compared"], found["derived"]) == (2, 1)
    assert found["agreement"] == 1.0
    assert found["confusion"]["body_error"] == {"protocol_error": 1}


def test_a_body_alone_is_no_recorded_answer(tmp_path: Path) -> None:
    with pytest.raises(FarmError, match="line 1: 'result' has neither 'content' nor 'error'"):
        _report(tmp_path, {**NOPE, "result": {"successful": False, "data": {}, "error": "no"}})


# -- one call, one state ----------------------------------------------------------------------------------------------


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
    line = _line("note_add", _text(""), text="tea")

    found = _toy(tmp_path, {**line, "at": "2024-01-02T03:04:05+00:00"})

    # 2024-01-02T03:04:05Z in milliseconds since 1970.
    assert json.loads(found["differences"][0]["ours"]["text"])["made_ms"] == 1704164645000


def test_arguments_left_out_are_not_the_same_as_none_given(tmp_path: Path) -> None:
    said = (
        '[\n  {\n    "code": "invalid_type",\n    "expected": "object",\n    "received": "undefined",\n    "path": [],'
    )
    said += '\n    "message": "Required"\n  }\n]'
    message = f"MCP error -32602: Invalid arguments for tool slack_list_channels: {said}"
    line = {"tool": "slack_list_channels", "result": {"jsonrpc_error": {"code": -32602, "message": message}}}

    found = _report(tmp_path, {**line, "arguments": None, "arguments_omitted": True}, {**line, "arguments": {}})

    assert [each["line"] for each in found["differences"]] == [2]


def test_null_in_a_recording_is_the_absent_key_unless_it_says_otherwise(tmp_path: Path) -> None:
    line: dict[str, Any] = {"tool": "t", "arguments": None, "result": {"content": []}}

    for said, params in (({}, {"name": "t"}), ({"arguments_omitted": False}, {"name": "t", "arguments": None})):
        (tmp_path / "calls.jsonl").write_text(json.dumps({**line, **said}))
        assert read_calls(tmp_path / "calls.jsonl")[0].request.params == params


def test_what_a_client_gets_is_compared_where_the_protocol_refuses_before_the_app(tmp_path: Path) -> None:
    # A list where an object belongs: no handler sees it, and an old SDK of JavaScript said it in its own way.
    message = '[\n  {\n    "code": "invalid_type",\n    "expected": "object",\n    "received": "array"\n  }\n]'
    line = {"tool": "note_echo", "arguments": [1], "result": {"jsonrpc_error": {"code": -32603, "message": message}}}

    found = _toy(tmp_path, line)

    assert (found["agreement"], found["exact"], found["crashes"]) == (1.0, 0.0, 0)
    # -32602 is what JSON-RPC calls invalid parameters, and what our protocol's SDK answers.
    assert found["differences"][0]["differs"] == ("code", "text")


# -- a session --------------------------------------------------------------------------------------------------------

TEA = {"at": "2026-03-09T01:00:00Z", **_line("note_add", _text(""), text="tea")}
SHOWN = _line("note_show", _text('{"notes":["tea"]}'))


def test_numbered_lines_are_one_session_in_the_order_of_their_numbers(tmp_path: Path) -> None:
    first, second, third = {"seq": 1, **TEA}, {"seq": 2, **SHOWN}, {"seq": 3, **TEA, "at": "2026-03-09T01:00:02Z"}

    found = _toy(tmp_path, third, second, first)

    assert found["sequence"] is True
    assert [each["line"] for each in found["differences"]] == [3, 1]
    made = [json.loads(each["ours"]["text"])["made_ms"] for each in found["differences"]]
    # 2026-03-09T01:00:00Z in milliseconds since 1970, and two seconds later.
    assert made == [1773018000000, 1773018002000]


def test_a_session_that_was_quicker_than_its_clock_goes_on(tmp_path: Path) -> None:
    found = _toy(tmp_path, {"seq": 1, **TEA}, {"seq": 2, **TEA}, {"seq": 3, **SHOWN})

    assert found["differences"][-1]["ours"]["text"] == '{"notes":["tea","tea"]}'


@pytest.mark.parametrize(("is_sequence", "differing"), [(True, [1]), (False, [1, 2]), (None, [1, 2])])
def test_lines_without_numbers_are_a_session_when_told_so(
    tmp_path: Path, is_sequence: bool | None, differing: list[int]
) -> None:
    found = _toy(tmp_path, TEA, SHOWN, is_sequence=is_sequence)

    # The first differs in any case, by its id; the second unless the note is there.
    assert [each["line"] for each in found["differences"]] == differing


# -- crashes and silences ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tool", "message"),
    [
        ("note_fail", "internal error in note_fail: RuntimeError"),
        ("note_spin", "note_spin took longer than 250 ms and was stopped; nothing has changed"),
    ],
)
def test_our_own_crash_agrees_with_nothing_not_even_with_its_own_words(tmp_path: Path, tool: str, message: str) -> None:
    same = {"error": {"code": -32603, "message": message}}

    found = _toy(tmp_path, _line(tool, same), _line(tool, _text("no", isError=True)), _line(tool, _text("yes")))

    assert (found["agreement"], found["exact"], found["crashes"]) == (0.0, 0.0, 3)
    assert found["confusion"]["protocol_error"] == {"crash": 1}


def test_the_signals_of_the_process_stay_its_own(tmp_path: Path) -> None:
    before, threads = (signal.getsignal(signal.SIGALRM), signal.getitimer(signal.ITIMER_REAL)), threading.enumerate()

    _toy(tmp_path, _line("note_show", _text('{"notes":[]}')))

    assert (signal.getsignal(signal.SIGALRM), signal.getitimer(signal.ITIMER_REAL)) == before
    assert still_running(threads) == []


def test_a_call_that_a_busy_machine_cut_is_made_once_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    post, tries = replay._post, []

    async def busy(session: aiohttp.ClientSession, url: str, request: Request) -> replay.Answer:
        tries.append(request.tool)
        if len(tries) == 1:
            return {"crash": "note_show took longer than 250 ms and was stopped; nothing has changed"}
        return await post(session, url, request)

    monkeypatch.setattr(replay, "_post", busy)

    found = _toy(tmp_path, _line("note_show", _text('{"notes":[]}')))

    assert (found["exact"], found["crashes"]) == (1.0, 0)
    assert tries == ["note_show", "note_show"]


def test_a_crash_in_a_call_before_spoils_the_line(tmp_path: Path) -> None:
    line = _line("note_show", _text('{"notes":[]}'))

    found = _toy(tmp_path, line, {**line, "pre": [{"tool": "note_fail", "arguments": {}}]})

    assert (found["exact"], found["crashes"]) == (0.5, 1)
    assert found["differences"][0]["ours"]["text"].startswith("note_fail, called before: internal error")


def test_a_call_that_the_real_server_never_answered_counts_apart(tmp_path: Path) -> None:
    hung, died = {"_no_response_within_s": 15}, {"process_exited": True, "exit_code": 2}

    found = _toy(
        tmp_path,
        _line("note_refuse", hung),
        _line("note_show", died),
        _line("note_fail", {"_process_exit": 1}),
        _line("note_show", _text('{"notes":[]}')),
    )

    # Refused where the other hung is as near as one can come; a success, and a crash of ours, are not.
    assert found["unanswered"] == {"lines": 3, "refused": 1}
    assert (found["compared"], found["agreement"], found["exact"]) == (1, 1.0, 1.0)


# -- masks ------------------------------------------------------------------------------------------------------------


def test_a_mask_is_applied_to_both_sides_and_counted(tmp_path: Path) -> None:
    said = _text('{"id":"n_00000000","text":"tea","made_ms":1773018000000}')
    line = _line("note_add", said, text="tea")
    mask = Mask("note id", re.compile(r"n_[0-9a-f]{8}"), "made anew each time")

    found = _toy(tmp_path, line, {**line, "arguments": {"text": "milk"}}, masks=(mask,))

    assert (found["exact"], found["masked"]) == (0.5, 1)
    assert found["masks"] == [{"name": "note id", "reason": "made anew each time", "lines": 2}]
    assert '"<note id>","text":"▸milk"' in found["differences"][0]["ours"]["around"]


@pytest.mark.parametrize(("is_left", "exact"), [(False, 0.5), (True, 1.0)])
def test_a_masked_value_is_renamed_in_later_arguments_unless_the_mask_forbids_it(
    is_left: bool, exact: float, tmp_path: Path
) -> None:
    made = '{"id":"n_00000000","text":"%s","made_ms":1773018000000}'
    lines = [{**_line("note_add", _text(made % text), text=text), "trace": 1} for text in ("tea", "n_00000000")]
    note = Mask("note id", re.compile(r'"id":"(?P<value>[^"]+)'), "made anew", never_an_argument=is_left)
    moment = Mask("moment", re.compile(r'"made_ms":(?P<value>\d+)'), "the clock")

    found = _toy(tmp_path, *lines, masks=(note, moment))

    assert found["exact"] == exact


# -- which lines ------------------------------------------------------------------------------------------------------


def test_a_stand_in_s_answers_are_compared_by_form_and_another_server_s_not_at_all(tmp_path: Path) -> None:
    listing: dict[str, Any] = {"tool": "slack_list_channels", "arguments": {}}
    stand_in = {"backend": {"status": 200}}

    found = _report(
        tmp_path,
        {**listing, **stand_in, "result": _text('{"ok":true,"channels":[],"response_metadata":{"next_cursor":""}}')},
        {**listing, **stand_in, "result": _text('{"ok":true,"channels":{}}')},
        {**listing, **stand_in, "result": _text('{"ok":true,"channels":[]}', structuredContent={})},
        {**listing, **stand_in, "result": _text('{"ok":false,"error":"ratelimited"}')},
        {**listing, "server": "reference", "result": _text("No arguments provided")},
    )

    assert (found["lines"], found["compared"], found["other_servers"]) == (5, 0, 1)
    assert (found["shape"]["lines"], found["shape"]["same_outcome"], found["shape"]["same_form"]) == (4, 3, 1)
    assert found["agreement"] is None


def test_a_profile_takes_the_lines_of_its_version_and_latest_the_others(tmp_path: Path) -> None:
    now, then = _text('{"notes":[]}'), _text('{\n  "count": 0\n}')
    lines = (
        {**_line("note_show", now), "version": "1.2.3"},
        {**_line("note_show", then), "version": "0.9.0"},
        {**_line("note_show", then), "profile": "old"},
        {**_line("note_show", then), "server": "toy-server", "sdk": "0.9.0"},
    )

    old, latest = _toy(tmp_path, *lines, profile="old"), _toy(tmp_path, *lines)

    assert (old["profile"], old["compared"], old["other_servers"], old["exact"]) == ("old", 3, 1, 1.0)
    assert (latest["profile"], latest["compared"], latest["other_servers"], latest["exact"]) == ("latest", 1, 3, 1.0)


def test_lines_that_name_no_version_are_any_profile_s(tmp_path: Path) -> None:
    then = _line("note_show", _text('{\n  "count": 0\n}'))

    assert _toy(tmp_path, then, profile="old")["exact"] == 1.0
    assert _toy(tmp_path, then)["exact"] == 0.0


def test_a_shorter_list_of_tools_is_not_measured_on_the_tools_it_leaves_out(tmp_path: Path) -> None:
    unknown = {"error": {"code": -32602, "message": "Unknown tool: note_fly"}}
    lines = (
        _line("note_show", _text('{"notes":[]}')),
        _line("note_echo", _text('{"x":1}'), x=1),
        _line("note_fly", unknown),
    )

    found = _toy(tmp_path, *lines, profile="small")

    assert (found["lines"], found["compared"], found["not_served"]) == (3, 2, 1)


# -- who plays --------------------------------------------------------------------------------------------------------


def test_who_plays_is_named_by_key_or_by_account() -> None:
    slack = content.load_app("slack")

    assert Start(rows=ACME.rows, me="me").person(slack) == "me"
    assert Start(rows=ACME.rows, me=ME).person(slack) == "me"
    assert Start(world="harbor").person(slack) == "lin.wan"
    assert Start(rows=ACME.rows).person(slack) is None


def test_somebody_without_an_account_is_refused_naming_who_has_one() -> None:
    slack = content.load_app("slack")

    with pytest.raises(NotFoundError, match=rf"^no account of 'you' in slack; have bo \(\w+\), me \({ME}\)$"):
        Start(rows=ACME.rows, me="you").person(slack)
    with pytest.raises(NotFoundError, match=r"no account of 'you' in slack; have \w+"):
        Start(world="harbor", me="you").person(slack)
    with pytest.raises(NotFoundError, match="no account of 'you' in toy; have none"):
        Start(me="you").person(content.load_app("toy"))


# -- reading ----------------------------------------------------------------------------------------------------------


def test_more_keys_do_no_harm_and_another_type_does() -> None:
    assert fits({"a": [{"b": 1}]}, {"a": [{"b": 2.5, "c": None}], "d": 1})
    assert fits({"a": []}, {"a": [1]})
    assert not fits({"a": 1}, {})
    assert not fits({"a": 1}, {"a": "1"})
    assert not fits({"a": True}, {"a": 1})


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("{", "line 1 is not JSON"),
        ('{"tool": "t"}', "line 1 is no recorded call"),
        ('{"tool": "t", "result": {}}', "neither 'content' nor 'error'"),
        ('{"tool": "t", "result": {"content": []}, "at": "soon"}', "'at' must be a time"),
        ('{"tool": "t", "result": {"content": []}, "at": "2026-01-01T00:00:00"}', "needs an offset"),
        ('{"tool": "t", "result": {"content": []}, "pre": ["x"]}', "'pre' must be"),
        ('{"tool": "t", "result": {"content": [5]}}', "line 1: 'content' holds 5, which is no object"),
        ('{"tool": "t", "result": {"content": [{"type": "text"}, null]}}', "line 1: 'content' holds None"),
        ("", "holds no recorded call"),
    ],
)
def test_a_file_that_holds_something_else_is_refused_by_line(line: str, told: str, tmp_path: Path) -> None:
    file = tmp_path / "calls.jsonl"
    file.write_text(line)

    with pytest.raises(FarmError, match=told):
        read_calls(file)


def test_what_json_can_say_and_utf_8_cannot_is_sent_as_it_was(tmp_path: Path) -> None:
    file = tmp_path / "calls.jsonl"
    file.write_text(
        '{"tool": "t", "arguments": {"x": "\\ud800", "n": 36893488147419103232}, "result": {"content": []}}'
    )

    (read,) = read_calls(file)

    assert read.request.params == {"name": "t", "arguments": {"x": "\ud800", "n": 2**65}}


# -- likeness, by hand ------------------------------------------------------------------------------------------------


def test_words_are_runs_of_letters_single_chinese_characters_and_marks() -> None:
    assert tokenize("Tool x_1: 缺少 id!") == ["tool", "x", "_", "1", ":", "缺", "少", "id", "!"]


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


def test_a_pair_is_compared_once_however_often_its_mean_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    compared = []

    def rouge(*pair: list[str]) -> float:
        compared.append(pair)
        return 0.5

    monkeypatch.setattr("farm.traverse.fidelity.similarity.rouge_l", rouge)
    pairs = [("asked for once only", "and answered otherwise")]

    assert [mean_similarity(pairs)["rouge"] for _ in range(3)] == [0.5] * 3
    assert len(compared) == 1


def test_a_condition_is_the_state_of_its_own_calls_alone(tmp_path: Path) -> None:
    off = Condition("closed", "channels", {"is_archived": 1})
    refused = _text('{"ok":false,"error":"is_archived"}')
    post: dict[str, Any] = {"tool": "slack_post_message", "arguments": {"channel_id": GENERAL, "text": "hi"}}
    said: list[dict[str, Any]] = [{}, {"condition": "closed"}, {"condition": "of no declaration"}]
    file = tmp_path / "calls.jsonl"
    file.write_text(
        "\n".join(json.dumps({**post, "result": refused, **line, "seq": seq}) for seq, line in enumerate(said, 1))
    )

    found = measure(content.load_app("slack"), read_calls(file), ACME, tmp_path / "work", conditions=(off,))

    assert [shown["ours"]["kind"] for shown in found["differences"]] == ["success", "body_error", "success"]
