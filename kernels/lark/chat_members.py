"""Who is in a group: read, added, removed."""

from __future__ import annotations

import json

from farm.appkit import Episode, Result, Row
from farm.appkit.formats.cursors import encode_cursor

from . import chats, errors, users
from .envelope import NOTHING, Arguments, decode_token, endpoint, integer_parameter, page_size, require_length

_PAGE = """
SELECT m.joined_at, u.open_id, u.union_id, u.user_id, u.name, u.tenant_key
FROM chat_members m JOIN users u USING (open_id)
WHERE m.chat_id = :chat_id AND m.joined_at > :joined_at AND m.joined_at <= coalesce(
  (SELECT joined_at FROM chat_members WHERE chat_id = :chat_id AND joined_at > :joined_at
   ORDER BY joined_at LIMIT 1 OFFSET :size - 1), m.joined_at)
ORDER BY m.joined_at, m.open_id
"""


@endpoint
def list_members(ep: Episode, *, path: Arguments, params: Arguments = NOTHING) -> Result:
    """Return a page of a group's people and how many there are; bots are left out.

    Who joined at one time comes together, so that a page may be longer than asked for.

    Raises:
        FieldValidationFailed: the page size is out of range.
        InvalidChatId, ChatDissolved, OperatorInOtherTenant, OperatorOutOfChat: as ``require_group``.
        InvalidChatParameter: the token is not of this list.

    Source: https://open.feishu.cn/document/server-docs/group/chat-member/get
    """
    size = page_size(params, default=20, most=100)
    (joined_at,) = decode_token("members", params.get("page_token"), errors.InvalidChatParameter(), (int,)) or (-1,)
    chat = chats.require_group(ep, path["chat_id"])
    rows = ep.db.all(_PAGE, chat_id=chat["chat_id"], joined_at=joined_at, size=size)
    last = rows[-1]["joined_at"] if rows else joined_at
    later = "SELECT 1 FROM chat_members WHERE chat_id = ? AND joined_at > ? ORDER BY joined_at"
    has_more = ep.db.one(later, chat["chat_id"], last) is not None
    id_type = params.get("member_id_type", "open_id")
    return {
        "items": [
            {
                "member_id_type": id_type,
                "member_id": row[id_type],
                "name": row["name"],
                "tenant_key": row["tenant_key"],
            }
            for row in rows
        ],
        "page_token": encode_cursor("members", last) if has_more else "",
        "has_more": has_more,
        "member_total": ep.db.scalar("SELECT count(*) FROM chat_members WHERE chat_id = ?", chat["chat_id"]),
    }


def _asked(data: Arguments, params: Arguments) -> tuple[list[str], str]:
    id_type = params.get("member_id_type", "open_id")
    most = chats.BOTS_ADDED_MOST if id_type == "app_id" else chats.MEMBERS_ADDED_MOST
    asked = list(dict.fromkeys(data.get("id_list", ())))
    if not asked:
        raise errors.NoValidMembers
    require_length("id_list", asked, most)
    return asked, id_type


@endpoint
def add_members(ep: Episode, *, path: Arguments, data: Arguments = NOTHING, params: Arguments = NOTHING) -> Result:
    """Add people, or bots, to a group; those who are in it already are passed over.

    Where the group wants approval and the caller does not manage it, people wait to be let in.

    Args:
        params: ``succeed_type`` 0 fails for anybody who does not exist or cannot be seen but leaves out who resigned,
            1 adds whom it can, 2 fails for anybody.

    Raises:
        FieldValidationFailed: too many, or no such ``succeed_type``.
        InvalidChatId, ChatDissolved, OperatorInOtherTenant, OperatorOutOfChat: as ``require_group``.
        OperatorIsNotOwner: only owner and managers may add people to this group.
        NoValidMembers: nobody is asked for, or nobody of the list works here any more.
        IdNotExist, UnionIdNotExist, UserIdNotExist: somebody does not exist (``succeed_type`` 0).
        ExternalMemberInInternalChat: somebody works for another company (``succeed_type`` 0).
        UnavailableIds: somebody cannot be added or does not exist (``succeed_type`` 2).
        AppUnavailable: a bot is switched off.

    Source: https://open.feishu.cn/document/server-docs/group/chat-member/create
    """
    asked, id_type = _asked(data, params)
    mode = integer_parameter(params, "succeed_type", 0)
    if mode not in (0, 1, 2):
        raise errors.FieldValidationFailed("succeed_type", "options: [0,1,2]", value=str(mode))
    chat = chats.require_group(ep, path["chat_id"])
    if chat["add_member_permission"] == "only_owner" and not chats.is_managed_by(chat):
        raise errors.OperatorIsNotOwner
    if id_type == "app_id":
        return _add_bots(ep, chat, asked, mode)
    found = users.find_users(ep, asked, id_type)
    missing = [key for key in asked if key not in found]
    resigned = [key for key in asked if key in found and found[key]["is_resigned"]]
    outside = [key for key in asked if key in found and key not in resigned and _is_outside(chat, found[key])]
    barred = [key for key in asked if key in (*resigned, *outside)]
    if mode == 2 and (missing or barred):
        raise errors.UnavailableIds([key for key in asked if key in (*missing, *barred)])
    if mode == 0 and missing:
        raise users.missing_user(id_type, *missing)
    if mode == 0 and outside:
        raise errors.ExternalMemberInInternalChat
    if len(missing) + len(barred) == len(asked) and mode == 0:
        raise errors.NoValidMembers
    waits = chat["membership_approval"] == "approval_required" and not chats.is_managed_by(chat)
    pending = []
    for key in asked:
        if key in found and key not in barred and _add(ep, chat, found[key]["open_id"], waits=waits):
            pending.append(key)
    return {
        "invalid_id_list": barred,
        "not_existed_id_list": missing,
        "pending_approval_id_list": pending,
    }


def _is_outside(chat: Row, user: Row) -> bool:
    return bool(user["tenant_key"] != chat["tenant_key"] and not chat["is_external"])


def _add(ep: Episode, chat: Row, open_id: str, *, waits: bool) -> bool:
    """Add one person unless they are there; return whether they have to wait."""
    chat_id = chat["chat_id"]
    if ep.db.one("SELECT 1 FROM chat_members WHERE chat_id = ? AND open_id = ?", chat_id, open_id):
        return False
    if not waits:
        ep.db.delete("chat_invitations", chat_id=chat_id, open_id=open_id)
        ep.db.insert("chat_members", chat_id=chat_id, open_id=open_id, joined_at=ep.now_ms)
        return False
    if not ep.db.one("SELECT 1 FROM chat_invitations WHERE chat_id = ? AND open_id = ?", chat_id, open_id):
        ep.db.insert("chat_invitations", chat_id=chat_id, open_id=open_id, inviter_id=ep.me, created_at=ep.now_ms)
    return True


def _add_bots(ep: Episode, chat: Row, asked: list[str], mode: int) -> Result:
    missing: list[str] = []
    if mode == 1:
        known = ep.db.all(
            "SELECT app_id FROM bots WHERE is_active AND app_id IN (SELECT value FROM json_each(?)) ORDER BY app_id",
            json.dumps(asked),
        )
        usable = {row["app_id"] for row in known}
        missing = [key for key in asked if key not in usable]
        asked = [key for key in asked if key in usable]
    for bot in chats.invited_bots(ep, asked):
        if not ep.db.one("SELECT 1 FROM chat_bots WHERE chat_id = ? AND app_id = ?", chat["chat_id"], bot):
            ep.db.insert("chat_bots", chat_id=chat["chat_id"], app_id=bot, joined_at=ep.now_ms)
    return {"invalid_id_list": [], "not_existed_id_list": missing, "pending_approval_id_list": []}


@endpoint
def remove_members(ep: Episode, *, path: Arguments, data: Arguments = NOTHING, params: Arguments = NOTHING) -> Result:
    """Remove people, or bots, from a group; ids that don't exist come back, those outside the group are passed over.

    Raises:
        FieldValidationFailed: too many.
        InvalidChatId, ChatDissolved, OperatorInOtherTenant, OperatorOutOfChat: as ``require_group``.
        NoValidMembers: nobody is to be removed, or nobody of the list exists.
        OperatorIsNotOwner: somebody else is to be removed by one who does not manage the group.
        OwnerCannotBeKicked: the owner is to be removed by another.
        NoCandidateForOwner: the owner leaves and nobody is left.

    Source: https://open.feishu.cn/document/server-docs/group/chat-member/delete
    """
    asked, id_type = _asked(data, params)
    chat = chats.require_group(ep, path["chat_id"])
    manages = chats.is_managed_by(chat)
    if id_type == "app_id":
        if not manages:
            raise errors.OperatorIsNotOwner
        known = ep.db.all(
            "SELECT app_id FROM bots WHERE app_id IN (SELECT value FROM json_each(?)) ORDER BY app_id",
            json.dumps(asked),
        )
        table, column = "chat_bots", "app_id"
        found = {row["app_id"]: row["app_id"] for row in known}
    else:
        table, column = "chat_members", "open_id"
        found = {key: user["open_id"] for key, user in users.find_users(ep, asked, id_type).items()}
        if not manages and any(open_id != ep.me for open_id in found.values()):
            raise errors.OperatorIsNotOwner
        if chat["owner_id"] in found.values() and chat["owner_id"] != ep.me:
            raise errors.OwnerCannotBeKicked
    if not found:
        raise errors.NoValidMembers
    for key in found.values():
        ep.db.delete(table, **{"chat_id": chat["chat_id"], column: key})
    if table == "chat_members" and chat["owner_id"] in found.values():
        _pass_on(ep, chat)
    return {"invalid_id_list": [key for key in asked if key not in found]}


def _pass_on(ep: Episode, chat: Row) -> None:
    """Make whoever has been in a group longest its owner, after the owner left."""
    heir = ep.db.scalar(
        "SELECT open_id FROM chat_members WHERE chat_id = ? ORDER BY role != 'manager', joined_at, open_id",
        chat["chat_id"],
    )
    if heir is None:
        raise errors.NoCandidateForOwner
    key = {"chat_id": chat["chat_id"]}
    ep.db.update("chats", key, owner_id=heir)
    ep.db.update("chat_members", {**key, "open_id": heir}, role="owner")
