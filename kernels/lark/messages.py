"""Messages: sent, answered, read and recalled as the person the episode is played as."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

from farm.appkit import Episode, Result, Row, memoised_row, parse_json
from farm.appkit.formats.cursors import encode_cursor

from . import chats, errors, message_contents, users
from .envelope import NOTHING, Arguments, decode_token, endpoint, page_size, require_length
from .message_contents import Content

UUID_MOST = 50
RECALLED = "This message was recalled"
_UUID_HOLDS_MS = 3600 * 1000
_RECALL_MS = 24 * 3600 * 1000
# Who manages a group has longer than what companies allow everybody.
_MANAGERS_RECALL_MS = 365 * 24 * 3600 * 1000
_CHAT_ID = re.compile(r"oc_[0-9a-f]{24,32}", re.ASCII)

_SELECT = """
SELECT m.*, coalesce(u.tenant_key, b.tenant_key, '') AS tenant_key, u.union_id, u.user_id
FROM messages m LEFT JOIN users u ON u.open_id = m.sender_id LEFT JOIN bots b ON b.app_id = m.sender_id
"""
_NEVER_MS = 2**62
# What a message in a list is made of.
_SELECT_LISTED = """
SELECT m.message_id, m.root_id, m.parent_id, m.thread_id, m.msg_type, m.created_at, m.updated_at, m.is_deleted,
       m.is_updated, m.chat_id, m.sender_id, m.sender_type, m.content, m.mentions, m.upper_message_id,
       coalesce(u.tenant_key, b.tenant_key, '') AS tenant_key
FROM messages m INDEXED BY {index}
LEFT JOIN users u ON u.open_id = m.sender_id LEFT JOIN bots b ON b.app_id = m.sender_id
"""
# A group of topics shows threads whole, an ordinary one their first messages; that has an index of its own.
_OF_TOPICS = "m.chat_id = :container AND m.upper_message_id IS NULL"
_OF_CHAT = f"{_OF_TOPICS} AND (m.thread_id IS NULL OR m.root_id IS NULL)"
_OF_THREAD = "m.thread_id = :container"
_SHOWS = {
    "topics": (_OF_TOPICS, "messages_chat"),
    "chat": (_OF_CHAT, "messages_shown"),
    "thread": (_OF_THREAD, "messages_thread"),
}
_PAGES = {
    (shows, order): _SELECT_LISTED.format(index=index)
    + f"""
WHERE {where} AND m.created_at >= :after AND m.created_at < :before
  AND (m.created_at, m.message_id) {sign} (:created_at, :message_id)
ORDER BY m.created_at {direction}, m.message_id {direction} LIMIT :limit
"""
    for shows, (where, index) in _SHOWS.items()
    for order, sign, direction in (("ByCreateTimeAsc", ">", "ASC"), ("ByCreateTimeDesc", "<", "DESC"))
}


@endpoint
def send_message(ep: Episode, *, data: Arguments, params: Arguments) -> Result:
    """Send a message to a chat or a person, whose chat with the caller is opened when there is none.

    The vendor sends as the app's bot; here the caller sends.
    Not simulated: uploads, card templates, system messages, content review.

    Raises:
        FieldValidationFailed: ``uuid`` is too long.
        InvalidMessageParameter: the recipient, the type or the content is malformed.
        SenderOutOfChat: the caller is not in the chat, or there is none.
        ChatDissolved: the chat was dissolved.
        IdNotExist, InvalidReceiveId, RecipientResigned, CrossTenantChatForbidden: there is nobody to send to.
        NotAllowedByGroupSettings: only others may post in this chat, or mention everyone.

    Source: https://open.feishu.cn/document/server-docs/im-v1/message/create
    """
    uuid = _uuid(data)
    id_type, key = params["receive_id_type"], data["receive_id"]
    person = None if id_type == "chat_id" else _recipient(ep, key, id_type)
    chat = _find_p2p(ep, person) if person is not None else _require_open_chat(ep, key)
    content = message_contents.read(ep, data["msg_type"], data["content"])
    if chat is not None:
        _check_settings(chat, content)
    if uuid and (earlier := _sent_before(ep, uuid)) is not None:
        return _message_to_json(earlier, "open_id")
    if chat is None:
        assert person is not None
        chat = _open_p2p(ep, person)
    thread_id = ep.new_id("thread") if _is_of_topics(chat) else None
    return _insert(ep, chat, data["msg_type"], content, uuid, thread_id=thread_id)


def _uuid(data: Arguments) -> str | None:
    uuid = data.get("uuid") or None
    require_length("uuid", uuid or "", UUID_MOST)
    return uuid


def _require_open_chat(ep: Episode, chat_id: str) -> Row:
    """Return a chat that is going on and that the caller is in."""
    if not _CHAT_ID.fullmatch(chat_id):
        raise errors.InvalidMessageParameter("invalid receive_id")
    chat = chats.find_chat(ep, chat_id)
    if chat is not None:
        _require_going_on(chat)
    if chat is None or chat["my_role"] is None:
        raise errors.SenderOutOfChat
    return chat


def _require_going_on(chat: Row) -> None:
    if chat["chat_status"] != "normal":
        raise errors.ChatDissolved


def _is_of_topics(chat: Row) -> bool:
    return bool(chat["group_message_type"] == "thread" or chat["chat_mode"] == "topic")


def _recipient(ep: Episode, key: str, id_type: str) -> Row:
    if id_type == "email":
        found = (
            ep.db.one("SELECT * FROM users WHERE email = ? ORDER BY is_resigned, open_id", key.lower()) if key else None
        )
    else:
        found = users.find_user(ep, key, id_type)
    if found is None and id_type == "open_id":
        raise errors.IdNotExist(key)
    if found is None:
        raise errors.InvalidReceiveId
    if found["is_resigned"]:
        raise errors.RecipientResigned
    return found


def _find_p2p(ep: Episode, person: Row) -> Row | None:
    """Return the caller's chat with a person.

    Reads all chat_members: the caller's, of which one chat has the other person.

    Raises:
        CrossTenantChatForbidden: there is none, and the person works for another company.
    """
    found = ep.db.scalar(
        "SELECT c.chat_id FROM chat_members mine JOIN chats c ON c.chat_id = mine.chat_id AND c.chat_mode = 'p2p' "
        "JOIN chat_members theirs ON theirs.chat_id = c.chat_id AND theirs.open_id = :person WHERE mine.open_id = :me "
        "AND (:me != :person OR (SELECT count(*) FROM chat_members WHERE chat_id = c.chat_id) = 1) "
        "ORDER BY c.created_at",
        me=ep.me,
        person=person["open_id"],
    )
    if found is not None:
        return chats.find_chat(ep, found)
    me = users.require_user(ep, ep.me)
    if me["tenant_key"] != person["tenant_key"]:
        raise errors.CrossTenantChatForbidden
    return None


def _open_p2p(ep: Episode, person: Row) -> Row:
    chat_id = ep.new_id("chat")
    ep.db.insert("chats", chat_id=chat_id, tenant_key=person["tenant_key"], chat_mode="p2p", created_at=ep.now_ms)
    for open_id in dict.fromkeys((ep.me, person["open_id"])):
        ep.db.insert("chat_members", chat_id=chat_id, open_id=open_id, joined_at=ep.now_ms)
    chat = chats.find_chat(ep, chat_id)
    assert chat is not None
    return chat


def _check_settings(chat: Row, content: Content) -> None:
    if chats.is_managed_by(chat):
        return
    if chat["moderation_permission"] != "all_members":
        raise errors.NotAllowedByGroupSettings
    if content.mentions_all and chat["at_all_permission"] != "all_members":
        raise errors.NotAllowedByGroupSettings


def _sent_before(ep: Episode, uuid: str) -> Row | None:
    return ep.db.one(
        _SELECT + "WHERE m.sender_id = ? AND m.uuid = ? AND m.created_at > ? ORDER BY m.created_at DESC, m.message_id",
        ep.me,
        uuid,
        ep.now_ms - _UUID_HOLDS_MS,
    )


def _insert(
    ep: Episode,
    chat: Row,
    msg_type: str,
    content: Content,
    uuid: str | None,
    *,
    thread_id: str | None,
    parent: Row | None = None,
) -> dict[str, Any]:
    message_id = ep.new_id("message")
    root_id = (parent["root_id"] or parent["message_id"]) if parent else None
    ep.db.insert(
        "messages",
        message_id=message_id,
        chat_id=chat["chat_id"],
        root_id=root_id,
        # In a thread, whatever is answered there, the parent is the thread's first message.
        parent_id=root_id if thread_id else parent["message_id"] if parent else None,
        thread_id=thread_id,
        msg_type=msg_type,
        sender_id=ep.me,
        sender_type="user",
        content=content.text,
        mentions=json.dumps(content.mentions, ensure_ascii=False),
        created_at=ep.now_ms,
        updated_at=ep.now_ms,
        uuid=uuid,
    )
    row = _find(ep, message_id)
    assert row is not None
    return _message_to_json(row, "open_id")


def _find(ep: Episode, message_id: str) -> Row | None:
    return ep.db.one(_SELECT + "WHERE m.message_id = ?", message_id)


def _message_to_json(
    message: Row, id_type: str, people: dict[str, Row] | None = None, *, recalled: dict[str, str] | None = None
) -> dict[str, Any]:
    body = {"message_id": message["message_id"]}
    body |= {name: message[name] for name in ("root_id", "parent_id", "thread_id") if message[name]}
    is_user = message["sender_type"] == "user"
    mentions, content = parse_json(message["mentions"]), message["content"]
    if message["msg_type"] == "interactive":
        content = message_contents.card_as_read(content, mentions)
    sender = message["sender_id"] if id_type == "open_id" or not is_user else message[id_type]
    # What the service itself says is nobody's: its sender is empty.
    id_type_shown = id_type if is_user else "app_id" if message["sender_type"] else ""
    shown = body | {
        "msg_type": message["msg_type"],
        "create_time": str(message["created_at"]),
        "update_time": str(message["updated_at"]),
        "deleted": bool(message["is_deleted"]),
        "updated": bool(message["is_updated"]),
        "chat_id": message["chat_id"],
        "sender": {
            "id": sender,
            "id_type": id_type_shown,
            "sender_type": message["sender_type"],
            "tenant_key": message["tenant_key"],
        },
        "body": recalled if message["is_deleted"] and recalled is not None else {"content": content},
    }
    if mentions and not message["is_deleted"]:
        if id_type != "open_id" and people:
            mentions = [
                {**each, "id": people[each["id"]][id_type], "id_type": id_type} if each["id"] in people else each
                for each in mentions
            ]
        shown["mentions"] = mentions
    if message["upper_message_id"]:
        shown["upper_message_id"] = message["upper_message_id"]
    return shown


@endpoint
def list_messages(ep: Episode, *, params: Arguments) -> Result:
    """Return a page of a chat's or a thread's history; recalled messages stay, without their content.

    Raises:
        FieldValidationFailed: the page size is out of range.
        InvalidMessageParameter: kind or id of the container, times or token are malformed.
        SenderOutOfChat: the caller is not in the chat, or there is none.
        TopicDoesNotExist, ThreadInvisible: the same for a thread.

    Source: https://open.feishu.cn/document/server-docs/im-v1/message/list
    """
    size = page_size(params, default=20, most=50)
    kind, container = params["container_id_type"], params["container_id"]
    order = params.get("sort_type", "ByCreateTimeAsc")
    if kind not in ("chat", "thread"):
        raise errors.InvalidMessageParameter("invalid container_id_type")
    after, before = _seconds(params, "start_time"), _seconds(params, "end_time")
    if kind == "thread" and (after, before) != (None, None):
        raise errors.InvalidMessageParameter("invalid start_time" if before is None else "invalid end_time")
    if after is not None and before is not None and after > before:
        raise errors.InvalidMessageParameter("The end_time is earlier than the start_time")
    asked = f"{kind} {container} {order} {after} {before}"
    refusal = errors.InvalidMessageParameter("invalid page_token")
    keys = decode_token("messages", params.get("page_token"), refusal, (str, int, str))
    if keys and keys[0] != asked:
        raise errors.InvalidMessageParameter("the request parameters have changed, page_token is invalid")
    is_whole = _check_container(ep, kind, container)
    _, created_at, message_id = keys or ("", -1 if order == "ByCreateTimeAsc" else _NEVER_MS, "")
    values = {
        "container": container,
        "after": 0 if after is None else after * 1000,
        # The last second counts whole.
        "before": _NEVER_MS if before is None else (before + 1) * 1000,
        "created_at": created_at,
        "message_id": message_id,
        "limit": size + 1,
    }
    shows = "topics" if kind == "chat" and is_whole else kind
    rows = ep.db.all(_PAGES[shows, order], **values)
    has_more, rows = len(rows) > size, rows[:size]
    last = rows[-1] if has_more else None
    return {
        "has_more": has_more,
        "page_token": encode_cursor("messages", asked, last["created_at"], last["message_id"]) if last else "",
        "items": [_listed(row) for row in rows],
    }


@memoised_row(sort_keys=True)
def _listed(message: Row) -> dict[str, Any]:
    return _message_to_json(message, "open_id", recalled={"content": RECALLED})


def _seconds(params: Arguments, name: str) -> int | None:
    text = params.get(name)
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 12):
        raise errors.InvalidMessageParameter(f"invalid {name}: {text}")
    return int(text)


def _check_container(ep: Episode, kind: str, container: str) -> bool:
    """Check that the caller is where a history is from; return whether threads show whole."""
    if kind == "chat":
        if not _CHAT_ID.fullmatch(container):
            raise errors.InvalidMessageParameter("invalid container_id")
        chat = chats.find_chat(ep, container)
        if chat is None or chat["my_role"] is None:
            raise errors.SenderOutOfChat
        return _is_of_topics(chat)
    chat_id = ep.db.scalar("SELECT chat_id FROM messages WHERE thread_id = ? ORDER BY created_at LIMIT 1", container)
    if chat_id is None:
        raise errors.TopicDoesNotExist
    chat = chats.find_chat(ep, chat_id)
    if chat is None or chat["my_role"] is None:
        raise errors.ThreadInvisible
    return True


def _require_message(ep: Episode, message_id: str) -> tuple[Row, Row]:
    """Return a message of a chat the caller is in, and the chat."""
    message = _find(ep, message_id)
    if message is None:
        raise errors.MessageIdNotExist(message_id)
    chat = chats.find_chat(ep, message["chat_id"])
    if chat is None or chat["my_role"] is None:
        raise errors.SenderOutOfChat
    return message, chat


@endpoint
def get_message(ep: Episode, *, path: Arguments, params: Arguments = NOTHING) -> Result:
    """Return a message as a list of one; behind a merged forward come the messages inside it.

    Of a recalled message the body is empty, other than in a list.

    Raises:
        MessageIdNotExist: no such message.
        SenderOutOfChat: the caller is not in its chat.

    Source: https://open.feishu.cn/document/server-docs/im-v1/message/get
    """
    message, _ = _require_message(ep, path["message_id"])
    rows = [message]
    if message["msg_type"] == "merge_forward":
        rows += ep.db.all(
            _SELECT + "WHERE m.upper_message_id = ? ORDER BY m.created_at, m.message_id", message["message_id"]
        )
    id_type = users.id_type_of(params)
    people = _mentioned(ep, rows) if id_type != "open_id" else {}
    return {"items": [_message_to_json(row, id_type, people, recalled={}) for row in rows]}


def _mentioned(ep: Episode, rows: Sequence[Row]) -> dict[str, Row]:
    return users.find_users(ep, [each["id"] for row in rows for each in parse_json(row["mentions"])])


@endpoint
def reply_message(ep: Episode, *, path: Arguments, data: Arguments) -> Result:
    """Answer a message in its chat, in its thread when it is in one, or in a new thread when asked.

    Raises:
        FieldValidationFailed: ``uuid`` is too long.
        MessageIdNotExist: no such message.
        InvalidMessageParameter: type or content malformed.
        SenderOutOfChat: the caller is not in its chat.
        ChatDissolved: its chat was dissolved.
        MessageRecalled: it was recalled.
        NotAllowedByGroupSettings: only others may post in this chat, or mention everyone.

    Source: https://open.feishu.cn/document/server-docs/im-v1/message/reply
    """
    uuid = _uuid(data)
    message, chat = _require_message(ep, path["message_id"])
    if message["is_deleted"]:
        raise errors.MessageRecalled
    _require_going_on(chat)
    content = message_contents.read(ep, data["msg_type"], data["content"])
    _check_settings(chat, content)
    if uuid and (earlier := _sent_before(ep, uuid)) is not None:
        return _message_to_json(earlier, "open_id")
    thread_id = message["thread_id"]
    if thread_id is None and (data.get("reply_in_thread") or _is_of_topics(chat)):
        thread_id = ep.new_id("thread")
        ep.db.update("messages", {"message_id": message["message_id"]}, thread_id=thread_id)
    return _insert(ep, chat, data["msg_type"], content, uuid, thread_id=thread_id, parent=message)


@endpoint
def delete_message(ep: Episode, *, path: Arguments) -> Result:
    """Recall a message: the caller's own within a day, in a group they manage anybody's within a year.

    Raises:
        MessageIdNotExist: no such message.
        SenderOutOfChat: the caller is not in its chat.
        ChatDissolved: its chat was dissolved.
        MessageDeleted: it was recalled before.
        NoPermissionToRecall: somebody else's.
        RecallTooLate: it is over a day old, or over a year in a group the caller manages.

    Source: https://open.feishu.cn/document/server-docs/im-v1/message/delete
    """
    message, chat = _require_message(ep, path["message_id"])
    _require_going_on(chat)
    if message["is_deleted"]:
        raise errors.MessageDeleted
    manages = chat["chat_mode"] != "p2p" and chats.is_managed_by(chat)
    if message["sender_id"] != ep.me and not manages:
        raise errors.NoPermissionToRecall
    if ep.now_ms - message["created_at"] > (_MANAGERS_RECALL_MS if manages else _RECALL_MS):
        raise errors.RecallTooLate
    ep.db.update("messages", {"message_id": message["message_id"]}, is_deleted=1, updated_at=ep.now_ms)
    return {}
