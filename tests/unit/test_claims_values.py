"""The recogniser of typed values: what is read, what is not, and that no text is too much for it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest

from farm.claims.values import Value, fold, read

NOW = datetime(2026, 3, 9, 9, 0, tzinfo=timezone(timedelta(hours=8)))
HERE = Path(__file__).parent


def lines(name: str) -> Iterator[str]:
    """Yield the lines of a table; a comment begins with ``# ``."""
    for line in (HERE / name).read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("# "):
            yield line.replace("\\n", "\n")


EXPRESSIONS = [tuple(line.rsplit(" => ", 1)) for line in lines("claims_values.txt")]
NO_VALUES = list(lines("claims_no_values.txt"))


def written(value: Value) -> str:
    """Return a value as the tables write it."""
    if value.kind in ("date", "clock"):
        options = "|".join(sorted(value.options)).replace("2026-", "")
        return ("~ " if value.part == "to" else "") + value.kind[0].upper() + options
    if value.kind == "id":
        return f"I{value.options[0]}"
    amount = f"{value.unit}{value.number:.12g}" if value.kind == "amount" else f"{value.number:.12g}{value.unit}"
    letter = {"number": "N", "amount": "A", "ordinal": "O"}[value.kind]
    return ("~ " if value.part == "to" else "") + letter + (amount if letter != "O" else f"{value.number:g}")


def values(text: str) -> list[Value]:
    return read(fold(text), NOW)


def sorted_options(row: str) -> str:
    words = (word if word[0] not in "DC" else word[0] + "|".join(sorted(word[1:].split("|"))) for word in row.split())
    return " ".join(words)


@pytest.mark.parametrize(("text", "wanted"), EXPRESSIONS, ids=[text for text, _ in EXPRESSIONS])
def test_an_expression_is_read_as_what_it_means_and_as_nothing_else(text: str, wanted: str) -> None:
    read_as = " ".join(written(value) for value in values(text))

    assert read_as == sorted_options(wanted)


@pytest.mark.parametrize("text", NO_VALUES)
def test_nothing_is_read_in_what_is_no_value(text: str) -> None:
    assert [value for value in values(text) if value.kind != "id"] == []


def test_the_tables_are_as_long_as_agreed_and_say_nothing_twice() -> None:
    texts = [text for text, _ in EXPRESSIONS]

    assert len(texts) >= 500
    assert len(NO_VALUES) >= 110
    assert len(set(texts)) == len(texts)
    assert len(set(NO_VALUES)) == len(NO_VALUES)
