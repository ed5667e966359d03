"""Mail that arrives: in whose mailboxes, as what copy, and in which thread there."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from farm.appkit import Episode, Row
from farm.appkit.formats.addresses import read_entries

from . import mailboxes

# What mail programs put before the subject of what they answer or pass on.
_ANSWERING = re.compile(r"\A(?:\s*(?:re|fwd?|aw|wg|sv|tr|rv|回复|答复|转发)(?:\[\d+\])?\s*[:：])+", re.IGNORECASE)
_WITHOUT_DOTS = ("gmail.com", "googlemail.com")
_WEEK_MS = 7 * 86_400_000


def receivers(ep: Episode, addresses: Collection[str]) -> list[Row]:
    """Return the accounts that a mail to some addresses reaches.

    Source: https://support.google.com/mail/answer/7436150 (dots), https://support.google.com/mail/answer/22370 (plus)
    """
    wanted = {_normalized(each) for each in addresses}
    accounts = ep.db.all("SELECT * FROM accounts ORDER BY account_id")
    return [each for each in accounts if _normalized(each["address"]) in wanted]


def _normalized(address: str) -> str:
    """Return an address as Gmail compares it: without ``+…``, and at gmail.com without dots."""
    local, _, domain = address.lower().rpartition("@")
    local = local.partition("+")[0]
    return f"{local.replace('.', '') if domain in _WITHOUT_DOTS else local}@{domain}"


def copy_for(ep: Episode, receiver: Row, sent: Row) -> Row:
    """Return a receiver's copy of a sent message: with an id and a thread of his mailbox, and without hidden others."""
    message_id = mailboxes.new_message_id(ep)
    own = {"message_id": message_id, "account_id": receiver["account_id"], "kind": "received"}
    thread = _find_thread(ep, receiver["account_id"], sent)
    return {**sent, **own, "thread_id": thread or message_id, "bcc": _seen_bcc(receiver, sent["bcc"])}


def _seen_bcc(receiver: Row, bcc: str) -> str:
    """Return who of the hidden receivers a receiver sees: himself."""
    own = _normalized(receiver["address"])
    return ", ".join(said for said, each in read_entries(bcc) if each is not None and _normalized(each.address) == own)


def _find_thread(ep: Episode, account_id: str, sent: Row) -> str | None:
    """Return the receiver's thread that a mail joins.

    It joins where its subject is the same, but for ``Re:`` and its like, and it answers a message there. Without a
    message that it answers, ``Re:`` and a message of the last week from or to its sender are enough.

    Source: https://support.google.com/mail/answer/5900 and
    https://developers.google.com/workspace/gmail/api/guides/threads
    """
    subject = bare_subject(sent["subject"])
    answered = sent["in_reply_to"].split()
    if answered:
        marks = ", ".join("?" * len(answered))
        sql = f"SELECT * FROM messages WHERE account_id = ? AND header_message_id IN ({marks}) ORDER BY message_id"
        found = _with_subject(ep.db.all(sql, account_id, *answered), subject)
        if found is not None:
            return found
    if subject == " ".join(sent["subject"].lower().split()):
        return None  # no answer: a conversation of its own
    sql = """
    SELECT * FROM messages WHERE account_id = ? AND internal_ms >= ? AND kind <> 'draft'
    ORDER BY internal_ms DESC, message_id DESC
    """
    recent = ep.db.all(sql, account_id, sent["internal_ms"] - _WEEK_MS)
    sender = _addresses(sent["sender"])
    return _with_subject([each for each in recent if sender & _people(each)], subject)


def _with_subject(rows: Sequence[Row], subject: str) -> str | None:
    return next((str(row["thread_id"]) for row in rows if bare_subject(row["subject"]) == subject), None)


def _people(row: Row) -> set[str]:
    return _addresses(", ".join((row["sender"], row["recipients"], row["cc"])))


def _addresses(header: str) -> set[str]:
    return {_normalized(each.address) for _, each in read_entries(header) if each is not None}


def bare_subject(subject: str) -> str:
    """Return a subject as it is compared: without what answers put before it, in lower case."""
    return " ".join(_ANSWERING.sub("", subject).lower().split())
