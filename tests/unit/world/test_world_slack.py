"""When the topics of a world's Slack were set."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from farm.world import Spec
from farm.world.generate import rows_of_app
from tests.unit._two_people import PERSON, WORLD

CHANNEL = """
[[channels]]
key = "{key}"
topic = "{topic}"
creator = "lin.wan"
created = "{created}"
members = ["lin.wan"]
{more}
"""
FACT = '[[facts]]\nkey = "board.lot"\nkind = "id"\nvalue = "B-12"\nsince = "-2 11:00"\n'  # a Saturday


def _set(tmp_path: Path) -> dict[str, datetime]:
    """Return channel → when its topic was set."""
    folder = tmp_path / "small"
    slack = folder / "spec" / "slack"
    slack.mkdir(parents=True)
    (folder / "facts").mkdir()
    (folder / "facts" / "lot.toml").write_text(FACT, "utf-8")
    (folder / "world.toml").write_text(WORLD + PERSON.format(key="lin.wan", name="林晚"), "utf-8")
    (slack / "accounts.toml").write_text('accounts = [{ person = "lin.wan", role = "primary owner" }]', "utf-8")
    (slack / "workspace.toml").write_text(
        '[bot]\nname = "farm"\nreal_name = "Farm"\n[time_zones]\n"Asia/Shanghai" = "China"\n', "utf-8"
    )
    channels = [
        CHANNEL.format(key=f"old-{number}", topic="Plan", created="-400 10:00", more="") for number in range(40)
    ]
    channels.append(CHANNEL.format(key="young", topic="Plan", created="-3 15:00", more=""))
    channels.append(CHANNEL.format(key="lot", topic="{{fact:board.lot}}", created="-400 10:00", more=""))
    channels.append(CHANNEL.format(key="given", topic="Plan", created="-400 10:00", more='topic_set = "-40 10:07"'))
    (slack / "channels.toml").write_text("".join(channels), "utf-8")
    rows = [row for row in rows_of_app(Spec(folder).app("slack")) if row["table"] == "channels"]
    assert all(row["updated"] >= row["topic_last_set"] * 1000 for row in rows)
    return {row["name"]: datetime.fromtimestamp(row["topic_last_set"], ZoneInfo("Asia/Shanghai")) for row in rows}


def test_topics_are_set_at_work_shortly_before_the_worlds_week(tmp_path: Path) -> None:
    times = _set(tmp_path)

    old = [time for name, time in times.items() if name.startswith("old")]
    assert {(time.month, time.day) for time in old} == {(3, 5), (3, 6)}
    assert all(9 <= time.hour < 19 for time in old)


def test_topics_are_set_when_the_channel_is_there_and_they_are_true(tmp_path: Path) -> None:
    times = _set(tmp_path)

    zone = ZoneInfo("Asia/Shanghai")
    assert datetime(2026, 3, 6, 15, tzinfo=zone) < times["young"] < datetime(2026, 3, 6, 19, tzinfo=zone)
    assert datetime(2026, 3, 7, 11, tzinfo=zone) < times["lot"] < datetime(2026, 3, 9, tzinfo=zone)


def test_a_given_time_of_a_topic_wins(tmp_path: Path) -> None:
    given = _set(tmp_path)["given"]

    assert (given.month, given.day, given.hour, given.minute) == (1, 28, 10, 7)
