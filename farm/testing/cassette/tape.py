"""The interactions of a cassette's file, and the answer to a request among them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from farm.errors import FarmError
from farm.testing.cassette.requests import Asked

# The record modes of vcrpy and pytest-recording, by their names.
MODES = ("none", "once", "new_episodes", "all")
_VERSION = 1
_DIFFERENCES_MAX = 3
_SHOWN_MAX = 60


@dataclass
class Interaction:
    """One recorded request and its answer."""

    title: str
    request: Any
    answer: dict[str, Any]
    is_played: bool = False


class Tape:
    """A cassette.

    Attributes:
        path: its file.
        mode: its record mode.
        mismatches: a sentence about each request that had no answer.
    """

    def __init__(self, path: Path, mode: str = "once", ignored: Sequence[str] = ()) -> None:
        """Read a cassette.

        Args:
            path: its file, JSON; it may not exist yet.
            mode: ``none`` replays only, ``once`` records if there is no file, ``new_episodes`` records what is missing,
                ``all`` records everything anew.
            ignored: dotted paths in a request whose values are not compared, such as ``params.arguments.uuid``.

        Raises:
            FarmError: the mode does not exist, or the file is missing where it has to be, or is no cassette.
        """
        if mode not in MODES:
            raise FarmError(f"no record mode '{mode}'; have {', '.join(MODES)}")
        if mode == "none" and not path.exists():
            raise FarmError(f"there is no cassette {path}, and the record mode is 'none'; record it with 'once'")
        self.path, self.mode, self.mismatches = path, mode, list[str]()
        self._ignored = [each.split(".") for each in ignored]
        self._is_new = not path.exists()
        self.interactions = [] if mode == "all" or self._is_new else _load(path)

    @property
    def can_record(self) -> bool:
        """Whether the mode records a request that has no answer."""
        return self.mode in ("new_episodes", "all") or (self.mode == "once" and self._is_new)

    def answer(self, asked: Asked) -> dict[str, Any] | None:
        """Return the recorded answer to a request, each one once and in order; None if there is none left."""
        same = self._same(asked)
        found = next((each for each in same if not each.is_played), None)
        if found is None and asked.is_repeatable and same:
            found = same[-1]
        if found is None:
            return None
        found.is_played = True
        return found.answer

    def _same(self, asked: Asked) -> list[Interaction]:
        wanted = self._compared(asked.content)
        return [each for each in self.interactions if self._compared(each.request) == wanted]

    def _compared(self, content: Any) -> Any:
        """Return a request without what is ignored."""
        if not self._ignored:
            return content
        left = deepcopy(content)
        for *above, last in self._ignored:
            place = left
            for name in above:
                place = place.get(name) if isinstance(place, dict) else None
            if isinstance(place, dict):
                place.pop(last, None)
        return left

    def record(self, asked: Asked, answer: dict[str, Any]) -> None:
        """Add an interaction and save the cassette."""
        self.interactions.append(Interaction(asked.title, asked.content, answer, is_played=True))
        said = [{"title": each.title, "request": each.request, "answer": each.answer} for each in self.interactions]
        self.path.parent.mkdir(parents=True, exist_ok=True)
        temporary = self.path.with_name(f"{self.path.name}.new")
        text = json.dumps({"cassette": _VERSION, "interactions": said}, ensure_ascii=False, indent=1)
        temporary.write_text(f"{text}\n", "utf-8")
        temporary.replace(self.path)

    def mismatch(self, asked: Asked) -> str:
        """Note a request that has no answer, and return the sentence about it."""
        why = self._why(asked)
        remedy = "'new_episodes' records it" if self.mode in ("none", "once") else "it cannot be recorded"
        said = f"cassette {self.path.name}, record mode '{self.mode}': {why}; {remedy}"
        self.mismatches.append(said)
        return said

    def _why(self, asked: Asked) -> str:
        same = self._same(asked)
        if same:
            return f"{asked.title} comes more often than it is recorded with these values ({len(same)})"
        named = [each for each in self.interactions if each.title == asked.title]
        if not named:
            have = ", ".join(dict.fromkeys(each.title for each in self.interactions)) or "nothing"
            return f"{asked.title} is not recorded; it has {have}"
        nearest = next((each for each in named if not each.is_played), named[-1])
        found = [*_differences(self._compared(asked.content), self._compared(nearest.request))]
        more = f", and {len(found) - _DIFFERENCES_MAX} more" if len(found) > _DIFFERENCES_MAX else ""
        return f"{asked.title} differs: {', '.join(found[:_DIFFERENCES_MAX])}{more}"

    @property
    def unplayed(self) -> list[str]:
        """The titles of the interactions that were not replayed."""
        return [each.title for each in self.interactions if not each.is_played]


def _load(path: Path) -> list[Interaction]:
    try:
        raw = json.loads(path.read_text("utf-8"))
        if isinstance(version := raw.get("cassette"), int) and version > _VERSION:
            raise FarmError(
                f"{path} is a cassette of format {version}, and this farm reads {_VERSION}; update the farm"
            )
        return [Interaction(each["title"], each["request"], each["answer"]) for each in raw["interactions"]]
    except KeyError as problem:
        raise FarmError(f"{path} is no cassette: it has no {problem}; remove it to record it anew") from None
    except OSError as problem:
        raise FarmError(f"cassette {path} cannot be read: {problem.strerror}") from None
    except (ValueError, TypeError, AttributeError) as problem:
        raise FarmError(f"{path} is no cassette ({problem}); remove it to record it anew") from None


def _differences(sent: Any, recorded: Any, path: str = "") -> Iterator[str]:
    """Yield a phrase for each value that differs, with its dotted path."""
    if isinstance(sent, Mapping) and isinstance(recorded, Mapping):
        for name in dict.fromkeys([*sent, *recorded]):
            inner = f"{path}.{name}" if path else str(name)
            if name not in recorded:
                yield f"{inner} is {_short(sent[name])}, and recorded without it"
            elif name not in sent:
                yield f"{inner} is absent, recorded: {_short(recorded[name])}"
            else:
                yield from _differences(sent[name], recorded[name], inner)
    elif isinstance(sent, list) and isinstance(recorded, list):
        if len(sent) != len(recorded):
            yield f"{path} has {len(sent)} items, recorded: {len(recorded)}"
        for number, pair in enumerate(zip(sent, recorded, strict=False)):
            yield from _differences(*pair, f"{path}[{number}]")
    elif sent != recorded:
        yield f"{path} is {_short(sent)}, recorded: {_short(recorded)}"


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _SHOWN_MAX else f"{text[: _SHOWN_MAX - 1]}…"
