"""Repeated trials of one test, with the share that has to pass: an agent on a real model does not always succeed."""

from __future__ import annotations

from collections.abc import Iterator
from types import TracebackType

from pytest_mcp_farm.errors import McpFarmError, ToolRefusedError

__tracebackhide__ = True  # pytest shows a problem at the test's own line


class Trial:
    """One trial: a block whose failed assertions count, and end only this trial.

    Attributes:
        number: its number, from 1.
        failure: why it failed, or None.
    """

    def __init__(self, number: int) -> None:
        self.number = number
        self.failure: str | None = None
        self.is_over = False

    def __enter__(self) -> Trial:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> bool:
        self.is_over = True
        if not isinstance(problem, (AssertionError, ToolRefusedError)):
            return False
        self.failure = str(problem) or type(problem).__name__
        return True


def run_trials(count: int, min_pass: float) -> Iterator[Trial]:
    """Yield trials, and raise an error at the end if too few passed.

    Raises:
        AssertionError: fewer than ``min_pass`` of them passed; the message holds each failure.
        McpFarmError: a number is out of range, or a trial was not entered.
    """
    if count < 1 or not 0 <= min_pass <= 1:
        raise McpFarmError(
            "trials are at least one, and min_pass is a share from 0 to 1, as in trials(5, min_pass=0.8)"
        )
    trials: list[Trial] = []
    for number in range(1, count + 1):
        trials.append(Trial(number))
        yield trials[-1]
        if not trials[-1].is_over:
            raise McpFarmError("a trial is a block: 'for trial in mcp_farm.trials(5): with trial: …'")
    failed = [each for each in trials if each.failure is not None]
    passed = count - len(failed)
    if passed < min_pass * count:
        told = "\n\n".join(f"trial {each.number}: {each.failure}" for each in failed)
        raise AssertionError(f"{passed} of {count} trials passed, wanted {min_pass:.0%}\n\n{told}")
