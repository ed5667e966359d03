"""Folders of the list of chats."""

from __future__ import annotations

import json
from typing import Any

from farm.appkit import Episode, Result, Row, parse_json

from . import texts
from .chat_lists import TYPES
from .errors import (
    ChannelPrivate,
    ContactUnclearError,
    Failed,
    NotConnected,
    NotFitting,
    NotFound,
    Refused,
    ToolMessage,
    unresolved,
)
from .ids import Id, addressed
from .peers import me, own_row, require, require_named
from .sanitize import clean_name

_FOLDERS_MAX, _CHATS_MAX, _TITLE_MAX = 10, 100, 12
_FIRST = 2
_FILTERS = ("contacts", "non_contacts", "groups", "broadcasts", "bots", "exclude_muted", "exclude_read",
            "exclude_archived")  # fmt: skip


def _folders(ep: Episode) -> list[Row]:
    own_row(ep)
    return ep.db.all("SELECT * FROM folders WHERE owner_id = ? ORDER BY position, folder_id", me(ep))


def _require_folder(ep: Episode, folder_id: int, otherwise: str = " Use list_folders to see available folders.") -> Row:
    found = next((row for row in _folders(ep) if row["folder_id"] == folder_id), None)
    if found is None:
        ending = f".{otherwise}" if otherwise.startswith(" Use") else otherwise
        raise ToolMessage(f"Folder with ID {folder_id} not found{ending}")
    return found


def _filters(row: Row) -> dict[str, bool]:
    named = parse_json(row["filters"])
    return {name: name in named for name in _FILTERS}


@addressed()
def list_folders(ep: Episode) -> Result:
    """Return every folder with what it takes in and how many chats it names."""
    found = _folders(ep)
    if not found:
        raise ToolMessage("No folders found. Create one with create_folder tool.")
    return json.dumps({"folders": [_listed(row) for row in found], "count": len(found)}, indent=2)


def _listed(row: Row) -> dict[str, Any]:
    told = {"id": row["folder_id"], "title": clean_name(row["title"]), "emoticon": row["emoticon"]}
    counts = {f"{name}_peers_count": len(parse_json(row[name])) for name in ("included", "excluded", "pinned")}
    if row["is_shared"]:
        del counts["excluded_peers_count"]
        return told | {"type": "shared"} | counts
    return told | _filters(row) | counts


@addressed()
def get_folder(ep: Episode, *, folder_id: int) -> Result:
    """Return a folder with the chats that it names."""
    row = _require_folder(ep, folder_id)
    told = {"id": row["folder_id"], "title": clean_name(row["title"]), "emoticon": row["emoticon"]}
    for name in ("included", "excluded", "pinned"):
        told[f"{name}_chats"] = [_chat(ep, each, named=name == "included") for each in parse_json(row[name])]
    told |= {"type": "shared"} if row["is_shared"] else {"filters": _filters(row)}
    return json.dumps(told, indent=2)


def _chat(ep: Episode, peer_id: int, *, named: bool) -> dict[str, Any]:
    try:
        peer = require(ep, peer_id)
    except NotConnected:
        raise
    except Failed:
        return {"id": str(peer_id), "name": "Unknown", "type": "Unknown"}
    told = {"id": peer.marked, "name": clean_name(peer.title), "type": TYPES[peer.kind]}
    return told | ({"username": peer.row["username"]} if named and peer.row["username"] else {})


@addressed()
def create_folder(
    ep: Episode,
    *,
    title: str,
    emoticon: str | None = None,
    chat_ids: list[Id] | None = None,
    contacts: bool = False,
    non_contacts: bool = False,
    groups: bool = False,
    broadcasts: bool = False,
    bots: bool = False,
    exclude_muted: bool = False,
    exclude_read: bool = False,
    exclude_archived: bool = True,
) -> Result:
    """Make a folder with the first number that is free; it needs something that it takes in."""
    wanted = {
        "contacts": contacts, "non_contacts": non_contacts, "groups": groups, "broadcasts": broadcasts, "bots": bots,
        "exclude_muted": exclude_muted, "exclude_read": exclude_read, "exclude_archived": exclude_archived,
    }  # fmt: skip
    known = {row["folder_id"] for row in _folders(ep)}
    if len(known) >= _FOLDERS_MAX:
        raise ToolMessage("Cannot create folder: Telegram limit is 10 folders. Delete one first.")
    folder_id = next(each for each in range(_FIRST, _FIRST + _FOLDERS_MAX + 1) if each not in known)
    included = [_require_peer_id(ep, each) for each in chat_ids or ()]
    texts.require_printable(title, emoticon)
    filters = [name for name in _FILTERS if wanted[name]]
    if not included and not any(not name.startswith("exclude") for name in filters):
        raise Refused("FILTER_INCLUDE_EMPTY")
    if not title.strip():
        raise Refused("FILTER_TITLE_EMPTY")
    ep.db.insert(
        "folders",
        owner_id=me(ep),
        folder_id=folder_id,
        position=ep.next_number("folders", "position", owner_id=me(ep)),
        title=title.strip()[:_TITLE_MAX],
        emoticon=emoticon,
        filters=json.dumps(filters),
        included=json.dumps(list(dict.fromkeys(included))),
    )
    told = {"success": True, "folder_id": folder_id, "title": title, "emoticon": emoticon}
    return json.dumps(told | {"included_chats_count": len(included)}, indent=2)


def _peer_id(ep: Episode, chat_id: Id) -> int | None:
    """Return the marked id of a chat, None for what Telethon takes for one, or refuse with what the server says of it.

    Telethon only names the chat and does not ask for it: a number that nobody has passes for a group, and a channel
    that is closed to the account for a channel.
    """
    try:
        return require_named(ep, chat_id).marked
    except ChannelPrivate:
        return None
    except ContactUnclearError as problem:
        reason: str | None = problem.message
    except NotFound as problem:
        reason = unresolved(chat_id, problem, "input entity")
    if reason is None:
        return None
    raise ToolMessage(f"Failed to resolve chat '{chat_id}': {reason}")


def _require_peer_id(ep: Episode, chat_id: Id) -> int:
    found = _peer_id(ep, chat_id)
    if found is None:
        raise Refused("PEER_ID_INVALID")
    return found


@addressed("chat_id")
def add_chat_to_folder(ep: Episode, *, folder_id: int, chat_id: Id, pinned: bool = False) -> Result:
    """Put a chat into a folder, and to its top if that is asked for."""
    row = _require_folder(ep, folder_id)
    peer_id = _require_peer_id(ep, chat_id)
    included, tops = parse_json(row["included"]), parse_json(row["pinned"])
    if peer_id in included and (not pinned or peer_id in tops):
        raise ToolMessage(f"Chat {chat_id} is already in folder {folder_id}.")
    included += [] if peer_id in included else [peer_id]
    tops += [peer_id] if pinned and peer_id not in tops else []
    if len(included) > _CHATS_MAX:
        raise Refused("FILTER_INCLUDE_TOO_MUCH")
    _store(ep, folder_id, included, tops)
    return f"Chat {chat_id} added to folder {folder_id}{' (pinned)' if pinned else ''}."


@addressed("chat_id")
def remove_chat_from_folder(ep: Episode, *, folder_id: int, chat_id: Id) -> Result:
    """Take a chat out of a folder; the last one stays where the folder takes in nothing else."""
    row = _require_folder(ep, folder_id)
    peer_id = _peer_id(ep, chat_id)
    included, tops = parse_json(row["included"]), parse_json(row["pinned"])
    if peer_id not in included and peer_id not in tops:
        raise ToolMessage(f"Chat {chat_id} was not in folder {folder_id}.")
    included, tops = ([each for each in some if each != peer_id] for some in (included, tops))
    takes_in = any(not name.startswith("exclude") for name in parse_json(row["filters"]))
    if not included and not tops and not takes_in:
        raise Refused("FILTER_INCLUDE_EMPTY")
    _store(ep, folder_id, included, tops)
    return f"Chat {chat_id} removed from folder {folder_id}."


def _store(ep: Episode, folder_id: int, included: list[int], tops: list[int]) -> None:
    key = {"owner_id": me(ep), "folder_id": folder_id}
    ep.db.update("folders", key, included=json.dumps(included), pinned=json.dumps(tops))


@addressed()
def delete_folder(ep: Episode, *, folder_id: int) -> Result:
    """Delete a folder; its chats stay."""
    own_row(ep)
    if folder_id < _FIRST:
        raise ToolMessage(f"Cannot delete system folder (ID {folder_id}). Only custom folders can be deleted.")
    row = _require_folder(ep, folder_id, " (may already be deleted).")
    ep.db.delete("folders", owner_id=me(ep), folder_id=folder_id)
    return f"Folder '{clean_name(row['title'])}' (ID {folder_id}) deleted. Chats are preserved."


@addressed()
def reorder_folders(ep: Episode, *, folder_ids: list[int]) -> Result:
    """Put all folders into another order."""
    known = {row["folder_id"] for row in _folders(ep)}
    for each in folder_ids:
        if each not in known:
            raise ToolMessage(f"Folder ID {each} not found. Use list_folders to see available folders.")
    if missing := known - set(folder_ids):
        raise ToolMessage(f"All folder IDs must be included. Missing: {missing}")
    if any(not -(2**31) <= each < 2**31 for each in folder_ids):
        raise NotFitting
    for position, each in enumerate(dict.fromkeys(folder_ids), start=1):
        ep.db.update("folders", {"owner_id": me(ep), "folder_id": each}, position=position)
    return f"Folders reordered: {folder_ids}"
