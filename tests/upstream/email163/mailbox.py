"""A mailbox whose mails are written in every way the app has a rule for, as rows of the app."""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta, timezone
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime
from pathlib import Path
from typing import Any

ME, BO, NOBODY = "me@163.com", "bo@163.com", "empty@163.com"
# A mail a line, with LF for CRLF, and the charset that it is transferred in; its ``{date}`` is put in.
MAILS = [json.loads(line) for line in Path(__file__).with_name("mails.jsonl").read_text("utf-8").splitlines()]
_AS_BYTES = "data:message/rfc822;base64,"


def rows(now: datetime) -> list[dict[str, Any]]:
    """Return the rows of a service with three mailboxes; mails came in every quarter of an hour until now."""
    return list(_rows(now))


def _rows(now: datetime) -> Iterator[dict[str, Any]]:
    for address, password in ((ME, "CODE"), (BO, "BOCODE"), (NOBODY, "NONE")):
        person = address.partition("@")[0]
        account = {"address": address, "person": person, "password": password, "server_zone": "UTC"}
        yield {"table": "accounts", **account}
    yield {"table": "aliases", "login": "me@corp.example", "address": ME}
    for uid, mail in enumerate(MAILS, start=1):
        at = now - timedelta(minutes=15 * (len(MAILS) - uid + 1))
        sent = mail["source"].replace("{date}", format_datetime(at)).replace("\n", "\r\n")
        if "charset" in mail:
            sent = _AS_BYTES + b64encode(sent.encode(mail["charset"])).decode()
        yield {"table": "messages", "message_key": f"m{uid}", "source": sent}
        yield {"table": "deliveries", "address": ME, "uid": uid, "message_key": f"m{uid}"}
    at_ms = round(now.timestamp()) * 1000
    own = {"sender": "Bo Li <bo@163.com>", "recipients": ME, "cc": '"Li, X" <x@y.example>', "subject": "你好 again"}
    yield {"table": "messages", "message_key": "own", **own, "text": "在家。\n", "sent_ms": at_ms, "zone_minutes": 480}
    yield {"table": "deliveries", "address": ME, "uid": len(MAILS) + 3, "message_key": "own"}
    page = {"text": "两份。\n", "html": "<p>两份。</p>\n", "sent_ms": at_ms, "zone_minutes": 480}
    yield {"table": "messages", "message_key": "whole", **own, "subject": "两份", **page}
    for number, (filename, content) in enumerate([("名单.txt", "苏家：6 间\n"), ("track.gpx", None)], start=1):
        size_bytes = 5000 if content is None else len(content.encode())
        file = {"filename": filename, "size_bytes": size_bytes, "content": content}
        yield {"table": "attachments", "message_key": "whole", "number": number, **file}
    yield {"table": "deliveries", "address": ME, "uid": len(MAILS) + 4, "message_key": "whole"}


def source(row: Mapping[str, Any], attached: Sequence[Mapping[str, Any]] = ()) -> bytes:
    """Return a message of the app, with the rows of what is attached to it, as it is transferred."""
    if row.get("source") is not None:
        text = str(row["source"])
        return b64decode(text.removeprefix(_AS_BYTES)) if text.startswith(_AS_BYTES) else text.encode()
    mail = EmailMessage(SMTP)
    for name, column in (("From", "sender"), ("To", "recipients"), ("Cc", "cc"), ("Subject", "subject")):
        if row.get(column) is not None:
            mail[name] = row[column]
    zone = timezone(timedelta(minutes=row["zone_minutes"]))
    mail["Date"] = format_datetime(datetime.fromtimestamp(row["sent_ms"] / 1000, zone))
    mail.set_content(row["text"], cte="8bit")
    if row.get("html") is not None:
        mail.add_alternative(row["html"], subtype="html", cte="8bit")
    for each in attached:
        data = b"\0" * each["size_bytes"] if each["content"] is None else str(each["content"]).encode()
        mail.add_attachment(data, "application", "octet-stream", filename=each["filename"])
    return mail.as_bytes()
