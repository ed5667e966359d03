"""A stand-in for Telegram: the app's own rows as the API's objects, and the API's refusals. Nothing is ever changed."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from telethon.tl import types as t  # type: ignore[import-not-found] # in the real server's own Python alone
from telethon.utils import get_peer_id  # type: ignore[import-not-found]

Row = dict[str, Any]
INSIDE = ("creator", "admin", "member")
FOREVER = datetime(2038, 1, 19, 3, 14, 7, tzinfo=UTC)


class Refusal(Exception):
    """Telegram's name of what is wrong."""


def at(seconds: int) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)


def need(condition: object, name: str) -> None:
    if not condition:
        raise Refusal(name)


class Backend:
    """What one account sees of the rows in a file."""

    def __init__(self, path: Path) -> None:
        given = json.loads(path.read_text("utf-8"))
        self.now, self.me, self.hashes = given["now_s"], given["me"], given["hashes"]
        self.group = given["group"]
        self.tables: dict[str, list[Row]] = given["tables"]
        self.users = {row["user_id"]: row for row in self.tables["users"]}
        self.chats = {row["chat_id"]: row for row in self.tables["chats"]}
        self.media = {row["media_id"]: row for row in self.tables["media"]}
        self.parts = {(row["chat_id"], row["user_id"]): row for row in self.tables["members"]}
        self.made: list[t.Chat] = []

    def answer(self, request: Any) -> Any:
        name = type(request).__name__.removesuffix("Request")
        if type(request).__module__.endswith("contacts") and name == "Search":
            name = "SearchContacts"
        answering: Callable[[Any], Any] = getattr(self, name)
        return answering(request)

    def known(self) -> list[Any]:
        seen = [user_id for user_id, row in self.users.items() if self.is_known(user_id, row)]
        chats = [row for row in self.chats.values() if row["kind"] != "private" and (row["username"] or self.role(row))]
        return [*map(self.user, seen), *map(self.chat, chats)]

    def is_known(self, user_id: int, row: Row) -> bool:
        mine = {chat for chat, user in self.parts if user == self.me}
        shared = any(chat in mine and user == user_id for chat, user in self.parts)
        return bool(row["username"] or self.contact(user_id) or shared)

    # -- objects --

    def contact(self, user_id: int, owner: int | None = None) -> Row | None:
        key = (owner or self.me, user_id)
        return next((row for row in self.tables["contacts"] if (row["owner_id"], row["user_id"]) == key), None)

    def photo(self, peer_id: int) -> int | None:
        rows = [row for row in self.tables["photos"] if row["peer_id"] == peer_id and not row["is_deleted"]]
        return max(rows, key=lambda row: (row["made_s"], row["photo_id"]))["photo_id"] if rows else None

    def status(self, row: Row) -> Any:
        if row["status"] in ("online", "offline"):
            kind = t.UserStatusOnline if row["status"] == "online" else t.UserStatusOffline
            # Who has written since was here then.
            wrote_s = (each["sent_s"] for each in self.tables["messages"] if each["sender_id"] == row["user_id"])
            return kind(at(row["status_s"] if row["status"] == "online" else max(row["status_s"] or 0, *wrote_s, 0)))
        named = {
            "recently": t.UserStatusRecently,
            "last_week": t.UserStatusLastWeek,
            "last_month": t.UserStatusLastMonth,
        }
        return named[row["status"]]() if row["status"] else None

    def user(self, user_id: int) -> t.User:
        row, contact, photo = self.users[user_id], self.contact(user_id), self.photo(user_id)
        named = contact or row
        return t.User(
            id=user_id,
            is_self=user_id == self.me,
            contact=bool(contact),
            mutual_contact=bool(contact and self.contact(self.me, user_id)),
            bot=bool(row["is_bot"]),
            verified=bool(row["is_verified"]),
            access_hash=self.hashes[f"user:{user_id}"],
            first_name=named["first_name"],
            last_name=named["last_name"],
            username=row["username"],
            phone=row["phone"] if contact or user_id == self.me else None,
            photo=t.UserProfilePhoto(photo, 5) if photo else None,
            status=self.status(row),
            bot_info_version=1 if row["is_bot"] else None,
        )

    def role(self, row: Row, user_id: int | None = None) -> str:
        part = self.parts.get((row["chat_id"], user_id or self.me))
        return part["role"] if part else ""

    def inside(self, row: Row) -> list[Row]:
        parts = [part for (chat, _), part in self.parts.items() if chat == row["chat_id"] and part["role"] in INSIDE]
        return sorted(parts, key=lambda part: (part["since_s"], part["user_id"]))

    def chat(self, row: Row) -> t.Chat | t.Channel:
        number, part = row["chat_id"], self.parts.get((row["chat_id"], self.me))
        photo = self.photo(-number if row["kind"] == "group" else -1000000000000 - number)
        rights = json.loads(part["rights"]) if part and part["role"] == "admin" else []
        banned = t.ChatBannedRights(FOREVER, **dict.fromkeys(json.loads(row["banned_rights"]), True))
        said = {
            "id": number,
            "title": row["title"],
            "photo": t.ChatPhoto(photo, 5) if photo else t.ChatPhotoEmpty(),
            "creator": self.role(row) == "creator",
            "left": self.role(row) not in INSIDE,
            "noforwards": bool(row["is_guarded"]),
            "participants_count": len(self.inside(row)),
            "admin_rights": t.ChatAdminRights(**dict.fromkeys(rights, True)) if rights else None,
        }
        if row["kind"] == "group":
            return t.Chat(**said, date=at(row["created_s"]), version=1, default_banned_rights=banned)
        return t.Channel(
            **said,
            date=at(part["since_s"] if part else row["created_s"]),
            broadcast=row["kind"] == "channel",
            megagroup=row["kind"] == "supergroup",
            verified=bool(row["is_verified"]),
            slowmode_enabled=bool(row["slow_mode_s"]),
            join_request=bool(row["asks_to_join"]),
            forum=bool(row["is_forum"]),
            access_hash=self.hashes[f"chat:{number}"],
            username=row["username"],
            default_banned_rights=banned if row["kind"] == "supergroup" else None,
        )

    def media_of(self, row: Row | None) -> Any:
        if row is None:
            return None
        number = row["media_id"]
        if row["kind"] == "poll":
            poll = json.loads(row["poll"])
            answers = [t.PollAnswer(t.TextWithEntities(each, []), bytes([n])) for n, each in enumerate(poll["answers"])]
            flags = {"public_voters": poll["public"], "multiple_choice": poll["multiple"]}
            made = t.Poll(number, t.TextWithEntities(poll["question"], []), answers, **flags)
            return t.MessageMediaPoll(made, t.PollResults(total_voters=0))
        reference = bytes.fromhex(self.hashes[f"reference:{number}"])
        head = (number, self.hashes[f"media:{number}"], reference, at(row["made_s"]))
        if row["kind"] == "photo":
            sizes = []
            for kind, side in (("m", 320), ("x", 800), ("y", 1280)):
                share = min(1, side / max(row["width"], row["height"]))
                w, h = round(row["width"] * share), round(row["height"] * share)
                sizes.append(t.PhotoSize(kind, w, h, w * h // 8))
                if share == 1:
                    break
            return t.MessageMediaPhoto(photo=t.Photo(*head, sizes, 5))
        attributes: list[Any] = []
        if row["kind"] == "voice":
            attributes = [t.DocumentAttributeAudio(row["duration_s"], voice=True)]
        if row["kind"] == "video":
            attributes = [t.DocumentAttributeVideo(float(row["duration_s"]), row["width"], row["height"])]
        if row["kind"] == "sticker":
            sticker = t.DocumentAttributeSticker(row["emoji"], t.InputStickerSetEmpty())
            attributes = [t.DocumentAttributeImageSize(512, 512), sticker]
        if row["file_name"]:
            attributes.append(t.DocumentAttributeFilename(row["file_name"]))
        made = t.Document(*head, row["mime_type"], row["size_bytes"], 5, attributes)
        return t.MessageMediaDocument(document=made, video=row["kind"] == "video", voice=row["kind"] == "voice")

    def peer(self, chat: Row) -> Any:
        if chat["kind"] == "private":
            return t.PeerUser(chat["high_id"] if chat["low_id"] == self.me else chat["low_id"])
        return t.PeerChat(chat["chat_id"]) if chat["kind"] == "group" else t.PeerChannel(chat["chat_id"])

    def message(self, row: Row, **changed: Any) -> t.Message | t.MessageService:
        chat = self.chats[row["chat_id"]]
        said = {
            "id": row["message_id"],
            "peer_id": self.peer(chat),
            "date": at(row["sent_s"]),
            "out": row["sender_id"] == self.me,
            "post": chat["kind"] == "channel",
            # Whoever writes to the account in private is told by the peer alone.
            "from_id": t.PeerUser(row["sender_id"])
            if row["sender_id"] and (chat["kind"] != "private" or row["sender_id"] == self.me)
            else None,
            "reply_to": t.MessageReplyHeader(reply_to_msg_id=row["reply_to"]) if row["reply_to"] else None,
        }
        if row["text"] is None:
            return t.MessageService(**said, action=t.MessageActionChatCreate("x", []))
        lines = [[self.button(each) for each in line] for line in json.loads(row["buttons"] or "[]")]
        said |= {
            "message": row["text"],
            "pinned": bool(row["is_pinned"]),
            "media": self.media_of(self.media.get(row["media_id"])),
            "reply_markup": t.ReplyInlineMarkup([t.KeyboardButtonRow(line) for line in lines]) if lines else None,
            "edit_date": at(row["edited_s"]) if row["edited_s"] else None,
        }
        return t.Message(**said | changed)

    def button(self, each: Row) -> Any:
        if "url" in each:
            return t.KeyboardButtonUrl(each["text"], each["url"])
        if "data" in each:
            return t.KeyboardButtonCallback(each["text"], each["data"].encode())
        return t.KeyboardButtonBuy(each["text"])

    # -- peers of requests --

    def of(self, peer: Any) -> tuple[int | None, Row | None]:
        """Return the user of an input peer, or the chat in which messages of it stand."""
        if isinstance(peer, t.InputPeerSelf):
            return self.me, self.private(self.me)
        number = getattr(peer, "user_id", None)
        if number is not None:
            return number, self.private(number)
        row = self.chats.get(getattr(peer, "channel_id", None) or peer.chat_id)
        need(row, "PEER_ID_INVALID")
        return None, row

    def private(self, user_id: int) -> Row | None:
        pair = sorted((self.me, user_id))
        return next((row for row in self.chats.values() if [row["low_id"], row["high_id"]] == pair), None)

    def said(self, chat: Row | None) -> list[Row]:
        """Return a chat's messages, newest first."""
        number = chat["chat_id"] if chat else None
        rows = [row for row in self.tables["messages"] if row["chat_id"] == number and not row["is_deleted"]]
        return sorted(rows, key=lambda row: -row["message_id"])

    def found(self, chat: Row | None, message_id: int, name: str = "MESSAGE_ID_INVALID") -> Row:
        row = next((row for row in self.said(chat) if row["message_id"] == message_id), None)
        need(row is not None and row["text"] is not None, name)
        return row or {}

    def can_read(self, chat: Row | None) -> None:
        if chat and chat["kind"] in ("supergroup", "channel"):
            need(self.role(chat) in INSIDE or chat["username"], "CHANNEL_PRIVATE")

    def may(self, chat: Row, right: str) -> bool:
        part = self.parts.get((chat["chat_id"], self.me))
        if chat["kind"] == "private" or (part and part["role"] == "creator"):
            return True
        if part and part["role"] == "admin":
            return right in json.loads(part["rights"]) or right == "send"
        plain = right in ("send", "change_info", "invite_users", "pin_messages") and chat["kind"] != "channel"
        return bool(part and part["role"] == "member" and plain and right not in json.loads(chat["banned_rights"]))

    def can_send(self, peer: Any) -> Row | None:
        user_id, chat = self.of(peer)
        if user_id:
            blocked = {(row["owner_id"], row["peer_id"]) for row in self.tables["blocks"]}
            need((self.me, user_id) not in blocked, "YOU_BLOCKED_USER")
            need((user_id, self.me) not in blocked, "USER_IS_BLOCKED")
            return chat
        assert chat
        need(self.role(chat) in INSIDE, "CHAT_WRITE_FORBIDDEN")
        need(self.may(chat, "post_messages" if chat["kind"] == "channel" else "send"), "CHAT_ADMIN_REQUIRED")
        if chat["slow_mode_s"] and self.role(chat) == "member":
            last = max(row["sent_s"] for row in self.said(chat) if row["sender_id"] == self.me)
            need(last + chat["slow_mode_s"] <= self.now, f"SLOWMODE_WAIT_{last + chat['slow_mode_s'] - self.now}")
        return chat

    def bundle(self, rows: list[Row], total: int) -> Any:
        users = {row["sender_id"] for row in rows if row["sender_id"]} | {self.me}
        chats = [self.chats[number] for number in {row["chat_id"] for row in rows}]
        users |= {self.peer(chat).user_id for chat in chats if chat["kind"] == "private"}
        listed = [self.chat(chat) for chat in chats if chat["kind"] != "private"]
        made = [list(map(self.message, rows)), [], listed, [self.user(each) for each in sorted(users)]]
        return t.messages.Messages(*made) if len(rows) == total else t.messages.MessagesSlice(total, *made)

    def updates(self, *chats: Any) -> t.Updates:
        return t.Updates([], [], list(chats), None, 0)

    # -- users, chats, names --

    def GetUsers(self, request: Any) -> Any:
        wanted = [self.me if isinstance(each, t.InputUserSelf) else each.user_id for each in request.id]
        return [self.user(each) for each in wanted if each in self.users and self.is_known(each, self.users[each])]

    def GetChats(self, request: Any) -> Any:
        return t.messages.Chats([self.chat(self.chats[each]) for each in request.id if each in self.chats])

    def GetChannels(self, request: Any) -> Any:
        rows = [self.chats.get(each.channel_id) for each in request.id]
        for row in rows:
            need(row and (self.role(row) or row["username"]), "CHANNEL_INVALID")
            part = self.role(row or {})
            need(part in INSIDE or (row and row["username"] and part != "banned"), "CHANNEL_PRIVATE")
        return t.messages.Chats([self.chat(row) for row in rows if row])

    def ResolveUsername(self, request: Any) -> Any:
        # Telethon takes the @ off; a request of the server's own may have it.
        name = request.username.removeprefix("@").lower()
        for user_id, row in self.users.items():
            if (row["username"] or "").lower() == name and name:
                return t.contacts.ResolvedPeer(t.PeerUser(user_id), [], [self.user(user_id)])
        for row in self.chats.values():
            if (row["username"] or "").lower() == name and name:
                return t.contacts.ResolvedPeer(self.peer(row), [self.chat(row)], [])
        if name == "gif":
            gif = t.User(id=140267078, bot=True, bot_info_version=1, access_hash=1, first_name="GIF", username="gif")
            return t.contacts.ResolvedPeer(t.PeerUser(140267078), [], [gif])
        raise Refusal("USERNAME_NOT_OCCUPIED")

    def GetFullUser(self, request: Any) -> Any:
        number = self.me if isinstance(request.id, t.InputUserSelf) else request.id.user_id
        row = self.users[number]
        commands = [t.BotCommand(**each) for each in json.loads(row["commands"] or "[]")]
        info = t.BotInfo(
            user_id=number, description=row["about"], commands=commands, menu_button=t.BotMenuButtonDefault()
        )
        common = [row for row in self.chats.values() if row["kind"] in ("group", "supergroup")]
        common = [row for row in common if {self.role(row), self.role(row, number)} <= set(INSIDE)]
        common = [] if number == self.me else common
        full = t.UserFull(
            id=number, settings=t.PeerSettings(), notify_settings=t.PeerNotifySettings(),
            common_chats_count=len(common),
            blocked=any(each["peer_id"] == number for each in self.tables["blocks"]), can_pin_message=True,
            about=row["about"] or None, bot_info=info if row["is_bot"] else None,
        )  # fmt: skip
        return t.users.UserFull(full, [], [self.user(number)])

    def dialog(self, peer: Any, top: int = 0, unread: int = 0) -> Any:
        return t.Dialog(peer, top, 0, 0, unread, 0, 0, t.PeerNotifySettings())

    def GetDialogs(self, request: Any) -> Any:
        listed = []
        for chat in self.chats.values():
            rows, part = self.said(chat), self.role(chat)
            if (part not in INSIDE and (chat["kind"] != "group" or part != "left")) or (
                chat["kind"] == "private" and not rows
            ):
                continue
            key = (self.me, chat["chat_id"])
            kept = next((row for row in self.tables["dialogs"] if (row["user_id"], row["chat_id"]) == key), {})
            pin, read = kept.get("pin"), kept.get("read_id") or 0
            unread = sum(row["message_id"] > read and row["sender_id"] != self.me for row in rows)
            newest = (rows[0]["sent_s"], rows[0]["message_id"]) if rows else (chat["created_s"], 0)
            made = self.dialog(self.peer(chat), newest[1], unread)
            made.pinned, made.unread_mark = bool(pin), bool(kept.get("is_marked_unread"))
            listed.append(((pin is None, -(pin or 0), -newest[0], -newest[1]), made, rows[:1]))
        listed.sort(key=lambda each: each[0])
        some = listed[: request.limit]
        rows = [row for _, _, last in some for row in last]
        users = {row["sender_id"] for row in rows if row["sender_id"]} | {self.me}
        users |= {made.peer.user_id for _, made, _ in some if isinstance(made.peer, t.PeerUser)}
        peers = [get_peer_id(made.peer, add_mark=False) for _, made, _ in some]
        chats = [self.chat(self.chats[each]) for each in peers if each in self.chats]
        dialogs = [made for _, made, _ in some]
        for new in self.made:
            dialogs.insert(1, self.dialog(t.PeerChat(new.id)))
        made_of = [dialogs, list(map(self.message, rows)), [*chats, *self.made], [self.user(each) for each in users]]
        self.made = []
        return t.messages.DialogsSlice(len(listed), *made_of)

    # -- messages --

    def page(self, rows: list[Row], request: Any) -> list[Row]:
        """Return what stands from an offset on: the newest that is older than it, then so many further down or up."""
        start = 0
        if request.offset_id:
            start = sum(row["message_id"] >= request.offset_id for row in rows)
        elif getattr(request, "offset_date", None):
            start = sum(row["sent_s"] >= request.offset_date.timestamp() for row in rows)
        first = start + request.add_offset
        return rows[max(first, 0) : max(first + request.limit, 0)]

    def GetHistory(self, request: Any) -> Any:
        _, chat = self.of(request.peer)
        self.can_read(chat)
        rows = self.said(chat)
        return self.bundle(self.page(rows, request), len(rows))

    def Search(self, request: Any) -> Any:
        if getattr(request.peer, "user_id", None) == 140267078:
            return t.messages.Messages([], [], [], [])
        _, chat = self.of(request.peer)
        self.can_read(chat)
        rows = self.said(chat)
        if isinstance(request.filter, t.InputMessagesFilterPinned):
            rows = [row for row in rows if row["is_pinned"]]
        words = request.q.casefold().split()
        if words:
            rows = [
                row for row in rows if row["text"] is not None and all(self.has(row["text"], each) for each in words)
            ]
        return self.bundle(self.page(rows, request), len(rows))

    def has(self, text: str, word: str) -> bool:
        is_han = "\u4e00" <= word[0] <= "\u9fff"
        clean = "".join(each if each.isalnum() else " " for each in text.casefold())
        return word in clean if is_han else any(each.startswith(word) for each in clean.split())

    def GetMessages(self, request: Any) -> Any:
        if getattr(request, "channel", None):
            chat = self.chats[request.channel.channel_id]
            self.can_read(chat)
            rows = self.said(chat)
        else:
            private = [row for row in self.chats.values() if row["kind"] in ("private", "group")]
            rows = [row for chat in private for row in self.said(chat)]
        by_id = {row["message_id"]: row for row in rows}
        wanted = [each.id for each in request.id]
        made = self.bundle([by_id[each] for each in wanted if each in by_id], -1)
        made.messages = [self.message(by_id[each]) if each in by_id else t.MessageEmpty(each, None) for each in wanted]
        return made

    def text(self, text: str, most: int = 4096) -> None:
        need(text, "MESSAGE_EMPTY")
        need(len(text.encode("utf-16-le")) <= most * 2, "MESSAGE_TOO_LONG")

    def SendMessage(self, request: Any) -> Any:
        self.text(request.message)
        chat = self.can_send(request.peer)
        if request.reply_to:
            known = {row["message_id"] for row in self.said(chat)}
            need(request.reply_to.reply_to_msg_id in known, "REPLY_MESSAGE_ID_INVALID")
        return self.updates()

    def SendMedia(self, request: Any) -> Any:
        chat = self.can_send(request.peer)
        if isinstance(request.media, t.InputMediaPoll):
            poll = request.media.poll
            need(not poll.quiz, "QUIZ_CORRECT_ANSWERS_EMPTY")
            user = self.of(request.peer)[0]
            need(not user or user == self.me or self.users[user]["is_bot"], "MEDIA_INVALID")
            need(chat is None or chat["kind"] != "channel" or not poll.public_voters, "POLL_PUBLIC_VOTERS_FORBIDDEN")
            need(0 < len(poll.question.text.strip()) <= 255, "POLL_QUESTION_INVALID")
            need(all(0 < len(each.text.text.strip()) <= 100 for each in poll.answers), "POLL_ANSWER_INVALID")
            closes = poll.close_date.timestamp() - self.now if poll.close_date else 60
            need(5 <= closes <= 600, "POLL_CLOSE_DATE_INVALID")
        else:
            need(request.media.file.name != "empty.bin", "FILE_PARTS_INVALID")
            need(len(request.message) <= 1024, "MEDIA_CAPTION_TOO_LONG")
        return self.updates()

    def EditMessage(self, request: Any) -> Any:
        user, chat = self.of(request.peer)
        self.can_read(chat)
        row = self.found(chat, request.id)
        self.text(request.message, 1024 if row["media_id"] else 4096)
        assert chat
        if chat["kind"] == "channel":
            need(self.may(chat, "edit_messages"), "CHAT_ADMIN_REQUIRED")
        else:
            need(row["sender_id"] == self.me and not row["forwarded_from"], "MESSAGE_AUTHOR_REQUIRED")
            has_no_end = user == self.me or (chat["kind"] == "supergroup" and self.may(chat, "pin_messages"))
            need(has_no_end or self.now - row["sent_s"] <= 172_800, "MESSAGE_EDIT_TIME_EXPIRED")
        need(request.message != row["text"], "MESSAGE_NOT_MODIFIED")
        return self.updates()

    def DeleteMessages(self, request: Any) -> Any:
        for message_id in request.id:
            if getattr(request, "channel", None):
                chats = [self.chats[request.channel.channel_id]]
                self.can_read(chats[0])
            else:
                chats = [row for row in self.chats.values() if row["kind"] in ("private", "group") and self.role(row)]
            for chat in chats:
                for row in self.said(chat):
                    own = chat["kind"] == "private" or (row["sender_id"] == self.me and chat["kind"] != "channel")
                    if row["message_id"] == message_id:
                        need(own or self.may(chat, "delete_messages"), "MESSAGE_DELETE_FORBIDDEN")
        return t.messages.AffectedMessages(1, 1)

    def ForwardMessages(self, request: Any) -> Any:
        _, chat = self.of(request.from_peer)
        self.can_read(chat)
        for each in request.id:
            self.found(chat, each)
        need(not chat or not chat["is_guarded"], "CHAT_FORWARDS_RESTRICTED")
        self.can_send(request.to_peer)
        return self.updates()

    def UpdatePinnedMessage(self, request: Any) -> Any:
        chat = self.pinning(request.peer)
        self.found(chat, request.id)
        return self.updates()

    def UnpinAllMessages(self, request: Any) -> Any:
        self.pinning(request.peer)
        return t.messages.AffectedHistory(1, 0, 0)

    def pinning(self, peer: Any) -> Row | None:
        user, chat = self.of(peer)
        if not user:
            assert chat
            need(self.role(chat) in INSIDE, "CHAT_WRITE_FORBIDDEN")
            right = "edit_messages" if chat["kind"] == "channel" else "pin_messages"
            need(self.may(chat, right), "CHAT_ADMIN_REQUIRED")
        return chat

    def ReadHistory(self, request: Any) -> Any:
        _, chat = self.of(getattr(request, "peer", None) or request.channel)
        self.can_read(chat)
        need(not chat or chat["kind"] == "private" or self.role(chat) in INSIDE, "CHANNEL_PRIVATE")
        return True if hasattr(request, "channel") else t.messages.AffectedMessages(1, 1)

    def SendReaction(self, request: Any) -> Any:
        user, chat = self.of(request.peer)
        need(user or (chat and self.role(chat) in INSIDE), "CHANNEL_PRIVATE")
        row = self.found(chat, request.msg_id)
        key = (row["chat_id"], row["message_id"], self.me)
        own = [
            each["emoji"]
            for each in self.tables["reactions"]
            if (each["chat_id"], each["message_id"], each["user_id"]) == key
        ]
        new = [each.emoticon.replace("\ufe0f", "") for each in request.reaction]
        assert chat
        for each in new:
            need(each in ("👍", "❤", "🔥", "🎉", "😢", "💩", "👎"), "REACTION_INVALID")
            need(chat["reactions"] is None or each in json.loads(chat["reactions"]), "REACTION_INVALID")
        need(new != own, "MESSAGE_NOT_MODIFIED")
        return self.updates()

    def GetMessageReactionsList(self, request: Any) -> Any:
        _, chat = self.of(request.peer)
        self.can_read(chat)
        need(chat and chat["kind"] != "channel", "BROADCAST_FORBIDDEN")
        row = self.found(chat, request.id)
        key = (row["chat_id"], row["message_id"])
        all_of = [each for each in self.tables["reactions"] if (each["chat_id"], each["message_id"]) == key]
        all_of.sort(key=lambda each: (-each["reacted_s"], each["user_id"]))
        made = [
            t.MessagePeerReaction(t.PeerUser(each["user_id"]), at(each["reacted_s"]), t.ReactionEmoji(each["emoji"]))
            for each in all_of[: max(request.limit, 0)]
        ]
        users = [self.user(each["user_id"]) for each in all_of]
        return t.messages.MessageReactionsList(len(all_of), made, [], users)

    def SaveDraft(self, request: Any) -> Any:
        self.can_read(self.of(request.peer)[1])
        return True

    def GetAllDrafts(self, request: Any) -> Any:
        made = []
        for row in sorted(self.tables["drafts"], key=lambda row: -row["saved_s"]):
            number = row["peer_id"]
            peer = t.PeerUser(number) if number > 0 else t.PeerChat(-number)
            peer = t.PeerChannel(-1000000000000 - number) if number < -1000000000000 else peer
            reply = t.InputReplyToMessage(row["reply_to"]) if row["reply_to"] else None
            draft = t.DraftMessage(row["text"], at(row["saved_s"]), bool(row["no_webpage"]), reply_to=reply)
            made.append(t.UpdateDraftMessage(peer, draft))
        return t.Updates(made, [], [], None, 0)

    def GetBotCallbackAnswer(self, request: Any) -> Any:
        _, chat = self.of(request.peer)
        row = self.found(chat, request.msg_id)
        buttons = [each for line in json.loads(row["buttons"]) for each in line]
        pressed = next(each for each in buttons if each.get("data", "").encode() == request.data)
        need("answer" in pressed, "BOT_RESPONSE_TIMEOUT")
        return t.messages.BotCallbackAnswer(0, alert=pressed.get("alert"), message=pressed["answer"] or None)

    # -- contacts --

    def contacts(self) -> list[int]:
        return sorted(row["user_id"] for row in self.tables["contacts"] if row["owner_id"] == self.me)

    def GetContacts(self, request: Any) -> Any:
        ids = self.contacts()
        made = [t.Contact(each, bool(self.contact(self.me, each))) for each in ids]
        return t.contacts.Contacts(made, len(ids), list(map(self.user, ids)))

    def GetContactIDs(self, request: Any) -> Any:
        return self.contacts()

    def SearchContacts(self, request: Any) -> Any:
        need(request.q.strip(), "SEARCH_QUERY_EMPTY")
        users = [self.user(each) for each in sorted(self.users) if each != self.me]
        users.sort(key=lambda user: not user.contact)
        words = request.q.split()
        found = [
            user
            for user in users
            if (user.contact or user.username)
            and (
                all(self.has(f"{user.first_name} {user.last_name}", word.casefold()) for word in words)
                or (user.username or "").lower().startswith(request.q.strip().lstrip("@").lower())
            )
        ]
        return t.contacts.Found([], [], [], found[: request.limit])

    def ImportContacts(self, request: Any) -> Any:
        imported, users = [], []
        for each in request.contacts:
            digits = "".join(filter(str.isdigit, each.phone))
            number = next((n for n, row in self.users.items() if row["phone"] == digits and n != self.me), None)
            if number and (each.first_name.strip() or each.last_name.strip()):
                imported.append(t.ImportedContact(number, each.client_id))
                users.append(self.user(number))
        return t.contacts.ImportedContacts(imported, [], [], users)

    def DeleteContacts(self, request: Any) -> Any:
        return self.updates()

    def Block(self, request: Any) -> Any:
        need(not isinstance(request.id, t.InputPeerChat | t.InputPeerSelf), "CONTACT_ID_INVALID")
        need(getattr(request.id, "user_id", None) != self.me, "CONTACT_ID_INVALID")
        return True

    def Unblock(self, request: Any) -> Any:
        need(not isinstance(request.id, t.InputPeerChat), "CONTACT_ID_INVALID")
        return True

    def GetBlocked(self, request: Any) -> Any:
        rows = sorted(self.tables["blocks"], key=lambda row: -row["blocked_s"])
        made = [t.PeerBlocked(t.PeerUser(row["peer_id"]), at(row["blocked_s"])) for row in rows]
        return t.contacts.Blocked(made, [], [self.user(row["peer_id"]) for row in rows])

    # -- the account --

    def UpdateProfile(self, request: Any) -> Any:
        need(request.first_name is None or request.first_name.strip(), "FIRSTNAME_INVALID")
        need(len(request.about or "") <= 70, "ABOUT_TOO_LONG")
        return self.user(self.me)

    def UploadProfilePhoto(self, request: Any) -> Any:
        need(request.file.name.endswith((".png", ".jpg")), "PHOTO_EXT_INVALID")
        return t.photos.Photo(t.PhotoEmpty(1), [])

    def GetUserPhotos(self, request: Any) -> Any:
        number = self.me if isinstance(request.user_id, t.InputUserSelf) else request.user_id.user_id
        rows = [row for row in self.tables["photos"] if row["peer_id"] == number]
        rows.sort(key=lambda row: -row["made_s"])
        return t.photos.Photos([t.PhotoEmpty(row["photo_id"]) for row in rows[: max(request.limit, 0)]], [])

    def GetPrivacy(self, request: Any) -> Any:
        rules: list[Any] = []
        users: list[int] = []
        if not self.tables["privacy"]:
            return t.account.PrivacyRules([t.PrivacyValueAllowAll()], [], [])
        for rule in json.loads(self.tables["privacy"][0]["rules"]):
            ((kind, given),) = rule.items()
            rules.append((t.PrivacyValueAllowUsers if kind == "allow" else t.PrivacyValueDisallowUsers)(given))
            users += given
        return t.account.PrivacyRules(rules, [], [self.user(each) for each in sorted(users)])

    def SetPrivacy(self, request: Any) -> Any:
        # Users as they are told stand where users as they are named belong.
        named = [user for rule in request.rules for user in getattr(rule, "users", ())]
        need(all(isinstance(user, t.InputUser) for user in named), "INPUT_FETCH_ERROR")
        return t.account.PrivacyRules([], [], [])

    def UpdateNotifySettings(self, request: Any) -> Any:
        user, chat = self.of(request.peer.peer)
        need(user or (chat and self.role(chat) in INSIDE), "PEER_ID_INVALID")
        return True

    def ToggleDialogPin(self, request: Any) -> Any:
        user, chat = self.of(request.peer.peer)
        need(chat or not request.pinned, "PEER_HISTORY_EMPTY")
        need(user or (chat and self.role(chat) in INSIDE), "PEER_ID_INVALID")
        return True

    def GetAllStickers(self, request: Any) -> Any:
        rows = sorted(self.tables["sticker_sets"], key=lambda row: row["position"])
        made = [t.StickerSet(n, 1, row["title"], f"s{n}", 1, 0) for n, row in enumerate(rows)]
        return t.messages.AllStickers(0, made)

    # -- groups and channels --

    def CreateChat(self, request: Any) -> Any:
        need(any(getattr(each, "user_id", self.me) != self.me for each in request.users), "USERS_TOO_FEW")
        need(request.title.strip(), "CHAT_TITLE_EMPTY")
        self.made = [t.Chat(self.group, request.title.strip(), t.ChatPhotoEmpty(), 2, at(self.now), 1)]
        return t.messages.InvitedUsers(self.updates(), [])

    def CreateChannel(self, request: Any) -> Any:
        need(request.title.strip(), "CHAT_TITLE_EMPTY")
        need(len(request.about) <= 255, "CHAT_ABOUT_TOO_LONG")
        return self.updates(t.Channel(2021266710, request.title, t.ChatPhotoEmpty(), at(self.now), access_hash=1))

    def part(self, channel: Any, user: Any) -> tuple[Row, Row]:
        chat = self.chats[channel.channel_id]
        number = self.me if isinstance(user, t.InputUserSelf | t.InputPeerSelf) else getattr(user, "user_id", None)
        return chat, self.parts.get((chat["chat_id"], number), {"role": "", "user_id": number, "by_id": None})

    def InviteToChannel(self, request: Any) -> Any:
        chat = self.chats[request.channel.channel_id]
        need(request.users, "USERS_TOO_FEW")
        need(self.may(chat, "invite_users"), "CHAT_ADMIN_REQUIRED")
        for each in request.users:
            part = self.part(request.channel, each)[1]
            need(part["role"] != "banned", "USER_KICKED")
            mutual = self.contact(part["user_id"]) and self.contact(self.me, part["user_id"])
            need(part["role"] != "left" or mutual, "USER_NOT_MUTUAL_CONTACT")
        return t.messages.InvitedUsers(self.updates(), [])

    def LeaveChannel(self, request: Any) -> Any:
        chat = self.chats[request.channel.channel_id]
        need(self.role(chat) in INSIDE, "USER_NOT_PARTICIPANT")
        need(self.role(chat) != "creator", "USER_CREATOR")
        return self.updates()

    def DeleteChatUser(self, request: Any) -> Any:
        need(self.role(self.chats[request.chat_id]) in INSIDE, "USER_NOT_PARTICIPANT")
        return self.updates()

    def JoinChannel(self, request: Any) -> Any:
        chat = self.chats[request.channel.channel_id]
        need(self.role(chat) not in INSIDE, "USER_ALREADY_PARTICIPANT")
        need(self.role(chat) != "banned", "CHANNEL_PRIVATE")
        return self.updates()

    def GetFullChat(self, request: Any) -> Any:
        chat = self.chats.get(request.chat_id)
        need(chat and chat["kind"] == "group", "CHAT_ID_INVALID")
        parts = self.inside(chat or {})
        people: Any = t.ChatParticipants(
            request.chat_id, [t.ChatParticipant(part["user_id"], self.me, at(self.now)) for part in parts], 1
        )
        if self.role(chat or {}) not in INSIDE:
            people, parts = t.ChatParticipantsForbidden(request.chat_id), []
        full = t.ChatFull(request.chat_id, "", people, t.PeerNotifySettings())
        return t.messages.ChatFull(full, [self.chat(chat or {})], [self.user(part["user_id"]) for part in parts])

    def GetFullChannel(self, request: Any) -> Any:
        chat = self.chats[request.channel.channel_id]
        full = t.ChannelFull(
            id=chat["chat_id"], about="", read_inbox_max_id=0, read_outbox_max_id=0, unread_count=0,
            chat_photo=t.PhotoEmpty(0), notify_settings=t.PeerNotifySettings(), bot_info=[], pts=1,
            participants_count=len(self.inside(chat)),
        )  # fmt: skip
        return t.messages.ChatFull(full, [self.chat(chat)], [])

    def GetParticipants(self, request: Any) -> Any:
        chat = self.chats[request.channel.channel_id]
        self.can_read(chat)
        is_admin = self.role(chat) in ("creator", "admin")
        kicked = isinstance(request.filter, t.ChannelParticipantsKicked)
        need(is_admin or (chat["kind"] != "channel" and not kicked), "CHAT_ADMIN_REQUIRED")
        roles: tuple[str, ...] = (
            ("creator", "admin") if isinstance(request.filter, t.ChannelParticipantsAdmins) else INSIDE
        )
        roles = ("banned",) if kicked else roles
        parts = [
            part for (number, _), part in self.parts.items() if number == chat["chat_id"] and part["role"] in roles
        ]
        parts.sort(key=lambda part: (part["since_s"], part["user_id"]))
        some = parts[request.offset : request.offset + request.limit]
        made = [t.ChannelParticipant(part["user_id"], at(part["since_s"])) for part in some]
        return t.channels.ChannelParticipants(len(parts), made, [], [self.user(part["user_id"]) for part in some])

    def changing(self, peer: Any, right: str = "change_info") -> Row:
        chat: Row = self.chats.get(peer if isinstance(peer, int) else peer.channel_id, {})
        need(chat, "CHAT_ID_INVALID")
        need(self.may(chat, right), "CHAT_ADMIN_REQUIRED")
        return chat

    def EditTitle(self, request: Any) -> Any:
        chat = self.changing(request.channel)
        need(request.title.strip(), "CHAT_TITLE_EMPTY")
        need(request.title.strip() != chat["title"], "CHAT_NOT_MODIFIED")
        return self.updates()

    def EditChatTitle(self, request: Any) -> Any:
        need(self.changing(request.chat_id)["title"] != request.title.strip(), "CHAT_NOT_MODIFIED")
        need(request.title.strip(), "CHAT_TITLE_EMPTY")
        return self.updates()

    def EditPhoto(self, request: Any) -> Any:
        self.photo_of(self.changing(request.channel), request.photo, -1000000000000)
        return self.updates()

    def EditChatPhoto(self, request: Any) -> Any:
        self.photo_of(self.changing(request.chat_id), request.photo, 0)
        return self.updates()

    def photo_of(self, chat: Row, photo: Any, mark: int) -> None:
        if isinstance(photo, t.InputChatPhotoEmpty):
            need(self.photo(mark - chat["chat_id"]), "CHAT_NOT_MODIFIED")
        else:
            need(photo.file.name.endswith((".png", ".jpg")), "PHOTO_EXT_INVALID")

    def EditAdmin(self, request: Any) -> Any:
        chat, part = self.part(request.channel, request.user_id)
        need(self.may(chat, "add_admins"), "CHAT_ADMIN_REQUIRED")
        need(part["role"] != "creator", "USER_CREATOR")
        given = [name for name, value in request.admin_rights.to_dict().items() if value is True]
        need(part["role"] in INSIDE or given, "USER_NOT_PARTICIPANT")
        need(part["role"] in INSIDE or self.may(chat, "invite_users"), "CHAT_ADMIN_INVITE_REQUIRED")
        own = self.role(chat) == "creator"
        need(own or part["role"] != "admin" or part["by_id"] == self.me, "CHAT_ADMIN_REQUIRED")
        need(own or all(self.may(chat, each) for each in given), "RIGHT_FORBIDDEN")
        return self.updates()

    def EditBanned(self, request: Any) -> Any:
        chat, part = self.part(request.channel, request.participant)
        need(self.may(chat, "ban_users"), "CHAT_ADMIN_REQUIRED")
        need(part["user_id"] not in (None, self.me), "PARTICIPANT_ID_INVALID")
        promoted = self.role(chat) == "creator" or part["by_id"] == self.me
        need(part["role"] != "creator" and (part["role"] != "admin" or promoted), "USER_ADMIN_INVALID")
        return self.updates()

    def ExportChatInvite(self, request: Any) -> Any:
        user, chat = self.of(request.peer)
        need(not user and chat, "PEER_ID_INVALID")
        need(chat and self.role(chat) != "member" and self.may(chat, "invite_users"), "CHAT_ADMIN_REQUIRED")
        return t.ChatInviteExported("https://t.me/+0000000000000000", self.me, at(self.now))

    def invite(self, code: str) -> Row:
        need(code, "INVITE_HASH_EMPTY")
        need(16 <= len(code) <= 24 and code.replace("-", "a").replace("_", "a").isalnum(), "INVITE_HASH_INVALID")
        row = next((row for row in self.tables["invites"] if row["hash"] == code and not row["is_revoked"]), None)
        need(row and not (row["expires_s"] and row["expires_s"] <= self.now), "INVITE_HASH_EXPIRED")
        chat: Row = self.chats[(row or {})["chat_id"]]
        return chat

    def CheckChatInvite(self, request: Any) -> Any:
        chat = self.invite(request.hash)
        if self.role(chat) in INSIDE:
            return t.ChatInviteAlready(self.chat(chat))
        return t.ChatInvite(chat["title"], t.PhotoEmpty(0), 1, 0)

    def ImportChatInvite(self, request: Any) -> Any:
        chat = self.invite(request.hash)
        need(not chat["asks_to_join"], "INVITE_REQUEST_SENT")
        return self.updates(self.chat(chat))

    def GetAdminLog(self, request: Any) -> Any:
        chat = self.chats[request.channel.channel_id]
        need(self.role(chat) in ("creator", "admin"), "CHAT_ADMIN_REQUIRED")
        rows = [row for row in self.tables["events"] if row["chat_id"] == chat["chat_id"]]
        rows.sort(key=lambda row: -row["event_id"])
        made = [
            t.ChannelAdminLogEvent(row["event_id"], at(row["happened_s"]), row["user_id"], self.action(chat, row))
            for row in rows[: request.limit]
        ]
        return t.channels.AdminLogResults(made, [], [])

    def action(self, chat: Row, row: Row) -> Any:
        details = json.loads(row["details"])
        if row["action"] == "title":
            return t.ChannelAdminLogEventActionChangeTitle(details["was"], details["now"])
        if row["action"] in ("join", "leave"):
            join = t.ChannelAdminLogEventActionParticipantJoin, t.ChannelAdminLogEventActionParticipantLeave
            return join[row["action"] == "leave"]()
        stored = self.found(chat, details["message_id"])
        if row["action"] == "pin":
            return t.ChannelAdminLogEventActionUpdatePinned(self.message(stored, pinned=True))
        was, now = (self.message(stored, message=details[each]) for each in ("was", "now"))
        return t.ChannelAdminLogEventActionEditMessage(was, now)
