"""Who asks, and what that integration can see: what was shared with it, and all below."""

from __future__ import annotations

from typing import Any

from farm.appkit import Episode, Row

from . import errors
from .json_columns import load, plain_text
from .request_validation import path_id

# How a row says what stands above it → the table of that.
_TABLES = {"page_id": "pages", "block_id": "blocks", "database_id": "databases", "data_source_id": "data_sources"}


def integration(ep: Episode) -> Row:
    """Return the bot that acts: the one of the workspace that the caller belongs to.

    Raises:
        Unauthorized: the caller has no workspace, or nobody has made an integration there.
    """
    bot = ep.db.one(
        "SELECT bots.* FROM users bots JOIN users us ON us.workspace_id = bots.workspace_id"
        " WHERE us.id = ? AND bots.is_self = 1 ORDER BY bots.id LIMIT 1",
        ep.me,
    )
    if bot is None:
        raise errors.Unauthorized
    return bot


class Access:
    """What one integration reaches, for the time of a call: what it has looked up once it knows."""

    def __init__(self, ep: Episode) -> None:
        self.ep = ep
        self.bot = integration(ep)
        self._above: dict[tuple[str, str], tuple[bool, bool]] = {}
        self._parents: dict[tuple[str, str], Row | None] = {}

    def is_seen(self, row: Row) -> bool:
        """Whether something, or what it stands on, was shared with the integration."""
        return self._look(row)[0]

    def is_gone(self, row: Row) -> bool:
        """Whether something lies in the trash, itself or with what it stands on."""
        return self._look(row)[1]

    def is_below_trash(self, row: Row) -> bool:
        """Whether what something stands on lies in the trash."""
        above = self.parent(row)
        return above is not None and self._look(above)[1]

    def _look(self, row: Row) -> tuple[bool, bool]:
        key = (str(row.get("parent_type")), row["id"])
        if key not in self._above:
            above = self.parent(row)
            is_seen, is_gone = (False, False) if above is None else self._look(above)
            of_us = row.get("workspace_id", self.bot["workspace_id"]) == self.bot["workspace_id"]
            is_seen = of_us and (is_seen or bool(row.get("is_shared")))
            self._above[key] = (is_seen, is_gone or bool(row.get("in_trash")))
        return self._above[key]

    def parent(self, row: Row) -> Row | None:
        """Return what something stands on; None for a workspace."""
        if "database_id" in row:
            key = ("databases", row["database_id"])
        elif row["parent_type"] == "workspace":
            return None
        else:
            key = (_TABLES[row["parent_type"]], row["parent_id"])
        if key not in self._parents:
            self._parents[key] = self._row(*key)
        return self._parents[key]

    def _row(self, table: str, key: str) -> Row | None:
        return self.ep.db.one(f"SELECT * FROM {table} WHERE id = ?", key)

    def find(self, table: str, key: str) -> Row | None:
        """Return a row that is seen, in the trash or not."""
        row = self._row(table, key)
        return row if row is not None and self.is_seen(row) else None

    def require(self, kind: str, key: str) -> Row:
        """Return a page, database, data source or block that is seen, in the trash or not."""
        row = self.find(f"{kind}s", key)
        if row is None:
            raise self.missing(kind, key)
        return row

    def missing(self, kind: str, key: str) -> errors.ObjectNotFound:
        """Return the refusal of an id that nothing seen has."""
        return errors.ObjectNotFound(kind=kind, id=key, integration=self.bot["name"])

    def require_page(self, given: Any) -> Row:
        """Return a page by the id in an address."""
        page_id = path_id("page_id", given)
        page = self.find("pages", page_id)
        if page is not None:
            return page
        if self.find("databases", page_id) is not None:
            raise errors.Invalid(
                f"Provided ID {page_id} is a database, not a page. Use the retrieve database API instead."
            )
        if self.find("blocks", page_id) is not None:
            raise errors.Invalid(f"Provided ID {page_id} is a block, not a page. Use the retrieve block API instead.")
        raise self.missing("page", page_id)

    def require_database(self, given: Any, *after: str) -> Row:
        """Return a database by the id in an address, and what comes after it there."""
        database_id = path_id("database_id", given, *after)
        found = self.find("databases", database_id)
        if found is not None:
            return found
        if self.find("pages", database_id) is not None:
            raise errors.Invalid(
                f"Provided database_id {database_id} is a page, not a database. Use the retrieve page API instead."
            )
        raise self.missing("database", database_id)

    def require_source(self, given: Any, *after: str) -> Row:
        """Return a data source by the id in an address, and what comes after it there."""
        return self.require("data_source", path_id("data_source_id", given, *after))

    def require_block(self, block_id: str) -> tuple[str, Row]:
        """Return what a block's id stands for, with its table: a block, a page or a database."""
        for table in ("blocks", "pages", "databases"):
            row = self.find(table, block_id)
            if row is not None:
                return table, row
        raise self.missing("block", block_id)

    def require_editable(self, row: Row) -> None:
        """Refuse what lies in the trash, or stands on something that does."""
        if row.get("in_trash"):
            raise errors.InTrash
        if self.is_below_trash(row):
            raise errors.AncestorInTrash

    def touch(self, table: str, row: Row) -> None:
        """Say that the integration edited a row now, and the page that it stands on."""
        edited = {"edited_ms": self.ep.now_ms, "edited_by": self.bot["id"]}
        if table == "databases":
            del edited["edited_by"]  # databases do not say by whom
        self.ep.db.update(table, {"id": row["id"]}, **edited)
        if table == "blocks":
            self.ep.db.update("pages", {"id": row["page_id"]}, edited_ms=self.ep.now_ms, edited_by=self.bot["id"])


def title_of(row: Row) -> str:
    """Return the words of a page's, database's or data source's title."""
    return plain_text(load(row["title"]))
