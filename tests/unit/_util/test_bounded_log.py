"""Whatever is caused to be logged, however often: the log grows by little and says how much it leaves out."""

from __future__ import annotations

import io
import logging
import os
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from farm._util.bounded_log import EVERY_S, LINES_MAX, TRACEBACKS_MAX, BoundedFormatter, BoundedHandler
from farm.runtime.supervisor import log_file


class Log:
    """A logger with a clock of its own."""

    def __init__(self) -> None:
        self.out = io.StringIO()
        self.now = 0.0
        self.timers: list[Callable[[], None]] = []
        self.handler = BoundedHandler(self.out, lambda: self.now, lambda _, work: self.timers.append(work))
        self.handler.setFormatter(BoundedFormatter("%(message)s"))
        self.logger = logging.Logger("test")
        self.logger.addHandler(self.handler)

    @property
    def lines(self) -> list[str]:
        return self.out.getvalue().splitlines()

    def fail(self, work: Callable[[], object], message: str, *arguments: object) -> None:
        try:
            work()
        except Exception as problem:
            self.logger.error(message, *arguments, exc_info=problem)


def _other(depth: int) -> int:
    return _endless(depth + 1)


def _endless(depth: int) -> int:
    return _other(depth + 1)


def _divide() -> float:
    return 1 / 0


def _look_up() -> str:
    return dict[str, str]()["x"]


def test_the_traceback_of_endless_recursion_is_a_few_lines_long() -> None:
    log = Log()

    log.fail(lambda: _endless(0), "tool %s failed", "search")

    assert log.lines[0] == "tool search failed"
    assert log.lines[-1].startswith("RecursionError")
    assert any("lines left out" in line for line in log.lines)
    assert len(log.lines) < 60
    assert len(log.out.getvalue()) < 20_000


def test_an_error_that_comes_again_and_again_is_written_three_times_and_counted() -> None:
    log = Log()

    for number in range(1_000):
        log.fail(_divide, "tool %s failed on %s", "search", number)
    for work in log.timers:
        work()

    assert log.out.getvalue().count("Traceback") == TRACEBACKS_MAX
    (counted,) = [line for line in log.lines if "more like this" in line]
    assert counted.startswith(
        "997 more like this: tool search failed on 3: ZeroDivisionError in _util/test_bounded_log.py:"
    )


def test_an_error_raised_elsewhere_is_written_whole() -> None:
    log = Log()

    for _ in range(10):
        log.fail(_divide, "tool %s failed", "search")
    log.fail(_look_up, "tool %s failed", "search")

    assert "KeyError: 'x'" in log.lines


def test_after_a_minute_an_error_is_written_again_behind_the_count() -> None:
    log = Log()
    for _ in range(5):
        log.fail(_divide, "failed")

    log.now += EVERY_S
    log.fail(_divide, "failed")

    assert log.out.getvalue().count("Traceback") == TRACEBACKS_MAX + 1
    assert sum(line.startswith("2 more like this: failed: ZeroDivisionError in ") for line in log.lines) == 1


def test_lines_without_a_traceback_are_counted_by_their_wording() -> None:
    log = Log()

    for number in range(LINES_MAX + 5):
        log.logger.warning("%s ended; it starts again", f"app {number}")
    log.logger.warning("another line")
    log.handler.close()

    assert log.lines[:2] == ["app 0 ended; it starts again", "app 1 ended; it starts again"]
    assert log.lines[LINES_MAX:] == ["another line", f"5 more like this: app {LINES_MAX} ended; it starts again"]


def test_ever_new_wordings_are_counted_together_in_the_end() -> None:
    log = Log()

    for number in range(5_000):
        log.logger.warning(f"wording {number}")
    log.handler.close()

    assert len(log.lines) < 400
    assert "more like this: " in log.lines[-1]


def test_a_long_line_is_truncated() -> None:
    log = Log()

    log.logger.warning("x" * 1_000_000)

    assert len(log.out.getvalue()) < 5_000


def test_a_full_log_becomes_the_older_one_and_nobody_opens_it_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(log_file, "SIZE_BYTES_MAX", 10_000)
    log, older = tmp_path / log_file.LOG, tmp_path / log_file.OLDER
    with log_file.begin(tmp_path) as written:
        descriptor = os.dup(written.fileno())  # as the processes of a farm have it
    os.write(descriptor, b"first\n" + b"x" * 9_000)
    assert not log_file.rotate(tmp_path)

    os.write(descriptor, b"y" * 30_000 + b"\nlast\n")
    assert log_file.rotate(tmp_path)
    os.write(descriptor, b"after\n")
    os.close(descriptor)

    assert log.read_bytes() == b"after\n"
    assert older.read_bytes().endswith(b"y\nlast\n")
    assert older.stat().st_size == 10_000


def test_a_farm_begins_its_log_anew(tmp_path: Path) -> None:
    (tmp_path / log_file.LOG).write_text("of the farm before")
    (tmp_path / log_file.OLDER).write_text("of the farm before")

    log_file.begin(tmp_path).close()

    assert (tmp_path / log_file.LOG).read_bytes() == b""
    assert not (tmp_path / log_file.OLDER).exists()


def test_what_is_printed_elsewhere_is_left_alone(tmp_path: Path) -> None:
    log_file.begin(tmp_path).close()

    log_file.keep_bounded(tmp_path)

    assert "farm-log" not in {thread.name for thread in threading.enumerate()}
