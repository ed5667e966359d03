"""A rule: whose eyes a text is for."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Rule:
    """Rows of one table whose text only some account holders may read.

    Attributes:
        table: the table; its row is ``r`` in the two expressions.
        column: a text that tools show: plain, or JSON that holds it.
        readers: a SELECT of the keys of the accounts that may read it.
        where: which rows are private.
    """

    table: str
    column: str
    readers: str
    where: str = "1"
