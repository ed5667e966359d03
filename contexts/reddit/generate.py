"""What Reddit stores of a world: accounts, communities, posts, comments, and who is what where."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from importlib import import_module
from typing import Any

from farm.appkit import LOWER_36, Row, in_base
from farm.appkit.world_spec import AppSpec, ScheduledRow, Utterance, WorldError, as_json, identities_of, require

from .files import ANY, SCHEDULED

_DIRECTIONS = {"up": 1, "down": -1}
_IDS = import_module("...kernels.reddit.ids", __package__)
_TITLE_MAX = 300


def rows(spec: AppSpec) -> Iterator[Row]:
    """Yield every row of Reddit."""
    site = _Site(spec)
    for part in (site.users, site.subreddits, site.standings, site.posts, site.comments, site.votes):
        yield from part()


def scheduled(spec: AppSpec) -> Iterator[ScheduledRow]:
    """Yield the comments of the week after the start."""
    yield from _Site(spec).scheduled()


def identities(made: list[Row]) -> dict[str, dict[str, str]]:
    """Return person → the name Reddit shows; it knows nothing else of anybody."""
    return identities_of(made, "users", handle="name")


def said(made: list[Row]) -> Iterator[Utterance]:
    """Yield every post and comment of the rows as it can be measured."""
    person = {row["user_id"]: str(row.get("person") or row["user_id"]) for row in made if row["table"] == "users"}
    for row in made:
        if row["table"] in ("posts", "comments"):
            text = row.get("text") or row["title"] if row["table"] == "posts" else row["body"]
            yield Utterance(person[row["user_id"]], datetime.fromtimestamp(row["created_s"], UTC), text)


class _Site:
    """The specification of one world's Reddit, read and checked."""

    def __init__(self, spec: AppSpec) -> None:
        self.spec = spec
        self.ends_at = spec.world.starts_at
        self.read = read = spec.read_together(ANY)
        names = {key: account.handle for key, account in spec.accounts.items()}
        self.names = names | {each["key"]: each["name"] for each in read["users"]}
        self.found = {kind: {each["key"]: each for each in read[kind]} for kind in ("subreddits", "flairs")}
        self.found |= {kind: self._keyed(sorted(read[kind], key=self._at)) for kind in ("posts", "comments")}

    def _keyed(self, entries: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
        found: dict[str, dict[str, Any]] = {}
        for each in entries:
            if each["key"] in found:
                raise WorldError(f"reddit: '{each['key']}' stands there twice")
            found[each["key"]] = each
        return found

    def _at(self, entry: dict[str, Any], key: str = "at") -> int:
        where = f"reddit: '{entry['key']}'"
        at = self.spec.at(entry[key], where)
        if at >= self.ends_at:
            raise WorldError(f"{where}: {key} {entry[key]}, and this ends on {self.ends_at:%a %H:%M}")
        return int(at.timestamp()) + self.spec.number(0, 59, "second", entry[key], entry["key"])

    def _edited(self, entry: dict[str, Any]) -> dict[str, int]:
        return {"edited_s": self._at(entry, "edited")} if "edited" in entry else {}

    def _user(self, key: str, where: str) -> str:
        require("account", key, self.names, where)
        return self.spec.id("1{base36:6}", "user", key)

    def _subreddit(self, key: str, where: str) -> str:
        require("subreddit", key, self.found["subreddits"], where)
        return self.spec.id("2{base36:4}", "subreddit", key)

    def _flair(self, key: str, where: str) -> str:
        require("flair", key, self.found["flairs"], where)
        return self.spec.id("{hex:8}-{hex:4}-11ee-{hex:4}-{hex:12}", "flair", key)

    def _thing(self, kind: str, key: str, where: str) -> str:
        """Return the id that Reddit gave at that time; an even number, as those of the app's own are odd."""
        entry = require(kind, key, self.found[f"{kind}s"], where)
        first, then_s, each_second = _IDS.COUNTED[f"{kind}s"]
        number = first + int((self._at(entry) - then_s) * each_second) + self.spec.number(0, 15, "id", kind, key)
        return in_base(number - number % 2, LOWER_36)

    def _text(self, raw: str, where: str) -> str:
        return self.spec.text(raw.strip(), {"user": self._mention}, where)

    def _mention(self, key: str) -> str:
        if key not in self.names:
            raise ValueError(f"no account '{key}'")
        return f"u/{self.names[key]}"

    def users(self) -> Iterator[Row]:
        """Yield the accounts of the world's people, and strangers."""
        extra = {each["key"]: each for each in self.read["users"]}
        for key, name in self.names.items():
            more = {flag: 1 for flag in ("is_premium", "is_deleted") if extra.get(key, {}).get(flag)}
            person = key if key in self.spec.members else None
            yield {"table": "users", "user_id": self._user(key, "reddit"), "person": person, "name": name, **more}

    def subreddits(self) -> Iterator[Row]:
        """Yield communities with their flairs."""
        for key, each in self.found["subreddits"].items():
            row: Row = {name: int(value) if isinstance(value, bool) else value for name, value in each.items()}
            for column in ("title_blacklist", "body_blacklist"):
                if column in row:
                    row[column] = as_json(row[column])
            del row["key"]
            yield {"table": "subreddits", "subreddit_id": self._subreddit(key, "reddit"), **row}
        for position, (key, each) in enumerate(self.found["flairs"].items()):
            where = f"reddit: flair '{key}'"
            shown: Row = {name: int(value) if isinstance(value, bool) else value for name, value in each.items()}
            del shown["key"]
            shown["subreddit_id"] = self._subreddit(shown.pop("subreddit"), where)
            yield {"table": "link_flairs", "flair_id": self._flair(key, where), "position": position, **shown}

    def standings(self) -> Iterator[Row]:
        """Yield who is what in which community."""
        for each in self.read["standings"]:
            where = f"reddit: standing of '{each['user']}'"
            row: Row = {name: int(value) if isinstance(value, bool) else value for name, value in each.items()}
            subreddit, user = self._subreddit(row.pop("subreddit"), where), self._user(row.pop("user"), where)
            yield {"table": "standings", "subreddit_id": subreddit, "user_id": user, **row}

    def posts(self) -> Iterator[Row]:
        """Yield posts."""
        for key, post in self.found["posts"].items():
            where = f"reddit: post '{key}'"
            if len(post["title"]) > _TITLE_MAX:
                raise WorldError(f"{where}: the title is longer than {_TITLE_MAX} characters")
            flair = {"flair_id": self._flair(post["flair"], where)} if "flair" in post else {}
            yield {
                "table": "posts",
                "post_id": self._thing("post", key, where),
                "subreddit_id": self._subreddit(post["subreddit"], where),
                "user_id": self._user(post["author"], where),
                "title": self._text(post["title"], where),
                **({"kind": "link", "url": post["url"]} if "url" in post else {}),
                **({"text": self._text(post["text"], where)} if "text" in post else {}),
                **flair,
                **self._shared(post),
                **{flag: 1 for flag in ("is_locked", "over_18", "spoiler") if post.get(flag)},
            }

    def _shared(self, entry: dict[str, Any]) -> Row:
        """Return the columns that posts and comments have in common, where they are not as columns are anyway."""
        shared: Row = {"created_s": self._at(entry), **self._edited(entry)}
        shared |= {name: entry[name] for name in ("ups", "downs", "sticky", "distinguished") if name in entry}
        return shared | ({"is_deleted": 1} if entry.get("is_deleted") else {})

    def comments(self) -> Iterator[Row]:
        """Yield comments, answers after what they answer."""
        for key, comment in self.found["comments"].items():
            yield self._comment(key, comment)

    def _comment(self, key: str, comment: dict[str, Any]) -> Row:
        where = f"reddit: comment '{key}'"
        post = require("post", comment["post"], self.found["posts"], where)
        above = comment.get("reply_to")
        answered = post if above is None else require("comment", above, self.found["comments"], where)
        if self._at(answered) >= self._at(comment):
            raise WorldError(f"{where}: is not later than what it answers")
        if above is not None and answered["post"] != comment["post"]:
            raise WorldError(f"{where}: answers '{above}', which is under another post")
        return {
            "table": "comments",
            "comment_id": self._thing("comment", key, where),
            "post_id": self._thing("post", comment["post"], where),
            **({} if above is None else {"parent_id": self._thing("comment", above, where)}),
            "user_id": self._user(comment["author"], where),
            "body": self._text(comment["text"], where),
            **self._shared(comment),
        }

    def votes(self) -> Iterator[Row]:
        """Yield votes known by name."""
        for each in self.read["votes"]:
            where = f"reddit: vote of '{each['who']}'"
            kind, prefix = ("post", "t3") if each["on"] in self.found["posts"] else ("comment", "t1")
            fullname = f"{prefix}_{self._thing(kind, each['on'], where)}"
            direction = require("direction", each["direction"], _DIRECTIONS, where)
            yield {
                "table": "votes",
                "fullname": fullname,
                "user_id": self._user(each["who"], where),
                "direction": direction,
            }

    def scheduled(self) -> Iterator[ScheduledRow]:
        """Yield what comes to a live world."""
        self.ends_at = self.spec.world.week_ends_at
        for comment in sorted(self.spec.read_together(SCHEDULED)["comments"], key=self._at):
            where = f"reddit: scheduled comment '{comment['key']}'"
            if comment["key"] in self.found["comments"]:
                raise WorldError(f"{where} stands there twice")
            if self._at(comment) < int(self.spec.world.starts_at.timestamp()):
                raise WorldError(f"{where}: at {comment['at']}, which is before the start")
            self.found["comments"][comment["key"]] = comment
            at = datetime.fromtimestamp(self._at(comment), UTC)
            yield ScheduledRow(at, self._comment(comment["key"], comment))
