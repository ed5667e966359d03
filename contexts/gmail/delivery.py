"""Who gets a copy of a mail, and where it lies in each mailbox."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from farm.appkit.formats.addresses import Address
from farm.appkit.world_spec import AppSpec, WorldError, require

# Without a word in the specification, people have read what came before the last two days.
_READ_AFTER = timedelta(days=2)
_COPY_KEYS = {"box", "read", "labels"}
# Where a received mail lies → the labels that say so.
_PLACES: dict[str, tuple[str, ...]] = {"inbox": ("INBOX",), "archive": (), "spam": ("SPAM",), "trash": ("TRASH",)}
_PLACES_OF_SENT = {**_PLACES, "sent": ()}
_BOXES = {**_PLACES_OF_SENT, "draft": ()}


@dataclass(frozen=True)
class Copy:
    """What one mailbox holds of a mail.

    Attributes:
        holder: the person whose mailbox it is.
        kind: received, sent or draft.
        labels: those of the system that follow from where it lies and whether it was read.
        own: keys of labels.
        bcc: who of the hidden receivers is seen in this copy, as the specification names them.
    """

    holder: str
    kind: str
    labels: tuple[str, ...]
    own: tuple[str, ...]
    bcc: tuple[str, ...]


class Delivery:
    """Finds the mailboxes of a mail.

    Args:
        spec: the world's Gmail.
        address: returns the address of a person by key, or one that is written out.
        answered: pairs of a mail's key and the sender of an answer to it.
    """

    def __init__(
        self, spec: AppSpec, address: Callable[[str, str], Address], answered: Collection[tuple[str, str]]
    ) -> None:
        self.spec = spec
        self.address = address
        self.answered = answered
        self.holders = {normalized(account.address): key for key, account in spec.accounts.items()}

    def copies(self, mail: Mapping[str, Any], at: datetime, where: str) -> Iterator[Copy]:
        """Yield the copies of a mail: the sender's first, then those of ``to``, ``cc`` and ``bcc``.

        Raises:
            WorldError: nobody of the mail has a mailbox, or a copy lies with somebody whom the mail does not reach.
        """
        if "mailbox" in mail:
            yield self._only_copy(mail, where)
            return
        box = mail.get("box", "inbox")
        require("place of a mail", box, {**_PLACES, "draft": ()}, where)
        sender, named = self._holder(mail["from"], where), self._named(mail, where)
        holders = [] if box == "draft" else [*named, *self._reached_by_group(mail, {sender, *named}, where)]
        holders = [*([sender] if sender else []), *(each for each in holders if each != sender)]
        if not holders:
            raise WorldError(f"{where}: neither its sender nor anybody whom it names has Gmail")
        for holder in holders:
            is_sender = holder == sender
            own = self._own_state(mail, holder, where)
            if is_sender:
                yield self._sent(mail, own, holder, is_received=holder in named, at=at, where=where)
            else:
                yield self._received(mail, own, holder, at, where)

    def _only_copy(self, mail: Mapping[str, Any], where: str) -> Copy:
        """Return the copy of a mail that lies in one mailbox, whoever else is named."""
        holder = mail["mailbox"]
        if "copies" in mail:
            raise WorldError(f"{where}: a mail with 'mailbox' has one copy; 'copies' belongs to mails without it")
        box = mail.get("box", "inbox")
        labels = require("place of a mail", box, _BOXES, where)
        kind = box if box in ("sent", "draft") else "received"
        named = self._named(mail, where) if "to" in mail else [holder]
        if kind == "received" and holder not in named and not self._is_to_group(mail, holder, where):
            hint = "name him in to, cc or bcc, or the list in list_id"
            raise WorldError(f"{where}: it lies with '{holder}', and is addressed only to others; {hint}")
        is_read = mail.get("read", kind != "received")
        own, bcc = tuple(mail.get("labels", ())), self._seen_bcc(mail, holder, kind, where)
        return Copy(holder, kind, (*labels, *(() if is_read else ("UNREAD",))), own, bcc)

    def _sent(
        self,
        mail: Mapping[str, Any],
        own: Mapping[str, Any],
        holder: str,
        *,
        is_received: bool,
        at: datetime,
        where: str,
    ) -> Copy:
        """Return the sender's copy; a mail that he sent to himself, too, is in his inbox as well."""
        if mail.get("box") == "draft":
            return Copy(holder, "draft", (), tuple(mail.get("labels", ())), tuple(mail.get("bcc", ())))
        box = own.get("box", mail.get("box", "inbox") if is_received else "sent")
        labels = require("place of a mail", box, _PLACES_OF_SENT, where)
        is_read = own.get("read", not is_received or self._is_read(mail, holder, at))
        unread = () if is_read else ("UNREAD",)
        return Copy(holder, "sent", (*labels, *unread), tuple(own.get("labels", ())), tuple(mail.get("bcc", ())))

    def _received(self, mail: Mapping[str, Any], own: Mapping[str, Any], holder: str, at: datetime, where: str) -> Copy:
        box = own.get("box", mail.get("box", "inbox"))
        place = require("place of a mail", box, _PLACES, where)
        unread = () if own.get("read", self._is_read(mail, holder, at)) else ("UNREAD",)
        labels = tuple(own.get("labels", mail.get("labels", ())))
        return Copy(holder, "received", (*place, *unread), labels, self._seen_bcc(mail, holder, "", where))

    def _is_read(self, mail: Mapping[str, Any], holder: str, at: datetime) -> bool:
        starts_at = self.spec.world.starts_at
        is_answered = at < starts_at and (mail.get("key", ""), holder) in self.answered
        return bool(mail.get("read", is_answered or at < starts_at - _READ_AFTER))

    def _own_state(self, mail: Mapping[str, Any], holder: str, where: str) -> Mapping[str, Any]:
        own = mail.get("copies", {}).get(holder, {})
        if not isinstance(own, dict) or not own.keys() <= _COPY_KEYS:
            raise WorldError(f"{where}: the copy of '{holder}' is a table of {', '.join(sorted(_COPY_KEYS))}")
        return own

    def _reached_by_group(self, mail: Mapping[str, Any], known: Collection[str], where: str) -> list[str]:
        """Return who has a copy though nobody names him: the mail came over a list or a group's address."""
        others = [key for key in mail.get("copies", {}) if key not in known]
        for key in others:
            require("person with Gmail", key, self.spec.members, where)
            if not self._is_to_group(mail, key, where):
                raise WorldError(f"{where}: '{key}' has a copy, and neither he nor a list or group of his is named")
        return others

    def _named(self, mail: Mapping[str, Any], where: str) -> list[str]:
        """Return whose mailboxes a mail names, each once."""
        people = (*mail.get("to", ()), *mail.get("cc", ()), *mail.get("bcc", ()))
        found = (self._holder(each, where) for each in people)
        return list(dict.fromkeys(each for each in found if each))

    def _holder(self, who: str, where: str) -> str:
        """Return the person at whose mailbox an address or a key arrives; empty: at none."""
        return self.holders.get(normalized(self.address(who, where).address), "")

    def _seen_bcc(self, mail: Mapping[str, Any], holder: str, kind: str, where: str) -> tuple[str, ...]:
        """Return the hidden receivers whom a holder sees: who sends, all of them; who receives, himself."""
        hidden = tuple(mail.get("bcc", ()))
        return hidden if kind in ("sent", "draft") else tuple(e for e in hidden if self._holder(e, where) == holder)

    def _is_to_group(self, mail: Mapping[str, Any], holder: str, where: str) -> bool:
        """Return whether a mail came over a list, or to an address of the holder's company that is no person's."""
        if mail.get("list_id"):
            return True
        account = self.spec.accounts[holder]
        domains = {account.address.rpartition("@")[2], account.organisation.domain}
        people = {each.email for each in self.spec.world.people.values()}
        addresses = [self.address(each, where).address for each in (*mail.get("to", ()), *mail.get("cc", ()))]
        return any(
            each.rpartition("@")[2] in domains and each not in people and normalized(each) not in self.holders
            for each in addresses
        )


def normalized(address: str) -> str:
    """Return an address as Gmail compares it: without ``+…``, and at gmail.com without dots."""
    local, _, domain = address.lower().rpartition("@")
    local = local.partition("+")[0]
    return f"{local.replace('.', '') if domain in ('gmail.com', 'googlemail.com') else local}@{domain}"
