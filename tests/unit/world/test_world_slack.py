"""When the topics of a world's Slack were set, and what its attachments are called."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path
from typing import Any
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


def _slack(tmp_path: Path) -> tuple[Path, Path]:
    """Return the folder of a world of one person, and that of its Slack, without channels."""
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
    return folder, slack


def _set(tmp_path: Path) -> dict[str, datetime]:
    """Return channel → when its topic was set."""
    folder, slack = _slack(tmp_path)
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


def _attached(tmp_path: Path, *lines: str) -> list[dict[str, Any]]:
    """Return the files of the messages of a channel."""
    folder, slack = _slack(tmp_path)
    (slack / "channels.toml").write_text(
        CHANNEL.format(key="team", topic="Plan", created="-400 10:00", more=""), "utf-8"
    )
    (slack / "talk").mkdir()
    (slack / "talk" / "team.md").write_text("## #team\n" + "\n".join(lines) + "\n", "utf-8")
    rows = [row for row in rows_of_app(Spec(folder).app("slack")) if row.get("files")]
    return [each for row in rows for each in json.loads(row["files"])]


def test_a_file_is_titled_by_its_name_and_what_it_shows_stands_beside(tmp_path: Path) -> None:
    photo, screen, phone, plan, voice = _attached(
        tmp_path,
        "- -5 10:00 lin.wan {image: two lamps}:",
        "- -4 10:00 lin.wan {image: graph, one peak}:",
        "- -3 10:00 lin.wan {image: phone screen, a teaser}:",
        "- -3 11:00 lin.wan {file: plan.pdf}:",
        "- -2 10:00 lin.wan {voice: who has the pens}:",
    )

    assert all(each["title"] == each["name"] for each in (photo, screen, phone, plan, voice))
    assert (photo["name"][:4], screen["name"], plan["name"]) == ("IMG_", "image.png", "plan.pdf")
    assert [each.get("alt_txt") for each in (photo, screen, plan)] == ["two lamps", "graph, one peak", None]
    assert voice["transcription"]["preview"]["content"] == "who has the pens"
    assert screen["original_w"] > screen["original_h"]
    assert phone["original_w"] < phone["original_h"]


def test_the_numbers_of_somebodys_photos_go_up(tmp_path: Path) -> None:
    photos = _attached(tmp_path, *(f"- -{day} 10:00 lin.wan {{image: lamp {day}}}:" for day in range(27, 0, -2)))

    numbers = [int(each["name"][4:8]) for each in photos]
    assert numbers == sorted(set(numbers))
