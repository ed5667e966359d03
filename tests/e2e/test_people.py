"""People who answer on a real farm: over apps in processes of their own, through a kill, on a live clock."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.conftest import RunningFarm, farm_command, until

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX"),
    pytest.mark.xdist_group("farm"),
]
APPS = "discord,lark,slack,telegram,wecom"
YES = {"text": "Yes."}
SAYS_THURSDAY = {"claims": [{"date": "+3", "of": ["tasting"]}]}


def _rule(id: str, who: str, table: str, then: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    app, _, name = table.partition(".")
    where = more.pop("where", {})
    return {"id": id, "who": who, "when": {"app": app, "table": name, "where": where}, "then": then, **more}


# Ten rules over five apps: what is asked in one is answered in another, and that is answered in a third.
RULES = [
    _rule(
        "slack-here", "ben", "slack.messages", [{"do": "reply", "after": "2m-9m", **YES}], where={"text": SAYS_THURSDAY}
    ),
    _rule("slack-eyes", "cleo", "slack.messages", [{"do": "react", "emoji": "eyes"}], times=0),
    _rule("slack-to-lark", "ben", "slack.messages", [{"do": "message", "app": "lark", "to": "@ada", **YES}]),
    _rule("lark-to-telegram", "ben", "lark.messages", [{"do": "post", "app": "telegram", "chat": "@ada", **YES}]),
    _rule("lark-heard", "gus", "lark.messages", [{"do": "message", "to": "@ben", "text": "Good."}], by="anyone"),
    _rule("telegram-here", "ben", "telegram.messages", [{"do": "reply", **YES}, {"do": "react", "emoji": "👍"}]),
    _rule(
        "telegram-to-wecom", "ben", "telegram.messages", [{"do": "post", "app": "wecom", "chat": "Deliveries", **YES}]
    ),
    _rule("wecom-here", "ben", "wecom.messages", [{"do": "reply", "text": "收到"}], times=0),
    _rule("discord-here", "kim", "discord.messages", [{"do": "reply", "text": ["Hm.", "Yes.", "No."]}]),
    _rule("discord-to-slack", "ben", "discord.messages", [{"do": "post", "app": "slack", "channel": "@ada", **YES}]),
]


def _ask(farm: RunningFarm, made: dict[str, Any]) -> None:
    """Let the agent say something in each app."""
    people = farm.client.request("GET", f"/v1/episodes/{made['id']}/people")["people"]
    ben = next(each for each in people if each["person"] == "ben")["accounts"]
    counter = next(
        row for row in farm.client.rows(made["id"], "discord", "channels")["rows"] if row["name"] == "counter"
    )
    data = {"receive_id": ben["lark"], "msg_type": "text", "content": '{"text":"Ben?"}'}
    params = {"receive_id_type": "open_id"}
    calls: list[tuple[str, str, dict[str, Any]]] = [
        ("slack", "slack_post_message", {"channel_id": "#opening", "text": "Ben, the tasting is moved to Thursday."}),
        ("discord", "send_message", {"channel_id": counter["channel_id"], "content": "Kim?"}),
        ("lark", "im_v1_message_create", {"data": data, "params": params}),
        ("telegram", "send_message", {"chat_id": int(ben["telegram"]), "message": "Ben?"}),
        ("wecom", "send_text", {"content": "Ben?"}),
    ]
    for app, tool, arguments in calls:
        answer = farm.call(made, app, tool, **arguments)
        assert not answer.get("isError"), answer


def _state(farm: RunningFarm, made: dict[str, Any]) -> dict[str, Any]:
    """Return every row of every table, in JSON's words."""
    tables = {
        "slack": ("messages", "reactions"),
        "lark": ("messages",),
        "telegram": ("messages", "reactions"),
        "wecom": ("messages", "member_messages"),
        "discord": ("messages",),
    }
    return {
        f"{app}.{table}": farm.client.rows(made["id"], app, table, limit=1000)["rows"]
        for app, names in tables.items()
        for table in names
    }


def test_ten_rules_over_five_apps_give_the_same_in_every_run_fork_and_after_a_kill(
    start_farm: Callable[..., RunningFarm], tmp_path: Path
) -> None:
    farm = start_farm(f"--apps={APPS}", "--world=mini")
    runs = [farm.client.create(people=RULES) for _ in range(3)]
    for made in runs:
        _ask(farm, made)
    one, leap, killed = runs
    own = farm.client.diff(one["id"])

    moved = farm.client.set_clock(one["id"], quiet=True)["came"]
    came = [each for each in moved if "rule" in each]  # not what comes due
    farm.client.set_clock(leap["id"], advance_s=60)
    (fork,) = farm.client.fork(leap["id"])
    farm.client.set_clock(killed["id"], advance_s=200)
    for app in farm.settled.apps:
        if app.app in APPS.split(","):
            os.kill(app.pid, signal.SIGKILL)
    farm.settled  # noqa: B018 # waits until every app is back
    for made in (leap, fork, killed):
        farm.client.set_clock(made["id"], advance_s=7 * 86_400)

    assert {each["rule"] for each in came} == {rule["id"] for rule in RULES}
    assert not any(each.get("dropped") for each in came)
    assert [each["at"] for each in came] == sorted(each["at"] for each in came)
    wanted = _state(farm, one)
    for made in (leap, fork, killed):
        assert _state(farm, made) == wanted
        assert farm.client.person_rules(made["id"])["waiting"] == []
    assert farm.client.diff(one["id"]) == own

    copy = str(tmp_path / "copy")
    (waits,) = farm.client.fork(farm.client.create(people=RULES)["id"])
    _ask(farm, waits)
    for command in (("export", waits["id"], "--to", copy), ("import", copy)):
        done = farm_command("episode", *command, "--data", farm.data)
        assert done.returncode == 0, done.stderr
    brought = farm.client.episodes()[-1]
    farm.client.set_clock(brought["id"], quiet=True)
    assert _state(farm, brought) == wanted


def test_on_a_live_clock_an_act_comes_to_another_app_by_itself(start_farm: Callable[..., RunningFarm]) -> None:
    farm = start_farm("--apps=lark,slack", "--world=mini")
    made = farm.client.create(
        now="live",
        people=[
            _rule("it", "ben", "slack.messages", [{"do": "message", "app": "lark", "to": "@ada", "after": "1s", **YES}])
        ],
    )
    before = farm.client.rows(made["id"], "lark", "messages")["total"]
    farm.call(made, "slack", "slack_post_message", channel_id="#opening", text="Ben?")

    until(lambda: farm.client.rows(made["id"], "lark", "messages")["total"] == before + 1, "answered")
    assert [each["do"] for each in farm.client.person_rules(made["id"])["acted"]] == ["message"]
