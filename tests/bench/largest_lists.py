"""The largest list of every personal app: which table grows, and the call that gets a page of it.

A row of the bench world is repeated, each time a second earlier, so the page itself is the same however many there are.
WeCom is not among them: its tools only send.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from farm.context.template import load_world
from farm.testing import LocalApp
from tests.bench.context_rows import world_rows
from tests.bench.measured_apps import WORLD

Row = dict[str, Any]
_PAGE = 10
_CHANNEL, _CHAT, _DATA_SOURCE = (
    "C0ZJCWDTNQG",
    "oc_30a943547730bc18de784b4fe0cc8107",
    "e2dbfb42-bfc3-4e90-ab13-4e2abdf9e20a",
)
_MAILBOX, _VAULT, _SUPERGROUP = "linwan.example@163.com", "397733fbd2588f80", 2052297264
_DISCORD_CHANNEL, _SUBREDDIT, _INSTAGRAM = "1360860013018318675", "24mok", "17841421020158795"
_DISCORD_EPOCH_S = 1_420_070_400


@dataclass(frozen=True)
class GrowingList:
    """A list of an app, and how to make it longer.

    Attributes:
        app: the app.
        name: what is listed.
        like: the table and further columns of the row that is repeated, the last such row.
        copies: rows for one more entry, from the repeated row, the entry's number and a time in seconds.
        tool: gets a page, newest entries first.
        arguments: of the call.
    """

    app: str
    name: str
    like: Mapping[str, Any]
    copies: Callable[[Row, int, int], Iterable[Row]]
    tool: str
    arguments: Mapping[str, Any]

    def start(self, data: Path, count: int) -> LocalApp:
        """Return the app in process, with so many entries more than the bench world has."""
        return LocalApp(self.app, data, world=WORLD, rows=self._more(count))

    def _more(self, count: int) -> Iterator[Row]:
        row = next(row for row in reversed(world_rows(self.app)) if self.like.items() <= row.items())
        began_s = int(load_world(WORLD).starts_at.timestamp())
        for number in range(count):
            yield from self.copies(row, number, began_s - 1 - number)


def _id(number: int) -> str:
    return str(uuid.UUID(int=(0xBE << 120) | number, version=4))


def _slack(row: Row, _: int, at_s: int) -> Iterable[Row]:
    yield {**row, "ts": f"{at_s}.000100"}


def _lark(row: Row, number: int, at_s: int) -> Iterable[Row]:
    at_ms = at_s * 1000
    yield {**row, "message_id": f"om_x100b{number:027x}", "created_at": at_ms, "updated_at": at_ms}


def _rednote(row: Row, number: int, at_s: int) -> Iterable[Row]:
    yield {**row, "note_id": f"{number:024x}", "time": at_s * 1000}


def _notion(row: Row, number: int, at_s: int) -> Iterable[Row]:
    at_ms = at_s * 1000
    yield {**row, "id": _id(number), "position": 1e6 - number, "created_ms": at_ms, "edited_ms": at_ms}


def _gmail(row: Row, number: int, at_s: int) -> Iterable[Row]:
    key = f"18{number:014x}"
    yield {**row, "message_id": key, "thread_id": key, "internal_ms": at_s * 1000}
    yield {"table": "message_labels", "message_id": key, "label_id": "INBOX"}


def _email163(row: Row, number: int, at_s: int) -> Iterable[Row]:
    key = _id(number)
    yield {**row, "message_key": key, "message_id": f"<{key}@mail.netease.example>", "sent_ms": at_s * 1000}
    # A mailbox numbers its mails as they come in, whatever their dates are.
    place = {"uid": 1_000_000 + number, "number": _delivered() + 1 + number}
    yield {"table": "deliveries", "address": _MAILBOX, "message_key": key, **place}


@cache
def _delivered() -> int:
    """Return how many mails of the bench world lie in the mailbox."""
    return sum(row["table"] == "deliveries" and row["address"] == _MAILBOX for row in world_rows("email163"))


def _obsidian(row: Row, number: int, at_s: int) -> Iterable[Row]:
    at_ms = at_s * 1000
    path = f"Bench/{number % 100}/{number}.md"
    yield {**row, "path": path, "seq": 1_000 + number, "made_ms": at_ms, "changed_ms": at_ms}


def _telegram(row: Row, number: int, at_s: int) -> Iterable[Row]:
    yield {**row, "message_id": 1_000_000 - number, "sent_s": at_s}


def _discord(row: Row, _: int, at_s: int) -> Iterable[Row]:
    # An id holds its time.
    yield {**row, "message_id": str((at_s - _DISCORD_EPOCH_S) * 1000 << 22), "sent_ms": at_s * 1000}


def _reddit(row: Row, number: int, at_s: int) -> Iterable[Row]:
    yield {**row, "post_id": f"1{number:06d}", "created_s": at_s}


def _instagram(row: Row, number: int, at_s: int) -> Iterable[Row]:
    yield {**row, "media_id": str(17 * 10**15 + number), "shortcode": f"B{number:010d}", "created_ms": at_s * 1000}


LISTS = (
    GrowingList(
        "slack",
        "messages of a channel",
        {"table": "messages", "channel_id": _CHANNEL, "thread_ts": None},
        _slack,
        "slack_get_channel_history",
        {"channel_id": _CHANNEL, "limit": _PAGE},
    ),
    GrowingList(
        "lark",
        "messages of a chat",
        {"table": "messages", "chat_id": _CHAT, "msg_type": "text", "root_id": None},
        _lark,
        "im_v1_message_list",
        {
            "params": {
                "container_id_type": "chat",
                "container_id": _CHAT,
                "sort_type": "ByCreateTimeDesc",
                "page_size": _PAGE,
            }
        },
    ),
    GrowingList("rednote", "notes of the feed", {"table": "notes", "type": "normal"}, _rednote, "list_feeds", {}),
    GrowingList(
        "notion",
        "pages of a database",
        {"table": "pages", "parent_id": _DATA_SOURCE},
        _notion,
        "notion_query_data_source",
        {"data_source_id": _DATA_SOURCE, "page_size": _PAGE},
    ),
    GrowingList(
        "gmail",
        "mails of the inbox",
        {"table": "messages", "kind": "received"},
        _gmail,
        "search_emails",
        {"query": "in:inbox", "maxResults": _PAGE},
    ),
    GrowingList(
        "email163",
        "mails of the inbox",
        {"table": "messages", "recipients": f"林晚 <{_MAILBOX}>"},
        _email163,
        "get_recent_emails",
        {"limit": _PAGE, "days": 30},
    ),
    GrowingList(
        "obsidian",
        "notes of the vault",
        {"table": "files", "vault_id": _VAULT},
        _obsidian,
        "obsidian_get_recent_changes",
        {"limit": _PAGE, "days": 90},
    ),
    GrowingList(
        "telegram",
        "messages of a supergroup",
        {"table": "messages", "chat_id": _SUPERGROUP},
        _telegram,
        "get_messages",
        {"chat_id": -1_000_000_000_000 - _SUPERGROUP, "page_size": _PAGE},
    ),
    GrowingList(
        "discord",
        "messages of a channel",
        {"table": "messages", "channel_id": _DISCORD_CHANNEL},
        _discord,
        "read_messages",
        {"channel_id": _DISCORD_CHANNEL, "limit": _PAGE},
    ),
    GrowingList(
        "reddit",
        "posts of a subreddit",
        {"table": "posts", "subreddit_id": _SUBREDDIT},
        _reddit,
        "REDDIT_RETRIEVE_REDDIT_POST",
        {"subreddit": "SmartLamps", "size": _PAGE},
    ),
    GrowingList(
        "instagram",
        "media of the account",
        {"table": "media", "ig_user_id": _INSTAGRAM, "media_type": "IMAGE", "product_type": "FEED"},
        _instagram,
        "INSTAGRAM_GET_USER_MEDIA",
        {"limit": _PAGE},
    ),
)
