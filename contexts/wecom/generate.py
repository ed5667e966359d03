"""What WeCom stores of a world: the company's people, one group chat, what its robot said, and the robot's server."""

from __future__ import annotations

from collections.abc import Iterator
from posixpath import join
from typing import Any

from farm.appkit import Row
from farm.appkit.world_spec import AppSpec, WorldError, as_json, check_keys, identities_of, require

from .files import GROUP, POSTS

# What a post is → its keys; a post with a title is a card.
_KINDS = {
    "text": "at text mention?",
    "markdown": "at markdown",
    "image": "at image size_bytes",
    "title": "at title description url",
}
_LIFETIME_MS = 3 * 86_400_000


def rows(spec: AppSpec) -> Iterator[Row]:
    """Yield every row of WeCom, messages in order of time."""
    group = _Group(spec)
    yield from group.people()
    yield from group.messages()
    yield from group.machine()


def identities(made: list[Row]) -> dict[str, dict[str, str]]:
    """Return person → the name and userid that WeCom shows."""
    return identities_of(made, "users", name="name", handle="userid")


class _Group:
    """One group chat with one robot, whose key the server holds."""

    def __init__(self, spec: AppSpec) -> None:
        self.spec, self.where = spec, spec.where(GROUP.path)
        group = spec.read(GROUP)
        self.chat, self.robot, self.server = group["chat"], group["robot"], group["server"]
        accounts = {key: require("person with WeCom", key, spec.accounts, self.where) for key in self.chat["members"]}
        self.userids = {key: account.handle for key, account in accounts.items()}
        self.files = {join(self.server["folder"], path): size for path, size in self.server["files"].items()}
        self.key = spec.id("{uuid}", "robot")

    def people(self) -> Iterator[Row]:
        """Yield the company, everybody with an account, the group with its members, and the robot."""
        corp_id, chat_id = self.spec.id("ww{hex:16}", "corp"), self.spec.id("wr{alnum:30}", "chat")
        yield {"table": "corps", "corp_id": corp_id, "name": self.spec.world.home.name_zh}
        for account in self.spec.accounts.values():
            person = account.owner
            user = {"userid": account.handle, "person": person.key, "corp_id": corp_id}
            yield {"table": "users", **user, "name": account.name or person.name, "mobile": _mobile(person.phone)}
        chat = {"chat_id": chat_id, "corp_id": corp_id, "name": self.chat["name"]}
        yield {"table": "chats", **chat, "created_ms": self._ms(self.chat["created"], self.where)}
        for userid in self.userids.values():
            yield {"table": "members", "chat_id": chat_id, "userid": userid}
        created_by = self._userid(self.robot["created_by"], f"{self.where}: robot")
        robot = {"webhook_key": self.key, "chat_id": chat_id, "name": self.robot["name"]}
        yield {"table": "robots", **robot, "created_by": created_by}

    def messages(self) -> Iterator[Row]:
        """Yield what the robot said, and what it uploaded."""
        said = self.spec.read(POSTS)
        last_ms = 0
        posts = sorted(said["posts"], key=lambda post: self._ms(post["at"], self.spec.where(POSTS.path)))
        for seq, post in enumerate(posts, start=1):
            where = f"{self.spec.where(POSTS.path)}: post {seq}"
            content = self._content(post, where)
            sent_ms = self._ms(post["at"], where)
            if sent_ms <= last_ms:
                raise WorldError(f"{where}: at {post['at']}, and the post before it is not earlier")
            last_ms = sent_ms
            yield {"table": "messages", "webhook_key": self.key, "seq": seq, "sent_ms": sent_ms, **content}
        for upload in said["uploads"]:
            yield {"table": "media", "webhook_key": self.key, "type": "file", **self._media(upload)}

    def machine(self) -> Iterator[Row]:
        """Yield the server, and the files on its machine."""
        yield {"table": "servers", "webhook_key": self.key, "folder": self.server["folder"]}
        for path, size in self.files.items():
            yield {"table": "files", "webhook_key": self.key, "path": path, "size_bytes": size}

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

    def _media(self, upload: dict[str, Any]) -> Row:
        where = f"{self.spec.where(POSTS.path)}: upload of '{upload['file']}'"
        size = require("file", join(self.server["folder"], upload["file"]), self.files, where)
        created_ms = self._ms(upload["at"], where)
        media_id = self.spec.id("{base64url:44}", "media", upload["file"])
        times = {"created_ms": created_ms, "expires_ms": created_ms + _LIFETIME_MS}
        return {"media_id": media_id, "filename": upload["file"], "size_bytes": size, **times}

    def _userid(self, key: str, where: str) -> str:
        return require("member of the group", key, self.userids, where)

    def _ms(self, at: str, where: str) -> int:
        time = self.spec.at(at, where)
        if time >= self.spec.world.starts_at:
            raise WorldError(f"{where}: at {at}, and the world starts at {self.spec.world.starts_at:%H:%M} of day +0")
        return int(time.timestamp()) * 1000


def _mobile(phone: str) -> str:
    """Return a number as WeCom has it: the country's own without +86, digits only."""
    return phone.removeprefix("+86").replace(" ", "")
