"""A mailbox: its messages with their labels, what a search reads of them, and new ids."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from datetime import timedelta, timezone

from farm.appkit import Episode, Row, parse_json
from farm.appkit.formats.html import html_to_text
from farm.appkit.formats.times import local

from . import errors
from .search import Asker, Mail, compile_query, hyphened

# As an account that is new has them, in the order of Gmail's list.
SYSTEM_LABELS = (
    "CHAT", "SENT", "INBOX", "IMPORTANT", "TRASH", "DRAFT", "SPAM", "CATEGORY_FORUMS", "CATEGORY_UPDATES",
    "CATEGORY_PERSONAL", "CATEGORY_PROMOTIONS", "CATEGORY_SOCIAL", "STARRED", "UNREAD",
)  # fmt: skip
# What a message is and stays.
FIXED_LABELS = frozenset({"SENT", "DRAFT", "CHAT"})
_OF_KIND = {"received": (), "sent": ("SENT",), "draft": ("DRAFT",)}
_ID = re.compile(r"[0-9a-fA-F]{1,16}")
# Labels and file names hang on a message as JSON.
_MESSAGES = """
SELECT m.*, (SELECT json_group_array(label_id) FROM message_labels l WHERE l.message_id = m.message_id) AS labels,
       (SELECT json_group_array(filename) FROM (SELECT filename FROM attachments a WHERE a.message_id = m.message_id
                                                ORDER BY position, attachment_id)) AS filenames
FROM messages m WHERE account_id = :me AND (internal_ms, message_id) < (:before_ms, :before_id)
ORDER BY internal_ms DESC, message_id DESC LIMIT :limit
"""
_AFTER_ALL = {"internal_ms": 2**63 - 1, "message_id": "g"}
_CHUNK_MAX = 1600
_LOW_BITS = 20


def account(ep: Episode) -> Row:
    """Return whose mailbox it is.

    Raises:
        NoCredentials: nobody's; the server was never let in.
    """
    found = ep.db.one("SELECT * FROM accounts WHERE account_id = ?", ep.me)
    if found is None:
        raise errors.NoCredentials
    return found


def folder(ep: Episode) -> str:
    """Return the folder that the server was started in."""
    return str(ep.db.scalar("SELECT folder FROM accounts WHERE account_id = ?", ep.me) or "/")


def read_id(message_id: str) -> str:
    """Return a message's id as it is stored.

    Raises:
        InvalidId: it is no hexadecimal number of 64 bits.
    """
    if not _ID.fullmatch(message_id):
        raise errors.InvalidId
    return f"{int(message_id, 16):016x}"


def require_message(ep: Episode, message_id: str) -> Row:
    """Return one of the caller's messages.

    Raises:
        InvalidId: the id has not the form of one.
        NotFound: no message of the mailbox has it.
        NoCredentials: as ``account``.
    """
    account(ep)
    key = read_id(message_id)
    found = ep.db.one("SELECT * FROM messages WHERE message_id = ? AND account_id = ?", key, ep.me)
    if found is None:
        raise errors.NotFound
    return found


def search(ep: Episode, query: str, most: int) -> list[Row]:
    """Return the newest messages that a search finds, newest first."""
    test = compile_query(query, Asker(account(ep)["address"], ep.now_ms))
    named = _named(ep, ep.me)
    found: list[Row] = []
    for rows in _chunks(ep, most):
        found += [
            row for row in rows if test(_mail(row, parse_json(row["labels"]), named, parse_json(row["filenames"])))
        ]
        if len(found) >= most:
            break
    return found[:most]


def _chunks(ep: Episode, size: int) -> Iterator[list[Row]]:
    """Yield the mailbox's messages, newest first: first this many, then each time as many as were read."""
    last: Row = _AFTER_ALL
    read = 0
    while rows := ep.db.all(
        _MESSAGES, me=ep.me, before_ms=last["internal_ms"], before_id=last["message_id"], limit=size
    ):
        yield rows
        if len(rows) < size:
            break
        last, read = rows[-1], read + len(rows)
        size = min(read, _CHUNK_MAX)


def finds(ep: Episode, receiver: Row, query: str, row: Row, labels: set[str], filenames: list[str]) -> bool:
    """Return whether an account's search would find a message that is on its way in."""
    test = compile_query(query, Asker(receiver["address"], ep.now_ms))
    return test(_mail(row, labels, _named(ep, receiver["account_id"]), filenames))


def _named(ep: Episode, account_id: str) -> dict[str, str]:
    rows = ep.db.all("SELECT label_id, name FROM labels WHERE account_id = ? ORDER BY label_id", account_id)
    return {row["label_id"]: hyphened(row["name"]) for row in rows}


def _mail(row: Row, bore: Collection[str], named: dict[str, str], filenames: list[str]) -> Mail:
    body = row["body_text"]
    if not body and row["body_html"]:
        body = html_to_text(row["body_html"], shows_links=False)
    return Mail(
        internal_ms=row["internal_ms"],
        size_bytes=row["size_bytes"],
        subject=row["subject"],
        body=body or "",
        people={"from": row["sender"], "to": row["recipients"], "cc": row["cc"], "bcc": row["bcc"]},
        labels=frozenset((*bore, *_OF_KIND[row["kind"]])),
        names=frozenset(named[label] for label in bore if label in named),
        filenames=filenames,
        message_id=row["header_message_id"],
        list_id=row["list_id"],
    )


def date_header(row: Row) -> str:
    """Return a message's header Date."""
    when = local(row["internal_ms"], timezone(timedelta(minutes=row["utc_offset_minutes"])))
    return f"{when:%a}, {when.day} {when:%b} {when.year:04} {when:%H:%M:%S %z}"


def new_message_id(ep: Episode) -> str:
    """Return the id of a message that comes now: the millisecond, and bits that grow within it, so that ids sort.

    What was deleted leaves its id to nobody.
    """
    first = ep.now_ms << _LOW_BITS
    newest = "SELECT max(message_id) FROM messages WHERE message_id >= ? AND message_id < ?"
    last = ep.db.scalar(newest, f"{first:016x}", f"{first + (1 << _LOW_BITS):016x}")
    before = first + ep.hash("message", ep.writes) % (1 << _LOW_BITS - 2) if last is None else int(last, 16)
    return f"{before + 1 + ep.hash('message', before, ep.writes) % 1000:016x}"


def second_ms(ep: Episode) -> int:
    """Return the beginning of this second: Gmail's dates know no smaller part."""
    return ep.now_ms // 1000 * 1000
