"""What Gmail stores of a world: whose mailboxes there are, what lies in them, and how it is labelled and filtered."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

from farm.appkit import Row
from farm.appkit.formats.addresses import Address
from farm.appkit.world_spec import AppSpec, ScheduledRow, SpecFile, WorldError, as_json, identities_of, require

from .delivery import Copy, Delivery
from .files import LABELS, MAIL, SCHEDULED

_HEADERS_BYTES = 1_900
_COLUMNS = (
    "message_id", "account_id", "thread_id", "kind", "draft_id", "sender", "recipients", "cc", "bcc", "subject",
    "body_text", "body_html", "internal_ms", "utc_offset_minutes", "header_message_id", "in_reply_to", "list_id",
    "size_bytes",
)  # fmt: skip
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


@dataclass(frozen=True)
class _Told:
    """What an answer needs to know of a mail: its conversation, which all its answers share, and its Message-ID."""

    conversation: str
    header: str


class _Mail:
    """The mailboxes of a world. A conversation is named by the key of any of its mails that has one.

    Attributes:
        told: a mail's key in a mailbox, or in none for all who got a copy → what answers need to know.
        threads: mailbox and conversation → the thread that it is there.
        answered: keys of mails, each with a sender of an answer to it.
    """

    def __init__(self, spec: AppSpec) -> None:
        self.spec = spec
        found = spec.read(LABELS)
        self.labels, self.filters = found["labels"], found["filters"]
        self.told: dict[tuple[str, str], _Told] = {}
        self.threads: dict[tuple[str, str], str] = {}
        self.answered: set[tuple[str, str]] = set()
        self.delivery = Delivery(spec, self.address, self.answered)

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
                "created_ms": self.spec.second_ms(each["created"], where, "filter", number),
            }

    def label_id(self, label: Mapping[str, Any]) -> str:
        """Return the id of a label: the first mailbox numbered them as they were made, others draw long numbers."""
        if label["mailbox"] == self.labels[0]["mailbox"]:
            same = [each for each in self.labels if each["mailbox"] == label["mailbox"]]
            return f"Label_{same.index(dict(label)) + 1}"
        return self.spec.id("Label_{digit:19}", "label", label["mailbox"], label["key"])

    def label(self, key: str, mailbox: str, where: str) -> str:
        """Return the id of a label by its key; INBOX and UNREAD stand for themselves."""
        if key in ("INBOX", "UNREAD"):
            return key
        own = {each["key"]: self.label_id(each) for each in self.labels if each["mailbox"] == mailbox}
        return require("label", key, {**_SYSTEM, **own}, where)

    def read(
        self, files: SpecFile, *, before: datetime, after: datetime | None = None
    ) -> list[tuple[datetime, list[Row]]]:
        """Return the mails of a folder of the specification with the rows of each, in order of time.

        Mails of one minute come in different seconds, in the order in which they are written.
        """
        read: list[tuple[datetime, str, dict[str, Any]]] = []
        for relative, found in self.spec.read_every(files):
            for number, mail in enumerate(found["mails"], start=1):
                where = f"{self.spec.where(relative)}: mail {number}"
                at = self.spec.at(mail["at"], where)
                if at >= before or (after is not None and at < after):
                    raise WorldError(f"{where}: at {mail['at']}, which is not in the time of {files.path}")
                read.append((at, where, mail))
        read.sort(key=lambda each: each[0])
        self.answered |= {(mail["reply_to"], mail["from"]) for _, _, mail in read if "reply_to" in mail}
        seconds = self.spec.seconds((at for at, _, _ in read), "mail")
        sent = [(seconds.ms(at), at, where, mail) for at, where, mail in read]
        return [(_moment(sent_ms), list(self.mail(mail, at, sent_ms, where))) for sent_ms, at, where, mail in sent]

    def mail(self, mail: Mapping[str, Any], at: datetime, sent_ms: int, where: str) -> Iterator[Row]:
        """Yield the rows of a mail in every mailbox that holds it; ``at`` is the minute in which it was sent."""
        copies = list(self.delivery.copies(mail, at, where))
        sender = self.address(mail["from"], where)
        first_id = self.message_id(mail, copies[0].holder, sent_ms)
        header = f"<{self.spec.id('{alnum:32}', 'header', first_id)}@{sender.address.rpartition('@')[2]}>"
        answers = self.require_answered(mail, where)
        told = _Told(answers.conversation if answers else where, header)
        if "key" in mail:
            self.told |= {(holder, mail["key"]): told for holder in ("", *(each.holder for each in copies))}
        for copy in copies:
            message_id = self.message_id(mail, copy.holder, sent_ms)
            thread = self.threads.setdefault((copy.holder, told.conversation), message_id)
            own = {"message_id": message_id, "thread_id": thread, "header_message_id": header}
            row = self.message(mail, copy, at, where)
            row |= {
                **own,
                "internal_ms": sent_ms,
                "sender": str(sender),
                "in_reply_to": answers.header if answers else "",
            }
            yield {"table": "messages", **{name: row[name] for name in _COLUMNS if row[name] not in (None, "")}}
            yield from self.belongings(mail, copy, message_id, where)

    def message_id(self, mail: Mapping[str, Any], holder: str, sent_ms: int) -> str:
        """Return the id of a mail's copy in a mailbox: Gmail's begin with the millisecond in which it arrived."""
        arrived_ms = sent_ms + self.spec.number(0, 999, "arrived", holder, mail["at"], mail["subject"])
        return f"{(arrived_ms << 20) + self.spec.number(0, (1 << 20) - 1, holder, mail['at'], mail['subject']):016x}"

    def require_answered(self, mail: Mapping[str, Any], where: str) -> _Told | None:
        """Return the mail that a mail answers: one of its mailbox, or of any."""
        if "reply_to" not in mail:
            return None
        mailbox = mail.get("mailbox", "")
        known = {key: found for (box, key), found in self.told.items() if box == mailbox}
        return require("mail", mail["reply_to"], known, where)

    def message(self, mail: Mapping[str, Any], copy: Copy, at: datetime, where: str) -> Row:
        """Return the columns of a message that follow from the mail and from whose copy it is."""
        text, html = (self.body(mail, each, where) for each in ("text", "html"))
        size_bytes = _HEADERS_BYTES + len(f"{text or ''}{html or ''}".encode())
        is_draft = copy.kind == "draft"
        return {
            "account_id": self.account_id(copy.holder, where),
            "kind": copy.kind,
            "draft_id": f"r{self.spec.number(1 << 60, 1 << 62, 'draft', where)}" if is_draft else None,
            "recipients": self.people(mail.get("to", [mail["mailbox"]] if "mailbox" in mail else []), where),
            "cc": self.people(mail.get("cc", []), where),
            "bcc": self.people(copy.bcc, where),
            "subject": self.text(mail["subject"], where),
            "body_text": text,
            "body_html": html,
            "utc_offset_minutes": self.offset(mail, at, where),
            "list_id": mail.get("list_id", ""),
            "size_bytes": size_bytes + sum(mail.get("files", {}).values()) * 4 // 3,
        }

    def belongings(self, mail: Mapping[str, Any], copy: Copy, message_id: str, where: str) -> Iterator[Row]:
        """Yield the labels of a copy and what is attached to it."""
        own = [self.label(key, copy.holder, where) for key in copy.own]
        for label in dict.fromkeys((*copy.labels, *own)):
            yield {"table": "message_labels", "message_id": message_id, "label_id": label}
        for position, (name, size) in enumerate(mail.get("files", {}).items(), start=1):
            # One hash fills about forty letters.
            parts = ("{base64url:40}", "attachment", message_id, name)
            token = "ANGjdJ" + "".join(self.spec.id(*parts, piece) for piece in range(3))
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

    def people(self, keys: Sequence[str], where: str) -> str:
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


def _moment(ms: int) -> datetime:
    return datetime.fromtimestamp(ms // 1000, UTC)
