"""One call from arguments to answer: what is stored, what is logged, and what is left when it goes wrong."""

from __future__ import annotations

import atexit
import errno
import gc
import json
import logging
import math
import signal
import sqlite3
import sys
import threading
import time
import timeit
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import orjson
import pytest

from farm._util.json_io import dumps_lossy
from farm.appkit.dialects import (
    Composio,
    Dialect,
    GenericJsonSchema,
    GoSdk,
    InvalidArgumentsError,
    Jsonschema,
    McpGo,
    Pydantic,
    Unchecked,
    Zod3,
    Zod4,
)
from farm.appkit.dialects._base import TEXT_BYTES_MAX
from farm.appkit.handler_api import Episode, VendorError
from farm.server import pipeline
from farm.server.deadline import CALL_S_MAX, SignalAlarm
from farm.server.pipeline import INTERNAL_ERROR, Outcome, call, install_deadline, is_crash
from farm.testing import EPISODE, NOW, LocalApp, LocalWorld

TOY = Path(__file__).parents[2] / "protocol" / "content"
START_MS = 1_773_018_000_000  # NOW, in milliseconds since 1970


@pytest.fixture
def toy(start: Callable[..., LocalApp], monkeypatch: pytest.MonkeyPatch) -> LocalApp:
    monkeypatch.setenv("FARM_CONTENT", str(TOY))
    return start("toy")


def lines(toy: LocalApp) -> list[dict[str, Any]]:
    """The calls as they stand in the log."""
    return [orjson.loads(line) for line in toy.store.call_lines(EPISODE)]


def notes(toy: LocalApp) -> list[str]:
    return [row["text"] for row in toy.store.rows(EPISODE, "notes")["rows"]]


def body(outcome: Outcome) -> Any:
    return orjson.loads(orjson.loads(outcome.result)["content"][0]["text"])


def test_a_writing_call_is_stored_logged_and_counted(toy: LocalApp) -> None:
    before_ms, before_ns = time.time_ns() // 1_000_000, time.monotonic_ns()

    outcome = toy.outcome("note_add", {"text": "one"})

    after_ms, after_ns = time.time_ns() // 1_000_000, time.monotonic_ns()
    (line,) = lines(toy)
    assert (outcome.call, outcome.wrote, outcome.refused, outcome.timed_out, outcome.error) == (
        1,
        True,
        False,
        False,
        None,
    )
    assert outcome.is_protocol_error is False
    assert notes(toy) == ["one"]
    assert body(outcome)["made_ms"] == START_MS
    assert line["result"] == orjson.loads(outcome.result)
    assert {key: line[key] for key in ("n", "tool", "arguments", "now_ms", "wrote")} == {
        "n": 1,
        "tool": "note_add",
        "arguments": {"text": "one"},
        "now_ms": START_MS,
        "wrote": True,
    }
    assert before_ms <= line["at_ms"] <= after_ms
    assert before_ns <= line["started_ns"] <= line["ended_ns"] <= after_ns
    assert not {"refused", "cut"} & set(line)


def test_now_is_the_time_the_episode_was_created_with(toy: LocalApp) -> None:
    assert NOW == "2026-03-09T09:00:00+08:00"
    assert toy.store.clock_ms(EPISODE) == START_MS


def test_a_reading_call_is_logged_as_one_and_starts_no_transaction(toy: LocalApp) -> None:
    toy.outcome("note_add", {"text": "one"})

    outcome = toy.outcome("note_show", {})

    assert (outcome.call, outcome.wrote, outcome.refused) == (2, False, False)
    assert "wrote" not in lines(toy)[1]
    assert lines(toy)[1]["now_ms"] == START_MS + 1
    assert toy.episode.db.all("SELECT call FROM _journal WHERE call IS NOT NULL") == [{"call": 1}]


def test_a_refusal_undoes_what_was_written_and_is_logged(toy: LocalApp) -> None:
    outcome = toy.outcome("note_refuse", {})

    assert (outcome.call, outcome.wrote, outcome.refused, outcome.timed_out) == (1, False, True, False)
    assert not outcome.is_protocol_error
    assert isinstance(outcome.error, VendorError)
    assert notes(toy) == []
    (line,) = lines(toy)
    assert line["refused"] is True
    assert line["result"] == orjson.loads(outcome.result)
    assert not {"wrote", "cut"} & set(line)
    assert toy.outcome("note_add", {"text": "one"}).call == 2


def test_a_call_over_the_limit_is_told_why_and_leaves_nothing(toy: LocalApp) -> None:
    with LocalWorld(None, ["toy"], calls_max=1) as world:
        world.result("toy", "note_add", text="one")

        outcome = world.outcome("toy", "note_add", {"text": "two"})

        why = orjson.loads(outcome.result)["content"][0]["text"]
        assert why.startswith("Refused: the limit of 1 call for this task is reached.")
        assert orjson.loads(outcome.result) == {"content": [{"type": "text", "text": why}], "isError": True}
        assert (outcome.refused, outcome.wrote, outcome.call, str(outcome.error)) == (True, False, 1, why)
        assert [row["text"] for row in world.rows("toy", "notes")] == ["one"]
        assert len(world.calls()) == 1


@pytest.mark.parametrize("arguments", [{}, {"text": 1}, None, [], "text"])
def test_arguments_that_do_not_fit_are_refused_logged_and_counted(toy: LocalApp, arguments: Any) -> None:
    outcome = toy.outcome("note_add", arguments)

    assert (outcome.call, outcome.refused, outcome.wrote) == (1, True, False)
    (line,) = lines(toy)
    assert (line["n"], line["tool"], line["arguments"]) == (1, "note_add", arguments)
    assert line["refused"] is True
    assert line["now_ms"] == START_MS
    answer = orjson.loads(outcome.result)
    assert line["result"] == ({"error": answer} if outcome.is_protocol_error else answer)
    assert toy.outcome("note_add", {"text": "one"}).call == 2


@pytest.mark.parametrize("name", ["note_lost", "", "x" * 200, "笔记", 'a"b\\c'])
def test_a_tool_that_does_not_exist_is_refused_and_logged_by_its_name(toy: LocalApp, name: str) -> None:
    outcome = toy.outcome(name, {"any": "thing"})

    assert (outcome.call, outcome.refused, outcome.wrote) == (1, True, False)
    (line,) = lines(toy)
    assert (line["n"], line["tool"], line["arguments"]) == (1, name, {"any": "thing"})
    assert line["refused"] is True
    assert line["now_ms"] == START_MS


def test_half_a_surrogate_in_a_tools_name_is_replaced_in_the_log(toy: LocalApp) -> None:
    toy.outcome("note_\ud83d", {})

    assert lines(toy)[0]["tool"] == "note_\ufffd"


def test_a_bug_in_a_handler_is_told_to_the_operator_and_not_to_the_agent(
    toy: LocalApp, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.ERROR, "farm.server.pipeline"):
        outcome = toy.outcome("note_fail", {})

    assert (outcome.call, outcome.refused, outcome.is_protocol_error, outcome.wrote) == (1, True, True, False)
    answer = {"code": INTERNAL_ERROR, "message": "internal error in note_fail: RuntimeError"}
    assert orjson.loads(outcome.result) == answer
    assert lines(toy)[0]["result"] == {"error": answer}
    assert lines(toy)[0]["arguments"] == {}
    assert isinstance(outcome.error, RuntimeError)
    (record,) = caplog.records
    assert record.getMessage() == "tool note_fail failed on {}"
    assert record.exc_info is not None
    assert record.exc_info[1] is outcome.error


def test_half_a_surrogate_is_replaced_and_the_call_begins_again_without_what_it_wrote(
    toy: LocalApp, start: Callable[..., LocalApp]
) -> None:
    plain = start("toy")

    outcome, expected = (
        toy.outcome("note_pair", {"text": "a\ud83d"}),
        plain.outcome("note_pair", {"text": "a\ufffd"}),
    )

    # The same ids at the same time: nothing of the first attempt counts.
    assert outcome.result == expected.result
    assert notes(toy) == notes(plain)
    assert sorted(notes(toy)) == ["a\ufffd", "first"]
    assert toy.changes() == plain.changes()
    assert {change["call"] for change in toy.changes()["notes"]} == {1}
    assert lines(toy)[0]["arguments"] == {"text": "a\ufffd"}
    assert toy.outcome("note_add", {"text": "next"}).call == 2


@pytest.mark.parametrize(
    ("sent", "kept"),
    [("a \ud83d", "a \ufffd"), ("\ude00 b", "\ufffd b"), ("\ud83d \U0001f600", "\ufffd \U0001f600")],
)
def test_half_a_surrogate_that_json_in_a_text_escapes_is_replaced_too(sent: str, kept: str) -> None:
    with LocalWorld("mini", ["lark"]) as world:
        chat = world.rows("lark", "chats")[0]["chat_id"]
        data = {"receive_id": chat, "msg_type": "text", "content": json.dumps({"text": sent})}
        answer = world.call("lark", "im_v1_message_create", params={"receive_id_type": "chat_id"}, data=data)

    assert json.loads(answer["body"]["content"]) == {"text": kept}


@pytest.mark.parametrize(
    ("given", "logged"),
    [
        ({"text": "x", "deep": [{"\ud83d": ["\ude00", 1, None, True]}]}, [{"\ufffd": ["\ufffd", 1, None, True]}]),
        ({"text": "x", "deep": 2**70}, 2**70),
        ({"text": "x", "deep": "笔记\ud83d"}, "笔记\ufffd"),
        # Numbers that JSON has no word for are null, as they are where nothing else is odd.
        ({"text": "x", "deep": ["\ud83d", math.inf, {"y": -math.inf}, math.nan]}, ["\ufffd", None, {"y": None}, None]),
        ({"text": "x", "deep": [2**70, 10**400, math.nan]}, [2**70, None, None]),
    ],
)
def test_arguments_that_json_for_machines_cannot_carry_stay_readable_in_the_log(
    toy: LocalApp, given: Any, logged: Any
) -> None:
    toy.outcome("note_add", given)

    (line,) = toy.store.call_lines(EPISODE)
    assert json.loads(line)["arguments"] == {"text": "x", "deep": logged}
    assert "\\u" not in line.decode()
    # As whoever reads the trace does.
    assert orjson.loads(line)["n"] == 1


def test_arguments_of_numbers_as_long_as_can_be_are_printed_in_the_time_that_their_length_takes() -> None:
    def printed_s(count: int, digits: int) -> float:
        numbers = [10**digits] * count
        return min(timeit.repeat(lambda: dumps_lossy(numbers), timer=time.thread_time, number=1, repeat=3))

    # As many digits in all; looked for from every digit anew, the longer would take ten times as long.
    assert printed_s(1000, 300) < 4 * printed_s(10_000, 30)


def full(*_: Any) -> Any:
    raise OSError(errno.ENOSPC, "No space left on device")


def locked(*_: Any) -> Any:
    raise sqlite3.OperationalError("database or disk is full")


@pytest.mark.parametrize(
    ("broken", "problem"),
    [("log.append", full), ("commit", locked)],
)
def test_a_call_that_cannot_be_recorded_is_not_acknowledged_and_neither_half_of_it_stays(
    toy: LocalApp,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    broken: str,
    problem: Callable[..., Any],
) -> None:
    toy.outcome("note_add", {"text": "one"})
    context = toy.store.open(EPISODE)
    before = context.log.path.read_bytes()
    owner = context.log if broken == "log.append" else context

    with monkeypatch.context() as disk, caplog.at_level(logging.ERROR, "farm.server.pipeline"):
        disk.setattr(owner, broken.rpartition(".")[2], problem)
        outcome = toy.outcome("note_add", {"text": "two"})

    assert (outcome.call, outcome.refused, outcome.is_protocol_error, outcome.wrote) == (2, True, True, False)
    answer = orjson.loads(outcome.result)
    assert answer["code"] == INTERNAL_ERROR
    assert answer["message"].startswith("note_add could not be recorded; nothing has changed")
    assert caplog.records[0].getMessage().startswith(f"tool note_add could not be recorded in {context.log.path}: ")
    assert context.log.path.read_bytes() == before
    assert notes(toy) == ["one"]
    following = toy.outcome("note_add", {"text": "three"})
    assert following.call == 2
    assert body(following)["made_ms"] == START_MS + 1
    assert [line["n"] for line in lines(toy)] == [1, 2]
    toy.store.close_all()
    assert sorted(notes(toy)) == ["one", "three"]


@pytest.fixture
def cutting(toy: LocalApp, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Calls of the main thread time out, as in a server; afterwards SIGALRM is again whose it was."""
    before = signal.getsignal(signal.SIGALRM)
    monkeypatch.setattr(atexit, "register", lambda *_: None)
    monkeypatch.setattr(pipeline, "_alarm", SignalAlarm())
    monkeypatch.setattr(toy, "_alarm", None)
    install_deadline()
    yield
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


@pytest.mark.parametrize("tool", ["note_spin", "note_count"])
@pytest.mark.usefixtures("cutting")
def test_a_call_that_takes_too_long_is_stopped_undone_and_logged(toy: LocalApp, tool: str) -> None:
    started = time.monotonic()

    outcome = toy.outcome(tool, {})

    assert time.monotonic() - started >= CALL_S_MAX
    assert (outcome.call, outcome.refused, outcome.timed_out, outcome.wrote) == (1, True, True, False)
    answer = {
        "code": INTERNAL_ERROR,
        "message": f"{tool} took longer than 250 ms and was stopped; nothing has changed",
    }
    assert outcome.is_protocol_error
    assert orjson.loads(outcome.result) == answer
    assert notes(toy) == []
    (line,) = lines(toy)
    assert line["result"] == {"error": answer}
    assert line["refused"] is line["timed_out"] is True
    assert line["arguments"] == {}
    assert "wrote" not in line
    assert toy.outcome("note_add", {"text": "one"}).call == 2
    toy.store.close_all()
    assert notes(toy) == ["one"]


DIALECTS = (
    Zod3(),
    Zod4(),
    Zod4(sdk="1.29.0"),
    Zod4(sdk="2.0.0"),
    Pydantic(),
    Composio(),
    Jsonschema(),
    GoSdk(),
    McpGo(),
    Unchecked(),
    GenericJsonSchema(),
)
ITEMS = 300_000
HOSTILE: dict[str, Any] = {
    "list": {"texts": [1] * ITEMS},
    "record": {"numbers": {f"a{n}": "x" for n in range(ITEMS)}},
    "undeclared": {f"a{n}": 1 for n in range(ITEMS)},
    "text": {"count": "<" * 4_000_000},
    "same": {"single": list(range(ITEMS))},
}
SCHEMA = {
    "type": "object",
    "properties": {
        "texts": {"type": "array", "items": {"type": "string"}},
        "numbers": {"type": "object", "additionalProperties": {"type": "integer"}},
        "single": {"type": "array", "uniqueItems": True, "items": {"anyOf": [{"type": "string"}, {"type": "boolean"}]}},
        "count": {"type": "integer"},
    },
    "additionalProperties": False,
}


@pytest.mark.parametrize("given", HOSTILE)
@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda each: type(each).__name__)
@pytest.mark.usefixtures("cutting")
def test_arguments_made_to_be_dear_to_check_cost_no_more_than_a_call_and_a_short_answer(
    toy: LocalApp, monkeypatch: pytest.MonkeyPatch, dialect: Dialect, given: str
) -> None:
    bound = toy.store.loaded.bound["note_show"]
    check = dialect.compile("note_show", SCHEMA)
    monkeypatch.setitem(toy.store.loaded.bound, "note_show", replace(bound, check=lambda raw: check(raw) and {}))

    began = time.thread_time()
    outcome = toy.outcome("note_show", HOSTILE[given])
    ran_s = time.thread_time() - began

    assert len(outcome.result) <= 2 * TEXT_BYTES_MAX  # escaped as JSON
    assert outcome.timed_out or outcome.refused or isinstance(dialect, McpGo | Unchecked) or given == "undeclared"
    # A timeout comes at a tick, after what Python does in C: gathered for everyone, it would be several seconds.
    assert ran_s < 10 * CALL_S_MAX


def test_refused_arguments_are_let_go_with_the_answer(toy: LocalApp, monkeypatch: pytest.MonkeyPatch) -> None:
    given = {"texts": ["x"] * 10 + [1]}
    bound, check = toy.store.loaded.bound["note_show"], Zod4().compile("note_show", SCHEMA)
    monkeypatch.setitem(toy.store.loaded.bound, "note_show", replace(bound, check=check))
    gc.collect()
    gc.disable()
    try:
        before = sys.getrefcount(given)

        assert toy.outcome("note_show", given).refused

        assert sys.getrefcount(given) == before
    finally:
        gc.enable()


@pytest.mark.usefixtures("cutting")
def test_a_check_that_takes_too_long_times_out_like_a_handler(toy: LocalApp, monkeypatch: pytest.MonkeyPatch) -> None:
    bound = toy.store.loaded.bound["note_add"]

    def check(raw: Any) -> Any:
        busy(20 * CALL_S_MAX)
        return raw

    monkeypatch.setitem(toy.store.loaded.bound, "note_add", replace(bound, check=check))

    outcome = toy.outcome("note_add", {"text": "late"})

    assert (outcome.timed_out, outcome.refused, outcome.call) == (True, True, 1)
    assert notes(toy) == []


@pytest.mark.parametrize("tool", ["note_refuse", "note_tear"])
@pytest.mark.usefixtures("cutting")
def test_wording_a_refusal_times_out_like_a_handler(toy: LocalApp, monkeypatch: pytest.MonkeyPatch, tool: str) -> None:
    def word(*_: Any) -> tuple[bytes, bool]:
        busy(20 * CALL_S_MAX)
        return b"{}", False

    monkeypatch.setattr(type(toy.store.loaded.bound[tool].renderer), "refusal", word)

    outcome = toy.outcome(tool, {"text": "one"})

    assert (outcome.timed_out, outcome.refused, outcome.wrote, outcome.call) == (True, True, False, 1)
    assert notes(toy) == []
    assert len(lines(toy)) == 1


@pytest.mark.usefixtures("cutting")
def test_wording_a_name_that_is_no_tools_times_out_like_a_handler(
    toy: LocalApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    dialect = type(toy.store.loaded.app.dialect)
    monkeypatch.setattr(dialect, "unknown_tool", lambda *_: busy(20 * CALL_S_MAX))

    assert toy.outcome("note_lost", {}).timed_out


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda each: type(each).__name__)
def test_a_tool_name_of_any_length_is_refused_in_a_short_answer(dialect: Dialect) -> None:
    assert len(dialect.unknown_tool("\ud83d笔" * 1_000_000, {}).message.encode()) <= TEXT_BYTES_MAX


def test_an_answer_longer_than_any_agent_can_read_is_refused_and_changes_nothing(
    toy: LocalApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pipeline, "ANSWER_BYTES_MAX", 1000)
    toy.outcome("note_add", {"text": "kept"})

    short = toy.outcome("note_add", {"text": "x" * 200})
    long = toy.outcome("note_add", {"text": "x" * 5000})

    assert not short.refused
    assert (long.refused, long.is_protocol_error, long.wrote, long.call) == (True, True, False, 3)
    assert orjson.loads(long.result)["message"].startswith("note_add answers with more than ")
    assert notes(toy) == ["kept", "x" * 200]
    assert lines(toy)[2]["refused"] is True


def test_what_an_operator_reads_of_a_failed_call_is_short(toy: LocalApp, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.ERROR, "farm.server.pipeline"):
        toy.outcome("note_fail", {"any": "x" * 1_000_000})

    assert len(caplog.records[0].getMessage()) < 1100


@pytest.mark.usefixtures("cutting")
def test_a_timeout_that_python_swallows_comes_again(toy: LocalApp, monkeypatch: pytest.MonkeyPatch) -> None:
    # What Python swallows it tells this; pytest's own takes so long on a busy machine that the next tick falls into it.
    monkeypatch.setattr(sys, "unraisablehook", lambda _: None)

    class Slow:
        def __del__(self) -> None:
            busy(2 * CALL_S_MAX)  # what is raised in here goes nowhere

    def swallow(*_: Any) -> Any:
        Slow()
        busy(20 * CALL_S_MAX)

    monkeypatch.setattr(pipeline, "_handle", swallow)

    assert toy.outcome("note_show", {}).timed_out


def busy(seconds: float) -> None:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        pass


@pytest.mark.usefixtures("cutting")
def test_an_error_of_the_database_in_a_call_in_time_is_no_timeout(
    toy: LocalApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    toy.outcome("note_spin", {})
    # The call before timed out; what fails now failed by itself.
    monkeypatch.setattr(pipeline, "_handle", locked)

    outcome = toy.outcome("note_show", {})

    assert (outcome.call, outcome.refused, outcome.timed_out) == (2, True, False)
    assert orjson.loads(outcome.result)["message"] == "internal error in note_show: OperationalError"


@pytest.mark.usefixtures("cutting")
def test_no_timer_ticks_long_after_the_last_call_and_the_next_call_starts_it_again(toy: LocalApp) -> None:
    toy.outcome("note_show", {})
    assert signal.getitimer(signal.ITIMER_REAL)[1] == pytest.approx(0.025)

    for _ in range(41):
        signal.raise_signal(signal.SIGALRM)

    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
    assert toy.outcome("note_spin", {}).timed_out


@pytest.mark.usefixtures("cutting")
def test_ticks_between_calls_do_not_stop_the_timer_of_those_that_come(toy: LocalApp) -> None:
    for _ in range(3):
        toy.outcome("note_show", {})
        for _ in range(30):
            signal.raise_signal(signal.SIGALRM)

    assert toy.outcome("note_spin", {}).timed_out


def test_only_the_main_thread_takes_over_the_alarm() -> None:
    before = signal.signal(signal.SIGALRM, signal.SIG_IGN)
    try:
        other = threading.Thread(target=install_deadline)
        other.start()
        other.join(60)

        assert signal.getsignal(signal.SIGALRM) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGALRM, before)


def test_two_live_writes_in_one_millisecond_have_two_times(
    start: Callable[..., LocalApp], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FARM_CONTENT", str(TOY))
    toy = start("toy", now="live")
    wall_ms = 1_800_000_000_000
    monkeypatch.setattr(time, "time_ns", lambda: wall_ms * 1_000_000 + 999_999)

    for tool, text in (("note_add", "a"), ("note_tear", "b"), ("note_add", "c")):
        toy.outcome(tool, {"text": text})
    reads = [toy.outcome("note_show", {}), toy.outcome("note_lost", {}), toy.outcome("note_show", {"text": 1})]

    # What a refusal keeps is a write, too; reading and being refused takes no time.
    assert [row["made_ms"] for row in toy.episode.db.all("SELECT made_ms FROM notes ORDER BY text")] == [
        wall_ms,
        wall_ms + 1,
        wall_ms + 2,
    ]
    assert body(reads[0]) == {"notes": ["a", "b", "c"]}
    assert [line["now_ms"] - wall_ms for line in lines(toy)] == [0, 1, 2, 2, 2, 2]


def test_a_live_clock_never_goes_back_when_the_wall_clock_does_and_the_context_is_opened_anew(
    start: Callable[..., LocalApp], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FARM_CONTENT", str(TOY))
    toy = start("toy", now="live")
    wall_ms = 1_800_000_000_000
    monkeypatch.setattr(time, "time_ns", lambda: wall_ms * 1_000_000)
    toy.outcome("note_add", {"text": "a"})
    toy.store.close_all()
    monkeypatch.setattr(time, "time_ns", lambda: (wall_ms - 3_600_000) * 1_000_000)

    made = body(toy.outcome("note_add", {"text": "b"}))["made_ms"]

    assert made == wall_ms + 1


def test_a_call_without_a_transaction_of_its_own_leaves_a_committed_context(toy: LocalApp) -> None:
    call(toy.store.open(EPISODE), "note_add", {"text": "one"})

    assert not toy.store.open(EPISODE).connection.in_transaction


def test_what_a_menu_does_not_show_does_not_exist(toy: LocalApp) -> None:
    context = toy.store.open(EPISODE)
    menu = frozenset({"note_show"})

    hidden, shown = call(context, "note_add", {"text": "one"}, menu), call(context, "note_show", {}, menu)

    assert (hidden.refused, hidden.call, hidden.wrote) == (True, 1, False)
    # Word for word what any other name that there is not gets.
    unknown = call(context, "note_add2", {"text": "one"}).result
    assert hidden.result == unknown.replace(b"note_add2", b"note_add")
    assert not shown.refused
    assert [(line["tool"], "refused" in line) for line in lines(toy)][:2] == [("note_add", True), ("note_show", False)]


def test_an_app_that_cannot_serve_says_so_of_tools_that_there_are_not_too(toy: LocalApp) -> None:
    def refuse(ep: Episode) -> None:
        assert ep.db.scalar("SELECT 1") == 1
        raise VendorError("Not logged in")

    context = toy.store.open(EPISODE)
    app = replace(context.loaded.app, serving=refuse, dialect=Jsonschema())
    context.loaded = replace(context.loaded, app=app)

    outcome = call(context, "note_forget", {})

    assert json.loads(outcome.result) == {"content": [{"type": "text", "text": "Not logged in"}], "isError": True}
    assert (outcome.refused, outcome.wrote, lines(toy)[-1]["tool"]) == (True, False, "note_forget")
    # Arguments that are no object are told by the SDK, before the server's own code.
    assert call(context, "note_forget", []).is_protocol_error


@pytest.fixture
def parrot(start: Callable[..., LocalApp], monkeypatch: pytest.MonkeyPatch) -> LocalApp:
    """An app one of whose tools answers to any name."""
    monkeypatch.setenv("FARM_CONTENT", str(TOY))
    return start("parrot")


@pytest.mark.parametrize(
    ("name", "menu", "answered"),
    [
        ("say", None, True),
        ("shout", None, True),
        ("shout", {"say"}, True),
        ("shout", {"say", "sleep"}, True),
        ("sleep", {"say"}, True),
        ("shout", {"sleep"}, False),
        ("say", {"sleep"}, False),
        ("shout", set(), False),
    ],
)
def test_an_app_answers_to_any_name_as_long_as_the_tool_that_does_is_shown(
    parrot: LocalApp, name: str, menu: set[str] | None, answered: bool
) -> None:
    shown = None if menu is None else frozenset(menu)

    outcome = call(parrot.store.open(EPISODE), name, {"words": "hello"}, shown)

    assert outcome.wrote is answered
    assert outcome.refused is not answered
    (line,) = lines(parrot)
    assert line["tool"] == name
    assert bool(parrot.changes()) is answered


def test_a_refusal_by_another_name_is_told_and_logged_by_that_name(parrot: LocalApp) -> None:
    outcome = parrot.outcome("shout", {"words": ""})

    assert "Error executing tool shout: nothing to say" in outcome.result.decode()
    assert lines(parrot)[0]["tool"] == "shout"
    assert lines(parrot)[0]["refused"] is True


def test_a_refusal_that_keeps_what_it_wrote_is_both(toy: LocalApp) -> None:
    outcome = toy.outcome("note_tear", {"text": "kept"})

    assert (outcome.call, outcome.refused, outcome.wrote, outcome.is_protocol_error) == (1, True, True, False)
    assert isinstance(outcome.error, VendorError)
    assert notes(toy) == ["kept"]
    (line,) = lines(toy)
    assert (line["refused"], line["wrote"], line["n"], line["arguments"]) == (True, True, 1, {"text": "kept"})
    assert line["result"] == orjson.loads(outcome.result)
    assert line["now_ms"] == START_MS
    # It counts as a write: the next one has its own time, and all of it is there when the context is opened anew.
    toy.store.close_all()
    assert body(toy.outcome("note_add", {"text": "next"}))["made_ms"] == START_MS + 1
    assert [each["n"] for each in lines(toy)] == [1, 2]


def test_a_refusal_that_cannot_be_recorded_keeps_nothing(
    toy: LocalApp, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    with monkeypatch.context() as disk, caplog.at_level(logging.ERROR, "farm.server.pipeline"):
        disk.setattr(toy.store.open(EPISODE), "commit", locked)
        outcome = toy.outcome("note_tear", {"text": "lost"})

    assert (outcome.call, outcome.refused, outcome.wrote, outcome.is_protocol_error) == (1, True, False, True)
    message = "note_tear could not be recorded; nothing has changed"
    assert orjson.loads(outcome.result) == {"code": INTERNAL_ERROR, "message": message}
    assert notes(toy) == []
    assert lines(toy) == []


def test_a_refusal_that_is_a_protocol_error_is_logged_as_one(toy: LocalApp) -> None:
    outcome = toy.outcome("note_lock", {})

    assert (outcome.refused, outcome.is_protocol_error, outcome.wrote) == (True, True, False)
    assert lines(toy)[0]["result"] == {"error": orjson.loads(outcome.result)}
    assert notes(toy) == []


def test_a_refusal_that_is_worded_as_a_success_is_still_one(toy: LocalApp) -> None:
    outcome = toy.outcome("note_mumble", {})

    assert (outcome.refused, outcome.is_protocol_error, outcome.wrote) == (True, False, False)
    assert lines(toy)[0]["refused"] is True
    assert notes(toy) == []


def test_a_refusal_that_cannot_be_worded_is_a_bug_and_keeps_nothing(
    toy: LocalApp, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    renderer = type(toy.store.loaded.bound["note_tear"].renderer)

    def breaks(*_: Any) -> Any:
        raise KeyError("no words")

    monkeypatch.setattr(renderer, "refusal", breaks)
    with caplog.at_level(logging.ERROR, "farm.server.pipeline"):
        outcome = toy.outcome("note_tear", {"text": "lost"})

    assert (outcome.call, outcome.refused, outcome.wrote, outcome.is_protocol_error) == (1, True, False, True)
    assert orjson.loads(outcome.result)["message"] == "internal error in note_tear: KeyError"
    assert notes(toy) == []
    assert caplog.records[0].getMessage() == 'tool note_tear failed on {"text":"lost"}'


@pytest.mark.parametrize("asked", ["note_lost", "note_add"])
@pytest.mark.parametrize(
    ("given", "answer"),
    [
        ({"code": None, "is_error": True}, {"content": [{"type": "text", "text": "Sorry."}], "isError": True}),
        ({"code": None, "is_error": False}, {"content": [{"type": "text", "text": "Sorry."}], "isError": False}),
        ({"code": None, "is_error": None}, {"content": [{"type": "text", "text": "Sorry."}]}),
        ({"code": -32602}, {"code": -32602, "message": "Sorry."}),
    ],
)
def test_what_a_dialect_refuses_is_answered_in_its_own_words_and_way(
    toy: LocalApp, monkeypatch: pytest.MonkeyPatch, asked: str, given: dict[str, Any], answer: dict[str, Any]
) -> None:
    loaded, told = toy.store.loaded, []

    def refuse(about: Any) -> InvalidArgumentsError:
        told.append(about)
        return InvalidArgumentsError("Sorry.", **given)

    def check(arguments: Any) -> Any:
        raise refuse(arguments)

    monkeypatch.setattr(type(loaded.app.dialect), "unknown_tool", lambda _, name, arguments: refuse((name, arguments)))
    monkeypatch.setitem(loaded.bound, "note_add", replace(loaded.bound["note_add"], check=check))

    outcome = toy.outcome(asked, {"text": "one"})

    assert told == [("note_lost", {"text": "one"}) if asked == "note_lost" else {"text": "one"}]
    assert orjson.loads(outcome.result) == answer
    assert outcome.is_protocol_error is ("code" in answer)
    assert isinstance(outcome.error, InvalidArgumentsError)
    assert lines(toy)[0]["result"] == ({"error": answer} if "code" in answer else answer)


def test_a_kept_refusal_that_is_a_protocol_error_is_logged_as_one(
    toy: LocalApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    renderer = type(toy.store.loaded.bound["note_tear"].renderer)
    monkeypatch.setattr(renderer, "refusal", lambda *_: (b'{"code":-1,"message":"torn"}', True))

    outcome = toy.outcome("note_tear", {"text": "kept"})

    assert (outcome.refused, outcome.wrote, outcome.is_protocol_error) == (True, True, True)
    assert lines(toy)[0]["result"] == {"error": {"code": -1, "message": "torn"}}
    assert notes(toy) == ["kept"]


@pytest.mark.usefixtures("cutting")
def test_a_bug_and_a_timeout_are_told_from_what_an_app_says(toy: LocalApp) -> None:
    def crashed(tool: str) -> bool:
        answer = orjson.loads(toy.outcome(tool, {}).result)
        return is_crash(answer["code"], answer["message"])

    assert [crashed(tool) for tool in ("note_fail", "note_count", "note_lock")] == [True, True, False]
    assert not is_crash(INTERNAL_ERROR, "the service is down")
    assert not is_crash(-32602, "internal error in note_fail: RuntimeError")


def test_a_process_that_never_took_over_the_alarm_stops_nothing(toy: LocalApp, monkeypatch: pytest.MonkeyPatch) -> None:
    timers: list[Any] = []
    monkeypatch.setattr(pipeline, "_alarm", SignalAlarm())
    monkeypatch.setattr(signal, "setitimer", lambda *given: timers.append(given))

    assert not toy.outcome("note_show", {}).refused

    assert timers == []


def test_the_timer_is_put_out_when_the_process_ends_and_that_is_arranged_once(monkeypatch: pytest.MonkeyPatch) -> None:
    arranged: list[Any] = []
    monkeypatch.setattr(atexit, "register", lambda *given: arranged.append(given))
    monkeypatch.setattr(pipeline, "_alarm", SignalAlarm())
    before = signal.getsignal(signal.SIGALRM)

    try:
        install_deadline()
        install_deadline()
    finally:
        signal.signal(signal.SIGALRM, before)

    assert arranged == [(signal.setitimer, signal.ITIMER_REAL, 0)]
