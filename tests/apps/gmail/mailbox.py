"""A small mailbox: eleven messages in eight threads, two labels, one filter, three files on the server's machine."""

from __future__ import annotations

from typing import Any

ME = "108"
ADDRESS = "mira@tidepool.example"
FOLDER = "/srv/mail"
NOW = "2026-03-09T09:00:00+08:00"
NOW_MS = 1_773_018_000_000
DAY_MS = 86_400_000

PLAN, PLAN_REPLY, INVOICE, NEWSLETTER = "19ccbe5a2a0a0001", "19ccbe9a2a0a0002", "19cccf5a2a0a0003", "19ccdf5a2a0a0004"
PAGE, DRAFT, SPAM, TRASHED = "19cce95a2a0a0005", "19ccea5a2a0a0006", "19cceb5a2a0a0007", "19ccec5a2a0a0008"
OLD, CHINESE, PHOTOS = "19b000000a0a0009", "19cced5a2a0a000a", "19ccee5a2a0a000b"
FAR = "0123456789abcdef"  # of the right form, and nobody's
PDF, SHEET, EMPTY = "ANGjdJpdf", "ANGjdJsheet", "ANGjdJempty"
WORK, CLIENTS = "Label_12", "Label_7000000000000000001"
FILTER = "ANe1BmFilterOfTheMailbox"
ANNA, BO = "Anna Berg <anna@nordwind.example>", '"Castro, Bo" <bo.castro@harbourmail.example>'


def message(message_id: str, days: float, sender: str, subject: str, body: str | None, **more: Any) -> dict[str, Any]:
    """Return the row of a message that came some days ago."""
    at = NOW_MS - round(days * 24) * DAY_MS // 24
    row: dict[str, Any] = {"message_id": message_id, "account_id": ME, "thread_id": message_id}
    row |= {"kind": "received", "sender": sender}
    row |= {"recipients": f"Mira Sol <{ADDRESS}>", "subject": subject, "body_text": body, "internal_ms": at}
    row |= {"header_message_id": f"<{message_id}@mail.gmail.com>", "size_bytes": 2_000, "utc_offset_minutes": 60}
    return {"table": "messages", **row, **more}


def bears(message_id: str, *labels: str) -> list[dict[str, Any]]:
    """Return the rows of a message's labels."""
    return [{"table": "message_labels", "message_id": message_id, "label_id": label} for label in labels]


def attachment(attachment_id: str, message_id: str, position: int, name: str, kind: str, size: int) -> dict[str, Any]:
    """Return the row of an attachment."""
    row = {"attachment_id": attachment_id, "message_id": message_id, "position": position, "filename": name}
    return {"table": "attachments", **row, "mime_type": kind, "size_bytes": size}


ROWS: list[dict[str, Any]] = [
    {"table": "accounts", "account_id": ME, "person": "mira", "address": ADDRESS, "name": "Mira Sol", "folder": FOLDER}
    | {"forwards_to": '["archive@tidepool.example"]'},
    {"table": "labels", "label_id": WORK, "account_id": ME, "name": "Work"},
    {"table": "labels", "label_id": CLIENTS, "account_id": ME, "name": "Clients/Nord Wind"},
    message(PLAN, 6, ANNA, "Harbour plan", "Hi Mira,\nthe harbour plan is ready for review.\n", cc=BO),
    message(PLAN_REPLY, 5, f"Mira Sol <{ADDRESS}>", "Re: Harbour plan", "Thanks, I'll look on Monday.\n", kind="sent")
    | {"thread_id": PLAN, "recipients": ANNA, "in_reply_to": f"<{PLAN}@mail.gmail.com>"},
    message(INVOICE, 4, BO, "Invoice 4711", "Invoice attached. Total: 1,250.00 EUR.\n", size_bytes=48_000),
    attachment(PDF, INVOICE, 1, "invoice-4711.pdf", "application/pdf", 34_816),
    attachment(SHEET, INVOICE, 2, "Übersicht März.xlsx", "application/vnd.ms-excel", 7_300),
    message(NEWSLETTER, 3, "The Tide <news@tide.example>", "Tides of March", None, size_bytes=60_000)
    | {"body_html": "<p>High water at <b>noon</b> &amp; midnight</p>", "list_id": "<tide.news.example>"},
    message(
        PAGE, 2, "Pager <pager@ops.example>", "[P1] pump stopped", "Pump 3 stopped at 04:12.\n", cc="ops@ops.example"
    )
    | {"body_html": "<b>Pump 3</b> stopped at 04:12.", "recipients": "ops-alerts@ops.example"},
    message(DRAFT, 1.5, f"Mira Sol <{ADDRESS}>", "Re: Invoice 4711", "Dear Bo,\n", kind="draft", draft_id="r-44")
    | {"thread_id": INVOICE, "recipients": BO},
    message(SPAM, 1, "Prize <win@lottery.example>", "You won an invoice", "Claim now"),
    message(TRASHED, 1, ANNA, "Old agenda", "Ignore this one, please."),
    message(OLD, 420, ANNA, "Kick-off", "See https://docs.google.com/document/d/1 for notes.\n"),
    message(CHINESE, 0.5, "林晚 <wan@lamp.example>", "关于样品的问题", "样品周四寄出，请确认地址。\n谢谢！"),
    message(PHOTOS, 0.25, ANNA, "", "", cc=f"Mira Sol <{ADDRESS}>", recipients="team@nordwind.example"),
    attachment(EMPTY, PHOTOS, 1, "empty.txt", "text/plain", 0),
    *bears(PLAN, "INBOX", "IMPORTANT", CLIENTS),
    *bears(INVOICE, "INBOX", "UNREAD", WORK, "STARRED"),
    *bears(NEWSLETTER, "INBOX", "UNREAD", "CATEGORY_PROMOTIONS"),
    *bears(PAGE, "INBOX", "CATEGORY_UPDATES", WORK),
    *bears(SPAM, "SPAM", "UNREAD"),
    *bears(TRASHED, "TRASH"),
    *bears(CHINESE, "INBOX", "UNREAD"),
    *bears(PHOTOS, "UNREAD"),
    {"table": "filters", "filter_id": FILTER, "account_id": ME, "created_ms": NOW_MS - 90 * DAY_MS}
    | {"criteria": '{"from":"news@tide.example"}', "action": '{"addLabelIds":["CATEGORY_PROMOTIONS"]}'},
    {"table": "files", "account_id": ME, "path": f"{FOLDER}/report.pdf", "size_bytes": 5_000},
    {"table": "files", "account_id": ME, "path": f"{FOLDER}/out/notes.txt", "size_bytes": 12},
]
