"""What Gmail stores of a world: whose mailboxes there are, what lies in them, and how it is labelled and filtered."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from farm.appkit import Row
from farm.appkit.formats.addresses import Address
from farm.appkit.world_spec import AppSpec, ScheduledRow, SpecFile, WorldError, as_json, identities_of, require

from .files import LABELS, MAIL, SCHEDULED

_HEADERS_BYTES = 1_900
# Where a mail lies → what it is, and the labels it has there beside its own.
_BOXES: dict[str, tuple[str, tuple[str, ...]]] = {
    "inbox": ("received", ("INBOX",)),
    "archive": ("received", ()),
    "spam": ("received", ("SPAM",)),
    "trash": ("received", ("TRASH",)),
    "sent": ("sent", ()),
    "draft": ("draft", ()),
}
_SYSTEM = {
    "important": "IMPORTANT",
    "starred": "STARRED",
    "updates": "CATEGORY_UPDATES",
    "promotions": "CATEGORY_PROMOTIONS",
    "forums": "CATEGORY_FORUMS",
    "social": "CATEGORY_SOCIAL",
}
_TYPES = {
    "pdf": "application/pdf",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    "zip": "application/zip",
    "ics": "text/calendar",
    "csv": "text/csv",
    "jpg": "image/jpeg",
    "png": "image/png",
}


def rows(spec: AppSpec) -> Iterator[Row]:
    """Yield every row of Gmail, messages in order of time."""
    mail = _Mail(spec)
    yield from mail.accounts()
    yield from mail.furniture()
    for _, made in mail.read(MAIL, before=spec.world.starts_at):
        yield from made


def scheduled(spec: AppSpec) -> Iterator[ScheduledRow]:
    """Yield what comes in the week after the start."""
    mail = _Mail(spec)
    list(mail.read(MAIL, before=spec.world.starts_at))  # what they answer
    for at, made in mail.read(SCHEDULED, before=spec.world.week_ends_at, after=spec.world.starts_at):
        yield from (ScheduledRow(at, row) for row in made)


def identities(made: list[Row]) -> dict[str, dict[str, str]]:
    """Return person → the name and address that Gmail shows."""
    return identities_of(made, "accounts", name="name", address="address")


class _Mail:
    """The mailboxes of a world. A thread is named by the key of any of its mails that has one."""

    def __init__(self, spec: AppSpec) -> None:
        self.spec = spec
        found = spec.read(LABELS)
        self.labels, self.filters = found["labels"], found["filters"]
        self.threads: dict[tuple[str, str], tuple[str, str]] = {}  # mailbox and key → thread, header Message-ID

    def account_id(self, key: str, where: str) -> str:
        """Return the id of a person's account."""
        require("person with Gmail", key, self.spec.members, where)
        return self.spec.id("1{digit:20}", "account", key)

    def accounts(self) -> Iterator[Row]:
        """Yield the accounts, and the files on the machines of their servers."""
        for key, account in self.spec.accounts.items():
            account_id, folder = self.account_id(key, "gmail/accounts.toml"), account.more.get("folder", "/")
            about = {"address": account.address, "name": account.name or account.owner.name_en, "folder": folder}
            forwards = as_json(account.more.get("forwards_to", []))
            yield {"table": "accounts", "account_id": account_id, "person": key, **about, "forwards_to": forwards}
            for path, size in account.more.get("files", {}).items():
                yield {"table": "files", "account_id": account_id, "path": f"{folder}/{path}", "size_bytes": size}

    def furniture(self) -> Iterator[Row]:
        """Yield labels and filters."""
        for label in self.labels:
            account_id = self.account_id(label["mailbox"], "gmail/labels.toml")
            yield {"table": "labels", "label_id": self.label_id(label), "account_id": account_id, "name": label["name"]}
        for number, each in enumerate(self.filters, start=1):
            where = f"gmail/labels.toml: filter {number}"
            action = dict(each["action"])
            for name in ("addLabelIds", "removeLabelIds"):
                if name in action:
                    action[name] = [self.label(key, each["mailbox"], where) for key in action[name]]
            yield {
                "table": "filters",
                "filter_id": self.spec.id("ANe1Bm{base64url:38}", "filter", each["mailbox"], number),
                "account_id": self.account_id(each["mailbox"], where),
                "criteria": as_json(each["criteria"]),
                "action": as_json(action),
                "created_ms": self.spec.ms(each["created"], where),
            }

    def label_id(self, label: Mapping[str, Any]) -> str:
        """Return the id of a label: they were numbered as they were made."""
        same = [each for each in self.labels if each["mailbox"] == label["mailbox"]]
        return f"Label_{same.index(dict(label)) + 1}"

    def label(self, key: str, mailbox: str, where: str) -> str:
        """Return the id of a label by its key; INBOX and UNREAD stand for themselves."""
        if key in ("INBOX", "UNREAD"):
            return key
        own = {each["key"]: self.label_id(each) for each in self.labels if each["mailbox"] == mailbox}
        return require("label", key, {**_SYSTEM, **own}, where)

    def read(
        self, files: SpecFile, *, before: datetime, after: datetime | None = None
    ) -> list[tuple[datetime, list[Row]]]:
        """Return the mails of a folder of the specification with the rows of each, in order of time."""
        read: list[tuple[datetime, str, dict[str, Any]]] = []
        for relative, found in self.spec.read_every(files):
            for number, mail in enumerate(found["mails"], start=1):
                where = f"{self.spec.where(relative)}: mail {number}"
                at = self.spec.at(mail["at"], where)
                if at >= before or (after is not None and at < after):
                    raise WorldError(f"{where}: at {mail['at']}, which is not in the time of {files.path}")
                read.append((at, where, mail))
        read.sort(key=lambda each: each[0])
        return [(at, list(self.mail(mail, at, where))) for at, where, mail in read]

    def mail(self, mail: Mapping[str, Any], at: datetime, where: str) -> Iterator[Row]:
        """Yield the rows of a mail: itself, its labels, what is attached."""
        mailbox = mail["mailbox"]
        kind, labels = require("place of a mail", mail.get("box", "inbox"), _BOXES, where)
        message_id = (
            f"{(_ms(at) << 20) + self.spec.number(0, (1 << 20) - 1, mailbox, mail['at'], mail['subject']):016x}"
        )
        sender = self.address(mail["from"], where)
        header = f"<{self.spec.id('{alnum:32}', 'header', message_id)}@{sender.address.rpartition('@')[2]}>"
        thread, answered = message_id, ""
        if "reply_to" in mail:
            known = {key: found for (box, key), found in self.threads.items() if box == mailbox}
            thread, answered = require("mail", mail["reply_to"], known, where)
        if "key" in mail:
            self.threads[mailbox, mail["key"]] = thread, header
        text, html = (self.body(mail, each, where) for each in ("text", "html"))
        attached = mail.get("files", {})
        row = {
            "message_id": message_id,
            "account_id": self.account_id(mailbox, where),
            "thread_id": thread,
            "kind": kind,
            "draft_id": f"r{self.spec.number(1 << 60, 1 << 62, 'draft', where)}" if kind == "draft" else None,
            "sender": str(sender),
            "recipients": self.people(mail.get("to", [mailbox]), where),
            "cc": self.people(mail.get("cc", []), where),
            "subject": self.text(mail["subject"], where),
            "body_text": text,
            "body_html": html,
            "internal_ms": _ms(at),
            "utc_offset_minutes": self.offset(mail, at, where),
            "header_message_id": header,
            "in_reply_to": answered,
            "list_id": mail.get("list_id", ""),
            "size_bytes": _HEADERS_BYTES + len(f"{text or ''}{html or ''}".encode()) + sum(attached.values()) * 4 // 3,
        }
        yield {"table": "messages", **{name: value for name, value in row.items() if value not in (None, "")}}
        unread = [] if mail.get("read", kind != "received") else ["UNREAD"]
        own = [self.label(key, mailbox, where) for key in mail.get("labels", ())]
        for label in dict.fromkeys((*labels, *unread, *own)):
            yield {"table": "message_labels", "message_id": message_id, "label_id": label}
        for position, (name, size) in enumerate(attached.items(), start=1):
            token = self.spec.id("ANGjdJ{base64url:120}", "attachment", message_id, name)
            suffix = require("type of file", name.rpartition(".")[2], _TYPES, where)
            about = {"message_id": message_id, "position": position, "filename": name}
            yield {"table": "attachments", "attachment_id": token, **about, "mime_type": suffix, "size_bytes": size}

    def body(self, mail: Mapping[str, Any], form: str, where: str) -> str | None:
        """Return a mail's text in a form, or None."""
        return self.text(mail[form].strip("\n") + "\n", where) if form in mail else None

    def address(self, who: str, where: str) -> Address:
        """Return a person's address, or one that is written out: ``Name <address>``."""
        if "@" in who:
            name, _, address = who.rpartition("<")
            return Address(name.strip(), address.rstrip(">"))
        person = self.spec.world.person(who, where)
        own = self.spec.accounts.get(who)
        name = person.name_zh if person.language == "zh" and own is None else person.name_en
        return Address(name, own.address if own else person.email)

    def people(self, keys: list[str], where: str) -> str:
        """Return the text of a header with several people in it."""
        return ", ".join(str(self.address(key, where)) for key in keys)

    def offset(self, mail: Mapping[str, Any], at: datetime, where: str) -> int:
        """Return how far the sender's clock is from UTC, in minutes."""
        hours = mail.get("zone")
        if hours is not None:
            return int(hours * 60)
        is_outside = "@" in mail["from"]
        zone = self.spec.world.zone if is_outside else ZoneInfo(self.spec.world.person(mail["from"], where).time_zone)
        return int((at.astimezone(zone).utcoffset() or at - at).total_seconds() // 60)

    def text(self, raw: str, where: str) -> str:
        """Return a text with its references resolved: a link to a document is its address."""
        return self.spec.text(raw, {"doc": lambda key: self.spec.link(key).address}, where)


def _ms(at: datetime) -> int:
    return int(at.timestamp()) * 1000
