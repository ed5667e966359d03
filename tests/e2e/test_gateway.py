"""One farm, real processes: episodes over all apps, both ports, both ways to reach a tool, every refusal."""

from __future__ import annotations

import http.client
import json
from collections.abc import Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import fastmcp
import pytest

from farm import content
from farm.appkit.envelope import body_of
from farm.benchmark.runner.farm_address import open_session
from farm.benchmark.runner.in_process_farm import LocalFarm
from farm.client import mcp_call
from farm.errors import ConflictError, FarmError, NotFoundError
from tests.e2e.conftest import END_S_MAX, RunningFarm, until

pytestmark = pytest.mark.xdist_group("farm")

# A farm that is told nothing runs every app there is.
APPS = content.app_names()
HAVE = ", ".join(APPS)
MCP_HEADERS = {"content-type": "application/json", "accept": "application/json, text/event-stream"}
MODERN = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
}


def send(
    url: str, method: str = "GET", body: bytes | None = None, headers: Mapping[str, str] | None = None
) -> tuple[int, dict[str, str], bytes]:
    """Send one plain HTTP request; a Host among the headers replaces the true one."""
    parts = urlsplit(url)
    assert parts.hostname
    connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=END_S_MAX)
    try:
        connection.request(
            method, f"{parts.path}?{parts.query}" if parts.query else parts.path, body, dict(headers or {})
        )
        answer = connection.getresponse()
        return answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()
    finally:
        connection.close()


def first_channel(farm: RunningFarm, episode: dict[str, Any]) -> str:
    listed = farm.call(episode, "slack", "slack_list_channels", limit=1)
    found: str = json.loads(listed["content"][0]["text"])["channels"][0]["id"]
    return found


def post(farm: RunningFarm, episode: dict[str, Any], text: str) -> None:
    channel = first_channel(farm, episode)
    answer = farm.call(episode, "slack", "slack_post_message", channel_id=channel, text=text)
    assert json.loads(answer["content"][0]["text"])["ok"], answer


def posted(farm: RunningFarm, episode_id: str, since: str = "start") -> list[str]:
    changes = farm.client.diff(episode_id, since)["slack"].get("messages", [])
    return [change["new"]["text"] for change in changes if change["op"] == "insert"]


# -- episodes ------------------------------------------------------------------------------------------------------


def test_a_new_episode_says_how_to_reach_it_and_says_it_again(farm: RunningFarm, episode: dict[str, Any]) -> None:
    again = farm.client.episode(episode["id"])

    assert {name: again[name] for name in episode} == episode
    assert set(episode["mcp"]) == set(episode["direct"]) == set(APPS)
    assert episode["mcp_all"] == f"{farm.state.agents_url}/mcp/{episode['id']}"
    assert episode["seed"] == 7
    assert episode["id"] in [each["id"] for each in farm.client.episodes()]


def test_snapshot_restore_and_reset_go_over_all_apps(farm: RunningFarm, episode: dict[str, Any]) -> None:
    name = episode["id"]
    post(farm, episode, "one")
    assert farm.client.snapshot(name, "before") == "before"
    post(farm, episode, "two")
    assert posted(farm, name) == ["one", "two"]
    assert posted(farm, name, "before") == ["two"]

    farm.client.restore(name, "before")

    assert posted(farm, name) == ["one"]
    assert posted(farm, name, "before") == []
    assert [call["tool"] for call in farm.client.calls(name)] == ["slack_list_channels", "slack_post_message"]

    assert farm.client.reset(name) == {"id": name, "calls": 0}

    assert farm.client.diff(name) == {app: {} for app in APPS}
    assert farm.client.calls(name) == []
    assert [each["snapshot"] for each in farm.client.snapshots(name)] == ["before"]


def test_what_was_reverted_rows_is_told_with_its_calls(farm: RunningFarm, episode: dict[str, Any]) -> None:
    name = episode["id"]
    (note, *_) = json.loads(farm.call(episode, "rednote", "list_feeds")["content"][0]["text"])["feeds"]
    note_id, token = note["id"], {"feed_id": note["id"], "xsec_token": note["xsecToken"]}
    farm.call(episode, "rednote", "like_feed", **token, unlike=True)
    farm.client.snapshot(name, "not-liked")
    start_diff = farm.client.diff(name)
    farm.call(episode, "rednote", "like_feed", **token)
    farm.call(episode, "rednote", "like_feed", **token, unlike=True)

    found = farm.client.changes(name)

    assert found.diff == start_diff
    ((app, tables),) = found.reverted.items()
    ((table, (row,)),) = tables.items()
    assert (app, table, row["key"]["note_id"], row["columns"]) == ("rednote", "likes", note_id, [])
    assert [(step["op"], step["call"]) for step in row["steps"]][-2:] == [("insert", 3), ("delete", 4)]
    # The first of the two had come before the snapshot.
    ((_, tables),) = farm.client.changes(name, "not-liked").reverted.items()
    assert [(step["op"], step["call"]) for step in tables[table][0]["steps"]] == [("insert", 3), ("delete", 4)]
    # A fork was there, too; a snapshot from before was not.
    (fork,) = farm.client.fork(name)
    assert farm.client.changes(fork["id"]) == found
    farm.client.drop(fork["id"])
    farm.client.restore(name, "not-liked")
    assert farm.client.changes(name).reverted == {}


def test_reverted_is_told_where_it_is_asked_for(farm: RunningFarm, episode: dict[str, Any]) -> None:
    path = f"/v1/episodes/{episode['id']}/diff"

    with pytest.raises(FarmError, match="'reverted' must be 0 or 1, not 'yes'"):
        farm.client.request("GET", path, reverted="yes")
    assert "reverted" not in farm.client.request("GET", path, reverted=0)


def test_snapshots_without_a_name_are_numbered_around_taken_names(farm: RunningFarm, episode: dict[str, Any]) -> None:
    farm.client.snapshot(episode["id"], "s2")

    assert [farm.client.snapshot(episode["id"]) for _ in range(2)] == ["s3", "s4"]


def test_forks_have_tokens_of_their_own_and_go_their_own_ways(farm: RunningFarm, episode: dict[str, Any]) -> None:
    post(farm, episode, "shared")
    farm.client.snapshot(episode["id"], "early")
    post(farm, episode, "late")

    left, right = farm.client.fork(episode["id"], count=2)
    early = farm.client.fork(episode["id"], snapshot="early")[0]
    post(farm, left, "left only")

    assert posted(farm, left["id"]) == ["shared", "late", "left only"]
    assert posted(farm, right["id"]) == ["shared", "late"]
    assert posted(farm, early["id"]) == ["shared"]
    assert posted(farm, episode["id"]) == ["shared", "late"]
    assert len({each["token"] for each in (episode, left, right, early)}) == 4
    with pytest.raises(FarmError, match="needs its token"):
        mcp_call(right["mcp"]["slack"], "slack_list_channels", {}, left["token"])
    for each in (left, right, early):
        farm.client.drop(each["id"])


def test_the_clock_moves_alike_in_every_app_and_never_back(farm: RunningFarm, episode: dict[str, Any]) -> None:
    name, world_start = episode["id"], episode["now"]
    assert farm.client.clock(name)["now"].startswith(world_start[:19])

    farm.client.set_clock(name, advance_s=90)
    moved = farm.client.set_clock(name, to="2026-06-01T08:00:00+08:00")

    came = moved.pop("came")
    assert moved == {"now": "2026-06-01T08:00:00.000+08:00", "live": False, "rate": 0}
    # No row arrives on a frozen clock, but what comes due is told, and Telegram sends what its people have scheduled.
    assert {each["app"] for each in came if "due" not in each} <= {"telegram"}
    for app, tool in (("slack", "slack_list_channels"), ("lark", "im_v1_chat_list")):
        farm.call(episode, app, tool)
    assert {call["now"][:19] for call in farm.client.calls(name)} == {"2026-06-01T08:00:00"}
    with pytest.raises(FarmError, match="only moves forward"):
        farm.client.set_clock(name, to="2026-05-01T08:00:00+08:00")
    with pytest.raises(FarmError, match="1970 to 9998"):
        farm.client.set_clock(name, advance_s=252_000_000_000)
    with pytest.raises(FarmError, match="give one of 'advance_s', 'to', 'next' and 'quiet'"):
        farm.client.set_clock(name, advance_s=1, next=True)
    with pytest.raises(FarmError, match="'rate' must be a whole number from 0"):
        farm.client.set_clock(name, rate=0.5)
    with pytest.raises(FarmError, match="nothing waits to arrive"):
        farm.client.set_clock(name, next=True)


def test_a_live_clock_is_moved_ahead_through_what_arrives(farm: RunningFarm) -> None:
    live = farm.client.create(world="harbor", apps=["slack", "lark"], now="live")["id"]
    before = farm.client.clock(live)

    ahead = farm.client.set_clock(live, advance_s=86_400)

    assert (before["live"], ahead["live"], ahead["rate"]) == (True, True, 1)
    assert datetime.fromisoformat(ahead["now"]) - datetime.fromisoformat(before["now"]) >= timedelta(days=1)
    assert [each["at"] for each in ahead["came"]] == sorted(each["at"] for each in ahead["came"])
    assert farm.client.diff(live) == {"slack": {}, "lark": {}}
    assert farm.client.clock(farm.client.fork(live)[0]["id"])["now"] >= ahead["now"]


def test_the_trace_is_in_order_over_apps_and_comes_in_pages(farm: RunningFarm, episode: dict[str, Any]) -> None:
    made = [("slack", "slack_list_channels"), ("lark", "im_v1_chat_list"), ("slack", "slack_get_users")]
    for app, tool in made:
        farm.call(episode, app, tool)
    farm.call(episode, "slack", "slack_list_channels", limit="many")

    whole = farm.client.calls(episode["id"])
    page = farm.client.calls(episode["id"], after=1, limit=2)
    bare = farm.client.calls(episode["id"], results=False)

    assert [(call["app"], call["tool"]) for call in whole[:3]] == made
    assert [(call["n"], call["app"], call["call"]) for call in whole] == [
        (1, "slack", 1),
        (2, "lark", 1),
        (3, "slack", 2),
        (4, "slack", 3),
    ]
    assert [call["refused"] for call in whole] == [False, False, False, True]
    assert page == whole[1:3]
    assert bare == [{key: value for key, value in call.items() if key != "result"} for call in whole]
    assert all(call["started_at"] <= call["ended_at"] for call in whole)


def test_calls_in_process_leave_the_trace_that_a_farm_shows(farm: RunningFarm, tmp_path: Path) -> None:
    local = LocalFarm(tmp_path)
    wire = open_session(farm.client, world="harbor", apps=["slack", "lark"], seed=5)
    here = local.create("harbor", ["slack", "lark"], seed=5)
    for session in (wire, here):
        channels = body_of(session.call("slack", "slack_list_channels", {}))["channels"]
        session.call("lark", "im_v1_chat_list", {})
        session.call("slack", "slack_post_message", {"channel_id": channels[0]["id"], "text": "hi"})
        session.call("slack", "slack_list_channels", {"limit": "many"})
    shown, made = wire.calls(), here.calls()
    wire.close()
    local.close()

    assert len(made) == 4
    assert [{key: type(value) for key, value in call.items()} for call in made] == [
        {key: type(value) for key, value in call.items()} for call in shown
    ]
    wall = {"started_at", "ended_at"}
    assert [{key: value for key, value in call.items() if key not in wall} for call in made] == [
        {key: value for key, value in call.items() if key not in wall} for call in shown
    ]


def test_rows_are_shown_in_pages_and_as_they_were(farm: RunningFarm, episode: dict[str, Any]) -> None:
    name = episode["id"]
    farm.client.snapshot(name, "clean")
    post(farm, episode, "new")

    now, then = (farm.client.rows(name, "slack", "messages", at=at, limit=3) for at in (None, "clean"))

    assert now["total"] == then["total"] + 1
    assert len(now["rows"]) == now["next"] == 3
    with pytest.raises(NotFoundError, match="no table 'nothing' in slack; have "):
        farm.client.rows(name, "slack", "nothing")
    with pytest.raises(NotFoundError, match="no snapshot 'x'"):
        farm.client.rows(name, "slack", "messages", at="x")


def test_the_same_seed_and_calls_give_the_same_answers_to_the_byte(farm: RunningFarm) -> None:
    pair = [farm.client.create(seed=11) for _ in range(2)]
    for each in pair:
        post(farm, each, "twin")

    traces = [farm.client.calls(each["id"]) for each in pair]

    assert [call["result"] for call in traces[0]] == [call["result"] for call in traces[1]]
    for each in pair:
        farm.client.drop(each["id"])


@pytest.mark.parametrize(
    ("wishes", "kind", "message"),
    [
        ({"world": "nowhere"}, NotFoundError, "no world 'nowhere'; have halfday, harbor"),
        ({"apps": ["slack", "fax"]}, NotFoundError, f"no app 'fax' in this farm; have {HAVE}"),
        ({"apps": []}, FarmError, "'apps' must be a list of app names"),
        ({"menu": "nothing"}, NotFoundError, f"no menu 'nothing' in {HAVE}; have "),
        (
            {"menu": {"slack": ["slack_fly"]}},
            NotFoundError,
            "no tool 'slack_fly' of app 'slack'; see 'farm tools slack'",
        ),
        ({"menu": {"slack": [["x"]]}}, NotFoundError, r"no tool \['x'\] of app 'slack'"),
        ({"menu": {"fax": "all"}}, NotFoundError, f"no app 'fax' in this episode; have {HAVE}"),
        ({"menu": 3}, FarmError, "'menu' must be the name of a menu, or an object"),
        ({"me": "nobody.here"}, NotFoundError, "no person 'nobody.here' in world 'harbor'; have "),
        ({"world": None, "me": "lin.wan"}, FarmError, "'me' names a person of a world"),
        ({"profile": "future"}, NotFoundError, r"no profile 'future'; have latest, paper-2025 \(.*lark"),
        ({"profile": ["latest"]}, FarmError, "'profile' must be a text"),
        (
            {"profile": "paper-2025", "menu": {"lark": ["calendar_v4_calendar_list"]}},
            NotFoundError,
            "no tool 'calendar_v4_calendar_list' of app 'lark' in profile 'paper-2025'; "
            "see 'farm tools lark --profile paper-2025'",
        ),
        (
            {"profile": "paper-2025", "menu": {"lark": "preset.task.default"}},
            NotFoundError,
            "no menu 'preset.task.default'",
        ),
        ({"now": "tomorrow"}, FarmError, "'now' must be a time such as 2026-03-09T09:00:00"),
        ({"now": "2026-03-09T09:00:00"}, FarmError, "'now' needs an offset from UTC"),
        ({"now": "1969-01-01T00:00:00Z"}, FarmError, "from 1970 to 9998"),
        ({"seed": -1}, FarmError, "'seed' must be an integer from 0"),
        ({"seed": True}, FarmError, "'seed' must be an integer from 0"),
        ({"label": 5}, FarmError, "'label' must be a text"),
        ({"colour": "red"}, FarmError, "unknown key 'colour'; POST /v1/episodes takes world, apps"),
    ],
)
def test_a_wish_that_cannot_be_met_is_refused_naming_what_can(
    farm: RunningFarm, wishes: dict[str, Any], kind: type[FarmError], message: str
) -> None:
    before = len(farm.client.episodes())

    with pytest.raises(kind, match=message):
        farm.client.create(**wishes)

    assert len(farm.client.episodes()) == before


def test_a_person_without_an_account_cannot_be_played(farm: RunningFarm) -> None:
    with pytest.raises(NotFoundError, match=r"has no account in \w+; have ") as refused:
        farm.client.create(me="arjun.mehta", apps=["gmail"])

    assert "\n" not in str(refused.value)


def test_without_apps_a_person_has_those_with_an_account(farm: RunningFarm) -> None:
    made = farm.client.create(me="arjun.mehta")

    assert "slack" in made["mcp"]
    assert "gmail" not in made["mcp"]
    farm.client.drop(made["id"])


def test_an_episode_without_a_world_is_empty(farm: RunningFarm) -> None:
    made = farm.client.create(world=None, apps=["slack"], now="2026-03-09T09:00:00Z")

    assert farm.client.rows(made["id"], "slack", "messages")["total"] == 0
    assert list(made["mcp"]) == ["slack"]
    farm.client.drop(made["id"])


def test_a_live_episode_plays_in_this_week(farm: RunningFarm) -> None:
    made = farm.client.create(now="live", apps=["slack"])

    clock = farm.client.clock(made["id"])

    assert clock["live"] is True
    assert made["now"] == "live"
    farm.client.drop(made["id"])


def rows_changed(farm: RunningFarm, episode_id: str, since: str = "start") -> dict[str, dict[str, int]]:
    """Return app → table → how many rows changed."""
    found = farm.client.diff(episode_id, since)
    return {app: {table: len(rows) for table, rows in tables.items()} for app, tables in found.items() if tables}


def write_once_in_each(farm: RunningFarm, episode: dict[str, Any]) -> None:
    def ask(app: str, tool: str, **arguments: Any) -> Any:
        answer = farm.call(episode, app, tool, **arguments)
        assert not answer.get("isError"), answer
        return body_of(answer)

    ask("slack", "slack_post_message", channel_id="#general", text="hi")
    chats = farm.client.rows(episode["id"], "lark", "chats", limit=1000)["rows"]
    where_all_post = {each["chat_id"] for each in chats if each["moderation_permission"] == "all_members"}
    mine = [each["chat_id"] for each in ask("lark", "im_v1_chat_list")["items"]]
    chat_id = next(each for each in mine if each in where_all_post)
    message = {"receive_id": chat_id, "msg_type": "text", "content": '{"text":"hi"}'}
    ask("lark", "im_v1_message_create", data=message, params={"receive_id_type": "chat_id"})
    feeds = ask("rednote", "list_feeds")["feeds"]
    note = next(each for each in feeds if not each["noteCard"]["interactInfo"]["liked"])
    ask("rednote", "like_feed", feed_id=note["id"], xsec_token=note["xsecToken"])
    chat = ask("telegram", "get_chats")["results"][0]["chat_id"]
    assert "sent" in str(farm.call(episode, "telegram", "send_message", chat_id=chat, message="hi"))
    ask("gmail", "send_email", to=["ada@mini.example"], subject="hi", body="hi")


def test_a_diff_of_a_live_episode_shows_one_row_for_each_write(farm: RunningFarm) -> None:
    apps = ["gmail", "lark", "rednote", "slack", "telegram"]
    once = {app: {"likes" if app == "rednote" else "messages": 1} for app in apps}
    made = farm.client.create(now="live", apps=apps)
    name = made["id"]
    farm.client.snapshot(name, "before")

    write_once_in_each(farm, made)

    assert rows_changed(farm, name, "before") == rows_changed(farm, name) == once
    (fork,) = farm.client.fork(name)
    farm.client.snapshot(fork["id"], "forked")
    write_once_in_each(farm, fork)
    assert rows_changed(farm, fork["id"], "forked") == once
    (early,) = farm.client.fork(name, snapshot="before")
    write_once_in_each(farm, early)
    assert rows_changed(farm, early["id"]) == once
    farm.client.restore(name, "before")
    assert rows_changed(farm, name, "before") == rows_changed(farm, name) == {}
    for each in (made, fork, early):
        farm.client.drop(each["id"])


def test_a_check_since_a_snapshot_of_a_live_episode_finds_no_damage(farm: RunningFarm) -> None:
    made = farm.client.create(now="live", apps=["gmail", "slack"])
    farm.client.snapshot(made["id"], "before")
    farm.call(made, "slack", "slack_post_message", channel_id="#general", text="24 chairs")
    point = {"id": "post", "kind": "operate", "app": "slack", "table": "messages", "change": "create"}
    body = {"since": "before", "checkpoints": [{**point, "after": {"text": {"claims": [{"number": 24}]}}}]}

    found = farm.client.request("POST", f"/v1/episodes/{made['id']}/check", body)

    assert [each["score"] for each in found["checkpoints"]] == [1.0]
    assert found["damage"] == []
    farm.client.drop(made["id"])


@pytest.mark.parametrize(
    ("action", "message"),
    [
        (lambda client, name: client.restore(name, "gone"), "no snapshot 'gone' of episode '.*'; have none"),
        (lambda client, name: client.diff(name, "gone"), "no snapshot 'gone'"),
        (lambda client, name: client.fork(name, snapshot="gone"), "no snapshot 'gone'"),
        (lambda client, name: client.rows(name, "fax", "messages"), f"has no app 'fax'; it has {HAVE}"),
        (lambda client, name: client.reset("c0-0-none"), "no episode 'c0-0-none'; have default"),
        (lambda client, name: client.drop("c0-0-none"), "no episode 'c0-0-none'; have default"),
    ],
)
def test_what_is_not_there_is_not_found_and_the_answer_says_what_is(
    farm: RunningFarm, episode: dict[str, Any], action: Any, message: str
) -> None:
    with pytest.raises(NotFoundError, match=message):
        action(farm.client, episode["id"])


@pytest.mark.parametrize(
    ("action", "kind", "message"),
    [
        (lambda client, name: client.drop("default"), ConflictError, "the default episode stays"),
        (lambda client, name: client.snapshot(name, "start"), ConflictError, "has a snapshot 'start' already"),
        (lambda client, name: client.snapshot(name, "../up"), FarmError, "'../up' is no name"),
        (lambda client, name: client.fork(name, count=0), FarmError, "'count' must be from 1 to 1000, not 0"),
        (lambda client, name: client.set_clock(name, advance_s=-1), FarmError, "'advance_s' must be a number"),
        (
            lambda client, name: client.set_clock(name),
            FarmError,
            "give one of 'advance_s', 'to', 'next' and 'quiet'",
        ),
        (lambda client, name: client.calls(name, after=-1), FarmError, "'after' must be a count, not '-1'"),
    ],
)
def test_what_does_not_fit_is_refused(
    farm: RunningFarm, episode: dict[str, Any], action: Any, kind: type[FarmError], message: str
) -> None:
    with pytest.raises(kind, match=message):
        action(farm.client, episode["id"])


# -- the operators' port -------------------------------------------------------------------------------------------


def operators(farm: RunningFarm, path: str, method: str = "GET", body: bytes | None = None, **headers: str) -> Any:
    bearer = {"authorization": f"Bearer {farm.token}", **headers}
    status, fields, raw = send(farm.state.operators_url + path, method, body, bearer)
    return status, fields, json.loads(raw)


def test_the_control_api_wants_the_operator_token_on_loopback_too(farm: RunningFarm, episode: dict[str, Any]) -> None:
    for given in ({}, {"authorization": "Bearer wrong"}, {"authorization": f"Bearer {episode['token']}"}):
        status, fields, raw = send(f"{farm.state.operators_url}/v1/episodes", headers=given)

        assert status == 401
        assert fields["www-authenticate"] == "Bearer"
        assert json.loads(raw)["error"]["code"] == "unauthorized"


@pytest.mark.parametrize(
    ("header", "value", "status", "code"),
    [("host", "evil.example", 421, "foreign_host"), ("origin", "http://evil.example", 403, "foreign_origin")],
)
def test_a_page_from_elsewhere_does_not_reach_the_control_api(
    farm: RunningFarm, header: str, value: str, status: int, code: str
) -> None:
    found, _, answer = operators(farm, "/v1/episodes", "GET", None, **{header: value})

    assert found == status
    assert answer["error"]["code"] == code
    assert "evil.example' in " in answer["error"]["message"]


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "code"),
    [
        ("GET", "/v1/nothing", None, 404, "not_found"),
        ("GET", "/web/nothing.js", None, 404, "not_found"),
        ("PUT", "/v1/episodes", None, 405, "method_not_allowed"),
        ("POST", "/v1/episodes", b"{", 400, "bad_request"),
        ("POST", "/v1/episodes", b"[1]", 400, "bad_request"),
        ("POST", "/v1/episodes", b'{"seed": "' + b"x" * (5 << 20) + b'"}', 413, "too_large"),
        ("GET", "/v1/episodes/default/calls?limit=%C2%B2", None, 400, "bad_request"),
        ("GET", "/v1/episodes/default/calls?results=maybe", None, 400, "bad_request"),
        ("GET", "/v1/episodes/default/calls?page=2", None, 400, "bad_request"),
        ("POST", "/v1/episodes/default/restore", None, 400, "bad_request"),
        ("DELETE", "/v1/episodes/default", None, 409, "conflict"),
    ],
)
def test_every_error_of_the_control_api_has_one_shape(
    farm: RunningFarm, method: str, path: str, body: bytes | None, status: int, code: str
) -> None:
    found, fields, answer = operators(farm, path, method, body)

    assert found == status
    assert set(answer["error"]) == {"code", "message"}
    assert answer["error"]["code"] == code
    assert "\n" not in answer["error"]["message"]
    assert status != 405 or set(fields["allow"].split(", ")) == {"GET", "HEAD", "POST"}


def test_both_ports_say_whether_the_farm_is_ready(farm: RunningFarm) -> None:
    for url in (farm.state.agents_url, farm.state.operators_url):
        # On a busy machine one of all apps may be late with its answer.
        until(lambda url=url: send(f"{url}/healthz")[0] == 200, "a farm that is ready")  # type: ignore[misc]
        status, _, raw = send(f"{url}/healthz")

        assert json.loads(raw) == {"ready": status == 200}


def test_metrics_count_what_is_there(farm: RunningFarm, episode: dict[str, Any]) -> None:
    def asked() -> dict[str, float]:
        bearer = {"authorization": f"Bearer {farm.token}"}
        status, fields, raw = send(f"{farm.state.operators_url}/metrics", headers=bearer)
        assert status == 200
        assert fields["content-type"].startswith("text/plain; version=0.0.4")
        lines = [line.rsplit(" ", 1) for line in raw.decode().splitlines() if not line.startswith("#")]
        return {name: float(value) for name, value in lines}

    def counted() -> dict[str, float]:
        # On a busy machine one of all apps may be late with its answer, and counts as down.
        found: dict[str, float] = {}

        def are_all_up() -> bool:
            found.update(asked())
            return all(found[f'farm_app_up{{app="{app}"}}'] for app in APPS)

        until(are_all_up, "every app in the metrics")
        return found

    before = counted()
    farm.call(episode, "slack", "slack_list_channels")
    after = counted()

    name = 'farm_app_calls_total{app="slack"}'
    assert after[name] == before[name] + 1
    assert after["farm_episodes"] == len(farm.client.episodes())
    assert after['farm_app_up{app="lark"}'] == 1


def test_the_api_describes_itself(farm: RunningFarm) -> None:
    status, _, document = operators(farm, "/v1/openapi.json")

    assert status == 200
    assert document["openapi"].startswith("3.1")
    assert set(document["paths"]["/v1/episodes/{id}"]) == {"get", "delete"}
    assert document["paths"]["/v1/episodes"]["post"]["responses"]["201"]


# -- the agents' port ----------------------------------------------------------------------------------------------


def rpc(
    method: str, params: dict[str, Any], *, is_modern: bool = False, request_id: Any = 1
) -> tuple[bytes, dict[str, str]]:
    headers = dict(MCP_HEADERS)
    if is_modern:
        params = {**params, "_meta": MODERN}
        headers |= {"mcp-protocol-version": "2026-07-28", "mcp-method": method}
        headers |= {"mcp-name": params["name"]} if "name" in params else {}
    else:
        headers["mcp-protocol-version"] = "2025-11-25"
    return json.dumps({"jsonrpc": "2.0", "id": request_id, "method": method, "params": params}).encode(), headers


@pytest.mark.parametrize("is_modern", [False, True])
@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("tools/list", {}),
        ("tools/call", {"name": "slack_list_channels", "arguments": {"limit": 2}}),
        ("tools/call", {"name": "slack_list_channels", "arguments": {"limit": "two"}}),
        ("tools/call", {"name": "slack_fly", "arguments": {}}),
        ("tools/fly", {}),
    ],
)
def test_the_relay_answers_what_the_app_answers_to_the_byte(
    farm: RunningFarm, episode: dict[str, Any], method: str, params: dict[str, Any], is_modern: bool
) -> None:
    body, headers = rpc(method, params, is_modern=is_modern)
    headers["authorization"] = f"Bearer {episode['token']}"

    relayed = send(episode["mcp"]["slack"], "POST", body, headers)
    direct = send(episode["direct"]["slack"], "POST", body, headers)

    assert relayed == direct


@pytest.mark.parametrize(
    ("method", "body", "headers"),
    [
        ("GET", None, {"accept": "text/event-stream"}),
        ("DELETE", None, {}),
        ("POST", b"{", MCP_HEADERS),
        ("POST", b"{}", {"content-type": "text/plain"}),
        ("POST", b"{}", {"content-type": "application/json", "accept": "text/html"}),
        ("POST", b"{}", {**MCP_HEADERS, "host": "evil.example"}),
        ("POST", b"{}", {**MCP_HEADERS, "origin": "http://evil.example"}),
        ("POST", b"[" + b"1" * (5 << 20) + b"]", MCP_HEADERS),
    ],
)
def test_odd_requests_are_refused_as_the_app_refuses_them(
    farm: RunningFarm, episode: dict[str, Any], method: str, body: bytes | None, headers: dict[str, str]
) -> None:
    bearer = {"authorization": f"Bearer {episode['token']}"}

    relayed = send(episode["mcp"]["slack"], method, body, {**headers, **bearer})
    direct = send(episode["direct"]["slack"], method, body, {**headers, **bearer})

    assert relayed[0] == direct[0] >= 400
    assert relayed[0] == send(episode["mcp_all"], method, body, {**headers, **bearer})[0]


@pytest.mark.parametrize("path", ["/mcp/{id}/fax", "/mcp/c0-0-none/slack", "/mcp/c0-0-none", "/mcp/../x"])
def test_what_is_not_there_is_a_404_that_answers_the_request(
    farm: RunningFarm, episode: dict[str, Any], path: str
) -> None:
    body, headers = rpc("ping", {}, request_id="mine")
    headers["authorization"] = f"Bearer {episode['token']}"

    status, _, raw = send(farm.state.agents_url + path.format(id=episode["id"]), "POST", body, headers)

    answer = json.loads(raw)
    assert status == 404
    assert answer["id"] == "mine"
    assert answer["error"]["message"].startswith(
        ("no episode '", f"episode '{episode['id']}' has no app 'fax'; it has")
    )


@pytest.mark.parametrize("path", ["/", "/.well-known/oauth-authorization-server", "/v1/episodes"])
def test_the_agents_port_serves_mcp_and_nothing_else(farm: RunningFarm, path: str) -> None:
    status, _, _ = send(farm.state.agents_url + path, headers={"authorization": f"Bearer {farm.token}"})

    assert status == 404


@pytest.mark.parametrize("where", ["mcp_all", "slack"])
def test_without_its_token_nobody_enters_an_episode(farm: RunningFarm, episode: dict[str, Any], where: str) -> None:
    url = episode["mcp_all"] if where == "mcp_all" else episode["mcp"][where]
    body, headers = rpc("tools/list", {})
    for given in ({}, {"authorization": "Bearer wrong"}, {"authorization": f"Bearer {farm.token}"}):
        status, fields, raw = send(url, "POST", body, {**headers, **given})

        assert status == 401
        # A client without any bearer is told where one comes from; a wrong one is refused by the app itself.
        challenge = fields["www-authenticate"]
        assert challenge.startswith("Bearer" if given else 'Bearer resource_metadata="')
        assert json.loads(raw)["id"] == 1


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_all_apps_are_one_server_for_a_client_of_either_era(farm: RunningFarm, mode: Any) -> None:
    made = farm.client.create(seed=7)
    async with fastmcp.Client(made["mcp_all"], auth=made["token"], mode=mode) as client:
        tools = [tool.name for tool in await client.list_tools()]
        listed = await client.call_tool("slack__slack_list_channels", {"limit": 1})

    every = [f"{app}__{tool['name']}" for app in sorted(made["mcp"]) for tool in content.load_app(app).tool_schemas]
    # Clients put ``mcp__farm__`` in front, and providers take 64 letters: longer names end in a hash.
    assert [len(name) for name in tools if len(name) > 53] == []
    assert [tool if tool == name else name[:44] for tool, name in zip(tools, every, strict=True)] == [
        name if len(name) <= 53 else name[:44] for name in every
    ]
    assert len({*tools}) == len(tools)
    assert json.loads(listed.content[0].text)["ok"] is True
    assert [(call["app"], call["tool"]) for call in farm.client.calls(made["id"])] == [("slack", "slack_list_channels")]
    farm.client.drop(made["id"])


@pytest.mark.parametrize("is_modern", [False, True])
def test_a_call_to_all_apps_is_answered_as_by_its_app(
    farm: RunningFarm, episode: dict[str, Any], is_modern: bool
) -> None:
    bearer = {"authorization": f"Bearer {episode['token']}"}
    for tool, arguments in (("slack_list_channels", {"limit": 1}), ("slack_get_users", {"limit": []}), ("fly", {})):
        body, headers = rpc("tools/call", {"name": f"slack__{tool}", "arguments": arguments}, is_modern=is_modern)
        plain, plain_headers = rpc("tools/call", {"name": tool, "arguments": arguments}, is_modern=is_modern)

        joint = send(episode["mcp_all"], "POST", body, {**headers, **bearer})

        assert joint == send(episode["direct"]["slack"], "POST", plain, {**plain_headers, **bearer})


def test_a_name_in_the_header_must_be_the_name_in_the_body(farm: RunningFarm, episode: dict[str, Any]) -> None:
    body, headers = rpc("tools/call", {"name": "slack__slack_list_channels", "arguments": {}}, is_modern=True)
    headers |= {"mcp-name": "slack__slack_get_users", "authorization": f"Bearer {episode['token']}"}

    status, _, raw = send(episode["mcp_all"], "POST", body, headers)

    assert status == 400
    assert "error" in json.loads(raw)
    assert farm.client.calls(episode["id"]) == []


def test_a_menu_holds_in_lists_and_calls_everywhere(farm: RunningFarm) -> None:
    made = farm.client.create(menu={"slack": ["slack_get_users"], "lark": "preset.light"}, seed=7)
    lark = content.load_app("lark").app.menus["preset.light"]

    def names(url: str) -> list[str]:
        body, headers = rpc("tools/list", {})
        _, _, raw = send(url, "POST", body, {**headers, "authorization": f"Bearer {made['token']}"})
        return [tool["name"] for tool in json.loads(raw)["result"]["tools"]]

    assert names(made["mcp"]["slack"]) == names(made["direct"]["slack"]) == ["slack_get_users"]
    joint = names(made["mcp_all"])
    assert {name for name in joint if name.startswith("lark__")} == {f"lark__{tool}" for tool in lark}
    assert [name for name in joint if name.startswith("slack__")] == ["slack__slack_get_users"]
    hidden, unknown = (
        mcp_call(url, tool, {}, made["token"])
        for url, tool in (
            (made["mcp_all"], "slack__slack_list_channels"),
            (made["direct"]["slack"], "slack_list_channels"),
        )
    )
    assert hidden == unknown
    assert "content" not in hidden or hidden["isError"]
    farm.client.drop(made["id"])


def test_episodes_of_different_profiles_are_played_side_by_side(farm: RunningFarm) -> None:
    old, now = farm.client.create(profile="paper-2025", seed=7), farm.client.create(seed=7)

    def names(made: dict[str, Any], url: str) -> list[str]:
        body, headers = rpc("tools/list", {})
        _, _, raw = send(url, "POST", body, {**headers, "authorization": f"Bearer {made['token']}"})
        return [tool["name"] for tool in json.loads(raw)["result"]["tools"]]

    counts = [
        (len(names(made, made["mcp"]["lark"])), len(names(made, made["mcp"]["slack"]))) for made in (old, now, old)
    ]
    joint = [name.removeprefix("lark__") for name in names(old, old["mcp_all"]) if name.startswith("lark__")]

    assert counts == [(14, 8), (51, 8), (14, 8)]
    assert joint == names(old, old["direct"]["lark"])
    assert old["profiles"] == {
        app: "paper-2025" if "paper-2025" in content.load_app(app).profiles else "latest" for app in old["mcp"]
    }
    assert old["profiles"]["lark"] == "paper-2025"
    assert (old["profile"], now["profile"]) == ("paper-2025", "latest")
    answers = [mcp_call(made["mcp"]["lark"], "calendar_v4_calendar_list", {}, made["token"]) for made in (old, now)]
    assert "calendar_v4_calendar_list not found" in answers[0]["content"][0]["text"]
    assert "isError" not in answers[1]
    for made in (old, now):
        farm.client.drop(made["id"])


def test_a_fork_is_played_in_the_profile_of_its_source(farm: RunningFarm) -> None:
    old = farm.client.create(profile="paper-2025", seed=7)

    (fork,) = farm.client.fork(old["id"])

    assert fork["profiles"] == old["profiles"]
    for made in (old, fork):
        farm.client.drop(made["id"])


def test_one_menus_name_applies_where_apps_have_it(farm: RunningFarm) -> None:
    made = farm.client.create(menu="desktop", seed=7)

    assert set(made["menu"]) == {app for app in APPS if "desktop" in content.load_app(app).app.menus}
    farm.client.drop(made["id"])


def test_the_default_episode_needs_no_token(farm: RunningFarm) -> None:
    default = farm.client.episode("default")

    answer = mcp_call(default["mcp_all"], "slack__slack_list_channels", {"limit": 1})

    assert default["token"] is None
    assert default["now"] == "live"
    assert "content" in answer
