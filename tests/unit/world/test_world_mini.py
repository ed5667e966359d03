"""The world that is made for tests: small, and as its page says."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from farm import content
from farm.benchmark.scoring.initial_state import load_start
from farm.benchmark.scoring.people_listing import list_people
from farm.context.template import load_world
from farm.testing import LocalWorld
from farm.world.facts import check_facts
from farm.world.spec import Spec

SIZE_BYTES_MAX = 200_000


def test_it_is_small_and_in_every_app() -> None:
    files = [path for path in content.world_dir("mini").rglob("*") if path.is_file()]

    assert sum(path.stat().st_size for path in files) < SIZE_BYTES_MAX
    # Apps without accounts keep nothing of anybody's and may do without rows.
    with_accounts = {app for app in content.app_names() if content.load_app(app).schema.account is not None}
    assert with_accounts <= {*load_world("mini").apps}


def test_its_page_says_what_every_app_with_rows_holds() -> None:
    page = (content.world_dir("mini") / "spec" / "STORY.md").read_text("utf-8").casefold()

    titles = [content.load_app(app).app.title for app in load_world("mini").apps]
    assert [title for title in titles if title.casefold() not in page] == []


def test_the_notes_and_pages_that_its_page_names_are_there() -> None:
    with LocalWorld("mini", ["notion", "obsidian"]) as world:
        found = {each["title"] for each in world.call("notion", "notion_find", query="")["results"]}
        note = world.call("obsidian", "obsidian_get_file_contents", filepath="Dock Road.md")
        today = world.call("obsidian", "obsidian_get_periodic_note", period="daily")

    assert found == {"Bakery", "Dock Road", "Recipes", "Plum tart", "Rye loaf", "Almond bun"}
    assert "Twenty-four" in note
    assert "- [ ] flour" in today


def test_prompts_and_accounts_tell_facts_as_texts_do() -> None:
    world = load_world("mini")

    assert "Move my 3pm with Ben to tomorrow at the same time." in [each["text"] for each in world.prompts]
    assert "{{" not in f"{world.prompts}{world.people}"


def test_every_value_in_its_texts_is_a_fact_or_declared_as_noise() -> None:
    report = check_facts(Spec.load("mini"))

    assert report.findings == []
    assert not report.noise
    assert report.marks <= 15 * report.texts / 100


def test_it_has_twelve_people_from_a_to_l() -> None:
    people = list_people(load_start("mini"))

    assert [each["person"][0] for each in people] == list("abcdefghijkl")
    assert [each["person"] for each in people if each["is_protagonist"]] == ["ada"]
    assert all({"lark", "slack"} <= each["accounts"].keys() for each in people)


def test_the_meeting_at_three_can_move_to_tomorrow() -> None:
    with LocalWorld("mini", ["lark"]) as world:
        three = datetime(2026, 6, 1, 15, tzinfo=UTC)
        calendar = world.call("lark", "calendar_v4_calendar_primary")["calendars"][0]
        people = {each["person"]: each["accounts"]["lark"] for each in world.people}

        def busy(day: datetime) -> list[int]:
            found = []
            for who in ("ada", "ben"):
                answer = world.call(
                    "lark",
                    "calendar_v4_freebusy_list",
                    data={
                        "time_min": day.isoformat(),
                        "time_max": (day + timedelta(minutes=30)).isoformat(),
                        "user_id": people[who],
                    },
                    params={"user_id_type": "open_id"},
                )
                found.append(len(answer.get("freebusy_list", [])))
            return found

        assert [row["summary"] for row in world.rows("lark", "events")].count("1:1") == 1
        assert calendar["user_id"] == people["ada"]
        assert busy(three) == [1, 1]
        assert busy(three + timedelta(days=1)) == [0, 0]
