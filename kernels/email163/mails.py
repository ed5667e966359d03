"""Mails: what lies in a mailbox, and how the two libraries that read it, mailparser and node-imap, understand it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, timedelta, timezone

from farm.appkit import Episode, Row
from farm.appkit.formats.mail_sources import mail_bytes
from farm.appkit.formats.times import mail_date

from . import addresses, dates, mime, settings
from .mime import Attachment, Mail

__all__ = [
    "ALL_MAX",
    "NO_SUBJECT",
    "Attachment",
    "Head",
    "Mail",
    "count",
    "first_between",
    "newest",
    "read",
    "read_head",
]

ALL_MAX = 2**32  # uids have 32 bits
NO_SUBJECT = "(无主题)"
_HEADER = re.compile(r"([^:]+):[ \t]?(.+)?")


@dataclass(frozen=True)
class Head:
    """A mail as the list over IMAP shows it: its headers, decoded but otherwise as they are."""

    uid: int
    date: str
    date_ms: int | None
    sender: str
    subject: str


def count(ep: Episode, address: str) -> int:
    """Return how many mails a mailbox's INBOX has; in POP3 that is the newest one's number.

    Only the mails after the last one with a stored number are counted.
    """
    sql = "SELECT uid, number FROM deliveries WHERE address = ? AND number IS NOT NULL ORDER BY uid DESC LIMIT 1"
    last = ep.db.one(sql, address) or {"uid": 0, "number": 0}
    later = ep.db.scalar("SELECT count(*) FROM deliveries WHERE address = ? AND uid > ?", address, last["uid"])
    return int(last["number"] + later)


def newest(ep: Episode, address: str, most: int) -> list[int]:
    """Return the last uids in a mailbox's INBOX, in their order."""
    found = ep.db.all("SELECT uid FROM deliveries WHERE address = ? ORDER BY uid DESC LIMIT ?", address, most)
    return [row["uid"] for row in reversed(found)]


def first_between(ep: Episode, address: str, low: int, high: int) -> int | None:
    """Return the first uid of a range in a mailbox's INBOX."""
    sql = "SELECT uid FROM deliveries WHERE address = ? AND uid >= ? AND uid <= ? ORDER BY uid LIMIT 1"
    found = ep.db.scalar(sql, address, low, high)
    return None if found is None else int(found)


def read(ep: Episode, address: str, uid: int, *, is_ascii: bool = False) -> Mail:
    """Return a mail as mailparser understands it.

    Args:
        is_ascii: it came through the POP3 library, which keeps seven bits of every byte.
    """
    row = _row(ep, address, uid)
    if row["source"] is not None:
        source = mail_bytes(row["source"])
        if is_ascii:
            source = bytes(byte & 0x7F for byte in source)
        return mime.read(source, ep.now_ms, settings.zone(ep))
    subject = row["subject"]
    attached = ep.db.all(
        "SELECT filename, size_bytes FROM attachments WHERE message_key = ? ORDER BY number", row["message_key"]
    )
    return Mail(
        date_ms=_second(row["sent_ms"]),
        sender=_format_header(row["sender"]),
        recipients=_format_header(row["recipients"]),
        cc=_format_header(row["cc"]),
        subject=subject if subject is None or mime.is_sent_encoded(subject) else subject.strip(),
        text=row["text"],
        html=row["html"],
        attachments=tuple(Attachment(each["filename"], each["size_bytes"]) for each in attached),
    )


def read_head(ep: Episode, address: str, uid: int) -> Head:
    """Return a mail's headers as node-imap understands them."""
    row = _row(ep, address, uid)
    if row["source"] is None:
        sent_ms = _second(row["sent_ms"])
        offset = row["zone_minutes"]
        zone = timezone(timedelta(minutes=offset)) if offset else UTC
        date = "" if sent_ms is None else mail_date(sent_ms, zone)
        subject = NO_SUBJECT if row["subject"] is None else row["subject"]
        # Unfolded as it is, with the blank that the line began with.
        subject = f" {subject}" if mime.begins_folded(subject) else subject
        return Head(uid, date, sent_ms, row["sender"], subject)
    # The server reads the bytes as UTF-8 before node-imap sees them.
    found = _headers(mail_bytes(row["source"]).decode("utf-8", "replace"))
    date = found.get("date", "")
    return Head(
        uid, date, dates.read_date(date, settings.zone(ep)), found.get("from", ""), found.get("subject", NO_SUBJECT)
    )


def _row(ep: Episode, address: str, uid: int) -> Row:
    row = ep.db.one(
        """
        SELECT m.* FROM deliveries d JOIN messages m ON m.message_key = d.message_key
        WHERE d.address = ? AND d.uid = ? ORDER BY d.uid
        """,
        address,
        uid,
    )
    assert row is not None, f"{address} has no mail {uid}"
    return row


def _second(at_ms: int | None) -> int | None:
    """Return a time as a Date header keeps it."""
    return None if at_ms is None else at_ms // 1000 * 1000


def _format_header(header: str | None) -> str | None:
    return None if header is None else addresses.format_addresses(addresses.parse(header))


def _headers(source: str) -> dict[str, str]:
    """Return the first header of each name; folded lines are joined as they are."""
    found: dict[str, list[str]] = {}
    name, before = "", ""
    for line in source.split("\r\n"):
        if not line:
            break
        if line[0] in " \t":
            if name in found:
                is_between_words = mime.ENDS_IN_WORD.search(before) and mime.BEGINS_WITH_WORD.match(line)
                found[name][-1] += line[1:] if is_between_words else line
        else:
            header = _HEADER.fullmatch(line)
            if header is None:
                break
            name = header[1].lower().strip()
            if header[2]:
                found.setdefault(name, []).append(header[2])
            else:
                found[name] = [""]
        before = line
    return {name: mime.decode_words(values[0]) for name, values in found.items()}
