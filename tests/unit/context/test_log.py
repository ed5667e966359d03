"""The call log by itself: what is truncated when it is opened, what is carried along, and how its end is read."""

from __future__ import annotations

import json
import os
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson
import pytest

from farm.context.corrupt_file import CorruptFileError
from farm.context.log import CallLog, Sealed, lines_after, read_lines, read_parts, times


def line(number: int, *, wrote: bool = False, size: int = 0) -> bytes:
    """A call's line as the pipeline writes it."""
    flags = b',"wrote":true' if wrote else b""
    return b'{"n":%d,"tool":"t","arguments":"%b"%b}\n' % (number, b"x" * size, flags)


CLOCK = orjson.dumps({"clock_ms": 5, "after": 1}) + b"\n"


@pytest.fixture
def log(tmp_path: Path) -> Iterator[CallLog]:
    log = CallLog(tmp_path / "app.0.log")
    yield log
    log.close()


def reopened(log: CallLog) -> CallLog:
    return CallLog(log.path)


def numbers(path: Path) -> list[int]:
    return [entry["n"] for entry in read_lines(path) if "n" in entry]


def test_a_new_log_begins_with_the_line_that_names_what_it_stands_on(tmp_path: Path) -> None:
    sealed = Sealed((("app.0.log", 10), ("app.1.log", 20)), 7)
    CallLog(tmp_path / "app.2.log", sealed).close()

    first = (tmp_path / "app.2.log").read_bytes()

    assert orjson.loads(first) == {"log": 1, "parts": [["app.0.log", 10], ["app.1.log", 20]], "calls": 7}
    assert first.endswith(b"\n")
    assert Sealed.load(first) == sealed
    assert Sealed.load(Sealed().dump()) == Sealed((), 0)


@pytest.mark.parametrize(
    "part", [["../other/app.0.log", 10], ["/etc/hosts", 10], ["", 10], [7, 10], ["app.0.log", -1], ["app.0.log", "10"]]
)
def test_a_part_is_a_file_of_the_same_folder(part: list[Any]) -> None:
    line = json.dumps({"log": 1, "parts": [part], "calls": 1}).encode()

    with pytest.raises((ValueError, TypeError)):
        Sealed.load(line)


def test_what_a_log_was_sealed_on_is_read_however_long_it_is(tmp_path: Path) -> None:
    for parts in (3, 60, 900):
        sealed = Sealed(tuple((f"app.{number}.log", number) for number in range(parts)), 4)
        path = tmp_path / f"{parts}.log"
        CallLog(path, sealed).close()
        with path.open("ab") as file:
            file.write(line(5, size=3000))

        log = CallLog(path)

        assert log.sealed == sealed
        assert log.repair(0) == 5
        log.close()


def test_a_torn_first_line_is_written_again(tmp_path: Path) -> None:
    path = tmp_path / "app.0.log"
    path.write_bytes(b'{"log":1,"par' + b"x" * 5000)

    log = CallLog(path)

    assert path.read_bytes() == Sealed().dump()
    assert log.size == len(Sealed().dump())
    assert log.repair(0) == 0
    log.close()


def test_a_line_that_is_not_written_whole_leaves_the_log_as_it_was(
    log: CallLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    log.append(line(1))
    before, write = log.path.read_bytes(), os.write

    with monkeypatch.context() as full:
        full.setattr(os, "write", lambda descriptor, data: write(descriptor, data[:5]))
        with pytest.raises(OSError, match=f"No space left on device: '{log.path}'"):
            log.append(line(2))

    assert log.path.read_bytes() == before
    assert log.size == len(before)
    log.append(line(2))
    assert numbers(log.path) == [1, 2]


def test_a_truncated_log_goes_on_from_its_end(log: CallLog) -> None:
    log.append(line(1))
    size = log.size
    log.append(line(2))

    log.truncate(size)
    log.append(line(3))

    assert numbers(log.path) == [1, 3]
    assert log.size == log.path.stat().st_size


@pytest.mark.parametrize(
    ("tail", "committed", "kept"),
    [
        ([], 0, []),
        ([line(1), b'{"n":2,"to'], 0, [1]),
        ([line(1, wrote=True)], 1, [1]),
        ([line(1, wrote=True)], 0, []),
        ([line(1), line(2, wrote=True)], 0, [1]),
        ([line(1, wrote=True), line(2, wrote=True)], 1, [1]),
        ([line(1), line(2, wrote=True), b"{"], 1, [1]),
        ([line(1, wrote=True), line(2)], 1, [1, 2]),
        ([line(1, wrote=True), line(2), line(3)], 0, [1, 2, 3]),
        ([line(1, wrote=True), CLOCK], 1, [1]),
        ([line(1, size=9000, wrote=True), line(2, size=9000, wrote=True)], 1, [1]),
        ([line(1, size=40_000), b'{"n":2' + b"x" * 40_000], 0, [1]),
        ([line(1, size=40_000, wrote=True), line(2, size=200_000, wrote=True), b"{" * 50_000], 1, [1]),
        ([*(line(number) for number in range(1, 900)), CLOCK], 0, [*range(1, 900)]),
    ],
)
def test_only_what_was_torn_or_never_committed_is_truncated(
    log: CallLog, tail: list[bytes], committed: int, kept: list[int]
) -> None:
    with log.path.open("ab") as file:
        file.writelines(tail)
    again = reopened(log)

    assert again.repair(committed) == (kept[-1] if kept else 0)

    assert numbers(log.path) == kept
    assert again.size == log.path.stat().st_size
    again.append(line(1000))
    assert numbers(log.path) == [*kept, 1000]
    again.close()


def test_a_log_of_clock_moves_alone_goes_on_after_the_calls_it_stands_on(tmp_path: Path) -> None:
    log = CallLog(tmp_path / "app.1.log", Sealed((("app.0.log", 10),), 4))
    log.append(CLOCK)

    assert log.repair(0) == 4
    log.close()


def test_sealing_names_every_part_and_how_much_of_this_one_counts(tmp_path: Path) -> None:
    log = CallLog(tmp_path / "app.1.log", Sealed((("app.0.log", 10),), 4))
    log.append(line(5))

    assert log.seal() == (("app.0.log", 10), ("app.1.log", log.path.stat().st_size))
    log.close()


def test_sealed_parts_are_read_in_order_and_no_further_than_they_count(tmp_path: Path) -> None:
    for name, calls in (("a.log", (1, 2, 3)), ("b.log", (4, 5))):
        (tmp_path / name).write_bytes(Sealed().dump() + b"".join(map(line, calls)))
    counted = len(Sealed().dump()) + 2 * len(line(1))

    def found(*parts: tuple[str, int]) -> list[Any]:
        return [entry["n"] for entry in read_parts(tmp_path, parts)]

    assert found(("a.log", counted), ("b.log", 10_000)) == [1, 2, 4, 5]


@pytest.mark.parametrize("size", [0, 700, 70_000])
@pytest.mark.parametrize("after", [0, 1, 150, 299, 300, 400])
def test_the_calls_after_one_are_found_from_the_end_of_the_log_whatever_their_length(
    log: CallLog, size: int, after: int
) -> None:
    calls = 300 if size < 70_000 else 12
    after = min(after, calls + 1)
    written = [line(number, size=size) for number in range(1, calls + 1)]
    for each in written:
        log.append(each)
    log.append(CLOCK)

    found = list(lines_after(log.path, after))

    assert found == [each.rstrip(b"\n") for each in written[after:]]


@pytest.mark.parametrize("after", [0, 25, 49])
def test_of_a_long_log_no_more_than_a_few_lines_are_in_memory(log: CallLog, after: int) -> None:
    for number in range(1, 51):
        log.append(line(number, size=1 << 19))

    tracemalloc.start()
    try:
        numbers = [orjson.loads(each)["n"] for each in lines_after(log.path, after)]
        entries = sum("n" in entry for entry in read_lines(log.path))
        _, peak_bytes = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert (numbers, entries) == (list(range(after + 1, 51)), 50)
    assert peak_bytes < log.size // 2  # the parser alone takes sixteen times a line


def test_what_is_told_of_a_call_alone_is_read_from_the_end_of_its_line() -> None:
    forged = '{"n":9,"started_ns":8,"ended_ns":7,"at_ms":6,"now_ms":5}'
    call = {"n": 3, "tool": "t", "arguments": {"x": forged}, "result": {"started_ns": 4}}
    whole = orjson.dumps({**call, "started_ns": 1, "ended_ns": 2, "at_ms": 5, "now_ms": 6, "wrote": True})

    found = times(whole)

    assert found == {
        "n": 3,
        "size_bytes": len(whole),
        "started_ns": 1,
        "ended_ns": 2,
        "at_ms": 5,
        "now_ms": 6,
        "wrote": True,
    }


def test_only_the_first_bytes_of_a_sealed_log_are_looked_at(log: CallLog) -> None:
    for number in range(1, 1001):
        log.append(line(number, size=100))
    size = log.size
    for number in range(1001, 2001):
        log.append(line(number, size=100))

    assert [orjson.loads(each)["n"] for each in lines_after(log.path, 990, size)] == list(range(991, 1001))
    assert len(list(lines_after(log.path, 0, size))) == 1000


def test_a_log_that_ends_before_its_context_is_reported_and_not_numbered_anew(tmp_path: Path) -> None:
    log = CallLog(tmp_path / "app.0.log")
    log.append(b'{"n":1,"tool":"t","wrote":true}\n')

    with pytest.raises(
        CorruptFileError, match=r"app\.0\.log ends with call 1, and the context holds call 3; put it back"
    ):
        log.repair(3)


def test_a_context_that_lost_several_calls_costs_the_log_none(tmp_path: Path) -> None:
    log = CallLog(tmp_path / "app.0.log")
    for number in (1, 2, 3):
        log.append(b'{"n":%d,"tool":"t","wrote":true}\n' % number)
    before = log.path.read_bytes()

    with pytest.raises(CorruptFileError, match="has call 3, and the context ends with call 1"):
        log.repair(1)

    assert log.path.read_bytes() == before
    assert log.repair(2) == 2


def test_a_line_that_is_no_json_is_named(tmp_path: Path) -> None:
    log = CallLog(tmp_path / "app.0.log")
    log.append(b'{"n":1,"tool"\n')

    with pytest.raises(CorruptFileError, match=r"app\.0\.log is broken in line 2 "):
        list(read_lines(log.path))
