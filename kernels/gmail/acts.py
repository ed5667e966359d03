"""What people do in Gmail, and whom a mail is for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from farm.appkit import Episode, Row
from farm.appkit.acts import Acts, Surroundings
from farm.appkit.formats.addresses import read_entries

from . import arriving, errors, outgoing


def _addresses(ep: Episode, given: str) -> list[str]:
    """Return addresses for what a rule names: addresses or accounts, with commas between them."""
    found = []
    for each in given.split(","):
        name = each.strip()
        found.append(ep.db.scalar("SELECT address FROM accounts WHERE account_id = ?", name) or name)
    return found


def mail(ep: Episode, row: Row, *, to: str, subject: str, text: str) -> None:
    """Write to addresses or accounts, with commas between them."""
    written = outgoing.write(ep, {"to": _addresses(ep, to), "subject": subject, "body": text})
    outgoing.keep_sent(ep, written, None)


def reply(ep: Episode, row: Row, *, text: str) -> None:
    """Answer a mail to whoever has sent it, in its thread."""
    sender = next((entry.address for _, entry in read_entries(row["sender"]) if entry is not None), None)
    if sender is None:
        raise errors.RecipientRequired
    subject = row["subject"] if row["subject"].lower().startswith("re:") else f"Re: {row['subject']}"
    sql = "SELECT thread_id FROM messages WHERE account_id = ? AND header_message_id = ? ORDER BY message_id LIMIT 1"
    thread = ep.db.scalar(sql, ep.me, row["header_message_id"])
    answered = {"inReplyTo": row["header_message_id"]} if row["header_message_id"] else {}
    written = outgoing.write(ep, {"to": [sender], "subject": subject, "body": text, **answered})  # type: ignore[typeddict-item]
    outgoing.keep_sent(ep, written, thread)


def _around_message(ep: Episode, row: Row) -> Mapping[str, Any]:
    headers = ", ".join(row[name] for name in ("recipients", "cc", "bcc") if row[name])
    named = [entry.address for _, entry in read_entries(headers) if entry is not None]
    accounts = [str(each["account_id"]) for each in arriving.receivers(ep, named)]
    return {"to": list(dict.fromkeys([*accounts, *named]))}


ACTS = Acts(
    verbs={"reply": reply, "mail": mail},
    around={"messages": Surroundings(("to",), _around_message)},
)
