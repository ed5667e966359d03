"""The stand-in for Telegram as the server of August 2026 asks it: on Telethon 1.44, with folders, topics and more."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

from backend import FOREVER, INSIDE, Backend, Row, at, need  # type: ignore[import-not-found] # beside this file
from telethon.tl import types as t  # type: ignore[import-not-found] # in the real server's own Python alone

ACTIONS = {
    "title": lambda: t.MessageActionChatEditTitle("x"),
    "pin": t.MessageActionPinMessage,
    "join": lambda: t.MessageActionChatAddUser([]),
    "invite": lambda: t.MessageActionChatAddUser([]),
    "leave": lambda: t.MessageActionChatDeleteUser(0),
    "topic": lambda: t.MessageActionTopicCreate("x", 0),
}
FILTERS = ("contacts", "non_contacts", "groups", "broadcasts", "bots", "exclude_muted", "exclude_read",
           "exclude_archived")  # fmt: skip


class Backend2026(Backend):  # type: ignore[misc]
    """What one account sees of the rows in a file, in the API's later layer."""

    # -- objects --

    def peer_of(self, peer_id: int) -> Any:
        """Return the peer of a marked id."""
        if peer_id > 0:
            return t.PeerUser(peer_id)
        return t.PeerChannel(-1000000000000 - peer_id) if peer_id < -1000000000000 else t.PeerChat(-peer_id)

    def input_peer(self, peer_id: int) -> Any:
        """Return the input peer of a marked id."""
        if peer_id > 0:
            return t.InputPeerUser(peer_id, self.hashes[f"user:{peer_id}"])
        if peer_id > -1000000000000:
            return t.InputPeerChat(-peer_id)
        number = -1000000000000 - peer_id
        return t.InputPeerChannel(number, self.hashes[f"chat:{number}"])

    def kept(self, chat: Row) -> Row:
        key = (self.me, chat["chat_id"])
        return next((row for row in self.tables["dialogs"] if (row["user_id"], row["chat_id"]) == key), {})

    def media_of(self, row: Row | None) -> Any:
        if row and row["kind"] == "contact":
            card = json.loads(row["contact"])
            digits = "".join(filter(str.isdigit, card["phone"]))
            number = next((n for n, user in self.users.items() if user["phone"] == digits), 0)
            return t.MessageMediaContact(card["phone"], card["first_name"], card["last_name"], card["vcard"], number)
        if row and row["kind"] == "poll":
            poll = json.loads(row["poll"])
            answers = [t.PollAnswer(t.TextWithEntities(each, []), bytes([n])) for n, each in enumerate(poll["answers"])]
            flags = {"public_voters": poll["public"], "multiple_choice": poll["multiple"]}
            made = t.Poll(row["media_id"], t.TextWithEntities(poll["question"], []), answers, 0, **flags)
            return t.MessageMediaPoll(made, t.PollResults(total_voters=0))
        return super().media_of(row)

    def message(self, row: Row, **changed: Any) -> Any:
        made = super().message(row, **changed)
        if row["reply_to"] or row["topic_id"]:
            made.reply_to = t.MessageReplyHeader(
                reply_to_msg_id=row["reply_to"] or row["topic_id"], forum_topic=bool(row["topic_id"]) or None
            )
        key = (row["chat_id"], row["message_id"])
        emoji = [each["emoji"] for each in self.tables["reactions"] if (each["chat_id"], each["message_id"]) == key]
        if emoji:
            counts = [t.ReactionCount(t.ReactionEmoji(each), emoji.count(each)) for each in dict.fromkeys(emoji)]
            made.reactions = t.MessageReactions(counts)
        if row["text"] is None:
            kind = t.MessageActionChannelCreate("x")
            if self.chats[row["chat_id"]]["kind"] == "group":
                kind = t.MessageActionChatCreate("x", [])
            made.action = ACTIONS[row["action"]]() if row["action"] in ACTIONS else kind
            return made
        made.grouped_id = row["album_id"]
        if row["forwarded_from"]:
            peer = self.peer_of(row["forwarded_from"])
            made.fwd_from = t.MessageFwdHeader(at(row["forwarded_s"]), from_id=peer, channel_post=row["forwarded_post"])
        return made

    def bundle(self, rows: list[Row], total: int) -> Any:
        made = super().bundle(rows, total)
        first = [row["forwarded_from"] for row in rows if row["forwarded_from"]]
        made.users += [self.user(each) for each in first if each > 0]
        made.chats += [self.chat(self.chats[-1000000000000 - each]) for each in first if each < 0]
        return made

    def GetChats(self, request: Any) -> Any:
        need(all(each in self.chats for each in request.id), "CHAT_ID_INVALID")
        return super().GetChats(request)

    def GetNearestDc(self, request: Any) -> Any:
        return t.NearestDc("GB", 2, 2)

    def GetFullChat(self, request: Any) -> Any:
        made = super().GetFullChat(request)
        made.full_chat.about = self.chats[request.chat_id]["about"]
        return made

    def GetFullChannel(self, request: Any) -> Any:
        made = super().GetFullChannel(request)
        made.full_chat.about = self.chats[request.channel.channel_id]["about"]
        return made

    # -- lists of chats --

    def dialog(self, peer: Any, top: int = 0, unread: int = 0) -> Any:
        return t.Dialog(peer, top, 0, 0, unread, 0, 0, 0, t.PeerNotifySettings())

    def GetDialogs(self, request: Any) -> Any:
        folder, request.limit, most = request.folder_id, 2**31, request.limit
        made = super().GetDialogs(request)
        for each in made.dialogs:
            self.complete(each)
        wanted = [each for each in made.dialogs if folder is None or (each.folder_id or 0) == folder]
        made.dialogs, made.count = wanted[:most], len(wanted)
        return made

    def complete(self, dialog: Any) -> None:
        number = getattr(dialog.peer, "user_id", None)
        chat = self.private(number) if number else self.chats.get(getattr(dialog.peer, "chat_id", 0) or 0)
        chat = chat or self.chats.get(getattr(dialog.peer, "channel_id", 0))
        kept = self.kept(chat) if chat else {}
        dialog.folder_id = 1 if kept.get("is_archived") else None
        dialog.notify_settings = t.PeerNotifySettings(mute_until=FOREVER if kept.get("is_muted") else None)

    def GetPeerDialogs(self, request: Any) -> Any:
        peer = request.peers[0].peer
        user, chat = self.of(peer)
        listed = super().GetDialogs(SimpleNamespace(limit=2**31))
        wanted = user or (chat or {})["chat_id"]
        found = [each for each in listed.dialogs if wanted in vars(each.peer).values()]
        if not found:
            found = [self.dialog(self.peer_of(user) if user else self.peer(chat))]
        self.complete(found[0])
        return t.messages.PeerDialogs(found, [], [], [], t.updates.State(0, 0, at(self.now), 0, 0))

    def EditPeerFolders(self, request: Any) -> Any:
        user, chat = self.of(request.folder_peers[0].peer)
        need(user or (chat and self.role(chat) in INSIDE), "PEER_ID_INVALID")
        return self.updates()

    def GetDialogFilters(self, request: Any) -> Any:
        made: list[Any] = [t.DialogFilterDefault()]
        for row in sorted(self.tables["folders"], key=lambda row: row["position"]):
            listed = {name: [self.input_peer(each) for each in json.loads(row[name])]
                      for name in ("included", "excluded", "pinned")}  # fmt: skip
            head = (row["folder_id"], t.TextWithEntities(row["title"], []), listed["pinned"], listed["included"])
            if row["is_shared"]:
                made.append(t.DialogFilterChatlist(*head, emoticon=row["emoticon"]))
            else:
                flags = {name: name in json.loads(row["filters"]) for name in FILTERS}
                made.append(t.DialogFilter(*head, listed["excluded"], **flags, emoticon=row["emoticon"]))
        return t.messages.DialogFilters(made)

    def UpdateDialogFilter(self, request: Any) -> Any:
        if made := request.filter:
            for peer in (*made.include_peers, *made.pinned_peers):
                user, chat = (peer.user_id, None) if hasattr(peer, "user_id") else (None, self.of(peer)[1])
                need(
                    user in self.users or (chat and (self.role(chat) in INSIDE or chat["username"])), "PEER_ID_INVALID"
                )
            takes_in = any(getattr(made, name, None) for name in FILTERS if not name.startswith("exclude"))
            need(made.include_peers or made.pinned_peers or takes_in, "FILTER_INCLUDE_EMPTY")
            need(made.title.text.strip(), "FILTER_TITLE_EMPTY")
        return True

    def UpdateDialogFiltersOrder(self, request: Any) -> Any:
        return True

    def GetCommonChats(self, request: Any) -> Any:
        number = self.me if isinstance(request.user_id, t.InputUserSelf) else request.user_id.user_id
        need(number != self.me, "USER_ID_INVALID")
        rows = [row for row in self.chats.values() if row["kind"] in ("group", "supergroup")]
        rows = [row for row in rows if {self.role(row), self.role(row, number)} <= set(INSIDE)]
        rows = [row for row in rows if not request.max_id or row["chat_id"] < request.max_id]
        rows.sort(key=lambda row: -row["chat_id"])
        return t.messages.Chats([self.chat(row) for row in rows[: request.limit]])

    def SearchContacts(self, request: Any) -> Any:
        request.limit = max(request.limit, 0)
        made = super().SearchContacts(request)
        words, name = request.q.split(), request.q.strip().lstrip("@").lower()
        rows = [row for row in self.chats.values() if row["kind"] != "private"]
        rows = [row for row in rows if self.role(row) in INSIDE or (row["username"] and self.role(row) != "banned")]
        rows = [
            row
            for row in rows
            if all(self.has(row["title"], word.casefold()) for word in words)
            or (row["username"] or "").lower().startswith(name)
        ]
        rows.sort(key=lambda row: (self.role(row) not in INSIDE, row["chat_id"]))
        made.chats = [self.chat(row) for row in rows[: request.limit]]
        return made

    # -- messages --

    def SearchGlobal(self, request: Any) -> Any:
        need(request.q.strip(), "SEARCH_QUERY_EMPTY")
        rows = []
        for chat in self.chats.values():
            part = self.role(chat)
            if part in INSIDE or (part == "left" and chat["kind"] == "group"):
                rows += self.said(chat)
        words = request.q.casefold().split()
        rows = [row for row in rows if row["text"] is not None and all(self.has(row["text"], each) for each in words)]
        rows.sort(key=lambda row: (-row["sent_s"], -row["message_id"]))
        return self.bundle(rows[: request.limit], len(rows))

    def GetMessageReadParticipants(self, request: Any) -> Any:
        user, chat = self.of(request.peer)
        need(not user and chat and chat["kind"] in ("group", "supergroup"), "PEER_ID_INVALID")
        assert chat
        need(self.role(chat) in INSIDE, "USER_NOT_PARTICIPANT")
        row = self.found(chat, request.msg_id, "MSG_ID_INVALID")
        need(self.now - row["sent_s"] <= 7 * 86_400, "MSG_TOO_OLD")
        read = [each for each in self.tables["dialogs"] if each["chat_id"] == chat["chat_id"]]
        read = [each for each in read if each["read_id"] >= request.msg_id and each["user_id"] != self.me]
        read = read if row["sender_id"] == self.me else []
        return [t.ReadParticipantDate(each["user_id"], at(each["read_s"])) for each in read]

    def ExportMessageLink(self, request: Any) -> Any:
        chat = self.chats[request.channel.channel_id]
        self.can_read(chat)
        row = next((row for row in self.said(chat) if row["message_id"] == request.id), None)
        need(row, "MESSAGE_ID_INVALID")
        name, post = chat["username"], request.id
        topic = f"{row['topic_id']}/" if request.thread and row and row["topic_id"] else ""
        html = f'<script async src="https://telegram.org/js/telegram-widget.js?22" data-telegram-post="{name}/{post}"'
        link = f"https://t.me/{name or 'c/' + str(chat['chat_id'])}/{topic}{post}"
        return t.ExportedMessageLink(link, f'{html} data-width="100%"></script>' if name else "")

    def answering(self, chat: Row | None, reply: Any) -> None:
        if reply:
            number = reply.reply_to_msg_id
            known = {row["message_id"]: row for row in self.said(chat)}
            need(number in known or (chat and chat["is_forum"] and number == 1), "REPLY_MESSAGE_ID_INVALID")
            topic = (known.get(number) or {}).get("topic_id")
            closed = {row["topic_id"] for row in self.tables["topics"] if chat and row["chat_id"] == chat["chat_id"]
                      and row["is_closed"]}  # fmt: skip
            need(topic not in closed or (chat and self.may(chat, "manage_topics")), "TOPIC_CLOSED")

    def SendMessage(self, request: Any) -> Any:
        self.text(request.message.strip())
        chat = self.can_send(request.peer)
        self.answering(chat, request.reply_to)
        if not request.schedule_date:
            return self.updates()
        need(request.schedule_date.timestamp() - self.now <= 365 * 86_400, "SCHEDULE_DATE_TOO_LATE")
        number = 1 + max([row["message_id"] for row in self.tables["scheduled_messages"]], default=0)
        user, _ = self.of(request.peer)
        peer = self.peer_of(user) if user else self.peer(chat)
        made = t.Message(number, peer, request.schedule_date, request.message, out=True)
        updates = [t.UpdateMessageID(number, request.random_id), t.UpdateNewScheduledMessage(made)]
        return t.Updates(updates, [], [], None, 0)

    def SendMedia(self, request: Any) -> Any:
        if isinstance(request.media, t.InputMediaContact):
            self.can_send(request.peer)
            return self.updates()
        if not isinstance(request.media, t.InputMediaPoll):
            self.answering(self.of(request.peer)[1], request.reply_to)
        return super().SendMedia(request)

    def UploadMedia(self, request: Any) -> Any:
        need(request.media.file.name != "empty.bin", "FILE_PARTS_INVALID")
        if isinstance(request.media, t.InputMediaUploadedPhoto):
            return t.MessageMediaPhoto(photo=t.Photo(1, 1, b"", at(self.now), [], 5))
        return t.MessageMediaDocument(document=t.Document(1, 1, b"", at(self.now), "x/y", 1, 5, []))

    def SendMultiMedia(self, request: Any) -> Any:
        chat = self.can_send(request.peer)
        self.answering(chat, request.reply_to)
        kinds = {type(each.media) for each in request.multi_media}
        need(len(kinds) == 1, "MEDIA_GROUPED_INVALID")
        return self.updates()

    def GetScheduledHistory(self, request: Any) -> Any:
        user, chat = self.of(request.peer)
        if not user:
            need(self.may(chat or {}, "post_messages" if (chat or {})["kind"] == "channel" else "send"),
                 "CHAT_ADMIN_REQUIRED")  # fmt: skip
        rows = [row for row in self.tables["scheduled_messages"] if chat and row["chat_id"] == chat["chat_id"]]
        rows.sort(key=lambda row: (-row["due_s"], -row["message_id"]))
        peer = self.peer_of(user) if user else self.peer(chat)
        made = [t.Message(row["message_id"], peer, at(row["due_s"]), row["text"], out=True) for row in rows]
        return t.messages.Messages(made, [], [], [])

    def DeleteScheduledMessages(self, request: Any) -> Any:
        self.GetScheduledHistory(request)
        return self.updates()

    def DeleteMessages(self, request: Any) -> Any:
        super().DeleteMessages(request)
        if getattr(request, "channel", None):
            chats = [self.chats[request.channel.channel_id]]
        else:
            chats = [row for row in self.chats.values() if row["kind"] in ("private", "group") and self.role(row)]
        known = {row["message_id"] for chat in chats for row in self.said(chat)}
        return t.messages.AffectedMessages(1, len(known & set(request.id)))

    def DeleteHistory(self, request: Any) -> Any:
        user, chat = self.of(request.peer)
        need(user or (chat and chat["kind"] == "group" and self.role(chat)), "PEER_ID_INVALID")
        rows = [row for row in self.said(chat) if not request.max_id or row["message_id"] <= request.max_id]
        return t.messages.AffectedHistory(1, len(rows), 0)

    # -- topics --

    def GetForumTopics(self, request: Any) -> Any:
        chat = self.chats[request.channel.channel_id]
        self.can_read(chat)
        rows = [row for row in self.tables["topics"] if row["chat_id"] == chat["chat_id"]]
        general = {"topic_id": 1, "title": "General", "made_s": chat["created_s"], "icon_color": 0, "is_closed": 0,
                   "is_hidden": 0, "creator_id": self.me}  # fmt: skip
        rows = rows if any(row["topic_id"] == 1 for row in rows) else [*rows, general]
        said: dict[int, list[Row]] = {}
        for row in self.said(chat):
            said.setdefault(row["topic_id"] or 1, []).append(row)
        rows.sort(key=lambda row: -max([each["sent_s"] for each in said.get(row["topic_id"], [])] or [row["made_s"]]))
        if request.q:
            rows = [row for row in rows if all(self.has(row["title"], each) for each in request.q.casefold().split())]
        numbers = [row["topic_id"] for row in rows]
        start = numbers.index(request.offset_topic) + 1 if request.offset_topic in numbers else 0
        rows = rows[start : start + max(request.limit, 0)]
        read = self.kept(chat).get("read_id") or 0
        made, tops = [], []
        for row in rows:
            own = said.get(row["topic_id"], [])
            tops += own[:1]
            unread = sum(each["message_id"] > read and each["sender_id"] != self.me for each in own)
            top = own[0]["message_id"] if own else 0
            made.append(t.ForumTopic(
                row["topic_id"], at(row["made_s"]), self.peer(chat), row["title"], row["icon_color"], top, 0, 0,
                unread, 0, 0, 0, t.PeerUser(row["creator_id"]), t.PeerNotifySettings(),
                closed=bool(row["is_closed"]), hidden=bool(row["is_hidden"])))  # fmt: skip
        return t.messages.ForumTopics(len(rows), made, list(map(self.message, tops)), [], [], 1)

    def CreateForumTopic(self, request: Any) -> Any:
        chat = self.chats[request.peer.channel_id]
        need(self.may(chat, "manage_topics"), "CHAT_ADMIN_REQUIRED")
        need(len(request.title) <= 128, "TOPIC_TITLE_TOO_LONG")
        colours = (7322096, 16766590, 13338331, 9367192, 16749490, 16478047)
        need(request.icon_color is None or request.icon_color in colours, "ICON_COLOR_INVALID")
        need(not request.icon_emoji_id, "PREMIUM_ACCOUNT_REQUIRED")
        number = 1 + max((row["message_id"] for row in self.said(chat)), default=0)
        said = {"id": number, "peer_id": self.peer(chat), "date": at(self.now)}
        made = t.MessageService(**said, action=t.MessageActionTopicCreate("x", 0))
        return t.Updates([t.UpdateMessageID(number, 1), t.UpdateNewChannelMessage(made, 1, 1)], [], [], None, 0)

    def ToggleForum(self, request: Any) -> Any:
        self.changing(request.channel)
        return self.updates()

    # -- settings --

    def setting(self, peer: Any, right: str) -> Row:
        user, chat = self.of(peer)
        need(not user, "PEER_ID_INVALID")
        assert chat
        need(self.may(chat, right), "CHAT_ADMIN_REQUIRED")
        return chat

    def EditChatAbout(self, request: Any) -> Any:
        need(len(request.about) <= 255 or self.of(request.peer)[0], "CHAT_ABOUT_TOO_LONG")
        chat = self.setting(request.peer, "change_info")
        need(chat["about"] != request.about, "CHAT_ABOUT_NOT_MODIFIED")
        return True

    def EditChatDefaultBannedRights(self, request: Any) -> Any:
        user, chat = self.of(request.peer)
        need(not user and chat and chat["kind"] != "channel", "PEER_ID_INVALID")
        chat = self.setting(request.peer, "ban_users")
        given = {name for name, value in request.banned_rights.to_dict().items() if value is True}
        need(given != set(json.loads(chat["banned_rights"])), "CHAT_NOT_MODIFIED")
        return self.updates()

    def ToggleSlowMode(self, request: Any) -> Any:
        chat = self.changing(request.channel, "ban_users")
        need(request.seconds in (0, 10, 30, 60, 300, 900, 3600), "SECONDS_INVALID")
        need(request.seconds != chat["slow_mode_s"], "CHAT_NOT_MODIFIED")
        return self.updates()

    def EditAdmin(self, request: Any) -> Any:
        need(len(request.rank or "") <= 16, "ADMIN_RANK_INVALID")
        return super().EditAdmin(request)

    def AddContact(self, request: Any) -> Any:
        need(request.id.user_id != self.me, "CONTACT_ID_INVALID")
        need(request.first_name.strip(), "CONTACT_NAME_EMPTY")
        return t.Updates([t.UpdateConfig()], [], [], None, 0)
