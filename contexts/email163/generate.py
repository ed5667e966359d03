"""What the mail service stores of a world: mailboxes, and the mails that came into them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from farm.appkit import Row
from farm.appkit.formats.addresses import Address
from farm.appkit.world_spec import AppSpec, ScheduledRow, WorldError, identities_of, require

from .files import MAILS, SCHEDULED

_FILE_KEYS = {"name", "size", "text"}
# Mails that are yet to come leave room in front of each for what is sent here meanwhile.
_NUMBERS_SKIPPED = 1000


def rows(spec: AppSpec) -> Iterator[Row]:
    """Yield every row of the service, mails in order of time."""
    service = _Service(spec)
    yield from service.accounts()
    mails = sorted(spec.read(MAILS)["mails"], key=lambda mail: spec.at(mail["at"], spec.where(MAILS.path)))
    seconds = spec.seconds((spec.at(mail["at"], spec.where(MAILS.path)) for mail in mails), "mail")
    for number, mail in enumerate(mails, start=1):
        where = f"{spec.where(MAILS.path)}: mail {number}"
        at = spec.at(mail["at"], where)
        if at >= spec.world.starts_at:
            start = f"{spec.world.starts_at:%H:%M} of day +0"
            raise WorldError(f"{where}: at {mail['at']}, and the world starts at {start}")
        yield from service.mail(mail, seconds.ms(at), where, is_numbered=True)


def scheduled(spec: AppSpec) -> Iterator[ScheduledRow]:
    """Yield the mails of the week after the start."""
    service = _Service(spec)
    if not (spec.folder / SCHEDULED.path).is_file():
        return
    # All that came before, for the number of the last one.
    for mail in spec.read(MAILS)["mails"]:
        service.next_uids(mail, spec.where(MAILS.path))
    mails = spec.read(SCHEDULED)["mails"]
    seconds = spec.seconds((spec.at(mail["at"], spec.where(SCHEDULED.path)) for mail in mails), "mail")
    for number, mail in enumerate(mails, start=1):
        where = f"{spec.where(SCHEDULED.path)}: mail {number}"
        sent_ms = seconds.ms(spec.at(mail["at"], where))
        # Its POP3 number depends on the mails that are sent here before it comes.
        for row in service.mail({**mail, "skipped": _NUMBERS_SKIPPED}, sent_ms, where, is_numbered=False):
            yield ScheduledRow(datetime.fromtimestamp(sent_ms // 1000, UTC), row)


def identities(made: list[Row]) -> dict[str, dict[str, str]]:
    """Return person → the name and address that mails show."""
    return identities_of(made, "accounts", name="name", address="address")


class _Service:
    """The mailboxes; a mail came into that of everybody in its to, cc and bcc.

    Attributes:
        uids: address → the number of the last mail there; every mailbox counts on its own.
        numbers: address → how many mails lie there.
    """

    def __init__(self, spec: AppSpec) -> None:
        self.spec = spec
        self.uids = dict.fromkeys((each.address for each in spec.accounts.values()), 0)
        self.numbers = dict(self.uids)

    def accounts(self) -> Iterator[Row]:
        """Yield who has a mailbox."""
        for key, account in self.spec.accounts.items():
            code = self.spec.id("{upper:16}", "authorization code", key)
            name = account.name or account.owner.name
            yield {"table": "accounts", "address": account.address, "person": key, "name": name, "password": code}
            if "alias" in account.more:
                yield {"table": "aliases", "login": account.more["alias"], "address": account.address}

    def mailboxes(self, mail: dict[str, Any], where: str) -> list[str]:
        """Return the addresses of the mailboxes that a mail came into, each once."""
        receivers = (*self._receivers(mail), *mail.get("cc", ()), *mail.get("bcc", ()))
        addresses = [self._address(each, where).address.lower() for each in receivers]
        found = [each for each in self.uids if each.lower() in addresses]
        if not found:
            raise WorldError(f"{where}: nobody in its to, cc and bcc has a mailbox at 163")
        return found

    def next_uids(self, mail: dict[str, Any], where: str) -> dict[str, int]:
        """Return address → the number of a mail in each of its mailboxes; mails that were deleted leave gaps."""
        found = self.mailboxes(mail, where)
        for address in found:
            self.uids[address] += 1 + int(mail.get("skipped", 0))
            self.numbers[address] += 1
        return {address: self.uids[address] for address in found}

    def mail(self, mail: dict[str, Any], sent_ms: int, where: str, *, is_numbered: bool) -> Iterator[Row]:
        """Yield a mail, what is attached to it, and its place in each mailbox, with its POP3 number if it is known."""
        uids = self.next_uids(mail, where)
        key = self._key(uids)
        sender = self._address(mail["from"], where)
        offset = datetime.fromtimestamp(sent_ms // 1000, self.spec.world.zone).utcoffset()
        yield {
            "table": "messages",
            "message_key": key,
            "message_id": f"<{key}@{sender.address.rpartition('@')[2]}>",
            "sender": str(sender),
            "recipients": self._addresses(self._receivers(mail), where),
            "cc": self._addresses(mail["cc"], where) if "cc" in mail else None,
            **({"bcc": self._addresses(mail["bcc"], where)} if "bcc" in mail else {}),
            "subject": self.spec.text(mail["subject"], {}, where) or None,
            "text": self._body(mail.get("text"), where),
            "html": self._body(mail.get("html"), where),
            "sent_ms": sent_ms,
            "zone_minutes": 0 if offset is None else round(offset.total_seconds() / 60),
        }
        for place, file in enumerate(mail.get("files", ()), start=1):
            yield {"table": "attachments", "message_key": key, "number": place, **self._file(file, where)}
        for address, uid in uids.items():
            number = self.numbers[address] if is_numbered else None
            yield {"table": "deliveries", "address": address, "uid": uid, "message_key": key, "number": number}

    def _receivers(self, mail: dict[str, Any]) -> list[str]:
        receivers: list[str] = mail.get("to", [self.spec.world.protagonist])
        return receivers

    def _key(self, uids: dict[str, int]) -> str:
        """Return a mail's key: drawn from its number with the protagonist, else from that in its first mailbox."""
        owner = self.spec.accounts.get(self.spec.world.protagonist)
        if owner is not None and owner.address in uids:
            return self.spec.id("{uuid}", "mail", uids[owner.address])
        address, uid = next(iter(uids.items()))
        return self.spec.id("{uuid}", "mail", address, uid)

    def _body(self, text: str | None, where: str) -> str | None:
        return None if text is None else self.spec.text(text.strip("\n") + "\n", {}, where)

    def _file(self, file: dict[str, Any], where: str) -> Row:
        unknown = file.keys() - _FILE_KEYS
        if unknown or "name" not in file or ("size" in file) == ("text" in file):
            raise WorldError(f"{where}: a file has a name, and either a size or a text")
        text = file.get("text")
        size = file["size"] if text is None else len(text.encode())
        return {"filename": file["name"], "size_bytes": size, "content": text}

    def _addresses(self, given: list[str], where: str) -> str:
        return ", ".join(str(self._address(each, where)) for each in given)

    def _address(self, given: str, where: str) -> Address:
        """Return a person by key, or somebody who is only in mails: ``Name <address>``."""
        if "@" in given:
            name, _, address = given.rpartition("<")
            return Address(name.strip(), address.rstrip(">"))
        if given in self.spec.accounts:
            account = self.spec.accounts[given]
            return Address(account.name or account.owner.name, account.address)
        person = require("person", given, self.spec.world.people, where)
        return Address(person.name, person.email)
