"""What Rednote stores of a world: accounts, notes, comments, who liked and follows whom, and who was told of it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from farm.appkit import Row
from farm.appkit.world_spec import AppSpec, Hours, ScheduledRow, Utterance, WorldError, as_json, identities_of, require
from farm.appkit.world_spec.facts import plain

from .files import ANY, SCHEDULED

_GENDERS = {"male": 0, "female": 1, "": 2}
# The site shows where a phone is: a province, or one of the four cities that are none's.
_PROVINCES = {
    "杭州": "浙江",
    "湖州": "浙江",
    "宁波": "浙江",
    "苏州": "江苏",
    "南京": "江苏",
    "无锡": "江苏",
    "深圳": "广东",
    "广州": "广东",
    "东莞": "广东",
    "成都": "四川",
    "武汉": "湖北",
    "长沙": "湖南",
    "厦门": "福建",
    "青岛": "山东",
    "合肥": "安徽",
    "郑州": "河南",
    "济南": "山东",
    "西安": "陕西",
    "沈阳": "辽宁",
    "石家庄": "河北",
    "福州": "福建",
    "昆明": "云南",
    "南昌": "江西",
}
# What happened → tab, type and words of the notification.
_NOTIFICATIONS = {
    "comment": ("mentions", "comment/item", "评论了你的笔记"),
    "answer": ("mentions", "comment/comment", "回复了你的评论"),
    "mention": ("mentions", "mention/comment", "在评论中@了你"),
    "mention post": ("mentions", "mention/item", "在笔记中@了你"),
    "like": ("likes", "liked/item", "赞了你的笔记"),
    "collect": ("likes", "faved/item", "收藏了你的笔记"),
    "like comment": ("likes", "liked/comment", "赞了你的评论"),
    "follow": ("connections", "follow/you", "开始关注你了"),
}
# The small hours: a like that is not written down is not drawn into them.
_ASLEEP = Hours(1, 7, on_weekends=True)
# What somebody did to a note or a comment → table of the row.
_MARKS = {"like": "likes", "collect": "favorites", "like comment": "comment_likes"}
_PICTURE = re.compile(r"([\w-]+) (\d+)x(\d+)")


@dataclass(frozen=True)
class _Event:
    """Something that an account is notified of."""

    tab: str
    kind: str
    title: str
    recipient: str
    by: str
    note: str | None
    comment: str | None
    at_ms: int

    def is_same(self, other: _Event) -> bool:
        """Whether both tell of one act, whenever it is said to have happened."""
        mine = (self.kind, self.recipient, self.by, self.note, self.comment)
        return mine == (other.kind, other.recipient, other.by, other.note, other.comment)


def rows(spec: AppSpec) -> Iterator[Row]:
    """Yield every row of Rednote."""
    site = _Site(spec)
    for part in (site.accounts, site.follows, site.notes, site.views, site.comments, site.notifications):
        yield from part()


def scheduled(spec: AppSpec) -> Iterator[ScheduledRow]:
    """Yield the comments, likes, favourites and followers of the week after the start, and who is told of them."""
    yield from _Site(spec).scheduled()


def identities(made: list[Row]) -> dict[str, dict[str, str]]:
    """Return person → the names Rednote shows; it knows neither mail nor role."""
    return identities_of(made, "users", name="nickname", handle="red_id")


def said(made: list[Row]) -> Iterator[Utterance]:
    """Yield every note and comment of the rows as it can be measured."""
    person = {row["user_id"]: str(row.get("person") or row["user_id"]) for row in made if row["table"] == "users"}
    for row in made:
        if row["table"] in ("notes", "comments"):
            at = datetime.fromtimestamp(row["time"] // 1000, UTC)
            yield Utterance(person[row["user_id"]], at, row["body"] if row["table"] == "notes" else row["content"])


class _Site:
    """The specification of one world's Rednote, read and checked, and the rows made so far."""

    def __init__(self, spec: AppSpec) -> None:
        self.spec = spec
        self.now_ms = int(spec.world.starts_at.timestamp()) * 1000
        # What is read lies before the first; what comes later, between the two.
        self.ends_ms = self.now_ms
        read = spec.read_together(ANY)
        read["users"][:0] = [
            {"key": account.key, "nickname": account.name, "red_id": account.handle, **account.more}
            for account in spec.accounts.values()
        ]
        self.users = {each["key"]: each for each in read["users"]}
        self.posts = {each["key"]: each for each in sorted(read["posts"], key=self._at)}
        self.said = {each["key"]: each for each in sorted(read["comments"], key=self._at)}
        for kind, found in (("users", self.users), ("posts", self.posts), ("comments", self.said)):
            twice = [key for key, count in Counter(each["key"] for each in read[kind]).items() if count > 1]
            if twice:
                raise WorldError(f"rednote: {kind} '{twice[0]}' stands there twice ({len(found)} are different)")
        # Key of a user → when they first wrote or followed somebody.
        self.first_ms: dict[str, int] = {}
        for each in (*read["posts"], *read["comments"], *read["follows"]):
            who, at_ms = each["author" if "author" in each else "who"], self._at(each)
            self.first_ms[who] = min(at_ms, self.first_ms.get(who, at_ms))
        self.read = read
        # What told() makes notifications of, filled while the other rows are made.
        self.events: list[_Event] = []
        self.written = {
            (each["kind"], each["by"], each.get("comment", each.get("post"))): each for each in read["notifications"]
        }

    def _at(self, entry: dict[str, Any]) -> int:
        where = f"rednote: '{entry.get('key', entry)}'"
        at = self.spec.ms(entry["at"], where)
        if at >= self.ends_ms and entry.get("visibility") is None:
            ends = datetime.fromtimestamp(self.ends_ms // 1000, self.spec.world.starts_at.tzinfo)
            raise WorldError(f"{where}: at {entry['at']}, and this ends on {ends:%a %H:%M}")
        return at + self.spec.number(0, 59, "rednote second", entry["at"], entry.get("key", "")) * 1000

    def id(self, form: str, kind: str, *parts: object) -> str:
        return self.spec.id(form, kind, *parts)

    def user_id(self, key: str, where: str) -> str:
        require("user", key, self.users, where)
        # How long an account has been there nobody asks: between four months and six and a half years, or days longer
        # than the first that is known of it.
        seconds = self.now_ms // 1000 - self.spec.number(120, 2_400, "joined", key) * 86_400
        first_s = self.first_ms.get(key, self.now_ms) // 1000 - self.spec.number(2, 60, "joined before", key) * 86_400
        return self._stamped(min(seconds, first_s) - self.spec.number(0, 86_399, "joined at", key), "user", key)

    def _stamped(self, seconds: int, kind: str, key: str) -> str:
        """Return an id as the site makes them: the second, a gap, and what tells apart those of one second."""
        return f"{seconds:08x}00000000" + self.id("{hex:2}0{hex:5}", kind, key)

    def show(self, raw: str, where: str) -> str:
        """Return a text as the site shows it."""
        return self.spec.text(raw, {"user": self._mention}, where)

    def _mention(self, key: str) -> str:
        if key not in self.users:
            raise ValueError(f"no user '{key}'")
        return f"@{self.users[key]['nickname']}"

    def _note(self, key: str, where: str) -> str:
        require("post", key, self.posts, where)
        return self._stamped(self._at(self.posts[key]) // 1000, "note", key)

    def _comment(self, key: str, where: str) -> str:
        require("comment", key, self.said, where)
        return self._stamped(self._at(self.said[key]) // 1000, "comment", key)

    @staticmethod
    def _place(city: str) -> str:
        return _PROVINCES.get(city, city)

    def _after(self, at_ms: int, kind: str, by: str, target: str) -> int:
        """Return when somebody liked or collected something: as a notification says, or hours later, while awake."""
        if (kind, by, target) in self.written:
            return self._at(self.written[kind, by, target])
        parts = (kind, by, target)
        hours = min(self.spec.number(1, 60, "after", *parts), self.spec.number(1, 60, "after too", *parts))
        late = at_ms + hours * 3_600_000 + self.spec.number(0, 3_599, "s", *parts) * 1000
        latest = self.now_ms - self.spec.number(60, 3_600, "latest", *parts) * 1000
        soon = at_ms + self.spec.number(1, max(1, (self.now_ms - at_ms) // 2_000), "soon", *parts) * 1000
        return self._awake(min(late, latest) if latest > at_ms else soon, at_ms, *parts)

    def _awake(self, when_ms: int, after_ms: int, *parts: object) -> int:
        """Return a time; of the small hours, one of the morning after or of the evening before, if one fits."""
        zone = self.spec.world.starts_at.tzinfo
        when = datetime.fromtimestamp(when_ms // 1000, zone)
        if not _ASLEEP.first <= when.hour < _ASLEEP.end:
            return when_ms
        morning = when.replace(hour=_ASLEEP.end, minute=0) + timedelta(minutes=self.spec.number(0, 150, "up", *parts))
        evening = when.replace(hour=0, minute=0) - timedelta(minutes=self.spec.number(1, 240, "evening", *parts))
        for each in (int(morning.timestamp()) * 1000, int(evening.timestamp()) * 1000):
            if after_ms < each < self.now_ms:
                return each
        return when_ms

    def accounts(self) -> Iterator[Row]:
        """Yield users; the world's people and companies are signed in on their own devices."""
        for key, user in self.users.items():
            where = f"rednote: user '{key}'"
            gender = user.get("gender", "")
            yield {
                "table": "users",
                "user_id": self.user_id(key, where),
                "person": key if key in self.spec.members else None,
                "red_id": str(user["red_id"]),
                "nickname": user["nickname"],
                "bio": self.show(user.get("bio", ""), where),
                "gender": gender if isinstance(gender, int) else require("gender", gender, _GENDERS, where),
                "ip_location": self._place(user["city"]),
                "district": user.get("district"),
                "follows_base": user.get("following_extra", 0),
                "fans_base": user.get("followers_extra", 0),
                "liked_base": user.get("likes_extra", 0),
                "favorites_public": int(user.get("favorites_public", False)),
                "likes_public": int(user.get("likes_public", False)),
                "has_shop": int(user.get("has_shop", False)),
            }
            if key in self.spec.accounts:
                yield {"table": "sessions", "user_id": self.user_id(key, where), "cookies_path": "cookies.json"}
        for each in self.read["media"]:
            owner = self.user_id(each["user"], f"rednote: media '{each['path']}'")
            shown = {name: value for name, value in each.items() if name != "user"}
            yield {"table": "media", "user_id": owner, **shown}
        for each in self.read["products"]:
            product = self.id("{hex:24}", "product", each["key"])
            owner = self.user_id(each["user"], f"rednote: product '{each['name']}'")
            yield {"table": "products", "product_id": product, "user_id": owner, "name": each["name"]}

    def follows(self) -> Iterator[Row]:
        """Yield who follows whom."""
        for each in self.read["follows"]:
            yield from self._follow(each)

    def _follow(self, each: dict[str, Any]) -> Iterator[Row]:
        where = f"rednote: follow of '{each['whom']}' by '{each['who']}'"
        who, whom, at = self.user_id(each["who"], where), self.user_id(each["whom"], where), self._at(each)
        self.events.append(_Event(*_NOTIFICATIONS["follow"], whom, who, None, None, at))
        yield {"table": "follows", "user_id": who, "target_id": whom, "time": at}

    def notes(self) -> Iterator[Row]:
        """Yield notes with their pictures or video, and who liked and collected them."""
        for key, post in self.posts.items():
            yield from self._post(key, post, f"rednote: post '{key}'")

    def _post(self, key: str, post: dict[str, Any], where: str) -> Iterator[Row]:
        note_id, author, at = self._note(key, where), self.user_id(post["author"], where), self._at(post)
        crowd = {
            "liked_base": post.get("likes", 0) - len(post.get("liked_by", [])),
            "collected_base": post.get("collects", 0) - len(post.get("collected_by", [])),
        }
        short = [name for name, count in crowd.items() if count < 0]
        if short:
            raise WorldError(
                f"{where}: shows fewer than are stored ({short[0]} is {crowd[short[0]]}); raise its number"
            )
        is_video = require("kind of post", post["kind"], {"image": False, "video": True}, where)
        yield {
            "table": "notes",
            "note_id": note_id,
            "user_id": author,
            "type": "video" if is_video else "normal",
            "title": self._title(post["title"], where),
            "body": self.show(post["text"], where),
            "tags": as_json([each.lstrip("#") for each in post.get("tags", [])]),
            "time": at,
            "ip_location": self._place(post.get("city", self.users[post["author"]]["city"])),
            "district": self.users[post["author"]].get("district"),
            "visibility": post.get("visibility", "公开可见"),
            "is_original": int(post.get("is_original", False)),
            "status": post.get("status", "NORMAL"),
            **crowd,
            "shared_count": post.get("shares", 0),
        }
        for position, written in enumerate(post["images"]):
            name, width, height = self._picture(written, where)
            yield {
                "table": "note_images",
                "note_id": note_id,
                "position": position,
                "file_id": self.id("1040g008{base36:24}", "file", name),
                "width": width,
                "height": height,
            }
        if is_video:
            _, width, height = self._picture(post["video"], where)
            shape = {"duration": post["duration"], "width": width, "height": height}
            yield {"table": "videos", "note_id": note_id, **shape}
        yield from self._marks("likes", "like", key, post.get("liked_by", []))
        yield from self._marks("favorites", "collect", key, post.get("collected_by", []))

    def _title(self, raw: str, where: str) -> str:
        title = self.show(raw, where)
        width = sum(1 if character.isascii() else 2 for character in plain(title))
        if width > 40:
            raise WorldError(f"{where}: the title '{title}' is longer than the site's 20 characters")
        return title

    @staticmethod
    def _picture(written: str, where: str) -> tuple[str, int, int]:
        """Return name, width and height of a picture or video such as ``cat-lamp 720x1280``."""
        match = _PICTURE.fullmatch(written)
        if match is None:
            raise WorldError(f"{where}: '{written}' is no picture; write 'name 1080x1440'")
        return match[1], int(match[2]), int(match[3])

    def _marks(self, table: str, kind: str, key: str, people: list[str]) -> Iterator[Row]:
        """Yield who liked or collected a note."""
        where, post = f"rednote: {table} of '{key}'", self.posts[key]
        note_id, author, at = self._note(key, where), self.user_id(post["author"], where), self._at(post)
        for person in people:
            who, when = self.user_id(person, where), self._after(at, kind, person, key)
            self.events.append(_Event(*_NOTIFICATIONS[kind], author, who, note_id, None, when))
            yield {"table": table, "note_id": note_id, "user_id": who, "time": when}

    def views(self) -> Iterator[Row]:
        """Yield what people opened before the start."""
        for each in self.read["views"]:
            where = f"rednote: view of '{each['post']}'"
            yield {
                "table": "views",
                "note_id": self._note(each["post"], where),
                "user_id": self.user_id(each["who"], where),
                "time": self._at(each),
            }

    def comments(self) -> Iterator[Row]:
        """Yield comments, answers after what they answer, and who liked them."""
        made: list[str] = []
        for key, comment in self.said.items():
            where = f"rednote: comment '{key}'"
            answered = comment.get("reply_to")
            if answered and answered not in made:
                raise WorldError(f"{where}: answers '{answered}', which is not an earlier comment")
            made.append(key)
            yield from self._said(key, comment, where)

    def _said(self, key: str, comment: dict[str, Any], where: str) -> Iterator[Row]:
        post = require("post", comment["post"], self.posts, where)
        note_id, comment_id = self._note(comment["post"], where), self._comment(key, where)
        author, at, answered = self.user_id(comment["author"], where), self._at(comment), comment.get("reply_to")
        likes = comment.get("liked_by", [])
        if comment.get("likes", 0) < len(likes):
            raise WorldError(f"{where}: shows {comment.get('likes', 0)} likes and has {len(likes)} in liked_by")
        if at < self._at(post):
            raise WorldError(f"{where}: is earlier than its post")
        is_from_author = comment["author"] == post["author"]
        if comment.get("from_author", is_from_author) != is_from_author:
            raise WorldError(f"{where}: from_author is true exactly where the post's author speaks")
        yield {
            "table": "comments",
            "comment_id": comment_id,
            "note_id": note_id,
            "user_id": author,
            "root_id": self._comment(self._root(answered), where) if answered else None,
            "target_id": self._comment(answered, where) if answered else None,
            "content": self.show(comment["text"], where),
            "time": at,
            "ip_location": self._place(self.users[comment["author"]]["city"]),
            "liked_base": comment.get("likes", 0) - len(likes),
            "status": comment.get("status", "NORMAL"),
        }
        recipient = self.user_id(self.said[answered]["author"] if answered else post["author"], where)
        kind = _NOTIFICATIONS["answer" if answered else "comment"]
        self.events.append(_Event(*kind, recipient, author, note_id, comment_id, at))
        for person in likes:
            who, when = self.user_id(person, where), self._after(at, "like comment", person, key)
            self.events.append(_Event(*_NOTIFICATIONS["like comment"], author, who, note_id, comment_id, when))
            yield {"table": "comment_likes", "comment_id": comment_id, "user_id": who, "time": when}

    def _root(self, key: str) -> str:
        while self.said[key].get("reply_to"):
            key = self.said[key]["reply_to"]
        return key

    def notifications(self) -> Iterator[Row]:
        """Yield what accounts of the world were told. Own acts tell nobody; what is a day old was read."""
        accounts = {self.user_id(key, "rednote") for key in self.spec.accounts}
        unread = dict[_Event, bool]()
        for each in self.read["notifications"]:
            event = self._written(each)
            same = next((known for known in self.events if known.is_same(event)), event)
            if same is event:
                self.events.append(event)
            unread[same] = each.get("unread", False)
        for event in sorted(self.events, key=lambda each: (each.at_ms, each.kind, each.by, each.comment or "")):
            if event.recipient in accounts and event.recipient != event.by:
                yield self._notification(event, unread.get(event, event.at_ms > self.now_ms - 86_400_000))

    def scheduled(self) -> Iterator[ScheduledRow]:
        """Yield what comes to a live world, each act with the notification it makes."""
        self.ends_ms = int(self.spec.world.week_ends_at.timestamp()) * 1000
        read = self.spec.read_together(SCHEDULED)
        for comment in sorted(read["comments"], key=self._at):
            where = f"rednote: scheduled comment '{comment['key']}'"
            if comment["key"] in self.said:
                raise WorldError(f"{where} stands there twice")
            self._require_scheduled(comment, where)
            if comment.get("reply_to"):
                require("comment", comment["reply_to"], self.said, where)
            self.said[comment["key"]] = comment
            yield from self._with_notifications(comment, self._said(comment["key"], comment, where))
        for mark in read["marks"]:
            self._require_scheduled(mark, f"rednote: scheduled mark by '{mark['by']}'")
            yield from self._with_notifications(mark, self._mark(mark))
        for follow in read["follows"]:
            self._require_scheduled(follow, f"rednote: scheduled follow by '{follow['who']}'")
            yield from self._with_notifications(follow, self._follow(follow))

    def _require_scheduled(self, entry: dict[str, Any], where: str) -> None:
        if self._at(entry) < self.now_ms:
            raise WorldError(f"{where}: at {entry['at']}, and scheduled/ is from {self.spec.world.starts_at:%a %H:%M}")

    def _with_notifications(self, entry: dict[str, Any], made: Iterator[Row]) -> Iterator[ScheduledRow]:
        """Yield rows and the notifications of them at the time of an entry."""
        at = datetime.fromtimestamp(self._at(entry) // 1000, UTC)
        self.events.clear()
        yield from [ScheduledRow(at, row) for row in made]
        accounts = {self.user_id(key, "rednote") for key in self.spec.accounts}
        for event in self.events:
            if event.recipient in accounts and event.recipient != event.by:
                yield ScheduledRow(at, self._notification(event, unread=True))

    def _mark(self, each: dict[str, Any]) -> Iterator[Row]:
        """Yield that somebody liked or collected a note, or liked a comment."""
        where = f"rednote: scheduled mark by '{each['by']}'"
        table, who, at = (
            require("kind of mark", each["kind"], _MARKS, where),
            self.user_id(each["by"], where),
            self._at(each),
        )
        comment = each.get("comment")
        if (comment is None) == (table == "comment_likes") or (comment is None) == ("post" not in each):
            raise WorldError(
                f"{where}: a '{each['kind']}' names {'a comment' if table == 'comment_likes' else 'a post'}"
            )
        target = (
            require("comment", comment, self.said, where)
            if comment
            else require("post", each["post"], self.posts, where)
        )
        note_id = self._note(target["post"] if comment else each["post"], where)
        comment_id = self._comment(comment, where) if comment else None
        recipient = self.user_id(target["author"], where)
        self.events.append(_Event(*_NOTIFICATIONS[each["kind"]], recipient, who, note_id, comment_id, at))
        key = {"comment_id": comment_id} if comment else {"note_id": note_id}
        yield {"table": table, **key, "user_id": who, "time": at}

    def _written(self, each: dict[str, Any]) -> _Event:
        """Return the notification that a line of the specification declares."""
        where = f"rednote: notification by '{each.get('by')}'"
        tab, kind, title = require("kind of notification", each["kind"], _NOTIFICATIONS, where)
        comment = each.get("comment")
        post = self.said[comment]["post"] if comment in self.said else each.get("post")
        note_id = self._note(post, where) if post else None
        comment_id = self._comment(comment, where) if comment else None
        if comment_id and self.said[comment].get("reply_to") and each["kind"] == "comment":
            tab, kind, title = _NOTIFICATIONS["answer"]
        to, by = self.user_id(self._told(each, where), where), self.user_id(each["by"], where)
        return _Event(tab, kind, title, to, by, note_id, comment_id, self._at(each))

    def _told(self, each: dict[str, Any], where: str) -> str:
        """Return who was told: as it says, or who wrote what somebody commented on, answered or liked."""
        if "to" in each:
            return require("account of Rednote", each["to"], self.spec.accounts, where).key
        comment, post = self.said.get(each.get("comment", "")), self.posts.get(each.get("post", ""))
        if each["kind"] == "like comment" and comment:
            return str(comment["author"])
        if each["kind"] in ("comment", "answer") and comment:
            answered = comment.get("reply_to")
            return str((self.said[answered] if answered else self.posts[comment["post"]])["author"])
        if each["kind"] in ("like", "collect") and post:
            return str(post["author"])
        return self.spec.world.protagonist

    def _notification(self, event: _Event, unread: bool) -> Row:
        return {
            "table": "notifications",
            "id": self.id(
                "7{digit:18}", "notification", event.kind, event.recipient, event.by, event.note, event.comment
            ),
            "user_id": event.recipient,
            "tab": event.tab,
            "type": event.kind,
            "title": event.title,
            "from_id": event.by,
            "note_id": event.note,
            "comment_id": event.comment,
            "time": event.at_ms // 1000,
            "unread": int(unread),
        }
