"""Sending: a mail as nodemailer makes it, over SMTP into the mailboxes there are. No copy is kept in a folder."""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote_to_bytes

from farm.appkit import Episode, Result
from farm.appkit.formats.javascript import UNDEFINED, js_is_true, js_length, js_number, js_number_text, js_string

from . import addresses, connections, errors, mails, mime
from .html_texts import html_to_text

_BEYOND_PLAIN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\u0080-\U0010ffff]")
_LONG_LINE = re.compile("[^\n\r\u2028\u2029]{77,}")
_PLAIN_LENGTH_MAX = 128 * 1024
_HOSTED = "163.com"
_KNOWN_MAX = 1_000  # mails: who wrote before them is no longer known
# What is a folder wherever a server runs; the first is where it was started.
_FOLDERS = frozenset((".", "..", "/", "/bin", "/dev", "/etc", "/home", "/opt", "/tmp", "/usr", "/var"))
_DATA, _PAGE = re.compile("data:", re.IGNORECASE), re.compile("https?://(?:[^/?#@]*@)?([^/?#:]*)", re.IGNORECASE)
# How a file is called that has no name, by its kind.
_ENDINGS = {
    "text/plain": "txt",
    "text/html": "html",
    "text/csv": "csv",
    "image/png": "png",
    "image/jpeg": "jpeg",
    "image/gif": "gif",
    "application/pdf": "pdf",
    "application/json": "json",
    "application/zip": "zip",
}


@dataclass(frozen=True)
class _File:
    filename: str
    data: bytes


def send_email(
    ep: Episode,
    *,
    to: Any = UNDEFINED,
    cc: Any = UNDEFINED,
    bcc: Any = UNDEFINED,
    subject: Any = UNDEFINED,
    text: Any = UNDEFINED,
    html: Any = UNDEFINED,
    attachments: Any = UNDEFINED,
) -> Result:
    """Send a mail from the account that is set up.

    Who has a mailbox here finds it there; addresses of other services take it, and nobody sees what becomes of it.
    Receivers that are refused are left out in silence, as long as one is left.

    Args:
        to, cc, bcc: lists of addresses, or texts with commas between them.
        attachments: of each ``content`` in base64, read leniently; a ``path`` is one on the server's disk.

    Raises:
        Failed: no login, nobody to send to, everybody refused, a body that is no text, or a file that cannot be read.

    Not simulated: the server's disk; no path leads to a file, and few to a folder.
    """
    connections.require_host(ep, "smtp")
    files = _require_attachments(attachments)
    login = connections.log_in(ep, "smtp")
    sent_to, copied_to, hidden = _entries(to), _entries(cc), _entries(bcc)
    everybody = addresses.mailboxes([*sent_to, *copied_to, *hidden])
    if not everybody:
        raise errors.Failed("No recipients defined")
    receivers = require_receivers(ep, everybody, login.address)
    text_body, page = _require_body(text), _require_body(html)
    attached = [_require_file(each, number) for number, each in enumerate(files, start=1)]

    sender = addresses.normalized(login.user)
    message_id = f"<{ep.new_id('message')}@{sender.rpartition('@')[2]}>"
    shown_text, shown_html = _as_read(text_body, page, is_alone=not attached)
    message = {
        "message_id": message_id,
        "sender": sender,
        "recipients": addresses.header(sent_to) or None,
        "cc": addresses.header(copied_to) or None,
        "bcc": addresses.header(hidden) or None,
        "subject": _subject(subject),
        "text": shown_text,
        "html": shown_html,
    }
    deliver(ep, message_id[1:37], message, attached, receivers)
    shown_to = ", ".join(_joined(to)) if isinstance(to, list) else js_string(to)
    return f"邮件发送成功！\n消息ID: {message_id}\n收件人: {shown_to}\n主题: {js_string(subject)}"


def deliver(
    ep: Episode, message_key: str, message: dict[str, str | None], attached: list[_File], receivers: list[str]
) -> None:
    """Store a mail once, and that it lies in each mailbox."""
    ep.db.insert("messages", message_key=message_key, **message, sent_ms=ep.now_ms)
    for number, file in enumerate(attached, start=1):
        ep.db.insert(
            "attachments",
            message_key=message_key,
            number=number,
            filename=file.filename,
            size_bytes=len(file.data),
            content=_readable(file.data),
        )
    for address in receivers:
        uid = ep.next_number("deliveries", "uid", address=address)
        number = mails.count(ep, address) + 1
        ep.db.insert("deliveries", address=address, uid=uid, message_key=message_key, number=number)


# -- receivers --------------------------------------------------------------------------------------------------------


def _joined(values: list[Any]) -> Iterator[str]:
    """Yield the members of a list as JavaScript joins them."""
    for each in values:
        yield "" if each is None else js_string(each)


def _entries(given: Any) -> list[addresses.Address]:
    if isinstance(given, list):
        given = ", ".join(_joined(given))
    if isinstance(given, dict) and js_is_true(given.get("address")):
        name = given.get("name")
        entry = addresses.Address(js_string(name) if js_is_true(name) else "", js_string(given["address"]))
        return [_normalized(entry)]
    if not js_is_true(given):
        return []
    return [_normalized(each) for each in addresses.parse(js_string(given))]


def _normalized(entry: addresses.Address) -> addresses.Address:
    group = None if entry.group is None else tuple(map(_normalized, entry.group))
    # What looks like an encoded word goes out as it is, and is read as one.
    name = mime.decode_words(entry.name) if entry.name.isascii() else entry.name
    return addresses.Address(name, addresses.normalized(entry.address), group)


def require_receivers(ep: Episode, everybody: list[str], mailbox: str) -> list[str]:
    """Return the mailboxes that take the mail.

    An address of the service that nobody here has is taken if it has written to ``mailbox``, the sender's.

    Raises:
        Failed: nobody at all takes it; the last refusal is told.
    """
    found: dict[str, None] = {}
    refusals = []
    for address in everybody:
        local, _, domain = address.rpartition("@")
        known = ep.db.scalar("SELECT address FROM accounts WHERE lower(address) = lower(?) ORDER BY address", address)
        if known is not None:
            found[known] = None
        elif not local or not domain:
            refusals.append("501 Bad recipient address syntax")
        elif domain == _HOSTED and not _has_written(ep, address, mailbox):
            # nodemailer reads what a server says byte by byte.
            refusals.append(f"550 User not found: {address}".encode().decode("latin-1"))
    if len(refusals) == len(everybody):
        raise errors.Failed(f"Can't send mail - all recipients were rejected: {refusals[-1]}")
    return list(found)


def _has_written(ep: Episode, address: str, mailbox: str) -> bool:
    """Return whether a mail of the newest ones in a mailbox is from an address."""
    own = address.lower()
    sql = """
        SELECT m.sender FROM deliveries d JOIN messages m ON m.message_key = d.message_key
        WHERE d.address = ? ORDER BY d.uid DESC LIMIT ?"""
    senders = [each["sender"] for each in ep.db.all(sql, mailbox, _KNOWN_MAX) if own in (each["sender"] or "").lower()]
    return any(own in map(str.lower, addresses.mailboxes(addresses.parse(sender))) for sender in senders)


# -- body -------------------------------------------------------------------------------------------------------------


def _subject(given: Any) -> str | None:
    """Return a subject as it arrives, one line; blanks alone are none, and so is an object."""
    if isinstance(given, dict):
        given = given.get("value")
    if isinstance(given, list) or not js_is_true(given):
        return None
    line = re.sub(r"\r?\n|\r", " ", js_string(given))
    if not line.strip():
        return None
    # Sent encoded where it holds a quotation mark or more than ASCII; else what looks encoded is read as such.
    return line if mime.is_sent_encoded(line) else mime.decode_words(line)


def _require_body(given: Any) -> str:
    """Return a text or a page; an object may hold it as ``content``.

    Raises:
        Failed: it is no text, or is to be read from the server's disk.
    """
    if not js_is_true(given):
        return ""
    if isinstance(given, dict) and isinstance(given.get("path"), str) and given["path"] and not given.get("raw"):
        raise _no_file(given["path"])
    if isinstance(given, dict) and js_is_true(given.get("content")):
        given = given["content"]
    if isinstance(given, str):
        return given
    raise _no_chunk(given)


def _as_read(text_body: str, page: str, *, is_alone: bool) -> tuple[str | None, str | None]:
    """Return text and HTML as a reader has them from mailparser.

    A body that is the whole mail gets a line end where it is not sent in base64, and HTML alone a text made of it.
    """
    if not text_body and not page:
        return None, None
    if text_body and page:
        return _lines(text_body), _lines(page)
    whole = text_body or page
    if is_alone and _encoding(whole) != "base64" and not whole.endswith("\n"):
        whole += "\n"
    whole = _lines(whole)
    if text_body:
        return whole, None
    return (html_to_text(whole) if is_alone else None), whole


def _lines(text: str) -> str:
    return text.replace("\r\n", "\n")


def _encoding(text: str) -> str:
    beyond = _BEYOND_PLAIN.findall(text)
    if not beyond and js_length(text) <= _PLAIN_LENGTH_MAX and not _LONG_LINE.search(text):
        return "7bit"
    # Counted in UTF-16 units, of which a character beyond the first plane has two.
    letters = len(re.findall("[A-Za-z]", text))
    return "quoted-printable" if js_length("".join(beyond)) < letters else "base64"


# -- attachments ------------------------------------------------------------------------------------------------------


def _require_attachments(given: Any) -> list[Any]:
    """Return what is to be attached; what has no length is none.

    Raises:
        Failed: it has a length and is no list, or holds null.
    """
    if isinstance(given, list):
        if any(each is None for each in given):
            raise errors.Failed("Cannot read properties of null (reading 'content')")
        for each in given:
            _require_attachable(each)
        return given
    length = len(given) if isinstance(given, str) else given.get("length") if isinstance(given, dict) else 0
    if isinstance(length, int | float | str) and not isinstance(length, bool) and js_number(length) > 0:
        raise errors.Failed("attachments.map is not a function")
    return []


def _require_attachable(given: Any) -> None:
    """Check what is looked at before anybody is called: a file's kind is told by its name.

    Raises:
        Failed: it is no object, or its name no text.
    """
    if not isinstance(given, dict | list):
        raise errors.Failed(f"Cannot use 'in' operator to search for 'contentTransferEncoding' in {js_string(given)}")
    if isinstance(given, dict):
        name = next((given[each] for each in ("filename", "path") if js_is_true(given.get(each))), "bin")
        if not isinstance(name, str):
            raise errors.Failed(f'The "path" argument must be of type string. Received {_received(name)}')


def _require_file(given: Any, number: int) -> _File:
    """Return a file to attach.

    Raises:
        Failed: its content is no text, or its path leads nowhere.
    """
    given = given if isinstance(given, dict) else {}
    content, path, filename = given.get("content"), given.get("path"), given.get("filename")
    name = filename if js_is_true(filename) else f"attachment-{number}.*"
    if js_is_true(content):
        if not isinstance(content, str):
            raise _no_chunk(content)
        return _File(name, mime.read_base64(content.encode()))
    if js_is_true(path):
        if not isinstance(path, str):
            raise _no_chunk({"path": path})
        if _DATA.match(path):
            return _data_file(filename, path, number)
        raise _no_page(path) if _PAGE.match(path) else _no_file(path)
    address = given.get("href")
    if isinstance(address, str) and _PAGE.match(address):
        raise _no_page(address)
    return _File(name, b"")


def _data_file(filename: Any, path: str, number: int) -> _File:
    """Return what an address that holds its own data holds."""
    head, _, data = path.partition(",")
    kind, *ways = head[len("data:") :].split(";")
    content = mime.read_base64(data.encode()) if "base64" in ways else unquote_to_bytes(data)
    ending = _ENDINGS.get(kind.lower() or "text/plain", "bin")
    return _File(filename if js_is_true(filename) else f"attachment-{number}.{ending}", content)


def _readable(data: bytes) -> str | None:
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return None
    return None if "\0" in text else text


def _no_page(address: str) -> errors.Failed:
    """Return what is said of a page that is to be attached: no name leads anywhere from here."""
    host = _PAGE.match(address)
    return errors.Failed(f"getaddrinfo ENOTFOUND {host[1].lower() if host else ''}")


def _no_file(path: str) -> errors.Failed:
    if posixpath.normpath(path) in _FOLDERS:
        return errors.Failed("EISDIR: illegal operation on a directory, read")
    return errors.Failed(f"ENOENT: no such file or directory, open '{path}'")


def _no_chunk(given: Any) -> errors.Failed:
    """Return what Node says of a body that is neither text nor bytes."""
    wanted = "of type string or an instance of Buffer, TypedArray, or DataView"
    return errors.Failed(f'The "chunk" argument must be {wanted}. Received {_received(given)}')


def _received(given: Any) -> str:
    if isinstance(given, bool):
        return f"type boolean ({json.dumps(given)})"
    if isinstance(given, int | float):
        return f"type number ({js_number_text(given)})"
    return f"an instance of {'Array' if isinstance(given, list) else 'Object'}"
