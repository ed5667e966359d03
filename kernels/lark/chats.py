"""Groups: made, listed, read and searched; and who may do what in one."""

from __future__ import annotations

import json
from typing import Any

from farm.appkit import Episode, Result, Row, parse_json
from farm.appkit.formats.cursors import encode_cursor

from . import errors, users
from .envelope import NOTHING, Arguments, decode_token, endpoint, page_size, require_length

MEMBERS_ADDED_MOST = 50
BOTS_ADDED_MOST = 5
QUERY_MOST = 64
UUID_MOST = 50
NO_NAME = "(no subject)"
_UUID_HOLDS_MS = 10 * 3600 * 1000
_SETTINGS = (
    "join_message_visibility",
    "leave_message_visibility",
    "membership_approval",
    "urgent_setting",
    "video_conference_setting",
    "edit_permission",
    "hide_member_count_setting",
    "group_message_type",
)
# Settings whose values the tool's schema leaves open.
_VALUES = {
    "chat_mode": ("group",),
    "chat_type": ("private", "public"),
    "join_message_visibility": ("only_owner", "all_members", "not_anyone"),
    "leave_message_visibility": ("only_owner", "all_members", "not_anyone"),
    "membership_approval": ("no_approval_required", "approval_required"),
}
# What a chat of two does not show.
_ONLY_GROUPS = (
    *("owner_id", "owner_id_type", "add_member_permission", "share_card_permission", "at_all_permission"),
    *("group_message_type", "chat_type", "chat_tag", "join_message_visibility", "leave_message_visibility"),
    "membership_approval",
)
_RESTRICTIONS = (
    "screenshot_has_permission_setting",
    "download_has_permission_setting",
    "message_has_permission_setting",
)

# What a list shows of a chat, and what says who may do what in one: a chat has three times as many columns.
_LISTED = (
    "c.chat_id, c.avatar, c.name, c.description, c.owner_id, c.is_external, c.tenant_key, c.chat_status, c.created_at"
)
_RULES = """c.chat_id, c.tenant_key, c.owner_id, c.chat_mode, c.chat_type, c.chat_status, c.group_message_type,
       c.is_external, c.add_member_permission, c.at_all_permission, c.membership_approval, c.moderation_permission"""
_FIND = """
SELECT {}, m.role AS my_role, t.tenant_key AS my_tenant FROM chats c
LEFT JOIN chat_members m ON m.chat_id = c.chat_id AND m.open_id = :me
LEFT JOIN users t ON t.open_id = :me WHERE c.chat_id = :chat
"""
_FIND_RULES, _FIND_WHOLE = _FIND.format(_RULES), _FIND.format("c.*")

_LIST_OLDEST = f"""
SELECT {_LISTED}, c.created_at AS sorted_at FROM chat_members m JOIN chats c USING (chat_id)
WHERE m.open_id = :me AND c.chat_mode != 'p2p' AND c.chat_status = 'normal'
  AND (c.created_at, c.chat_id) > (:sorted_at, :chat_id)
ORDER BY c.created_at, c.chat_id LIMIT :limit
"""
_LIST_ACTIVE = f"""
SELECT * FROM (
  SELECT {_LISTED},
         coalesce((SELECT max(created_at) FROM messages WHERE chat_id = c.chat_id), c.created_at) AS sorted_at
  FROM chat_members m JOIN chats c USING (chat_id)
  WHERE m.open_id = :me AND c.chat_mode != 'p2p' AND c.chat_status = 'normal')
WHERE :sorted_at IS NULL OR (sorted_at, chat_id) < (:sorted_at, :chat_id)
ORDER BY sorted_at DESC, chat_id DESC LIMIT :limit
"""
_SEARCH = f"""
SELECT {_LISTED} FROM chats c
WHERE c.chat_mode != 'p2p' AND c.chat_status = 'normal'
  AND (EXISTS (SELECT 1 FROM chat_members m WHERE m.chat_id = c.chat_id AND m.open_id = :me)
       OR c.chat_type = 'public' AND c.tenant_key = (SELECT tenant_key FROM users WHERE open_id = :me))
  AND (instr(lower(c.name), :query) OR instr(lower(c.i18n_names), :query)
       OR EXISTS (SELECT 1 FROM chat_members m JOIN users u USING (open_id) WHERE m.chat_id = c.chat_id
                  AND (instr(lower(u.name), :query) OR instr(lower(u.en_name), :query))))
"""
# What the text index says of a chat's own names and of its members'.
_AMONG = """
  AND c.chat_id IN (SELECT value FROM json_each(:chats) UNION ALL
                    SELECT chat_id FROM chat_members WHERE open_id IN (SELECT value FROM json_each(:people)))
"""
_ORDER = "ORDER BY NOT instr(lower(c.name), :query), c.created_at, c.chat_id LIMIT :limit OFFSET :offset"


def find_chat(ep: Episode, chat_id: str) -> Row | None:
    """Return a chat's rules with the caller's ``my_role`` in it (None outside), or None."""
    return ep.db.one(_FIND_RULES, me=ep.me, chat=chat_id)


def _find_chat_with_all_columns(ep: Episode, chat_id: str) -> Row | None:
    """Return all of a chat as ``find_chat`` does its rules."""
    return ep.db.one(_FIND_WHOLE, me=ep.me, chat=chat_id)


def require_group(ep: Episode, chat_id: str) -> Row:
    """Return a group that the caller is in.

    Raises:
        InvalidChatId: no such chat, or a chat of two.
        ChatDissolved: it was dissolved.
        OperatorInOtherTenant: it belongs to another company and the caller is not in it.
        OperatorOutOfChat: the caller is not in it.
    """
    chat = find_chat(ep, chat_id)
    if chat is None or chat["chat_mode"] == "p2p":
        raise errors.InvalidChatId
    if chat["chat_status"] != "normal":
        raise errors.ChatDissolved
    if chat["my_role"] is None:
        raise errors.OperatorInOtherTenant if chat["tenant_key"] != chat["my_tenant"] else errors.OperatorOutOfChat
    return chat


def is_managed_by(chat: Row) -> bool:
    """Return whether the caller is owner or manager of a chat."""
    return chat["my_role"] in ("owner", "manager")


@endpoint
def create_chat(ep: Episode, *, data: Arguments = NOTHING, params: Arguments = NOTHING) -> Result:
    """Make a group of the caller and those invited; the caller owns it unless ``owner_id`` says otherwise.

    Not simulated: pictures (``avatar`` is taken as it is), groups with other companies' people.

    Raises:
        FieldValidationFailed: too many people or bots, or too long a ``uuid``.
        InvalidChatParameter: a setting has a value that does not exist.
        PublicNameEmpty, PublicNameTooShort: a public group's name.
        InvalidUserId, OwnerInOtherTenant: who shall own it.
        UnavailableIds: somebody invited, or a bot, does not exist or works for another company.
        UserResigned, AppUnavailable: somebody, or a bot, cannot be invited any more.

    Source: https://open.feishu.cn/document/server-docs/group/chat/create
    """
    uuid = params.get("uuid") or None
    _check_new(data, uuid)
    id_type = users.id_type_of(params)
    owner = _owner_of_new(ep, data["owner_id"], id_type) if data.get("owner_id") else ep.me
    people = _invited(ep, list(data.get("user_id_list", ())), id_type)
    bots = invited_bots(ep, data.get("bot_id_list", ()))
    if uuid and (earlier := _made_before(ep, owner, uuid)) is not None:
        return _created(ep, earlier, id_type)
    chat_id = ep.new_id("chat")
    _insert(ep, chat_id, owner, data, uuid)
    members = list(dict.fromkeys((owner, ep.me, *people)))
    for member in members:
        role = (
            "owner" if member == owner else "manager" if member == ep.me and params.get("set_bot_manager") else "member"
        )
        ep.db.insert("chat_members", chat_id=chat_id, open_id=member, role=role, joined_at=ep.now_ms)
    for bot in bots:
        ep.db.insert("chat_bots", chat_id=chat_id, app_id=bot, joined_at=ep.now_ms)
    chat = _find_chat_with_all_columns(ep, chat_id)
    assert chat is not None
    return _created(ep, chat, id_type)


def _check_new(data: Arguments, uuid: str | None) -> None:
    for name, most in (("user_id_list", MEMBERS_ADDED_MOST), ("bot_id_list", BOTS_ADDED_MOST)):
        require_length(name, data.get(name, ()), most)
    require_length("uuid", uuid or "", UUID_MOST)
    for name, values in _VALUES.items():
        if data.get(name) and data[name] not in values:
            raise errors.InvalidChatParameter
    restricted = data.get("restricted_mode_setting", NOTHING)
    limits = {restricted.get(name, "all_members") for name in _RESTRICTIONS}
    if restricted and restricted.get("status", False) != ("not_anyone" in limits):
        raise errors.InvalidChatParameter
    if data.get("chat_type") == "public" and not data.get("name"):
        raise errors.PublicNameEmpty
    if data.get("chat_type") == "public" and len(data["name"]) < 2:
        raise errors.PublicNameTooShort


def _invited(ep: Episode, keys: list[str], id_type: str) -> list[str]:
    """Return the open ids of people the caller may invite."""
    found = users.find_users(ep, keys, id_type)
    home = ep.db.scalar("SELECT tenant_key FROM users WHERE open_id = ?", ep.me)
    if missing := [key for key in keys if key not in found]:
        raise errors.UnavailableIds(missing)
    if any(found[key]["is_resigned"] for key in keys):
        raise errors.UserResigned
    if outside := [key for key in keys if found[key]["tenant_key"] != home]:
        raise errors.UnavailableIds(outside, "bot is invisible to user ids")
    return [found[key]["open_id"] for key in keys]


def _owner_of_new(ep: Episode, key: str, id_type: str) -> str:
    owner = users.find_user(ep, key, id_type)
    if owner is None:
        raise errors.InvalidUserId
    if owner["tenant_key"] != ep.db.scalar("SELECT tenant_key FROM users WHERE open_id = ?", ep.me):
        raise errors.OwnerInOtherTenant
    if owner["is_resigned"]:
        raise errors.UserResigned
    return str(owner["open_id"])


def invited_bots(ep: Episode, keys: list[str]) -> list[str]:
    """Return bots that may be invited.

    Raises:
        UnavailableIds: there is no app of this id.
        AppUnavailable: it is switched off.
    """
    rows = ep.db.all(
        "SELECT app_id, is_active FROM bots WHERE app_id IN (SELECT value FROM json_each(?)) ORDER BY app_id",
        json.dumps(list(keys)),
    )
    known = {row["app_id"]: row["is_active"] for row in rows}
    if missing := [key for key in keys if key not in known]:
        raise errors.UnavailableIds(missing, "invalid bot ids")
    if not all(known.values()):
        raise errors.AppUnavailable
    return list(dict.fromkeys(keys))


def _made_before(ep: Episode, owner: str, uuid: str) -> Row | None:
    found = ep.db.scalar(
        "SELECT chat_id FROM chats WHERE uuid = ? AND owner_id = ? AND created_at > ? "
        "ORDER BY created_at DESC, chat_id",
        uuid,
        owner,
        ep.now_ms - _UUID_HOLDS_MS,
    )
    return None if found is None else _find_chat_with_all_columns(ep, found)


def _insert(ep: Episode, chat_id: str, owner: str, data: Arguments, uuid: str | None) -> None:
    restricted = data.get("restricted_mode_setting")
    if restricted is not None:
        filled = {"status": restricted.get("status", False)}
        filled |= {name: restricted.get(name, "all_members") for name in _RESTRICTIONS}
        restricted = json.dumps(filled)
    ep.db.insert(
        "chats",
        chat_id=chat_id,
        tenant_key=ep.db.scalar("SELECT tenant_key FROM users WHERE open_id = ?", ep.me),
        name=data.get("name") or NO_NAME,
        description=data.get("description", ""),
        i18n_names=json.dumps(dict(data.get("i18n_names", {})), ensure_ascii=False),
        avatar=data.get("avatar", ""),
        owner_id=owner,
        chat_type=data.get("chat_type") or "private",
        restricted_mode_setting=restricted,
        uuid=uuid,
        created_at=ep.now_ms,
        **{name: data[name] for name in _SETTINGS if data.get(name)},
    )


def _created(ep: Episode, chat: Row, id_type: str) -> dict[str, Any]:
    settings = _restricted(chat)
    return {
        "chat_id": chat["chat_id"],
        "avatar": users.picture(chat["avatar"] or f"default-avatar-{chat['chat_id'][-8:]}"),
        "name": chat["name"],
        "description": chat["description"],
        "i18n_names": parse_json(chat["i18n_names"]),
        **_owner(ep, chat, id_type),
        "urgent_setting": chat["urgent_setting"],
        "video_conference_setting": chat["video_conference_setting"],
        "add_member_permission": chat["add_member_permission"],
        "share_card_permission": chat["share_card_permission"],
        "at_all_permission": chat["at_all_permission"],
        "edit_permission": chat["edit_permission"],
        "group_message_type": chat["group_message_type"],
        "chat_mode": chat["chat_mode"],
        "chat_type": chat["chat_type"],
        "chat_tag": chat["chat_tag"],
        "external": bool(chat["is_external"]),
        "tenant_key": chat["tenant_key"],
        "join_message_visibility": chat["join_message_visibility"],
        "leave_message_visibility": chat["leave_message_visibility"],
        "membership_approval": chat["membership_approval"],
        "moderation_permission": chat["moderation_permission"],
        **settings,
        "hide_member_count_setting": chat["hide_member_count_setting"],
    }


def _restricted(chat: Row) -> dict[str, Any]:
    return (
        {"restricted_mode_setting": parse_json(chat["restricted_mode_setting"])}
        if chat["restricted_mode_setting"]
        else {}
    )


def _owner(ep: Episode, chat: Row, id_type: str, known: dict[str, Row] | None = None) -> dict[str, Any]:
    """Return the owner's id; a bot's is left out, as the vendor does."""
    if chat["owner_id"] is None:
        return {}
    if id_type == "open_id":
        return {"owner_id": chat["owner_id"], "owner_id_type": id_type}
    known = users.find_users(ep, [chat["owner_id"]]) if known is None else known
    return {"owner_id": known[chat["owner_id"]][id_type], "owner_id_type": id_type}


@endpoint
def list_chats(ep: Episode, *, params: Arguments = NOTHING) -> Result:
    """Return the groups the caller is in, oldest first or by their last message; chats of two are left out.

    Reads all chat_members: the caller's, for the order of their chats.

    Raises:
        FieldValidationFailed: the page size is out of range.
        InvalidChatParameter: the token is not of this list.

    Source: https://open.feishu.cn/document/server-docs/group/chat/list
    """
    size = page_size(params, default=20, most=100)
    by_activity = params.get("sort_type") == "ByActiveTimeDesc"
    kind = "active-chats" if by_activity else "chats"
    keys = decode_token(kind, params.get("page_token"), errors.InvalidChatParameter(), (int, str))
    sorted_at, chat_id = keys or (None if by_activity else -1, "")
    values = {"me": ep.me, "sorted_at": sorted_at, "chat_id": chat_id, "limit": size + 1}
    rows = ep.db.all(_LIST_ACTIVE if by_activity else _LIST_OLDEST, **values)
    has_more, rows = len(rows) > size, rows[:size]
    token = encode_cursor(kind, rows[-1]["sorted_at"], rows[-1]["chat_id"]) if has_more else ""
    return {"items": _items(ep, rows, users.id_type_of(params)), "page_token": token, "has_more": has_more}


def _items(ep: Episode, rows: list[Row], id_type: str) -> list[dict[str, Any]]:
    owners = users.find_users(ep, [row["owner_id"] for row in rows if row["owner_id"]]) if id_type != "open_id" else {}
    return [
        {
            "chat_id": row["chat_id"],
            "avatar": users.picture(row["avatar"] or f"default-avatar-{row['chat_id'][-8:]}"),
            "name": row["name"],
            "description": row["description"],
            **_owner(ep, row, id_type, owners),
            "external": bool(row["is_external"]),
            "tenant_key": row["tenant_key"],
            "chat_status": row["chat_status"],
        }
        for row in rows
    ]


@endpoint
def get_chat(ep: Episode, *, path: Arguments, params: Arguments = NOTHING) -> Result:
    """Return a chat's settings and how many are in it; the numbers are texts and its id is left out.

    Outside a group only its name, picture, status and the number of its people come back. A chat of two has no owner
    and none of the rules of groups; a group of topics does not say what form its messages have.

    Raises:
        InvalidChatId: no such chat, or a chat of two others.
        OperatorInOtherTenant, OperatorOutOfChat: a private group the caller is not in.

    Source: https://open.feishu.cn/document/server-docs/group/chat/get-2
    """
    chat = _find_chat_with_all_columns(ep, path["chat_id"])
    if chat is None or (chat["chat_mode"] == "p2p" and chat["my_role"] is None):
        raise errors.InvalidChatId
    is_outside = chat["my_role"] is None
    if is_outside and chat["tenant_key"] != chat["my_tenant"]:
        raise errors.OperatorInOtherTenant
    id_type = users.id_type_of(params)
    if is_outside and chat["chat_type"] != "public":
        raise errors.OperatorOutOfChat
    if is_outside:
        shown = _settings(ep, chat, id_type)
        return {name: shown[name] for name in ("avatar", "name", "user_count", "chat_status")}
    return _settings(ep, chat, id_type)


def _settings(ep: Episode, chat: Row, id_type: str) -> dict[str, Any]:
    members = ep.db.all(
        "SELECT m.role, u.open_id, u.union_id, u.user_id FROM chat_members m JOIN users u USING (open_id) "
        "WHERE m.chat_id = ? AND m.role = 'manager' ORDER BY m.joined_at, m.open_id",
        chat["chat_id"],
    )
    bots = ep.db.all("SELECT app_id, role FROM chat_bots WHERE chat_id = ? ORDER BY joined_at, app_id", chat["chat_id"])
    count = ep.db.scalar("SELECT count(*) FROM chat_members WHERE chat_id = ?", chat["chat_id"])
    body = _created(ep, chat, id_type)
    del body["chat_id"]
    left_out = (
        _ONLY_GROUPS if chat["chat_mode"] == "p2p" else ("group_message_type",) if chat["chat_mode"] == "topic" else ()
    )
    return {
        **{name: value for name, value in body.items() if name not in left_out and (name != "name" or value)},
        "user_manager_id_list": [row[id_type] for row in members],
        "bot_manager_id_list": [row["app_id"] for row in bots if row["role"] == "manager"],
        "user_count": str(count),
        "bot_count": str(len(bots)),
        "chat_status": chat["chat_status"],
    }


@endpoint
def search_chats(ep: Episode, *, params: Arguments = NOTHING) -> Result:
    """Return groups the caller can see, by name or by a member's name. No words, or over 64 characters: nothing.

    Reads all chats: words that the index does not know may stand in any name; and
    Reads all chat_members: the caller's chats are among what is searched.

    Not simulated: search by pinyin.

    Raises:
        FieldValidationFailed: the page size is out of range.
        InvalidChatParameter: the token is not of this search.

    Source: https://open.feishu.cn/document/server-docs/group/chat/search
    """
    size = page_size(params, default=20, most=100)
    keys = decode_token("chat-search", params.get("page_token"), errors.InvalidChatParameter(), (int,))
    # Quotes make a word with a hyphen one word.
    query = params.get("query", "").strip().strip('"').lower()
    if not query or len(query) > QUERY_MOST:
        return {"items": [], "page_token": "", "has_more": False}
    (offset,) = keys or (0,)
    values = {"me": ep.me, "query": query, "limit": size + 1, "offset": offset}
    chats, people = ep.db.candidates("chats", query), ep.db.candidates("users", query)
    if chats is None or people is None:
        rows = ep.db.all(_SEARCH + _ORDER, **values)
    else:
        among = {"chats": json.dumps(list(chats)), "people": json.dumps(list(people))}
        rows = ep.db.all(_SEARCH + _AMONG + _ORDER, **values, **among)
    has_more = len(rows) > size
    token = encode_cursor("chat-search", offset + size) if has_more else ""
    return {"items": _items(ep, rows[:size], users.id_type_of(params)), "page_token": token, "has_more": has_more}
