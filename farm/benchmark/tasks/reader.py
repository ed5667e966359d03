"""Turns the tables of one file into objects, and collects their problems: one line with the file, the key and why."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

from farm.appkit.world_spec.facts import FactError
from farm.benchmark.tasks.check import Checker
from farm.benchmark.tasks.facts import ledger_of, with_claims
from farm.benchmark.tasks.toml_schema import keys_of, problems_in
from farm.benchmark.tasks.value_syntax import CallPattern
from farm.errors import FarmError, NotFoundError

_Table = TypeVar("_Table")


class TaskError(FarmError):
    """A task file is invalid. ``problems`` has one line for each problem."""

    def __init__(self, problems: list[str]) -> None:
        self.problems = problems
        super().__init__("\n".join(problems))


class Reader:
    """Reads one file.

    Attributes:
        raw: the parsed file.
        text: the file's text with its facts rendered; empty without a file.
        checker: checks its values; a file with settings of a suite has none.
        is_loose: whether any row of a table, and any update of it, may satisfy a checkpoint, as in a test.
    """

    checker: Checker
    is_loose = False
    text = ""

    def __init__(self, path: Path, raw: Mapping[str, Any] | None = None) -> None:
        self.path = path
        self.problems: list[str] = []
        self.raw = self._read() if raw is None else raw

    def _read(self) -> Mapping[str, Any]:
        """Return the file with its facts rendered, and keep the rendered text."""
        path = self.path
        try:
            text = path.read_text("utf-8")
            raw: Mapping[str, Any] = tomllib.loads(text)
            if "fact" in text and isinstance(raw.get("world"), str):
                ledger = ledger_of(raw["world"])
                text = ledger.render(text, path.name)
                raw = with_claims(tomllib.loads(text), ledger)
        except FileNotFoundError:
            raise TaskError([f"{path.name}: no such file in {path.parent}"]) from None
        except NotFoundError:
            pass  # no such world, which is reported with the file's other problems
        except FactError as problem:
            raise TaskError([str(problem)]) from None
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as problem:
            raise TaskError([f"{path.name}: not TOML: {problem}"]) from None
        except ValueError as problem:
            raise TaskError([f"{path.name}: {problem}"]) from None
        self.text = text
        return raw

    def say(self, where: str, problem: str) -> None:
        """Add one problem."""
        self.problems.append(f"{self.path.name}: {where}: {problem}")

    def end(self) -> None:
        """Raise the collected problems, if any."""
        if self.problems:
            raise TaskError(self.problems)

    def fits(self, kind: type, raw: Mapping[str, Any], where: str, *, is_open: bool = False) -> bool:
        """Return whether a table has all required keys and valid values; report problems.

        Args:
            kind: the class of the table.
            raw: the table.
            where: its place, for messages.
            is_open: whether undeclared keys are allowed.
        """
        problems = list(problems_in(kind, raw, where, is_open=is_open))
        for place, problem in problems:
            self.say(place, problem)
        return not problems

    def made(self, kind: type[_Table], raw: Mapping[str, Any], /, **parts: Any) -> _Table:
        """Build the object of a valid table; ``parts`` replace keys that are parsed separately."""
        given = {
            each.attribute: tuple(raw[name]) if isinstance(raw[name], list) else raw[name]
            for name, each in keys_of(kind).items()
            if name in raw
        }
        return kind(**(given | parts))

    def call_pattern(self, raw: Mapping[str, Any], where: str) -> None:
        """Check a description of calls."""
        if self.fits(CallPattern, raw, where):
            self.checker.calls(raw, where)
