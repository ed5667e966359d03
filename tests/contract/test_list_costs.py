"""What a list reads of a context: no more statements for a long page than for a short one, and three rows for an entry.

The lists are the ten that the oracles of suite ``demo`` call most, and some of other apps. All rows count that the
statements of a call return, those about who is asking, too. What is counted does not depend on the machine; the time of
a call is the bench's to measure.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from farm.appkit.handler_api import Database
from farm.testing import LocalApp
from tests.bench.largest_lists import LISTS, GrowingList

Arguments = Mapping[str, Any]
WORLD = "harbor"
# What only some pages ask for, once a page: the first messages of threads, the instances of series.
MORE_STATEMENTS_MOST = 2
# All statements of a call together, for each entry that it shows.
ROWS_MOST = 3
# SQLite's steps may differ by the depth of a tree.
STEPS_MOST = 1.05


@dataclass(frozen=True)
class PagedList:
    """A list of an app.

    Attributes:
        app: the app.
        tool: what lists.
        arguments: of a call, made in the app from something that decides how much it shows.
        few, many: what makes it show little, and at least three times as much.
        shown: how many entries a body shows.
        once: rows that a call reads beside, however much it shows; the list says which.
    """

    app: str
    tool: str
    arguments: Callable[[LocalApp, Any], Arguments]
    few: Any
    many: Any
    shown: Callable[[Any], int]
    once: int = 0


def _with(name: str, **others: Any) -> Callable[[LocalApp, Any], Arguments]:
    return lambda _, size: {**others, name: size}


def _in_params(name: str, **others: Any) -> Callable[[LocalApp, Any], Arguments]:
    return lambda _, size: {"params": {**others, name: size}}


def _comments(rednote: LocalApp, most: int) -> Arguments:
    note_id = "69a42dc000000000ae03b450"
    found = rednote.call("search_feeds", keyword="花599买了个会打嗝的灯")["feeds"]
    token = next(feed["xsecToken"] for feed in found if feed["id"] == note_id)
    return {"feed_id": note_id, "xsec_token": token, "load_all_comments": True, "limit": most}


def _comments_shown(body: Any) -> int:
    listed = body["data"]["comments"]["list"]
    return len(listed) + sum(len(comment["subComments"]) for comment in listed)


def _events(lark: LocalApp, until: str) -> Arguments:
    primary = lark.call("calendar_v4_calendar_primary")["calendars"][0]["calendar"]["calendar_id"]
    return {"path": {"calendar_id": primary}, "params": {"start_time": "1773158400", "end_time": until}}


def _calendars(lark: LocalApp, most: int) -> Arguments:
    """Ask for what has changed since some moment: all calendars of a person are fewer than the smallest page."""
    sql = (
        "SELECT max(c.updated_at, s.updated_at) AS at FROM calendars c "
        "JOIN calendar_subscriptions s USING (calendar_id) WHERE s.open_id = ? ORDER BY 1 DESC"
    )
    changed = [each["at"] for each in lark.episode.db.all(sql, lark.episode.me)]
    return {"params": {"sync_token": f"ListCalendarsSyncToken_{changed[:most][-1]}"}}


def _busy(lark: LocalApp, until: str) -> Arguments:
    asked = {"time_min": "2026-03-09T09:00:00+08:00", "time_max": until, "user_id": lark.episode.me}
    return {"data": asked, "params": {"user_id_type": "open_id"}}


def _post_comments(instagram: LocalApp, limit: int) -> Arguments:
    posts = instagram.call("INSTAGRAM_GET_USER_MEDIA", limit=25)["data"]["data"]
    return {"ig_post_id": max(posts, key=lambda post: int(post["comments_count"]))["id"], "limit": limit}


def _entries(name: str) -> Callable[[Any], int]:
    return lambda body: len(body[name])


def _lines(start: str) -> Callable[[Any], int]:
    return lambda text: sum(line.startswith(start) for line in str(text).splitlines())


PAGED = (
    PagedList("slack", "slack_list_channels", _with("limit"), 5, 20, _entries("channels")),
    PagedList(
        "slack",
        "slack_get_channel_history",
        _with("limit", channel_id="C0ZJCWDTNQG"),
        10,
        100,
        _entries("messages"),
    ),
    PagedList("rednote", "get_feed_detail", _comments, 5, 50, _comments_shown),
    # A search that ranks reads all that it finds, so both find no more than a screen. Beside: who is signed in and how
    # many notes there are; they make four rows of a search that finds one note.
    PagedList("rednote", "search_feeds", _with("keyword"), "七尖集合", "露营", _entries("feeds"), once=2),
    PagedList("lark", "im_v1_chat_search", _in_params("page_size", query="组"), 2, 50, _entries("items")),
    PagedList(
        "lark",
        "docx_builtin_search",
        lambda _, count: {"data": {"search_key": "S2", "count": count}},
        2,
        50,
        _entries("docs_entities"),
    ),
    PagedList("lark", "calendar_v4_calendarEvent_list", _events, "1773244800", "1774195200", _entries("items")),
    PagedList(
        "lark",
        "im_v1_message_list",
        _in_params("page_size", container_id_type="chat", container_id="oc_30a943547730bc18de784b4fe0cc8107"),
        10,
        50,
        _entries("items"),
    ),
    PagedList("lark", "calendar_v4_calendar_list", _calendars, 5, 1000, _entries("calendar_list")),
    # Every series that began is read, as only its rule tells whether it has an instance: a day of eight busy
    # times reads ten events in vain, and an afternoon of four takes 23 rows in all.
    PagedList(
        "lark",
        "calendar_v4_freebusy_list",
        _busy,
        "2026-03-09T18:00:00+08:00",
        "2026-03-22T18:00:00+08:00",
        _entries("freebusy_list"),
    ),
    PagedList("lark", "task_v2_task_list", _in_params("page_size"), 5, 50, _entries("items")),
    # The base, its owner, the table, how many records it has, and its eleven fields.
    PagedList(
        "lark",
        "bitable_v1_appTableRecord_search",
        lambda _, size: {
            "path": {"app_token": "ZfJ3z1a84k58iRMOmzzBZ5pkm3I", "table_id": "tblAZUBIuCsfPGwT"},
            "params": {"page_size": size},
            "data": {},
        },
        3,
        50,
        _entries("items"),
        once=15,
    ),
    PagedList("slack", "slack_get_users", _with("limit"), 10, 40, _entries("members")),
    PagedList("gmail", "search_emails", _with("maxResults", query="in:inbox"), 10, 40, _lines("ID: ")),
    PagedList(
        "discord", "read_messages", _with("limit", channel_id="1360860013018318675"), 5, 20, _lines("Reactions: ")
    ),
    PagedList("instagram", "INSTAGRAM_GET_USER_MEDIA", _with("limit"), 5, 25, lambda body: len(body["data"]["data"])),
    PagedList(
        "instagram", "INSTAGRAM_GET_POST_COMMENTS", _post_comments, 2, 25, lambda body: len(body["data"]["data"])
    ),
    PagedList(
        "notion",
        "notion_query_data_source",
        _with("page_size", data_source_id="e2dbfb42-bfc3-4e90-ab13-4e2abdf9e20a"),
        2,
        10,
        _entries("results"),
        # The integration, the data source with the database and the page above it, looked up for the pages again, and
        # six properties: they make 14 rows of a page of two.
        once=11,
    ),
    PagedList("telegram", "get_messages", _with("page_size", chat_id="ember_beta_sg"), 5, 20, _lines("ID: ")),
)


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return a list to which every statement that a handler runs adds how many rows it returned."""
    rows: list[int] = []

    def counting(query: Callable[..., Any]) -> Callable[..., Any]:
        def counted(*values: Any, **named: Any) -> Any:
            found = query(*values, **named)
            rows.append(len(found) if isinstance(found, list) else found is not None)
            return found

        return counted

    for name in ("one", "all", "scalar"):
        monkeypatch.setattr(Database, name, counting(getattr(Database, name)))
    return rows


@pytest.mark.parametrize("listed", PAGED, ids=lambda each: each.tool)
def test_a_longer_page_takes_no_more_statements_and_they_read_three_rows_for_one_that_is_shown(
    listed: PagedList, read: list[int], tmp_path: Path
) -> None:
    with LocalApp(listed.app, tmp_path, world=WORLD) as app:
        shown, statements, rows = [], [], []
        for size in (listed.few, listed.many):
            arguments = listed.arguments(app, size)
            read.clear()
            shown.append(listed.shown(app.call(listed.tool, **arguments)))
            statements.append(len(read))
            rows.append(sum(read) - listed.once)

    assert shown[1] >= 3 * shown[0] > 0
    assert statements[1] <= statements[0] + MORE_STATEMENTS_MOST
    assert all(count <= ROWS_MOST * entries for count, entries in zip(rows, shown, strict=True)), (rows, shown)


def test_telegrams_chats_take_no_more_statements_for_twelve_than_for_few(read: list[int], tmp_path: Path) -> None:
    """All chats are read whatever is shown, for their order is that of their newest messages; so two people ask."""
    shown, statements = [], []
    for me in ("aisha.rahman", "lin.wan"):
        with LocalApp("telegram", tmp_path, world=WORLD, me=me) as app:
            read.clear()
            shown.append(len(app.call("list_chats", limit=50)["results"]))
            statements.append(len(read))

    assert shown[1] >= 3 * shown[0] > 0
    assert statements[1] <= statements[0]
    assert sum(read) <= ROWS_MOST * shown[1]


@pytest.mark.parametrize("listed", LISTS, ids=lambda each: each.app)
def test_rows_that_a_page_does_not_show_are_not_read(listed: GrowingList, tmp_path: Path) -> None:
    few, many = (steps(partial(listed.start, tmp_path / str(count), count), listed) for count in (300, 1500))

    assert many <= STEPS_MOST * few


def steps(start: Callable[[], LocalApp], listed: GrowingList) -> int:
    """Return how many steps of SQLite's machine a call takes."""
    taken = 0

    def step() -> int:
        nonlocal taken
        taken += 1
        return 0

    with start() as app:
        app.call(listed.tool, **listed.arguments)  # what is asked for once in an episode is known from here on
        app.episode.db.connection.set_progress_handler(step, 1)
        app.call(listed.tool, **listed.arguments)
    return taken
