"""Aliases: what the user calls people and chats, saved, listed and forgotten."""

from __future__ import annotations

from typing import Any

from farm.appkit import Episode, Result, Row, VendorError

from . import alias_store, texts
from .errors import ToolMessage
from .ids import addressed
from .message_views import one_result, results
from .peers import Peer, me, require
from .people import entity_summary

_CANDIDATES_MAX = 5


def _unsaved(reason: str, detail: str, **more: Any) -> VendorError:
    return ToolMessage(one_result({"saved": False, "reason": reason, "detail": detail, **more}))


@addressed()
def set_contact_alias(ep: Episode, *, alias: str, chat_id: str, replace: bool = False) -> Result:
    """Save what the user calls somebody: from then on the tools that check their ids take this wording, too.

    Whom it is for has to be a username, a phone or another alias: digits are a phone to Telethon, which never is an id.
    """
    texts.require_printable(alias, chat_id)
    key = alias_store.key_of(alias)
    if not key:
        raise ToolMessage("Alias must not be empty.")
    if alias_store.is_handle(key):
        raise _unsaved(
            "alias_shadows_real_identifier",
            f"'{alias}' looks like a username, phone, numeric ID or self-reference and would shadow the real one. Use "
            "a distinct nickname, e.g. add a second word.",
        )
    peer = require(ep, _target(ep, chat_id))
    known = next((row for row in alias_store.all_aliases(ep) if row["alias"] == key), None)
    if known and known["peer_id"] != peer.marked and not replace:
        raise _unsaved(
            "alias_already_used",
            f"'{key}' already points at {known['name'] or known['peer_id']}. Confirm with the user, then call again "
            "with replace=True.",
            current={"id": known["peer_id"], "name": known["name"], "account": known["account"]},
        )
    _store(ep, key, peer, known)
    return one_result({"saved": True, "alias": key, "resolved": entity_summary(peer)})


def _target(ep: Episode, chat_id: str) -> str | int:
    if alias_store.is_handle(chat_id):
        return chat_id
    found = alias_store.resolve(ep, chat_id)
    if found is None:
        candidates = [
            {"alias": row["alias"], "id": row["peer_id"], "name": row["name"]}
            for row in alias_store.matches(ep, chat_id)[:_CANDIDATES_MAX]
        ]
        raise _unsaved(
            "ambiguous_target",
            f"'{chat_id}' is not an exact identifier. Save the contact by @username, phone number, numeric ID, or an "
            "alias already saved for them — never by a name you have not confirmed with the user.",
            candidates=candidates,
        )
    # The number alone: where it leads nowhere, nobody is asked.
    return int(found)


def _store(ep: Episode, key: str, peer: Peer, known: Row | None) -> None:
    values = {"peer_id": peer.marked, "name": entity_summary(peer)["name"], "account": "default"}
    if known:
        ep.db.update("aliases", {"owner_id": me(ep), "alias": key}, **values)
    else:
        position = ep.next_number("aliases", "position", owner_id=me(ep))
        ep.db.insert("aliases", owner_id=me(ep), alias=key, position=position, **values)


@addressed()
def list_contact_aliases(ep: Episode, *, account: str | None = None) -> Result:
    """Return everybody who has aliases, with all of them; the account is not looked at."""
    saved = sorted(alias_store.all_aliases(ep), key=lambda row: str(row["alias"]))
    if not saved:
        return "No aliases saved."
    people: dict[int, dict[str, Any]] = {}
    for row in saved:
        told = people.setdefault(row["peer_id"], {"id": row["peer_id"], "name": row["name"], "aliases": []})
        told["aliases"].append(row["alias"])
    return results(people.values())


@addressed()
def delete_contact_alias(ep: Episode, *, alias: str, account: str | None = None) -> Result:
    """Forget an alias of exactly this wording; the account is not looked at."""
    texts.require_printable(alias)
    if not ep.db.delete("aliases", owner_id=me(ep), alias=alias_store.key_of(alias)):
        raise ToolMessage(f"Alias '{alias}' not found.")
    return f"Alias '{alias}' deleted."
