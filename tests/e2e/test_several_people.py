"""People who act in one episode of a real farm: through a kill, into another farm, from the command line."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from farm.client import mcp_call
from farm.errors import FarmError
from tests.e2e.conftest import RunningFarm, farm_command, one_line

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX"),
    pytest.mark.xdist_group("farm"),
]


def post(made: dict[str, Any], person: str, text: str) -> bool:
    """Post as a person; return whether the call was acknowledged."""
    arguments = {"channel_id": "#general", "text": text}
    try:
        answer = mcp_call(made["mcp"]["slack"], "slack_post_message", arguments, made["holders"][person]["token"])
    except FarmError:
        return False
    return "error" not in answer and not answer.get("isError")


def run(farm: RunningFarm, *command: str) -> str:
    done = farm_command(*command, "--data", farm.data)
    assert done.returncode == 0, done.stderr
    return done.stdout


def said(farm: RunningFarm, made: dict[str, Any]) -> list[tuple[str, str]]:
    """Return text and author of every new message, in order."""
    users = {row["id"]: row["person"] for row in farm.client.rows(made["id"], "slack", "users", limit=1000)["rows"]}
    new = (change["new"] for change in farm.client.diff(made["id"])["slack"]["messages"])
    return [(row["text"], users[row["user_id"]]) for row in sorted(new, key=lambda row: str(row["ts"]))]


def test_a_killed_app_and_another_farm_know_who_called(start_farm: Callable[..., RunningFarm], tmp_path: Path) -> None:
    farm = start_farm("--apps=slack", data="first")
    made = farm.client.create(me=["lin.wan", "yu.han"])
    kept = [(f"{person} {number}", person) for number in range(3) for person in ("lin.wan", "yu.han")]
    assert all(post(made, person, text) for text, person in kept)

    os.kill(next(each.pid for each in farm.settled.apps if each.app == "slack"), signal.SIGKILL)
    later = [(f"later {number}", "yu.han") for number in range(60) if post(made, "yu.han", f"later {number}")]

    assert later
    assert {*kept, *later} <= {*said(farm, made)}
    assert {person for text, person in said(farm, made) if text.startswith("later")} == {"yu.han"}
    by = {call["arguments"]["text"]: call.get("by") for call in farm.client.calls(made["id"])}
    assert all(by[text] == (None if person == "lin.wan" else person) for text, person in [*kept, *later])

    copy = str(tmp_path / "copy")
    run(farm, "episode", "export", made["id"], "--to", copy)
    run(farm, "episode", "import", copy)
    brought = next(each for each in farm.client.episodes() if each["id"] not in ("default", made["id"]))
    assert list(brought["holders"]) == ["lin.wan", "yu.han"]
    assert said(farm, brought) == said(farm, made)
    assert post(brought, "yu.han", "after")
    assert said(farm, brought)[-1] == ("after", "yu.han")


def test_a_person_joins_from_the_command_line(start_farm: Callable[..., RunningFarm]) -> None:
    farm = start_farm("--apps=slack", data="first")
    made = farm.client.create()

    told = run(farm, "episode", "join", made["id"], "--me", "yu.han")
    card = run(farm, "connect", "generic", "--episode", made["id"], "--me", "yu.han")

    token = farm.client.episode(made["id"])["holders"]["yu.han"]["token"]
    assert told == f"token {token}\nyu.han has slack\n"
    assert f"Bearer {token}" in card
    assert "You are    Han Yu" in card
    assert "no person 'zoe' in world 'harbor'" in one_line(
        farm_command("episode", "join", made["id"], "--me", "zoe", "--data", farm.data)
    )


def test_a_person_calls_from_the_command_line(start_farm: Callable[..., RunningFarm]) -> None:
    farm = start_farm("--apps=slack", data="first")
    made = farm.client.create(me=["lin.wan", "yu.han"])
    post_hi = (
        "call",
        "slack",
        "slack_post_message",
        '{"channel_id": "#general", "text": "hi"}',
        "--episode",
        made["id"],
    )

    run(farm, *post_hi, "--me", "yu.han")

    assert said(farm, made) == [("hi", "yu.han")]
    assert f"'helen.zhou' does not act in episode '{made['id']}'; there are lin.wan, yu.han" in one_line(
        farm_command(*post_hi, "--me", "helen.zhou", "--data", farm.data)
    )
