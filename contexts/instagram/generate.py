"""What Instagram stores of a world: accounts with what they published, and who comments and writes to them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from importlib import import_module
from typing import Any

from farm.appkit import Row
from farm.appkit.world_spec import AppSpec, ScheduledRow, Seconds, Utterance, WorldError, identities_of, require

from .files import ANY, SCHEDULED

_SHORTCODES = import_module("...kernels.instagram.shortcodes", __package__)
# What a post is → its media type and product.
_KINDS = {
    "image": ("IMAGE", "FEED"),
    "album": ("CAROUSEL_ALBUM", "FEED"),
    "reel": ("VIDEO", "REELS"),
    "story": ("IMAGE", "STORY"),
}
_CDN = "https://scontent.cdninstagram.com/v/t51.2885-15"
# When, ``>`` for what the account sent or ``<`` for what came, and the text; a picture's name in brackets.
_MESSAGE = re.compile(r"([+-]\d+ \d\d:\d\d) ([<>]) (.+)", re.DOTALL)
# A day of figures ends at midnight in California.
_FIGURES_AT = timedelta(days=1, hours=7)


def rows(spec: AppSpec) -> Iterator[Row]:
    """Yield every row of Instagram."""
    site = _Site(spec)
    for part in (site.people, site.files, site.posts, site.comments, site.conversations, site.figures):
        # What is empty is what its column holds anyway.
        yield from ({name: value for name, value in row.items() if value not in (None, "")} for row in part())


def scheduled(spec: AppSpec) -> Iterator[ScheduledRow]:
    """Yield the comments, messages and figures of the week after the start."""
    yield from _Site(spec).scheduled()


def identities(made: list[Row]) -> dict[str, dict[str, str]]:
    """Return person → the name and username that Instagram shows."""
    return identities_of(made, "users", name="name", handle="username")


def said(made: list[Row]) -> Iterator[Utterance]:
    """Yield every caption, comment and message of the rows as it can be measured."""
    person = {row["user_id"]: str(row.get("person") or row["user_id"]) for row in made if row["table"] == "users"}
    authors = {"media": ("ig_user_id", "caption"), "comments": ("user_id", "text"), "messages": ("from_id", "text")}
    for row in made:
        if row["table"] in authors:
            author, text = authors[row["table"]]
            at = datetime.fromtimestamp(row["created_ms"] // 1000, UTC)
            yield Utterance(person[row[author]], at, row.get(text, ""))


class _Site:
    """The specification of one world's Instagram, read and checked."""

    def __init__(self, spec: AppSpec) -> None:
        self.spec = spec
        self.read = spec.read_together(ANY)
        self.usernames = {key: account.handle for key, account in spec.accounts.items()}
        self.usernames |= {each["key"]: each["username"] for each in self.read["users"]}
        self.post_entries = {each["key"]: each for each in self.read["posts"]}
        self.comment_entries = {each["key"]: each for each in self.read["comments"]}
        # What is told now lies before the first; what comes later, before the second.
        self.ends_at = spec.world.starts_at

    def user_id(self, key: str, where: str) -> str:
        """Return the id of a person, an organisation or a stranger: professional accounts' are others than people's."""
        require("user", key, self.usernames, where)
        account = self.spec.accounts.get(key)
        is_professional = account is not None and account.person is None
        return self.spec.id("178414{digit:11}" if is_professional else "{digit:1}8{digit:14}", "user", key)

    def people(self) -> Iterator[Row]:
        """Yield everybody, the professional accounts, and who connected them."""
        for key, account in self.spec.accounts.items():
            user = {"user_id": self.user_id(key, "accounts"), "username": account.handle}
            person = {"person": key, "name": account.name or account.owner.name_en} if account.person else {}
            yield {"table": "users", **user, "name": account.name, **person}
        for each in self.read["users"]:
            user = {"user_id": self.user_id(each["key"], "users"), "username": each["username"]}
            yield {"table": "users", **user, "name": each.get("name", "")}
        for key, account in self.spec.accounts.items():
            if account.person is None:
                own, more = self.user_id(key, "accounts"), account.more
                picture = f"{_CDN}/{self.spec.id('{digit:9}_{digit:17}_{digit:19}', 'face', key)}_n.jpg"
                shown = {"biography": more.get("biography", ""), "website": more.get("website", "")}
                counts = {"followers_count": more.get("followers", 0), "follows_count": more.get("follows", 0)}
                yield {"table": "accounts", "ig_user_id": own, **shown, "profile_picture_url": picture, **counts}
                for person in more.get("connected_by", ()):
                    require("person with Instagram", person, self.spec.members, self.spec.where("accounts.toml"))
                    yield {"table": "connections", "user_id": self.user_id(person, "accounts"), "ig_user_id": own}

    def files(self) -> Iterator[Row]:
        """Yield what the web serves."""
        for each in self.read["files"]:
            yield {"table": "files", **each}

    def posts(self) -> Iterator[Row]:
        """Yield posts with the pictures of albums and their figures."""
        for key, post in self.post_entries.items():
            where = f"instagram: post '{key}'"
            media_type, product = require("kind of post", post["kind"], _KINDS, where)
            media_id = self._media(key, where)
            pictures = [self._picture(name) for name in post["pictures"]]
            created_ms = self._ms(post["at"], where, key)
            yield {
                "table": "media",
                "media_id": media_id,
                "ig_user_id": self.user_id(post["account"], where),
                "media_type": media_type,
                "product_type": product,
                "caption": self._text(post.get("caption", ""), where),
                "media_url": pictures[0].replace("_n.jpg", "_n.mp4") if media_type == "VIDEO" else pictures[0],
                "thumbnail_url": pictures[0] if media_type == "VIDEO" else None,
                "shortcode": _SHORTCODES.shortcode(created_ms, self.spec.number(0, 2**23 - 1, "shortcode", key)),
                "created_ms": created_ms,
                "like_count": post.get("likes", 0),
            }
            for position, picture in enumerate(pictures if media_type == "CAROUSEL_ALBUM" else ()):
                child = {"child_id": self.spec.id("180{digit:14}", "child", key, position), "media_url": picture}
                yield {
                    "table": "media_children",
                    "media_id": media_id,
                    "position": position,
                    "media_type": "IMAGE",
                    **child,
                }
            for metric, value in post.get("figures", {}).items():
                yield {"table": "media_insights", "media_id": media_id, "metric": metric, "value": value}

    def comments(self) -> Iterator[Row]:
        """Yield comments, in order of time."""
        for each in sorted(self.read["comments"], key=lambda each: self.spec.at(each["at"], "instagram")):
            yield self._comment(each)

    def _comment(self, each: dict[str, Any]) -> Row:
        where = f"instagram: comment '{each['key']}'"
        answered = each.get("reply_to")
        if answered and self.comment_entries[
            require("comment", answered, dict.fromkeys(self.comment_entries, answered), where)
        ].get("reply_to"):
            raise WorldError(f"{where}: answers '{answered}', which is an answer itself")
        return {
            "table": "comments",
            "comment_id": self.spec.id("179{digit:14}", "comment", each["key"]),
            "media_id": self._media(each["post"], where),
            "parent_id": self.spec.id("179{digit:14}", "comment", answered) if answered else None,
            "user_id": self.user_id(each["author"], where),
            "text": self._text(each["text"], where),
            "like_count": each.get("likes", 0),
            "created_ms": self._ms(each["at"], where, each["key"]),
        }

    def conversations(self) -> Iterator[Row]:
        """Yield conversations with what was said in them."""
        for each in self.read["conversations"]:
            where = f"instagram: conversation with '{each['with']}'"
            two = {"ig_user_id": self.user_id(each["account"], where), "user_id": self.user_id(each["with"], where)}
            own = self._conversation(each["account"], each["with"])
            seen = {"seen_ms": self._ms(each["seen"], where, "seen")} if "seen" in each else {}
            yield {"table": "conversations", "conversation_id": own, **two, **seen}
            turns = [self._turn(each, message, number) for number, message in enumerate(each["messages"])]
            seconds = self._seconds(each, turns)
            for number, turn in enumerate(turns):
                yield self._message(each, turn, number, seconds)

    def _turn(self, each: dict[str, Any], message: str, number: int | str) -> tuple[str, str, str]:
        """Return time, arrow and text of ``DAY HH:MM > text``, the account's own, or ``DAY HH:MM < text``."""
        match = _MESSAGE.fullmatch(message)
        if match is None:
            where = f"instagram: conversation with '{each['with']}', message {number}"
            raise WorldError(f"{where}: write '-1 09:30 < text' for what came and '-1 09:30 > text' for what was sent")
        at, arrow, text = match.groups()
        return at, arrow, text

    def _seconds(self, each: dict[str, Any], turns: Iterable[tuple[str, str, str]]) -> Seconds:
        where = f"instagram: conversation with '{each['with']}'"
        return self.spec.seconds((self.spec.at(at, where) for at, _, _ in turns), each["account"], each["with"])

    def _message(self, each: dict[str, Any], turn: tuple[str, str, str], number: int | str, seconds: Seconds) -> Row:
        where = f"instagram: conversation with '{each['with']}', message {number}"
        at, arrow, text = turn
        time = self._moment(at, where)
        author = each["account"] if arrow == ">" else each["with"]
        is_picture = text.startswith("[") and text.endswith("]")
        picture = {"image_url": self._picture(text.strip("[]"))} if is_picture else {}
        form = "aWdfZAG1faXRlbToxOklHTWVzc2FnZAUlEOjE3ODQx{alnum:80}ZD"
        return {
            "table": "messages",
            "message_id": self.spec.id(form, "message", each["account"], each["with"], number),
            "conversation_id": self._conversation(each["account"], each["with"]),
            "from_id": self.user_id(author, where),
            "text": "" if is_picture else self._text(text, where),
            **picture,
            "created_ms": seconds.ms(time),
        }

    def figures(self) -> Iterator[Row]:
        """Yield the account's figures, the last of each list for the day that is named."""
        for each in self.read["figures"]:
            yield from (row for _, row in self._figures(each))

    def _figures(self, each: dict[str, Any]) -> Iterator[tuple[datetime, Row]]:
        where = f"instagram: figures of {each['metric']}"
        last = self.spec.at(f"{each['last']} 00:00", where)
        for back, value in enumerate(reversed(each["values"])):
            day = last - timedelta(days=back)
            key = {"metric": each["metric"], "period": each["period"], "date": day.date().isoformat()}
            own = self.user_id(each["account"], where)
            yield day, {"table": "account_insights", "ig_user_id": own, **key, "value": value}

    def scheduled(self) -> Iterator[ScheduledRow]:
        """Yield what comes after the start."""
        self.ends_at = self.spec.world.week_ends_at
        for _, read in self.spec.read_every(SCHEDULED):
            for each in read["comments"]:
                self.comment_entries[each["key"]] = each
                yield ScheduledRow(self.spec.at(each["at"], each["key"]), self._comment(each))
            for each in read["conversations"]:
                turns = [self._turn(each, message, f"scheduled {at}") for at, message in enumerate(each["messages"])]
                seconds = self._seconds(each, turns)
                for number, turn in enumerate(turns):
                    row = self._message(each, turn, f"scheduled {number}", seconds)
                    yield ScheduledRow(self.spec.at(turn[0], each["with"]), row)
            for each in read["figures"]:
                for day, row in self._figures(each):
                    # Told when the day has ended, at seven in the morning in UTC.
                    ends = day.replace(tzinfo=None) + _FIGURES_AT
                    at = ends.replace(tzinfo=self.spec.world.starts_at.tzinfo) + (day.utcoffset() or timedelta())
                    yield ScheduledRow(at, row)

    def _media(self, key: str, where: str) -> str:
        require("post", key, self.post_entries, where)
        return self.spec.id("180{digit:14}", "media", key)

    def _conversation(self, account: str, other: str) -> str:
        return self.spec.id("aWdfZAG06MTpJR01lc3NhZA2VUaHJlYWQ6MTc4NDE0{alnum:60}ZD", "conversation", account, other)

    def _picture(self, name: str) -> str:
        return f"{_CDN}/{self.spec.id('{digit:9}_{digit:17}_{digit:19}', 'file', name)}_n.jpg"

    def _text(self, raw: str, where: str) -> str:
        def mention(key: str) -> str:
            if key not in self.usernames:
                raise ValueError(f"no user '{key}'")
            return f"@{self.usernames[key]}"

        return self.spec.text(raw.strip("\n"), {"user": mention}, where)

    def _moment(self, at: str, where: str) -> datetime:
        time = self.spec.at(at, where)
        if time >= self.ends_at:
            raise WorldError(f"{where}: at {at}, and this ends at {self.ends_at:%a %H:%M}")
        return time

    def _ms(self, at: str, where: str, key: str) -> int:
        return int(self._moment(at, where).timestamp()) * 1000 + self.spec.number(0, 59, "second", where, key) * 1000
