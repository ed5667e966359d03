"""Worlds and apps in the process of a test: together, apart, served, refused."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator, Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from farm.appkit.handler_api import VendorError
from farm.benchmark.runner.in_process_farm import LocalFarm
from farm.client import mcp_call, mcp_tools
from farm.content import load_app
from farm.errors import ConflictError, FarmError, NotFoundError
from farm.testing import LocalApp, LocalHost, LocalWorld
from tests.threads import still_running


@pytest.fixture
def world(tmp_path: Path) -> Iterator[LocalWorld]:
    with LocalWorld("harbor", ["lark", "slack"], data=tmp_path) as made:
        yield made


def post(world: LocalWorld, text: str) -> str:
    return str(world.call("slack", "slack_post_message", channel_id="#general", text=text)["ts"])


def texts(world: LocalWorld) -> list[str]:
    return [change["new"]["text"] for change in world.diff().get("slack", {}).get("messages", ())]


def test_the_apps_of_a_world_share_one_clock_one_person_and_one_trace(world: LocalWorld) -> None:
    started = world.now

    world.advance(timedelta(hours=2))
    post(world, "two hours later")
    world.call("lark", "calendar_v4_calendar_primary")

    assert world.me == "lin.wan"
    assert world.now - started >= timedelta(hours=2)
    assert [(call["app"], call["refused"]) for call in world.calls()] == [("slack", False), ("lark", False)]
    assert {call["now"][:13] for call in world.calls()} == {"2026-03-09T11"}
    assert texts(world) == ["two hours later"]


def test_what_an_app_refuses_is_raised_and_is_in_the_trace(world: LocalWorld) -> None:
    with pytest.raises(VendorError) as refused:
        world.call("slack", "slack_post_message", channel_id="C0000000000", text="hello")

    assert refused.value.code == "channel_not_found"
    assert [call["refused"] for call in world.calls()] == [True]
    assert world.diff() == {}


def test_worlds_in_one_folder_do_not_see_each_other(tmp_path: Path) -> None:
    with LocalWorld("harbor", ["slack"], data=tmp_path) as one, LocalWorld("harbor", ["slack"], data=tmp_path) as other:
        post(one, "mine")

        assert (texts(one), texts(other)) == (["mine"], [])


def test_a_snapshot_is_restored_and_forked_with_its_calls_and_clock(world: LocalWorld) -> None:
    post(world, "before")
    name = world.snapshot()
    now = world.now
    post(world, "after")
    world.advance(timedelta(days=1))

    copy = world.fork(name)
    world.restore(name)

    assert (texts(world), texts(copy)) == (["before"], ["before"])
    assert (world.now, copy.now) == (now, now)
    assert [len(each.calls()) for each in (world, copy)] == [1, 1]
    post(copy, "only here")
    assert (texts(world), texts(copy)) == (["before"], ["before", "only here"])
    with pytest.raises(ConflictError, match="has a snapshot 's1' already"):
        world.snapshot("s1")
    with pytest.raises(NotFoundError, match="no snapshot 'nowhere'"):
        world.restore("nowhere")


def test_an_agent_reaches_the_apps_by_their_urls_and_needs_the_token(world: LocalWorld) -> None:
    answer = mcp_call(world.url("slack"), "slack_post_message", {"channel_id": "#general", "text": "hi"}, world.token)

    assert '"ok":true' in answer["content"][0]["text"]
    assert texts(world) == ["hi"]
    assert "slack_post_message" in {tool["name"] for tool in mcp_tools(world.url("slack"), world.token)}
    with pytest.raises(FarmError, match="needs its token"):
        mcp_call(world.url("slack"), "slack_list_channels", {})
    assert world.urls.keys() == {"lark", "slack"}


def test_calls_over_the_wire_and_in_process_are_made_one_at_a_time(world: LocalWorld) -> None:
    url, token = world.url("slack"), world.token

    def send(number: int) -> None:
        for each in range(10):
            mcp_call(url, "slack_post_message", {"channel_id": "#general", "text": f"{number}.{each}"}, token)

    threads = [threading.Thread(target=send, args=(number,)) for number in range(3)]
    for thread in threads:
        thread.start()
    for each in range(10):
        post(world, f"here.{each}")
    for thread in threads:
        thread.join()

    assert sorted(texts(world)) == sorted(f"{who}.{each}" for who in ("here", 0, 1, 2) for each in range(10))
    assert [call["call"] for call in world.calls()] == list(range(1, 41))


async def test_an_asgi_application_serves_the_same_world(world: LocalWorld) -> None:
    sent: list[dict[str, object]] = []
    body = b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"slack_list_channels","arguments":{}}}'
    application = world.asgi("slack")

    async def receive() -> dict[str, object]:
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message: object) -> None:
        assert isinstance(message, dict)
        sent.append(message)

    headers = {"host": "127.0.0.1", "content-type": "application/json", "accept": "application/json, text/event-stream"}
    headers |= {"authorization": f"Bearer {world.token}", "mcp-protocol-version": "2025-11-25"}
    scope = {
        "type": "http",
        "method": "POST",
        "path": world.path,
        "raw_path": world.path.encode(),
        "query_string": b"",
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
    }
    async with application.running():
        await application(scope, receive, send)

    assert sent[0]["status"] == 200
    assert [call["tool"] for call in world.calls()] == ["slack_list_channels"]


async def test_a_world_ends_with_its_async_block() -> None:
    async with LocalWorld("harbor", ["slack"]) as world:
        url = world.url("slack")
        await asyncio.to_thread(mcp_call, url, "slack_list_channels", {}, world.token)

    with pytest.raises(FarmError, match="no farm answers"):
        await asyncio.to_thread(mcp_call, url, "slack_list_channels", {}, "")


async def test_an_app_ends_with_its_async_block(tmp_path: Path) -> None:
    async with LocalApp("slack", tmp_path, world="harbor") as slack:
        url = slack.url
        answer = await asyncio.to_thread(mcp_call, url, "slack_list_channels", {})

    assert "channels" in answer["content"][0]["text"]
    with pytest.raises(FarmError, match="no farm answers"):
        await asyncio.to_thread(mcp_call, url, "slack_list_channels", {})


def test_a_folder_may_be_named_by_its_path(tmp_path: Path) -> None:
    with (
        LocalWorld("mini", ["slack"], data=str(tmp_path)) as world,
        LocalApp("slack", str(tmp_path), world="mini") as slack,
    ):
        assert world.rows("slack", "channels") == slack.store.rows(slack.id, "channels")["rows"]


def test_what_is_closed_refuses_and_starts_nothing(tmp_path: Path) -> None:
    before = threading.enumerate()
    world = LocalWorld("mini", ["slack"])
    copy = world.fork()
    slack = LocalApp("slack", tmp_path, world="mini")
    assert slack.url != world.url("slack") != copy.url("slack")
    for each in (world, slack, world, slack, copy):
        each.close()

    for ask in (lambda: world.url("slack"), lambda: world.asgi("slack"), lambda: world.now, world.calls, copy.diff):
        with pytest.raises(FarmError, match="this world is closed, or its host is; make another"):
            ask()
    for ask in (lambda: slack.url, lambda: slack.call("slack_list_channels")):
        with pytest.raises(FarmError, match="this app is closed; start another one"):
            ask()
    assert still_running(before) == []


def test_a_temporary_world_leaves_no_file_thread_or_descriptor(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    before = threading.enumerate()

    with LocalWorld("harbor", ["slack"]) as world:
        assert world.url("slack")
        assert [path.name[:10] for path in tmp_path.iterdir()] == ["farm-test-"]

    assert list(tmp_path.iterdir()) == []
    assert still_running(before) == []


def test_a_host_that_is_closed_takes_no_world() -> None:
    with LocalHost() as host:
        pass

    with pytest.raises(FarmError, match="this host is closed"):
        LocalWorld("harbor", ["slack"], host=host)


def test_worlds_of_one_host_share_its_servers_and_leave_only_their_own_files(tmp_path: Path) -> None:
    host = LocalHost(tmp_path)
    one, other = (LocalWorld("harbor", ["slack"], host=host) for _ in range(2))

    assert one.url("slack").rpartition("/mcp/")[0] == other.url("slack").rpartition("/mcp/")[0]
    one.close()
    assert [path.name for path in (tmp_path / "episodes").iterdir()] == [other.id]
    other.close()
    host.close()


GUID = "11111111-2222-4333-8444-555555555555"
ADA = "ou_4a26b09bd687624f96bd6edef8cfc789"
PAINT = {
    "lark": [
        {"table": "tasks", "guid": GUID, "number": 900001, "creator_id": ADA, "summary": "Paint the door"}
        | {"created_at": "1780048800000", "updated_at": "1780048800000"},
        {"table": "task_members", "task_guid": GUID, "member_id": ADA, "role": "assignee", "position": 0},
    ]
}
TEAM = [
    {"table": "teams", "id": "T0000000001", "name": "Mine", "domain": "mine"},
    {
        "table": "users",
        "id": "U0000000001",
        "person": "kit",
        "team_id": "T0000000001",
        "name": "kit",
        "real_name": "Kit",
    },
]


def test_rows_of_ones_own_are_part_of_the_start_beside_the_worlds(tmp_path: Path) -> None:
    with LocalWorld("mini", ["lark", "slack"], data=tmp_path, rows=PAINT) as world:
        assert {"Print the menu", "Paint the door"} <= {row["summary"] for row in world.rows("lark", "tasks")}
        assert world.call("lark", "task_v2_task_get", path={"task_guid": GUID})["task"]["summary"] == "Paint the door"
        assert world.diff() == {}

        name = world.snapshot()
        data = {"task": {"summary": "Paint both doors"}, "update_fields": ["summary"]}
        world.call("lark", "task_v2_task_patch", path={"task_guid": GUID}, data=data)

        changed = world.diff()["lark"]["tasks"]
        assert [(row["op"], row["key"], row["old"]["summary"]) for row in changed] == [
            ("update", {"guid": GUID}, "Paint the door")
        ]
        told = {"id": "painted", "kind": "operate", "change": "update", "app": "lark", "table": "tasks"}
        where = {"where": {"summary": "Paint the door"}, "after": {"summary": {"contains": "both"}}}
        for each in (world, world.fork()):
            assert [found["score"] for found in each.check({"checkpoints": [told | where]})["checkpoints"]] == [1.0]
        world.restore(name)
        assert world.diff() == {}


def test_rows_of_one_world_are_in_no_other_of_the_host(tmp_path: Path) -> None:
    host = LocalHost(tmp_path)
    first, other = LocalWorld("mini", ["lark"], host=host, rows=PAINT), LocalWorld("mini", ["lark"], host=host)

    assert [len(each.rows("lark", "tasks")) for each in (first, other)] == [4, 3]
    host.close()


def test_without_a_world_one_plays_as_somebody_of_the_rows(tmp_path: Path) -> None:
    with LocalWorld(None, ["slack"], data=tmp_path, me="kit", rows={"slack": TEAM}) as world:
        found = world.call("slack", "slack_get_users")["members"]

        assert (world.me, [each["real_name"] for each in found]) == ("kit", ["Kit"])


def test_an_app_in_a_world_starts_on_further_rows(tmp_path: Path) -> None:
    with LocalApp("lark", tmp_path, world="mini", rows=PAINT["lark"]) as lark:
        assert lark.call("task_v2_task_get", path={"task_guid": GUID})["task"]["summary"] == "Paint the door"
        data = {"task": {"summary": "Paint both doors"}, "update_fields": ["summary"]}
        lark.call("task_v2_task_patch", path={"task_guid": GUID}, data=data)
        lark.store.reset(lark.id)

        assert lark.changes() == {}
        assert lark.call("task_v2_task_get", path={"task_guid": GUID})["task"]["summary"] == "Paint the door"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"rows": {"slak": []}}, "there are rows for 'slak', and no such app here; it has lark, slack"),
        ({"rows": TEAM}, r"rows are listed by app, as \{APP: "),
        ({"rows": {"slack": [{"id": "T1"}]}}, """a row names its 'table': {"id":"T1"}"""),
        ({"rows": {"slack": [{"table": "teems"}]}}, "no table 'teems'; have .*teams.*: {}"),
        ({"rows": {"slack": [{"table": "teams", "nam": 1}]}}, "no column 'nam' in 'teams'; have .*name"),
        ({"rows": {"slack": [{**TEAM[0], "name": None}]}}, "a row of 'teams' needs name, too: "),
        ({"rows": {"slack": TEAM[1:]}}, "users.team_id 'T0000000001' is no id of 'teams'; have T"),
        (
            {"rows": {"slack": [{**TEAM[0], "name": {1, 2}}]}},
            r"a row of slack holds texts, numbers and null, not {1, 2}, in 'name'",
        ),
        ({"world": None, "me": "sam", "rows": {"slack": TEAM}}, "'sam' has no account in slack; the rows have kit"),
    ],
)
def test_rows_that_do_not_fit_are_refused_in_one_line_before_anything_is_made(
    options: dict[str, object], said: str, tmp_path: Path
) -> None:
    with pytest.raises(FarmError, match=said) as refused:
        LocalWorld(**{"world": "mini", "apps": ["slack", "lark"], "data": tmp_path, **options})  # type: ignore[arg-type] # what users may write

    assert "\n" not in str(refused.value)
    assert not (tmp_path / "episodes").exists()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"world": "atlantis"}, "no world 'atlantis'; have .*harbor"),
        ({"apps": ["slak"]}, "no app 'slak'; have .*slack"),
        ({"apps": []}, "an episode has at least one app"),
        ({"apps": "slack"}, r"apps is a list of names, such as \['slack'\]"),
        ({"me": "nobody"}, "no person 'nobody' in world 'harbor'; have aisha.rahman"),
        ({"me": "wu.jianguo", "apps": ["slack"]}, "'wu.jianguo' has no account in slack; have"),
        ({"now": "today"}, "'now' must be a time such as"),
    ],
)
def test_a_world_that_cannot_be_had_is_refused_at_once_in_one_line(
    options: dict[str, object], said: str, tmp_path: Path
) -> None:
    with pytest.raises(FarmError, match=said) as refused:
        LocalWorld(**{"world": "harbor", "data": tmp_path, **options})  # type: ignore[arg-type] # what users may write

    assert "\n" not in str(refused.value)
    assert not (tmp_path / "episodes").exists()


def test_an_app_that_the_world_has_not_is_named_with_those_it_has(world: LocalWorld) -> None:
    for ask in (lambda: world.url("wecom"), lambda: world.rows("wecom", "x"), lambda: world.call("wecom", "x")):
        with pytest.raises(NotFoundError, match="has no app 'wecom'; it has lark, slack"):
            ask()
    with pytest.raises(NotFoundError, match=r"no table 'mesages' in slack; have .*messages"):
        world.rows("slack", "mesages")


def test_a_clock_only_moves_forward(world: LocalWorld) -> None:
    with pytest.raises(FarmError, match="only moves forward"):
        world.advance(timedelta(seconds=-1))
    with pytest.raises(FarmError, match="needs an offset"):
        world.advance_to(world.now.replace(tzinfo=None))


def test_everybody_is_told_with_the_ids_of_their_accounts(world: LocalWorld) -> None:
    me = next(each for each in world.people if each["is_protagonist"])

    assert (me["person"], me["name_en"]) == ("lin.wan", "Wan Lin")
    profile = world.call("slack", "slack_get_user_profile", user_id=me["accounts"]["slack"])
    assert profile["profile"]["real_name"] == "Wan Lin"


def test_apps_in_one_folder_do_not_see_each_other_and_have_urls(tmp_path: Path) -> None:
    with LocalApp("slack", tmp_path, world="harbor") as one, LocalApp("slack", tmp_path, world="harbor") as other:
        assert one.id != other.id

        mcp_call(one.url, "slack_post_message", {"channel_id": "#general", "text": "hi"})

        assert [row["op"] for row in one.changes()["messages"]] == ["insert"]
        assert other.changes() == {}


def test_an_app_refuses_somebody_unknown_at_once(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match="no person 'nobody' in world 'harbor'"):
        LocalApp("slack", tmp_path, world="harbor", me="nobody")


def test_two_farms_on_one_folder_give_different_ids(tmp_path: Path) -> None:
    farms = [LocalFarm(tmp_path) for _ in range(4)]

    ids = [farm.create("harbor", ["slack"]).id for farm in farms]

    assert len(set(ids)) == 4
    for farm in farms:
        farm.close()


def test_another_person_uses_the_same_world(tmp_path: Path) -> None:
    with LocalWorld("mini", ["obsidian", "slack"], data=tmp_path) as world:
        ben = world.as_("ben")
        channel = world.rows("slack", "channels")[0]["id"]

        ben.call("slack", "slack_post_message", channel_id=channel, text="from ben")
        world.call("slack", "slack_post_message", channel_id=channel, text="from ada")

        people = {row["id"]: row["person"] for row in world.rows("slack", "users")}
        said = {row["text"]: people[row["user_id"]] for row in world.rows("slack", "messages")}
        assert (said["from ben"], said["from ada"]) == ("ben", "ada")
        assert [each.get("by") for each in world.calls()] == ["ben", None]
        assert (ben.person, ben.apps, world.me) == ("ben", ("slack",), "ada")


def test_somebody_without_an_account_is_refused_naming_who_has_one(tmp_path: Path) -> None:
    with LocalWorld("mini", ["obsidian", "slack"], data=tmp_path) as world:
        with pytest.raises(NotFoundError, match=r"^'zoe' has no account in obsidian, slack; have ada, ben, "):
            world.as_("zoe")
        with pytest.raises(NotFoundError, match=r"^'ben' has no account in obsidian; have ada$"):
            world.as_("ben").result("obsidian", "list_notes")
        assert world.calls() == []


def test_without_a_world_other_people_are_those_of_the_rows(tmp_path: Path) -> None:
    team: list[Mapping[str, Any]] = [*TEAM, {**TEAM[-1], "id": "U2", "person": None, "name": "lou", "email": None}]
    with LocalWorld(None, ["slack"], data=tmp_path, me="kit", rows={"slack": team}) as world:
        world.as_("U2").result("slack", "slack_list_channels")

        assert [each["by"] for each in world.calls()] == ["U2"]


def test_the_apps_of_a_person_are_those_they_can_use(tmp_path: Path) -> None:
    with LocalWorld("mini", me="leo", data=tmp_path) as world:
        with_accounts = {app for app in world.apps if load_app(app).schema.account is not None}

        # As contexts/worlds/mini has him; he is a member of its server of Discord, and holds no program's token.
        assert (world.me, with_accounts) == ("leo", {"lark", "slack"})
    with LocalWorld("mini", me=["leo", "ben"], data=tmp_path) as world:
        assert {"gmail", "lark", "notion", "slack", "telegram"} <= set(world.apps)
        assert {"discord", "obsidian", "wecom"}.isdisjoint(world.apps)
        assert "gmail" not in world.as_("leo").apps
    with LocalWorld("mini", ["discord", "slack"], data=tmp_path) as world:
        assert (world.as_("leo").apps, world.as_("ada").apps) == (("slack",), ("discord", "slack"))


def test_a_planned_fault_is_refused_over_http_once_and_its_retry_goes_through() -> None:
    burst = {"app": "slack", "kind": "rate_limited", "tools": ["slack_post_message"]}
    message = {"channel_id": "#opening", "text": "24 chairs"}
    with LocalWorld("mini", ["slack"], faults=[burst]) as world:
        first = mcp_call(world.url("slack"), "slack_post_message", message, world.token)
        second = mcp_call(world.url("slack"), "slack_post_message", message, world.token)
        posted, calls = world.diff()["slack"]["messages"], world.calls()

    assert '{"ok":false,"error":"ratelimited"}' in str(first)
    assert '"ok":true' in str(second)
    assert len(posted) == 1
    assert [call.get("fault") for call in calls] == ["rate_limited-1", None]
