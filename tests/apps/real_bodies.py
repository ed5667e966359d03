"""Bodies of a real service beside ours: members, types, nesting, the form of values, and order where it was kept.

``tests/apps/<app>/bodies/<tool>.json``, or ``<tool>.<case>.json``, holds one success body of the real service:

- ``tool``, ``source`` (where it stands) and ``body``, what the server shows.
- ``kind``: ``recorded`` from the live service, names and ids of people replaced by others of the same form; or
  ``documented``, the vendor's example, which fills every optional member at once, so that ours may lack any of them,
  though a list of objects that both have must not be empty in ours.
- ``is_partial``, when true: who wrote the recording down left members out, so ours may have more than it shows.
- ``is_ordered``, when true: the recording kept the order in which the service sent its members.
- ``differences``: what is meant to differ, ``<sign> <path>`` → why. The signs are those of ``differences``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

# What a text must look like on both sides once the real one looks like it; the first that fits counts.
_FORMS = {
    "uuid": r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}",
    "date and time": r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}([+-]\d{2}:\d{2}|Z)",
    "date": r"\d{4}-\d{2}-\d{2}",
    "milliseconds": r"1\d{12}",
    "seconds": r"1\d{9}",
    "digits": r"\d+",
    "address": r"https?://\S+",
}


@dataclass(frozen=True)
class RealBodies:
    """The real bodies of one app.

    Attributes:
        folder: where they are.
        forms: what the app's own ids and times look like, name → pattern; a group ``prefix`` tells kinds apart.
    """

    folder: Path
    forms: Mapping[str, str]

    def load(self, name: str) -> dict[str, Any]:
        """Return the real body of this name, with what is said of it."""
        sample: dict[str, Any] = json.loads((self.folder / f"{name}.json").read_text("utf-8"))
        assert sample["kind"] in ("recorded", "documented"), name
        return sample

    def names(self, prefix: str = "") -> list[str]:
        """Return the names of all real bodies, or of those that begin so."""
        return sorted(path.stem for path in self.folder.glob(f"{prefix}*.json"))

    def differences(self, sample: dict[str, Any], ours: Any) -> set[str]:
        """Return how ours differs from a real body.

        ``- path`` is only in the real one, ``+ path`` only in ours, ``~ path`` is of another type or, in a recording,
        of another form; ``< path`` is an object whose members come in another order. Items of a list share one path.
        """
        real, mine = _values(sample["body"]), _values(ours)
        recorded = sample["kind"] == "recorded"
        lacking = [path for path in real.keys() - mine.keys() if _parent(path) in mine]
        found = {f"- {path}" for path in lacking if recorded or _is_item(path, real)}
        if not sample.get("is_partial"):
            found |= {f"+ {path}" for path in mine.keys() - real.keys() if _parent(path) in real}
        for path in real.keys() & mine.keys():
            expected, got = ({_type(value) for value in values[path]} for values in (real, mine))
            if not got <= expected or (recorded and not self._fit(real[path], mine[path])):
                found.add(f"~ {path}")
        if sample.get("is_ordered"):
            found |= {f"< {path}" for path in real.keys() & mine.keys() if not _same_order(real[path], mine[path])}
        return found

    def _fit(self, real: list[Any], ours: list[Any]) -> bool:
        """Return whether our texts have the forms of the real ones; an empty text fits all, and free text takes all."""
        forms = {self._form(value) for value in real if isinstance(value, str) and value}
        return (
            not forms
            or "" in forms
            or {self._form(value) for value in ours if isinstance(value, str) and value} <= forms
        )

    def _form(self, text: str) -> str:
        for form, pattern in {**self.forms, **_FORMS}.items():
            if match := re.fullmatch(pattern, text, re.ASCII):
                return match.groupdict().get("prefix") or form
        return ""


def _values(body: Any) -> dict[str, list[Any]]:
    """Return, for every path, what stands there."""
    found: dict[str, list[Any]] = {}
    for path, value in _walk(body, ""):
        found.setdefault(path, []).append(value)
    return found


def _walk(value: Any, path: str) -> Iterator[tuple[str, Any]]:
    yield path, value
    if isinstance(value, dict):
        for name, each in value.items():
            yield from _walk(each, f"{path}.{name}" if path else name)
    elif isinstance(value, list):
        for each in value:
            yield from _walk(each, f"{path}[]")


def _parent(path: str) -> str:
    return path.removesuffix("[]") if path.endswith("[]") else path.rpartition(".")[0]


def _is_item(path: str, values: dict[str, list[Any]]) -> bool:
    return path.endswith("[]") and isinstance(values[path][0], dict)


def _type(value: Any) -> str:
    return "number" if isinstance(value, int | float) and not isinstance(value, bool) else type(value).__name__


def _same_order(real: list[Any], ours: list[Any]) -> bool:
    """Return whether the members that ours share with the first real object come in its order."""
    order = next((list(value) for value in real if isinstance(value, dict)), [])
    return all(
        [name for name in value if name in order] == [name for name in order if name in value]
        for value in ours
        if isinstance(value, dict)
    )
