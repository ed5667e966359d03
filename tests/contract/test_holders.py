"""Nobody sees or changes another's private rows, whichever tool he asks.

Discord: in harbor Lin Wan and Marcus Lim hold one program, so what it sees is theirs in common, and the sweep proves
that the channel which is hidden from the program shows in no tool. Chris Tan holds none: all his calls are refused at
once. A test of its own gives him one. Likewise Chris Tan has connected no account of Instagram.

Reddit: none of the six is a member of harbor's private community; Marcus Lim is, and sees it.

WeCom: the server can read nothing, so the sweep proves that no answer of its six tools holds a word of the groups.
What it does read are files of the machine that it runs on; of those a test of its own asks for a colleague's.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from farm.content import load_app
from farm.testing import LocalApp, LocalWorld
from tests.contract.holder_sweep import calls_for, plant, reading_tools, sweep, sweep_writes
from tests.contract.private_rows import APPS, rules_of

HARBOR = ("lin.wan", "helen.zhou", "chris.tan", "yu.han", "deng.fei", "fang.ning")

# What no person of harbor has, so that no sweep of it asks for it.
LACKING = {
    "instagram.containers.caption",
    "lark.base_records.fields",
    "lark.calendar_subscriptions.summary_alias",
    "lark.wiki_spaces.name",
    "rednote.comments.content",
    "slack.messages.attachments",
    "telegram.aliases.name",
    "telegram.chats.about",
    "telegram.topics.title",
}


def holders(world: str, app: str, people: tuple[str, ...] = ()) -> list[str]:
    """Return who of these, or of all, has an account in an app of a world."""
    with LocalWorld(world, [app]) as opened:
        found = [each["person"] for each in opened.people if each["accounts"].get(app)]
    return [each for each in people if each in found] if people else found


@pytest.mark.slow
@pytest.mark.parametrize("person", HARBOR)
@pytest.mark.parametrize("app", APPS)
def test_nobody_of_harbor_sees_anothers_private_rows(app: str, person: str, tmp_path: Path) -> None:
    if person not in holders("harbor", app, HARBOR):
        pytest.skip(f"{person} has no account in {app}")
    with LocalApp(app, tmp_path, world="harbor", me=person) as opened:
        planted = plant(opened, app, most=120)

        leaks, calls, _ = sweep(opened, app, planted, most=80)

    assert planted.readers
    assert calls >= len(reading_tools(app))
    assert not leaks, "\n".join(sorted(leaks)[:20])


@pytest.mark.slow
@pytest.mark.parametrize("person", HARBOR)
@pytest.mark.parametrize("app", APPS)
def test_nobody_of_harbor_changes_anothers_private_rows(app: str, person: str, tmp_path: Path) -> None:
    if person not in holders("harbor", app, HARBOR):
        pytest.skip(f"{person} has no account in {app}")
    with LocalApp(app, tmp_path, world="harbor", me=person) as opened:
        planted = plant(opened, app, most=40)

        found, calls = sweep_writes(opened, app, planted, most=12)

        is_any_foreign = any(str(opened.episode.me) not in readers for readers in planted.readers.values())

    assert calls or not is_any_foreign
    assert not found, "\n".join(sorted(found)[:20])


@pytest.mark.parametrize("app", APPS)
def test_two_people_of_mini_see_nothing_private_of_each_other(app: str, tmp_path: Path) -> None:
    for person in holders("mini", app)[:2]:
        with LocalApp(app, tmp_path / person, world="mini", me=person) as opened:
            planted = plant(opened, app, most=20)
            leaks, _, _ = sweep(opened, app, planted, most=12)

        assert not leaks, "\n".join(sorted(leaks)[:20])


@pytest.mark.parametrize("app", APPS)
def test_two_people_of_mini_change_nothing_private_of_each_other(app: str, tmp_path: Path) -> None:
    for person in holders("mini", app)[:2]:
        with LocalApp(app, tmp_path / person, world="mini", me=person) as opened:
            planted = plant(opened, app, most=10)
            found, _ = sweep_writes(opened, app, planted, most=4)

        assert not found, "\n".join(sorted(found)[:20])


@pytest.mark.parametrize(
    ("app", "person"),
    [
        *((app, "lin.wan") for app in ("slack", "lark", "notion", "obsidian", "gmail", "instagram", "discord")),
        *(("reddit", "marcus.lim"), ("telegram", "chris.tan"), ("email163", "deng.fei")),
    ],
)
def test_the_sweep_sees_what_is_ones_own(app: str, person: str, tmp_path: Path) -> None:
    """Otherwise it would find no leak either: what it asks for would be nothing that is ever shown."""
    with LocalApp(app, tmp_path, world="harbor", me=person) as opened:
        planted = plant(opened, app, most=30)
        own = sum(str(opened.episode.me) in readers for readers in planted.readers.values())

        _, _, seen = sweep(opened, app, planted, most=40)

    assert seen >= own / 10 > 0


@pytest.mark.parametrize("app", ["telegram", "obsidian", "lark", "gmail", "rednote"])
def test_the_sweep_of_writes_notices_what_is_done_to_a_row(app: str, tmp_path: Path) -> None:
    """Otherwise it would find no change either: what it asks for would be nothing that can be done."""
    with LocalApp(app, tmp_path, world="harbor") as opened:
        planted = plant(opened, app, most=15)
        planted.readers = {number: {"nobody"} for number in planted.readers}

        found, _ = sweep_writes(opened, app, planted, most=40)

    assert any(each.startswith("changed") for each in found) or app == "rednote"
    assert found


def test_every_rule_finds_its_rows_in_harbor_or_says_which_it_lacks(tmp_path: Path) -> None:
    without = set()
    for app in APPS:
        with LocalApp(app, tmp_path / app, world="harbor") as opened:
            places = plant(opened, app, most=1).places.values()
            without |= {
                f"{app}.{rule.table}.{rule.column}"
                for rule in rules_of(app)
                if not any(place.startswith(f"{rule.table}.{rule.column} ") for place in places)
            }
    assert without <= LACKING, sorted(without - LACKING)


def test_a_program_of_ones_own_shows_nothing_of_a_server_it_is_not_in(tmp_path: Path) -> None:
    chris, glowworm, lumen_nerds = "1294869205648889064", "1480000000000000001", "1042053863386531410"
    rows: list[dict[str, Any]] = [
        {"table": "users", "user_id": glowworm, "name": "Glowworm", "discriminator": "4410", "is_bot": 1},
        {"table": "members", "guild_id": lumen_nerds, "user_id": glowworm},
        {"table": "tokens", "holder_id": chris, "bot_id": glowworm},
    ]
    with LocalApp("discord", tmp_path, world="harbor", me="chris.tan", rows=rows) as opened:
        planted = plant(opened, "discord", most=60)
        others = sum(chris not in readers for readers in planted.readers.values())

        leaks, _, seen = sweep(opened, "discord", planted, most=60)
        found, _ = sweep_writes(opened, "discord", planted, most=20)

    assert not leaks | found, "\n".join(sorted(leaks | found)[:20])
    assert others > 50
    assert seen > 5


@pytest.mark.parametrize(("person", "colleague"), [("lin.wan", "DengFei"), ("deng.fei", "LinWan")])
def test_wecom_reads_no_file_of_a_colleagues_machine(person: str, colleague: str, tmp_path: Path) -> None:
    with LocalApp("wecom", tmp_path, world="harbor", me=person) as opened:
        own = opened.episode.db.all("SELECT path FROM files WHERE userid = ? AND size_bytes > 5", opened.episode.me)
        theirs = opened.episode.db.all("SELECT path FROM files WHERE userid = ?", colleague)

        said = [opened.result("upload_file", file_path=row["path"]) for row in theirs]

        assert theirs
        assert all(each["isError"] and "no such file or directory" in each["content"][0]["text"] for each in said)
        assert not opened.result("upload_file", file_path=own[0]["path"]).get("isError")


@pytest.mark.parametrize("app", ["gmail", "lark", "obsidian", "slack", "telegram"])
def test_two_people_of_one_episode_are_answered_as_if_each_were_alone(app: str, tmp_path: Path) -> None:
    """What one has just been shown stands in no memory that the other is answered from."""
    people = ("helen.zhou", "lin.wan")
    with LocalApp(app, tmp_path, world="harbor") as opened:
        contexts = plant(opened, app, most=3).contexts
    quiet = {tool.name for tool in load_app(app).app.tools if not tool.writes}
    tools = [tool for tool in reading_tools(app) if tool["name"] in quiet]
    calls = [(tool["name"], next(calls_for(tool, each), {})) for each in contexts for tool in tools]
    alone = {}
    for person in people:
        with LocalWorld("harbor", [app], me=person) as world:
            alone[person] = [world.result(app, tool, **arguments) for tool, arguments in calls]

    with LocalWorld("harbor", [app], me=people) as world:
        both = [{each: world.as_(each).result(app, tool, **arguments) for each in people} for tool, arguments in calls]

    for person in people:
        assert [each[person] for each in both] == alone[person]
    assert alone["helen.zhou"] != alone["lin.wan"]
