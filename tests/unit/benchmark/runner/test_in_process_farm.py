"""Episodes in the runner's own process."""

from __future__ import annotations

from pathlib import Path

import pytest

from farm.appkit.envelope import body_of
from farm.benchmark.runner.in_process_farm import LocalFarm
from farm.context import reference


def test_a_local_episode_refuses_a_write_beyond_its_calls_as_a_farm_does(tmp_path: Path) -> None:
    farm = LocalFarm(tmp_path)
    session = farm.create("harbor", ["lark", "slack"], calls_max=2)
    channels = body_of(session.call("slack", "slack_list_channels", {"limit": 200}))["channels"]
    session.call("lark", "im_v1_chat_list", {})

    said = session.call("slack", "slack_post_message", {"channel_id": channels[0]["id"], "text": "late"})

    assert (said["isError"], session.over_limit(), len(session.calls())) == (True, 1, 2)
    assert "the limit of 2 calls for this task is reached" in said["content"][0]["text"]
    assert session.changes().diff == {}
    session.close()
    assert farm.create("harbor", ["slack"]).over_limit() == 0
    farm.close()


def test_no_call_waits_for_what_its_app_looks_things_up_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reference.forget()
    farm = LocalFarm(tmp_path)
    session = farm.create("harbor", ["amap"])
    # Reading a reference takes longer than a call may: on a busy machine no call ever came to its end.
    monkeypatch.setattr(reference, "_bytes", lambda *_: pytest.fail("read within a call"))

    assert "上海" in str(session.call("amap", "maps_geo", {"address": "上海市"}))
    farm.close()


def test_local_episodes_are_apart_and_leave_nothing(tmp_path: Path) -> None:
    farm = LocalFarm(tmp_path)
    one, other = farm.create("harbor", ["slack"]), farm.create("harbor", ["slack"])
    channels = body_of(one.call("slack", "slack_list_channels", {"limit": 200}))["channels"]

    one.call("slack", "slack_post_message", {"channel_id": channels[0]["id"], "text": "hi"})

    assert [change["op"] for change in one.changes().diff["slack"]["messages"]] == ["insert"]
    assert other.changes().diff == {}
    assert [call["tool"] for call in one.calls()] == ["slack_list_channels", "slack_post_message"]
    one.close()
    other.close()
    assert list((tmp_path / "episodes").iterdir()) == []
    farm.close()
