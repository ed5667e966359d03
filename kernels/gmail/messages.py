"""Messages: reading them, finding them, giving them labels, deleting them, one by one or in batches."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NoReturn

from farm.appkit import Episode, ProtocolError, Result
from farm.appkit.formats.javascript import js_number_text, js_slice

from . import errors, labels, mailboxes

_PAGE_MAX = 500
_HTML_NOTE = "[Note: This email is HTML-formatted. Plain text version not available.]\n\n"
_PLACES = frozenset(("INBOX", "SPAM", "TRASH"))
_BATCH = 50


def read_email(ep: Episode, *, messageId: str) -> Result:
    """Show a message: five headers, its text or else its HTML, and what is attached. It stays unread.

    Raises:
        InvalidId, NotFound: no such message.

    Source: https://developers.google.com/gmail/api/reference/rest/v1/users.messages/get
    """
    row = mailboxes.require_message(ep, messageId)
    head = (
        f"Thread ID: {row['thread_id']}\nSubject: {row['subject']}\nFrom: {row['sender']}\n"
        f"To: {row['recipients']}\nDate: {mailboxes.date_header(row)}\n\n"
    )
    text, html = (_as_sent(row[column]) for column in ("body_text", "body_html"))
    note = _HTML_NOTE if html and not text else ""
    return f"{head}{note}{text or html}{_attached(ep, row['message_id'])}"


def _as_sent(text: str | None) -> str:
    """Return a text with the line ends of mail."""
    return (text or "").replace("\n", "\r\n")


def _attached(ep: Episode, message_id: str) -> str:
    rows = ep.db.all("SELECT * FROM attachments WHERE message_id = ? ORDER BY position, attachment_id", message_id)
    if not rows:
        return ""
    lines = [
        f"- {row['filename']} ({row['mime_type']}, {math.floor(row['size_bytes'] / 1024 + 0.5)} KB, "
        f"ID: {row['attachment_id']})"
        for row in rows
    ]
    return "\n".join((f"\n\nAttachments ({len(rows)}):", *lines))


def search_emails(ep: Episode, *, query: str, maxResults: float = 0) -> Result:
    """List the messages that a search finds, newest first; nothing found is an empty text.

    Args:
        query: ``search.py`` says what it may hold; an empty one finds all but spam and trash.
        maxResults: 0 and no number are 10; Gmail gives no more than 500.

    Raises:
        InvalidMaxResults: below zero, a fraction, or more than 32 bits.

    Source: https://developers.google.com/gmail/api/reference/rest/v1/users.messages/list
    """
    mailboxes.account(ep)
    size = maxResults or 10
    require_max_results(size)
    rows = mailboxes.search(ep, query, min(int(size), _PAGE_MAX))
    return "\n".join(
        f"ID: {row['message_id']}\nSubject: {row['subject']}\nFrom: {row['sender']}\n"
        f"Date: {mailboxes.date_header(row)}\n"
        for row in rows
    )


def require_max_results(size: float) -> None:
    """Refuse a number of results that Gmail cannot read.

    Raises:
        InvalidMaxResults: below zero, a fraction, or more than 32 bits.
    """
    if not 0 <= size < 2**32 or size != int(size):
        raise errors.InvalidMaxResults(value=f'"{js_number_text(size)}"')


def modify_email(
    ep: Episode,
    *,
    messageId: str,
    labelIds: list[str] | None = None,
    addLabelIds: list[str] | None = None,
    removeLabelIds: list[str] | None = None,
) -> Result:
    """Give a message labels and take some away; that is how mail is archived, read, starred and thrown away.

    Args:
        labelIds: to add, where ``addLabelIds`` is not given.

    Raises:
        InvalidId, NotFound: no such message.
        NoLabelChange: neither to add nor to remove.
        AddedAndRemoved: one to do both with.
        OnePlace: two of inbox, spam and trash to add.
        InvalidLabel, LabelIdNotFound: one that cannot be set, or that there is not.

    Source: https://developers.google.com/gmail/api/reference/rest/v1/users.messages/modify
    """
    modify(ep, messageId, labelIds if addLabelIds is None else addLabelIds, removeLabelIds)
    return f"Email {messageId} labels updated successfully"


def delete_email(ep: Episode, *, messageId: str) -> Result:
    """Ask Google to delete a message for good, which it refuses: the scope gmail.modify does not allow it.

    Raises:
        InsufficientPermission: always, whether there is such a message or not.

    Source: https://developers.google.com/gmail/api/reference/rest/v1/users.messages/delete and the server's issue 47
    """
    delete(ep, messageId)


def batch_modify_emails(
    ep: Episode,
    *,
    messageIds: list[str],
    addLabelIds: list[str] | None = None,
    removeLabelIds: list[str] | None = None,
    batchSize: float = _BATCH,
) -> Result:
    """Give many messages labels and take some away. What fails is told, the rest is done.

    Raises:
        ProtocolError: a ``batchSize`` below zero, with which the real server never comes to an end.

    Source: https://developers.google.com/gmail/api/reference/rest/v1/users.messages/modify
    """
    _require_end(messageIds, batchSize)
    failed = []
    for message_id in messageIds:
        try:
            modify(ep, message_id, addLabelIds, removeLabelIds)
        except errors.ApiError as refused:
            failed.append((message_id, refused.message))
    done = len(messageIds) - len(failed)
    return "Batch label modification complete.\n" + _render_batch_result("process", "processed", done, failed)


def batch_delete_emails(ep: Episode, *, messageIds: list[str], batchSize: float = _BATCH) -> Result:
    """Ask Google to delete many messages for good, which it refuses for each.

    Raises:
        ProtocolError: as ``batch_modify_emails``.

    Source: as ``delete_email``
    """
    _require_end(messageIds, batchSize)
    failed = []
    for message_id in messageIds:
        try:
            delete(ep, message_id)
        except errors.ApiError as refused:
            failed.append((message_id, refused.message))
    return "Batch delete operation complete.\n" + _render_batch_result("delete", "deleted", 0, failed)


def modify(ep: Episode, message_id: str, add: Sequence[str] | None, remove: Sequence[str] | None) -> None:
    """Change a message's labels as Gmail does.

    Raises:
        InvalidId, NotFound, NoLabelChange, AddedAndRemoved, OnePlace, InvalidLabel, LabelIdNotFound: as
            ``modify_email``.
    """
    mailboxes.account(ep)
    mailboxes.read_id(message_id)
    if not add and not remove:
        raise errors.NoLabelChange
    if {*(add or ())} & {*(remove or ())}:
        raise errors.AddedAndRemoved
    if len(_PLACES & {*(add or ())}) > 1:
        raise errors.OnePlace
    known = {each["label_id"] for each in labels.system_and_own(ep)}
    for label in (*(add or ()), *(remove or ())):
        if label in mailboxes.FIXED_LABELS:
            raise errors.InvalidLabel(label=label)
        if label not in known:
            raise errors.LabelIdNotFound if label.startswith("Label_") else errors.InvalidLabel(label=label)
    key = mailboxes.require_message(ep, message_id)["message_id"]
    for label in remove or ():
        ep.db.delete("message_labels", message_id=key, label_id=label)
    for label in add or ():
        sql = "INSERT INTO message_labels (message_id, label_id) VALUES (?, ?) ON CONFLICT DO NOTHING"
        ep.db.execute(sql, key, label)


def delete(ep: Episode, message_id: str) -> NoReturn:
    """Refuse to delete a message, as Gmail does with the server's token: before it looks for the message.

    Raises:
        InsufficientPermission: always.
    """
    mailboxes.account(ep)
    raise errors.InsufficientPermission


def _require_end(message_ids: Sequence[str], batch_size: float) -> None:
    """Refuse a batch of less than nothing. Of any other size, fractions too, every message is in one batch.

    Raises:
        ProtocolError: the server's steps go backwards, for ever.
    """
    if batch_size < 0 and message_ids:
        raise ProtocolError("the server never answers: a batch of less than nothing never ends")


def _render_batch_result(verb: str, done_verb: str, done: int, failed: Sequence[tuple[str, str]]) -> str:
    text = f"Successfully {done_verb}: {done} messages\n"
    if failed:
        text += f"Failed to {verb}: {len(failed)} messages\n\nFailed message IDs:\n"
        text += "\n".join(f"- {js_slice(message_id, 16)}... ({why})" for message_id, why in failed)
    return text
