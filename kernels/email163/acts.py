"""What people do in 163 Mail, and whom a mail is for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from farm.appkit import Episode, Row
from farm.appkit.acts import Acts, Surroundings

from . import addresses, errors, sending


def mail(ep: Episode, row: Row, *, to: str, subject: str, text: str, cc: str = "") -> None:
    """Write to addresses, with commas between them."""
    name = ep.db.scalar("SELECT name FROM accounts WHERE address = ?", ep.me)
    sent_to, copied_to = addresses.parse(to), addresses.parse(cc)
    receivers = sending.require_receivers(ep, addresses.mailboxes([*sent_to, *copied_to]), ep.me)
    message_id = f"<{ep.new_id('message')}@{ep.me.rpartition('@')[2]}>"
    message = {
        "message_id": message_id,
        "sender": addresses.header([addresses.Address(name or "", ep.me)]),
        "recipients": addresses.header(sent_to) or None,
        "cc": addresses.header(copied_to) or None,
        "bcc": None,
        "subject": subject,
        "text": text,
        "html": None,
    }
    sending.deliver(ep, message_id[1:37], message, [], receivers)


def reply(ep: Episode, row: Row, *, text: str) -> None:
    """Answer a mail to whoever has sent it."""
    subject = row["subject"] or ""
    is_answer = subject.lower().startswith(("re:", "回复:", "回复："))
    if not row["sender"]:
        raise errors.Failed("No recipients defined")
    mail(ep, row, to=row["sender"], subject=subject if is_answer else f"Re: {subject}", text=text)


def _around_message(ep: Episode, row: Row) -> Mapping[str, Any]:
    headers = [row[name] for name in ("recipients", "cc", "bcc") if row[name]]
    return {"to": addresses.mailboxes([each for header in headers for each in addresses.parse(header)])}


ACTS = Acts(
    verbs={"reply": reply, "mail": mail},
    around={"messages": Surroundings(("to",), _around_message)},
)
