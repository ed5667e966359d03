"""What WeCom stores of a world: the company, group chats, what robots and people said there, and people's servers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from posixpath import join
from typing import Any

from farm.appkit import Row
from farm.appkit.world_spec import (
    AppSpec,
    Kind,
    Message,
    ScheduledRow,
    Talk,
    Utterance,
    WorldError,
    as_json,
    check_keys,
    identities_of,
    require,
)

from .files import GROUP, GROUPS, HOLDERS, POSTS

FLAGS = ("image", "file")
# What a post is → its keys; a post with a title is a card.
_KINDS = {
    "text": "at text mention?",
    "markdown": "at markdown",
    "image": "at image size_bytes",
    "title": "at title description url",
}
_LIFETIME_MS = 3 * 86_400_000
_MAIN = "group"  # the group of group.toml
_EVERYBODY = "@所有人"
# How far the numbers of what comes later stand from those of the start, so that nothing an agent writes has one.
_SCHEDULED_OFFSET = 1_000


def rows(spec: AppSpec) -> Iterator[Row]:
    """Yield every row of WeCom, messages in order of time."""
    company = _Company(spec)
    yield from company.people()
    for group in company.groups.values():
        yield from group.rows()
    for group in company.groups.values():
        yield from group.messages()
    yield from company.machines()
    for key, messages in company.talk(spec.talk(FLAGS)).items():
        yield from company.groups[key].written(messages, 0)


def scheduled(spec: AppSpec) -> Iterator[ScheduledRow]:
    """Yield what people write in the week after the start."""
    company = _Company(spec)
    for key, messages in company.talk(spec.scheduled_talk(FLAGS)).items():
        for row in company.groups[key].written(messages, _SCHEDULED_OFFSET):
            yield ScheduledRow(datetime.fromtimestamp(row["sent_ms"] / 1000, UTC), row)


def said(rows: list[Row]) -> Iterator[Utterance]:
    """Yield what people wrote as it can be measured."""
    people = {row["userid"]: row["person"] for row in rows if row["table"] == "users"}
    for row in rows:
        if row["table"] == "member_messages":
            kind: Kind = "text" if row["msgtype"] == "text" else "media"
            sent_at = datetime.fromtimestamp(row["sent_ms"] / 1000, UTC)
            yield Utterance(people[row["userid"]], sent_at, row.get("content") or "", kind)


def identities(made: list[Row]) -> dict[str, dict[str, str]]:
    """Return person → the name and userid that WeCom shows."""
    return identities_of(made, "users", name="name", handle="userid")


class _Company:
    """The people with an account, their groups, and the servers that hold the keys of the groups' robots."""

    def __init__(self, spec: AppSpec) -> None:
        self.spec = spec
        self.corp_id = spec.id("ww{hex:16}", "corp")
        self.main, said = spec.read(GROUP), spec.read(POSTS)
        self.uploads = said["uploads"]
        self.groups = {_MAIN: _Group(spec, _MAIN, GROUP.path, self.main, said["posts"], POSTS.path)}
        for path, group in spec.read_every(GROUPS):
            key = _stem(path)
            if key == _MAIN:
                raise WorldError(f"{spec.where(path)}: '{_MAIN}' is the group of {GROUP.path}; give this another name")
            self.groups[key] = _Group(spec, key, path, group, group["posts"], path)

    def people(self) -> Iterator[Row]:
        """Yield the company, and everybody with an account."""
        yield {"table": "corps", "corp_id": self.corp_id, "name": self.spec.world.home.name_zh}
        for account in self.spec.accounts.values():
            person = account.owner
            user = {"userid": account.handle, "person": person.key, "corp_id": self.corp_id}
            yield {"table": "users", **user, "name": account.name or person.name, "mobile": _mobile(person.phone)}

    def talk(self, talk: Talk) -> Talk:
        """Return talk whose groups there are."""
        for key in talk:
            require("group", key, self.groups, f"{self.spec.app}: '## #{key}'")
        return talk

    def machines(self) -> Iterator[Row]:
        """Yield people's servers with the files on their machines, the protagonist's first, and what was uploaded."""
        where, server = self.spec.where(GROUP.path), self.main["server"]
        main = self.groups[_MAIN]
        for upload in self.uploads:
            files = _absolute(server["folder"], server["files"])
            yield {"table": "media", "webhook_key": main.key, "type": "file", **self._media(upload, files)}
        yield from self._server(self.spec.world.protagonist, main.key, server, where)
        for path, holder in self.spec.read_every(HOLDERS):
            where = self.spec.where(path)
            if _stem(path) == self.spec.world.protagonist:
                raise WorldError(f"{where}: the protagonist's server is [server] of {GROUP.path}")
            group = require("group with a robot", holder["robot"], self._with_robots(), where)
            yield from self._server(_stem(path), group.key, holder, where)

    def _with_robots(self) -> Mapping[str, _Group]:
        return {key: group for key, group in self.groups.items() if group.robot is not None}

    def _server(self, person: str, webhook_key: str, server: Mapping[str, Any], where: str) -> Iterator[Row]:
        userid = require("person with WeCom", person, self.spec.accounts, where).handle
        yield {"table": "servers", "userid": userid, "webhook_key": webhook_key, "folder": server["folder"]}
        for path, size in _absolute(server["folder"], server.get("files", {})).items():
            yield {"table": "files", "userid": userid, "path": path, "size_bytes": size}

    def _media(self, upload: dict[str, Any], files: Mapping[str, int]) -> Row:
        where = f"{self.spec.where(POSTS.path)}: upload of '{upload['file']}'"
        size = require("file", join(self.main["server"]["folder"], upload["file"]), files, where)
        created_ms = _ms(self.spec, upload["at"], where) + _second_ms(self.spec, "uploaded", upload["file"])
        media_id = self.spec.id("{base64url:44}", "media", upload["file"])
        times = {"created_ms": created_ms, "expires_ms": created_ms + _LIFETIME_MS}
        return {"media_id": media_id, "filename": upload["file"], "size_bytes": size, **times}


class _Group:
    """One group chat, its robot, if it has one, and what was said there."""

    def __init__(
        self, spec: AppSpec, key: str, path: str, group: dict[str, Any], posts: list[dict[str, Any]], posts_path: str
    ) -> None:
        self.spec, self.where, self.posts_where, self.posts = spec, spec.where(path), spec.where(posts_path), posts
        self.chat, self.robot = group["chat"], group.get("robot")
        accounts = {key: require("person with WeCom", key, spec.accounts, self.where) for key in self.chat["members"]}
        self.accounts = accounts
        self.userids = {key: account.handle for key, account in accounts.items()}
        further = () if key == _MAIN else (key,)
        self.corp_id = spec.id("ww{hex:16}", "corp")
        self.chat_id, self.key = spec.id("wr{alnum:30}", "chat", *further), spec.id("{uuid}", "robot", *further)
        if posts and self.robot is None:
            raise WorldError(f"{self.posts_where}: posts, and the group has no robot that could have said them")

    def rows(self) -> Iterator[Row]:
        """Yield the group with its members, and the robot."""
        chat = {"chat_id": self.chat_id, "corp_id": self.corp_id, "name": self.chat["name"]}
        yield {"table": "chats", **chat, "created_ms": self._created_ms()}
        for userid in self.userids.values():
            yield {"table": "members", "chat_id": self.chat_id, "userid": userid}
        if self.robot is not None:
            created_by = self._userid(self.robot["created_by"], f"{self.where}: robot")
            robot = {"webhook_key": self.key, "chat_id": self.chat_id, "name": self.robot["name"]}
            yield {"table": "robots", **robot, "created_by": created_by}

    def _created_ms(self) -> int:
        return _ms(self.spec, self.chat["created"], self.where) + _second_ms(self.spec, "created", self.chat_id)

    def messages(self) -> Iterator[Row]:
        """Yield what the robot said."""
        last_ms = 0
        posts = sorted(self.posts, key=lambda post: _ms(self.spec, post["at"], self.posts_where))
        seconds = self.spec.seconds((self.spec.at(post["at"], self.posts_where) for post in posts), self.key)
        for seq, post in enumerate(posts, start=1):
            where = f"{self.posts_where}: post {seq}"
            content = self._content(post, where)
            if (minute_ms := _ms(self.spec, post["at"], where)) <= last_ms:
                raise WorldError(f"{where}: at {post['at']}, and the post before it is not earlier")
            last_ms, sent_ms = minute_ms, seconds.ms(self.spec.at(post["at"], where))
            yield {"table": "messages", "webhook_key": self.key, "seq": seq, "sent_ms": sent_ms, **content}

    def written(self, messages: list[Message], offset: int) -> Iterator[Row]:
        """Yield what members wrote, numbered from ``offset`` on in order of time; an answer quotes what it is below."""
        pairs = [(each, root) for root in messages for each in (root, *root.replies)]
        numbers: dict[int, int] = {}
        last_ms = 0
        for seq, (message, root) in enumerate(sorted(pairs, key=lambda pair: pair[0].at), start=offset + 1):
            numbers[id(message)] = seq
            second = self.spec.number(0, 50, "second", message.place)
            last_ms = max(int(message.at.timestamp()) + second, last_ms // 1000 + 1) * 1000
            row = {"chat_id": self.chat_id, "seq": seq, "userid": self._userid(message.author, message.place)}
            row |= {} if root is message else {"reply_to": numbers[id(root)]}
            yield {"table": "member_messages", **row, **self._written(message), "sent_ms": last_ms}

    def _written(self, message: Message) -> Row:
        """Return what a message holds, as columns: WeCom sends a text and a file as two messages."""
        flag = next((flag for flag in FLAGS if flag in message.flags), None)
        if message.reactions:
            raise WorldError(f"{message.place}: WeCom has no reactions")
        if flag is not None:
            if message.text:
                raise WorldError(f"{message.place}: WeCom sends a text and a {flag} as two messages")
            name = {"filename": message.flags[flag]} if flag == "file" else {}
            return {"msgtype": flag, **name, "size_bytes": self.spec.number(20_000, 900_000, "size", message.place)}
        userids: list[str] = []

        def mention(key: str) -> str:
            userids.append(self._userid(key, message.place))
            account = self.accounts[key]
            return f"@{account.name or account.owner.name}"

        references = {"user": mention, "doc": lambda key: self.spec.link(key).address}
        content = self.spec.text(message.text, references, message.place)
        userids += ["@all"] if _EVERYBODY in content else []
        mentioned = {"mentioned_userids": as_json(list(dict.fromkeys(userids)))} if userids else {}
        return {"msgtype": "text", "content": content, **mentioned}

    def _content(self, post: dict[str, Any], where: str) -> Row:
        kind = next((each for each in _KINDS if each in post), None)
        if kind is None:
            raise WorldError(f"{where}: says nothing; give it one of {', '.join(_KINDS)}")
        check_keys(post, _KINDS[kind], where)
        if kind == "image":
            md5 = self.spec.id("{hex:32}", "image", post["image"])
            return {"msgtype": "image", "md5": md5, "size_bytes": post["size_bytes"]}
        if kind == "title":
            link = {"doc": lambda key: self.spec.link(key).address}
            card = {each: self.spec.text(post[each], link, where) for each in ("title", "description", "url")}
            return {"msgtype": "news", **card, "picurl": ""}
        userids = [self._userid(key, where) for key in post.get("mention", ())]
        mobiles = [_mobile(self.spec.accounts[key].owner.phone) for key in post.get("mention", ())]

        def mention(key: str) -> str:
            userids.append(self._userid(key, where))
            return f"<@{userids[-1]}>"

        content = self.spec.text(post[kind].strip("\n"), {"user": mention}, where)
        mentioned = {"mentioned_userids": as_json(list(dict.fromkeys(userids))), "mentioned_mobiles": as_json(mobiles)}
        return {"msgtype": kind, "content": content, **mentioned}

    def _userid(self, key: str, where: str) -> str:
        return require("member of the group", key, self.userids, where)


def _stem(path: str) -> str:
    return path.rpartition("/")[2].removesuffix(".toml")


def _absolute(folder: str, files: Mapping[str, int]) -> dict[str, int]:
    return {join(folder, path): size for path, size in files.items()}


def _ms(spec: AppSpec, at: str, where: str) -> int:
    time = spec.at(at, where)
    if time >= spec.world.starts_at:
        raise WorldError(f"{where}: at {at}, and the world starts at {spec.world.starts_at:%H:%M} of day +0")
    return int(time.timestamp()) * 1000


def _second_ms(spec: AppSpec, *parts: object) -> int:
    """Return a drawn second of a minute, in milliseconds."""
    return spec.number(0, 59, "wecom second", *parts) * 1000


def _mobile(phone: str) -> str:
    """Return a number as WeCom has it: the country's own without +86, digits only."""
    return phone.removeprefix("+86").replace(" ", "")
