"""Which column of which row tells which fact, from rows that were generated with marks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from farm.appkit.world_spec.facts import plain, told_in
from farm.appkit.world_spec.facts.trace import NOISE
from farm.benchmark.audit.attacks.script import leaves
from farm.world.generate import rows_of, scheduled_rows_of
from farm.world.spec import Spec


@dataclass(frozen=True)
class Telling:
    """A part of a generated row that tells a fact.

    Attributes:
        app: the app.
        table: the row's table.
        row: the row's number among the app's generated rows, from 0; -1 for a scheduled row.
        column: the column.
        fact: the fact's key.
        version: the key of the told former or wrong value; empty for the present one.
        text: the value as it is written.
        whole: the text that it is a part of, without marks: the column's, or one text inside of a column with JSON.
        start: where the value begins in it.
    """

    app: str
    table: str
    row: int
    column: str
    fact: str
    version: str
    text: str
    whole: str
    start: int


def tellings(world: str) -> Iterator[Telling]:
    """Yield everything that a world's rows tell, app by app; typed columns such as times carry no mark.

    Raises:
        WorldError: the world cannot be generated.
    """
    spec = Spec.load(world, traced=True)
    for app, rows in rows_of(spec).items():
        scheduled = [each.row for each in scheduled_rows_of(spec.app(app))]
        for number, row in [*enumerate(rows), *((-1, each) for each in scheduled)]:
            for column, value in row.items():
                for text in shown_texts(value):
                    yield from _of_text(text, app, row["table"], number, column)


def shown_texts(value: Any) -> Iterator[str]:
    """Yield a column's text; of one with JSON, the texts inside, as these are what is shown."""
    return (text for _, text in leaves(value) if isinstance(text, str))


def _of_text(text: str, app: str, table: str, number: int, column: str) -> Iterator[Telling]:
    for told in told_in(text):
        if told.fact != NOISE:
            yield Telling(app, table, number, column, told.fact, told.version, told.text, plain(text), told.start)
