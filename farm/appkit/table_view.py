"""How a page shows a table: the ``view`` that its schema declares.

``farm open`` draws an app from the roles of its columns and from these views alone, so a new app has its page without
code. ``farm.appkit.view_model`` derives from them what a page needs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, get_args

from farm.errors import FarmError

Kind = Literal[
    "people",
    "container",
    "chat",
    "mail",
    "calendar",
    "feed",
    "comments",
    "tree",
    "text",
    "grid",
    "cells",
    "list",
    "series",
    "answers",
    "part",
    "read_mark",
    "hidden",
]

KINDS: Mapping[Kind, str] = {
    "people": "accounts; elsewhere their names stand for their ids",
    "container": "rows that other rows open in: channels, chats, labels, calendars",
    "chat": "messages of a container by time, with threads",
    "mail": "messages with subject and recipients, in three panes",
    "calendar": "a week's events",
    "feed": "posts, the newest first",
    "comments": "answers below a post, a page or a document, nested",
    "tree": "pages or files below one another",
    "text": "the text of a row of a tree",
    "grid": "rows and columns; with ``columns_of``, the columns are rows of another table",
    "cells": "one value of a grid a row: its owner is the row, ``columns_of`` the column",
    "list": "one line a row",
    "series": "numbers over time, as a line",
    "answers": "questions and their answers",
    "part": "shown only beside the row that owns it",
    "read_mark": "how far its owner has read",
    "hidden": "not shown; ``why`` says why not",
}


@dataclass(frozen=True)
class View:
    """How a page shows one table. Columns that are not named here are found by their roles.

    Attributes:
        kind: one of ``KINDS``.
        title: the column that names a row.
        body: the column of a row's text.
        author: the column of who made a row.
        when: the column of a row's time; ``until``: of its end.
        within: the column that names the row in which this one opens.
        thread: the column that names the first message of a row's thread, or the row that it answers.
        parent: the column that names the row above, in a tree.
        unread: the column that is true for an unread row.
        value: the column of a series' number.
        columns_of: the table whose rows are the columns of a grid.
        of: the table that a mark of what was read belongs to.
        one: what a row is called, if not the table's name without its s; ``many``: what rows are called.
        why: why the table is hidden.
    """

    kind: Kind
    title: str | None = None
    body: str | None = None
    author: str | None = None
    when: str | None = None
    until: str | None = None
    within: str | None = None
    thread: str | None = None
    parent: str | None = None
    unread: str | None = None
    value: str | None = None
    columns_of: str | None = None
    of: str | None = None
    one: str | None = None
    many: str | None = None
    why: str = field(default="", repr=False)

    def __post_init__(self) -> None:
        """Raise FarmError for an unknown kind, or a hidden table without a reason."""
        if self.kind not in get_args(Kind):
            raise FarmError(f"view '{self.kind}' is none of {', '.join(KINDS)}")
        if self.kind == "hidden" and not self.why:
            raise FarmError("a hidden table needs the reason why no page shows it: hidden('…')")


def hidden(why: str) -> View:
    """Return the view of a table that no page shows, with the reason."""
    return View("hidden", why=why)
