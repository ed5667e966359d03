"""Mail that goes out: written as the server writes it, read as Gmail reads it, kept as sent or as a draft."""

from __future__ import annotations

import re
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from email import message_from_string
from email.message import Message
from typing import Any, NotRequired, TypedDict, Unpack

from farm.appkit import Episode, Result, Row
from farm.appkit.formats.addresses import read_entries
from farm.appkit.formats.charsets import decode_header_words
from farm.appkit.formats.times import local

from . import arriving, errors, files, filters, mailboxes
from .search import CALIFORNIA

_ADDRESS = re.compile(r"[^\s@\ufeff]+@[^\s@\ufeff]+\.[^\s@\ufeff]+")
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
_ATTACHMENT_ID_LENGTH = 120
_ENDS = re.compile(r"\s*[\r\n]+\s*")


class Mail(TypedDict):
    """What may be said of a mail, by the one schema that sending and drafting share.

    Attributes:
        to: bare addresses, one ``@`` and a dot behind it.
        htmlBody: only with a ``mimeType`` other than ``text/plain``, or with attachments.
        threadId: the thread it joins, where its subject fits or ``inReplyTo`` names a message there.
        inReplyTo: a header Message-ID; alone it joins no thread.
        attachments: paths on the server's machine (table ``files``).
    """

    to: list[str]
    subject: str
    body: str
    htmlBody: NotRequired[str]
    mimeType: NotRequired[str]
    cc: NotRequired[list[str]]
    bcc: NotRequired[list[str]]
    threadId: NotRequired[str]
    inReplyTo: NotRequired[str]
    attachments: NotRequired[list[str]]


@dataclass(frozen=True)
class Outgoing:
    """What is to go out.

    Attributes:
        raw: as it stands in the API's request, without what is attached.
        attached: what is, as rows of attachments.
        utc_offset_minutes: of its header Date.
    """

    raw: str
    attached: Sequence[Row]
    utc_offset_minutes: int


def send_email(ep: Episode, /, **mail: Unpack[Mail]) -> Result:
    """Send a mail and say its id. Every account of this Gmail that it names gets a copy at once, through its filters.

    Raises:
        ServerError: a recipient of ``to`` is no address.
        FileError: nothing there to attach.
        RecipientRequired, InvalidHeader: nobody to send it to, or no address among Cc or Bcc.
        InvalidThreadId, NotFound: no such thread.

    Source: https://developers.google.com/gmail/api/reference/rest/v1/users.messages/send
    """
    return f"Email sent successfully with ID: {keep_sent(ep, write(ep, mail), mail.get('threadId'))}"


def draft_email(ep: Episode, /, **mail: Unpack[Mail]) -> Result:
    """Keep a draft and say its id, which no tool takes; a search finds its message.

    Raises:
        ServerError, FileError, InvalidThreadId, NotFound: as ``send_email``; recipients may be missing.

    Source: https://developers.google.com/gmail/api/reference/rest/v1/users.drafts/create
    """
    return f"Email draft created successfully with ID: {keep_draft(ep, write(ep, mail), mail.get('threadId'))}"


def write(ep: Episode, mail: Mail) -> Outgoing:
    """Write a mail as the server does: by hand, or with nodemailer where something is attached.

    Raises:
        ServerError: a recipient of ``to`` is no address.
        FileError: nothing there to attach.
    """
    to, cc, bcc = mail["to"], mail.get("cc"), mail.get("bcc")
    subject, body, html = mail["subject"], mail["body"], mail.get("htmlBody")
    mime_type, in_reply_to = mail.get("mimeType", "text/plain"), mail.get("inReplyTo")
    for address in to:
        if not _ADDRESS.fullmatch(address):
            raise errors.ServerError(f"Recipient email address is invalid: {address}")
    attached = [files.require_attachable(ep, path) for path in mail.get("attachments") or ()]
    if attached:
        # nodemailer asks of no type, folds line ends in headers, and dates what it writes in UTC.
        subject = _ENDS.sub(" ", subject)
        mime_type = "multipart/alternative" if html else "text/plain"
    elif html and mime_type != "text/plain":
        mime_type = "multipart/alternative"
    headers = [
        f"To: {', '.join(to)}",
        *([f"Cc: {', '.join(cc)}"] if cc is not None else []),
        *([f"Bcc: {', '.join(bcc)}"] if bcc is not None else []),
        f"Subject: {subject if subject.isascii() else _encoded_word(subject)}",
        *([f"In-Reply-To: {in_reply_to}"] if in_reply_to else []),
        "MIME-Version: 1.0",
    ]
    if mime_type == "multipart/alternative":
        boundary = f"----=_NextPart_{ep.hash('boundary', body):016x}"
        headers.append(f'Content-Type: multipart/alternative; boundary="{boundary}"')
        parts = [("text/plain", body), ("text/html", html or body)]
        # The server ends each text with a line of its own, nodemailer doesn't.
        end = [] if attached else [""]
        lines = [line for kind, text in parts for line in (f"--{boundary}", *_part(kind, text), *end)]
        lines = ["", *lines, f"--{boundary}--"]
    else:
        lines = _part(mime_type, html or body if mime_type == "text/html" else body)
    raw = _LONE_SURROGATE.sub("\ufffd", "\r\n".join((*headers, *lines)))
    pacific = local(ep.now_ms, CALIFORNIA).utcoffset() or timedelta()
    return Outgoing(raw, attached, 0 if attached else int(pacific / timedelta(minutes=1)))


def _part(mime_type: str, text: str) -> list[str]:
    return [f"Content-Type: {mime_type}; charset=UTF-8", "Content-Transfer-Encoding: 7bit", "", text]


def _encoded_word(text: str) -> str:
    encoded = b64encode(_LONE_SURROGATE.sub("\ufffd", text).encode()).decode()
    return f"=?UTF-8?B?{encoded}?="


def keep_sent(ep: Episode, written: Outgoing, thread_id: str | None) -> str:
    """Send a mail as Gmail does, and return its id.

    Raises:
        RecipientRequired, InvalidHeader, InvalidThreadId, NotFound: as ``send_email``.
    """
    row = _row(ep, written, thread_id, kind="sent")
    people = {name: row[column] for name, column in (("To", "recipients"), ("Cc", "cc"), ("Bcc", "bcc"))}
    reached: list[str] = []
    for name, said in people.items():
        for _, found in read_entries(said):
            if found is None:
                raise errors.InvalidHeader(header=name)
            reached.append(found.address)
    if not reached:
        raise errors.RecipientRequired
    _insert(ep, row, written.attached)
    for receiver in arriving.receivers(ep, reached):
        is_own = receiver["account_id"] == ep.me
        copy = row if is_own else arriving.copy_for(ep, receiver, row)
        if not is_own:
            _insert(ep, copy, written.attached)
        for label in filters.labels_of_arrival(ep, receiver, copy, [each["filename"] for each in written.attached]):
            ep.db.insert("message_labels", message_id=copy["message_id"], label_id=label)
    return str(row["message_id"])


def keep_draft(ep: Episode, written: Outgoing, thread_id: str | None) -> str:
    """Keep a draft as Gmail does, and return its id, which is not that of its message.

    Raises:
        InvalidThreadId, NotFound: as ``send_email``.
    """
    row = _row(ep, written, thread_id, kind="draft")
    draft_id = f"r{ep.hash('draft', row['message_id']) - (1 << 63)}"
    _insert(ep, {**row, "draft_id": draft_id}, written.attached)
    return draft_id


def _row(ep: Episode, written: Outgoing, thread_id: str | None, *, kind: str) -> Row:
    """Return a message's columns as Gmail reads them from what was written."""
    thread = _require_thread(ep, thread_id) if thread_id else None
    sender = mailboxes.account(ep)
    read = message_from_string(written.raw)
    message_id = mailboxes.new_message_id(ep)
    text, html = _bodies(read)
    subject, in_reply_to = _header(read, "Subject"), _header(read, "In-Reply-To")
    is_joining = thread is not None and _fits(ep, thread, subject, in_reply_to)
    return {
        "message_id": message_id,
        "account_id": ep.me,
        "thread_id": thread if is_joining else message_id,
        "kind": kind,
        "sender": f"{sender['name']} <{sender['address']}>" if sender["name"] else sender["address"],
        "recipients": _header(read, "To"),
        "cc": _header(read, "Cc"),
        "bcc": _header(read, "Bcc"),
        "subject": subject,
        "body_text": text,
        "body_html": html,
        "internal_ms": mailboxes.second_ms(ep),
        "utc_offset_minutes": written.utc_offset_minutes,
        "header_message_id": f"<CA{ep.hash('header', message_id):016x}@mail.gmail.com>",
        "in_reply_to": in_reply_to,
        "list_id": "",
        "size_bytes": len(written.raw.encode()) + sum(each["size_bytes"] * 4 // 3 for each in written.attached),
    }


def _require_thread(ep: Episode, thread_id: str) -> str:
    try:
        key = mailboxes.read_id(thread_id)
    except errors.InvalidId:
        raise errors.InvalidThreadId from None
    if ep.db.scalar("SELECT 1 FROM messages WHERE account_id = ? AND thread_id = ? LIMIT 1", ep.me, key) is None:
        raise errors.NotFound
    return key


def _fits(ep: Episode, thread: str, subject: str, in_reply_to: str) -> bool:
    """Tell whether a mail belongs in a thread: a subject there is the same, or it answers a message of it."""
    own = arriving.bare_subject(subject)
    sql = "SELECT subject, header_message_id FROM messages WHERE account_id = ? AND thread_id = ? ORDER BY message_id"
    rows = ep.db.all(sql, ep.me, thread)
    return any(
        arriving.bare_subject(row["subject"]) == own or row["header_message_id"] in in_reply_to.split() for row in rows
    )


def _header(read: Message, name: str) -> str:
    """Return a header as the API shows it: on one line, encoded words read."""
    return decode_header_words(_ENDS.sub(" ", str(read.get(name, ""))).strip())


def _bodies(read: Message) -> tuple[str | None, str | None]:
    """Return a mail's texts, plain and HTML, with line ends of one character."""
    texts: dict[str, str] = {}
    for part in read.walk():
        if not part.is_multipart() and not part.get_filename():
            kind = part.get_content_type()
            texts[kind] = texts.get(kind, "") + _text(part).replace("\r\n", "\n")
    return texts.get("text/plain"), texts.get("text/html")


def _text(part: Message) -> str:
    if part.get("Content-Transfer-Encoding", "").lower() in ("base64", "quoted-printable"):
        decoded = part.get_payload(decode=True)
        return decoded.decode("utf-8", "replace") if isinstance(decoded, bytes) else ""
    return str(part.get_payload())


def _insert(ep: Episode, row: Row, attached: Sequence[Mapping[str, Any]]) -> None:
    ep.db.insert("messages", **row)
    for position, each in enumerate(attached, start=1):
        pieces = (ep.hash("attachment", row["message_id"], position, piece).to_bytes(8) for piece in range(12))
        token = urlsafe_b64encode(b"".join(pieces)).decode()[:_ATTACHMENT_ID_LENGTH]
        ep.db.insert(
            "attachments", attachment_id=f"ANGjdJ{token}", message_id=row["message_id"], position=position, **each
        )
