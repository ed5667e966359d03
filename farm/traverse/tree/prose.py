"""Parse answers in prose: labelled lines, sections headed by requested values, listings, tables.

A label counts if the server repeats it: in two answers of the tool, or twice in one. Users' texts stand between the
server's own words and may also contain colons.
"""

from __future__ import annotations

import ast
import csv
import json
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from typing import Any

# Decoration of a label: bullets, emoji, hashes, indentation.
_LABELLED = re.compile(
    r"^(?P<indent>\s*)[^\w\s\"'<\[{(]*\s*(?P<label>[^\W\d][^:：=()（）\[\]{}<>\"\n]{0,39}?)\s*[:：](?:\s+|$)(?P<value>.*)$"
)
_IN_BRACKETS = re.compile(r"[(（](?P<label>[^\W\d]\w{0,19})\s*[:：]\s*(?P<value>[^()（）,，]+)[)）]")
_RULE = re.compile(r"^\s*([─—\-=_*])\1{2,}\s*$")
_ITEM = re.compile(r"^\s*(?:(?P<index>\d+)[.)]|[-*•])\s+(?P<text>.+)$")
_DETAIL = re.compile(r"^(?P<name>.+?)\s+[(（](?P<detail>[^()（）]+)[)）]$")
_TAGGED = re.compile(r"^\[(?P<tag>[A-Z]+)\] (?P<name>.+)$")
# A section for a requested value that failed.
_FAILED = re.compile(r"^\s*Error\b[^\n]*\n*(---+\s*)?$")
_HEADED = re.compile(r"^[^\w\s]+\s+(?P<title>\S.*)$")


def labels_of(texts: Iterable[str]) -> frozenset[str]:
    """Return the labels that a tool's answers repeat."""
    answers: Counter[str] = Counter()
    most: Counter[str] = Counter()
    for text in set(texts):
        found = Counter(match["label"] for line in text.splitlines() if (match := _LABELLED.match(line)))
        found.update(match["label"] for match in _IN_BRACKETS.finditer(_first_line(text)))
        answers.update(found.keys())
        most |= found
    return frozenset(label for label in answers if answers[label] > 1 or most[label] > 1)


def read_text(text: str, labels: Collection[str], asked: Mapping[str, Any]) -> Any:
    """Parse a text: return a JSON value, or the text itself if it has no known form.

    Args:
        labels: the labels of the tool's answers.
        asked: the arguments of the call.
    """
    stripped = text.strip()
    if stripped[:1] in ("[", "{", '"'):
        try:
            return json.loads(stripped)
        except ValueError:
            pass
        if stripped[:1] != '"' and (literal := _literal(stripped)) is not None:
            return literal
    for reader in (_tagged, _table):
        if (rows := reader(stripped)) is not None:
            return rows
    if (sections := _sections(text, asked)) is not None:
        return sections
    return _labelled(text, labels) if labels else text


def _first_line(text: str) -> str:
    return text.lstrip().partition("\n")[0]


def _literal(text: str) -> Any:
    """Return the value of a Python literal that a server printed, as ``[{'name': 'x'}]``."""
    try:
        value = ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return None
    return value if isinstance(value, list | dict) else None


def _tagged(text: str) -> list[dict[str, str]] | None:
    matches = [_TAGGED.match(line) for line in text.splitlines()]
    return [dict(each.groupdict()) for each in matches if each] if matches and all(matches) else None


def _table(text: str) -> list[dict[str, str]] | None:
    lines = text.splitlines()
    if len(lines) >= 3 and lines[0].startswith("|") and re.fullmatch(r"[|\s:\-]+", lines[1]):
        split = [
            [cell.strip() for cell in line.strip().strip("|").split("|")] for line in lines if line.startswith("|")
        ]
        return [dict(zip(split[0], cells, strict=False)) for cells in split[2:]]
    if len(lines) >= 2 and re.fullmatch(r"\w+(,\w+){2,}", lines[0]):
        return [dict(row) for row in csv.DictReader(lines) if None not in row and None not in row.values()]
    return None


def _sections(text: str, asked: Mapping[str, Any]) -> list[dict[str, str]] | None:
    """Return a text's sections that are headed by the values of a list argument, such as several files read at once."""
    for name, values in asked.items():
        if not isinstance(values, list) or not values or not all(isinstance(each, str) and each for each in values):
            continue
        heads: list[tuple[int, int, str]] = []
        for value in values:
            if match := _head(text, value, heads[-1][1] if heads else 0):
                heads.append((match.start(), match.end(), value))
        if not heads or heads[0][0] != 0:
            continue
        ends = [start for start, _, _ in heads[1:]] + [len(text)]
        # A value that was requested twice is one section.
        parts = {value: text[end:stop] for (_, end, value), stop in zip(heads, ends, strict=True)}
        return [
            {_singular(name): value, "content": re.sub(r"\n\n?(---+\n*)?\Z", "", part).lstrip("\n")}
            for value, part in parts.items()
            if not _FAILED.match(part)
        ]
    return None


def _head(text: str, value: str, start: int) -> re.Match[str] | None:
    return re.compile(rf"^#*\s*{re.escape(value)}:?$", re.MULTILINE).search(text, start)


def _singular(name: str) -> str:
    return name[:-1] if name.endswith("s") and not name.endswith("ss") else name


def _labelled(text: str, labels: Collection[str]) -> Any:
    """Return the records of labelled lines: one if no label repeats, else a list."""
    records: list[dict[str, Any]] = [{}]
    title: str | None = None
    open_label: str | None = None
    held: list[str] = []

    def close() -> None:
        nonlocal open_label
        if open_label is not None:
            records[-1][open_label] = _block(held)
        open_label = None
        held.clear()

    for number, line in enumerate(text.splitlines()):
        match = _LABELLED.match(line)
        if match is None or match["label"] not in labels:
            if open_label is not None:
                held.append(line)
            elif number == 0:
                title = None
                records[-1].update({each["label"]: each["value"] for each in _IN_BRACKETS.finditer(line)})
            elif (headed := _HEADED.match(line)) and not _RULE.match(line):
                title = headed["title"]
            continue
        close()
        label = match["label"]
        if label in records[-1]:
            records.append({})
        if title is not None:
            if any(each in labels for each in records[-1]):
                records.append({})
            records[-1]["title"], title = title, None
        if match["value"]:
            records[-1][label] = match["value"].strip()
        else:
            open_label = label
    close()
    found = [each for each in records if each]
    if not found:
        return text
    return found[0] if len(found) == 1 else found


def _block(lines: list[str]) -> Any:
    """Return the lines below a label: a list if all are items, else their text."""
    filled = [line for line in lines if line.strip() and not _RULE.match(line)]
    items = [_ITEM.match(line) for line in filled]
    if items and all(items):
        return [_item(at, each) for at, each in enumerate(items, 1) if each]
    return "\n".join(lines).strip("\n")


def _item(at: int, match: re.Match[str]) -> dict[str, Any]:
    detail = _DETAIL.match(match["text"])
    found: dict[str, Any] = {"index": int(match["index"] or at)}
    return found | (detail.groupdict() if detail else {"name": match["text"]})
