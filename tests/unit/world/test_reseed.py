"""A world drawn anew: other values of the same shape, sums that hold, rows and tasks that tell the new ones."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from farm.appkit.world_spec.facts import Fact, FactError, Ledger, Version
from farm.context.template import load_ledger, load_world
from farm.context.world_people import check_rules, world_rules
from farm.errors import FarmError
from farm.world import new_world, reseed
from farm.world.redraw import redraw


def amount(key: str, value: int | str, **more: object) -> Fact:
    return Fact(key, "amount", value, unit="CNY", **more)  # type: ignore[arg-type]


def values(facts: list[Fact]) -> dict[str, object]:
    return {fact.key: fact.value for fact in Ledger(facts).values()}


PAPER = (
    amount("paper.total", 32000, former=(Version("quote", 35000),)),
    amount("paper.deposit", 9600),
    amount("paper.rest", "= paper.total - paper.deposit", distinct=("paper.deposit",)),
    Fact("case.number", "id", "HL-88213"),
    Fact("fair.town", "place", "泉州", draw=("漳州", {"value": "厦门", "forms": {"en": "Xiamen"}})),
    Fact("fair.opens", "moment", "+5 10:00"),
)


@pytest.mark.parametrize("seed", range(20))
def test_drawn_values_have_their_shapes_and_derived_ones_still_add_up(seed: int) -> None:
    drawn = values(redraw(PAPER, seed))

    total, deposit, rest = (drawn[f"paper.{name}"] for name in ("total", "deposit", "rest"))
    assert isinstance(total, int)
    assert isinstance(deposit, int)
    assert isinstance(rest, int)
    assert total != 32000
    assert 10_000 <= total < 100_000
    assert total % 1000 == 0
    assert deposit != 9600
    assert deposit % 100 == 0
    assert rest == total - deposit != deposit
    assert str(drawn["case.number"]).startswith("HL-")
    assert len(str(drawn["case.number"])) == 8
    assert drawn["case.number"] != "HL-88213"
    assert drawn["fair.town"] in ("漳州", "厦门")
    assert drawn["fair.opens"] == "+5 10:00"  # nothing says to which other days it may move


def test_former_values_keep_their_order_beside_the_present_one() -> None:
    for seed in range(30):
        total = redraw(PAPER, seed)[0]

        assert isinstance(total.value, int)
        assert total.former[0].value > total.value  # type: ignore[operator]


def test_the_same_seed_draws_the_same_and_another_seed_something_else() -> None:
    assert values(redraw(PAPER, 3)) == values(redraw(PAPER, 3))
    assert values(redraw(PAPER, 3)) != values(redraw(PAPER, 4))


def test_an_id_that_something_else_has_is_not_drawn() -> None:
    taken = {f"T-{number}" for number in range(10, 80)}

    drawn = {redraw((Fact("case.id", "id", "T-42"),), seed, taken)[0].value for seed in range(20)}

    assert len(drawn) > 1
    assert taken.isdisjoint(drawn)


def test_an_id_without_another_is_one_line_with_its_entry() -> None:
    with pytest.raises(
        FactError, match=r"^facts/a.toml: 'ship.id': no other id like 'HL' is free; declare 'fixed = true'$"
    ):
        redraw((Fact("ship.id", "id", "HL", place="facts/a.toml: 'ship.id'"),), 1)


def test_a_condition_that_no_draw_meets_is_one_line() -> None:
    facts = (
        Fact("setup.at", "day", "+3", draw=("+9", "+10")),
        Fact("fair.at", "day", "+5", order=("setup.at < fair.at",), place="facts/fair.toml: 'fair.at'"),
    )

    with pytest.raises(FactError, match=r"^facts/fair.toml: 'fair.at': not setup.at < fair.at: .*fixed = true'$"):
        redraw(facts, 1)


def test_a_percentage_of_zero_is_drawn_like_any_other() -> None:
    assert isinstance(redraw((Fact("share.none", "percent", 0),), 1)[0].value, int)


def test_a_value_with_forms_and_without_candidates_is_kept() -> None:
    assert redraw((Fact("rank.first", "number", 7, forms={"word": "seventh"}),), 1)[0].value == 7


@pytest.mark.parametrize("seed", range(20))
def test_a_percentage_below_zero_stays_a_percentage_below_zero(seed: int) -> None:
    drawn = redraw((Fact("sales.change", "percent", -70.5),), seed)[0].value

    assert isinstance(drawn, float)
    assert -100 < drawn < 0


def test_an_edition_has_its_own_name_rows_and_tasks(tmp_path: Path) -> None:
    made = reseed("harbor", 5, tmp_path)

    folder = tmp_path / "contexts" / "worlds" / made.world
    price = next(fact for fact in Ledger.load([folder]).values() if fact.key == "launch.price").value
    assert made.world == "harbor-5"
    assert made.drawn > 0
    assert tomllib.loads((folder / "world.toml").read_text("utf-8"))["seed"] == 5
    assert price != 899
    assert "S2 launches on" in (folder / "lark.jsonl").read_text("utf-8")
    assert f"¥{price} / S$" in (folder / "lark.jsonl").read_text("utf-8")
    assert "demo-5" in made.suites
    assert 'world = "harbor-5"' in (tmp_path / "tasks" / "demo-5" / "cross-price-guess.toml").read_text("utf-8")
    # What is true in the world it was drawn from would give the answers away.
    assert not list(folder.rglob("BIBLE.md"))


def test_the_people_of_an_edition_answer_with_its_values(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reseed("mini", 5, tmp_path)
    monkeypatch.setenv("FARM_CONTENT", str(tmp_path))
    edition = load_world("mini-5")

    [answer] = [each for each in world_rules(edition, 0, ["slack"]) if each["id"] == "ben-chairs"]
    count = load_ledger(edition.folders)["chairs.count"].value
    assert count != 24
    assert answer["then"][0]["text"] == f"{count}. Ask Gus when they come."
    assert [*check_rules(edition)] == []


def test_a_task_asks_for_the_ids_that_the_rows_of_the_edition_have(tmp_path: Path) -> None:
    reseed("harbor", 5, tmp_path)

    rows = (tmp_path / "contexts" / "worlds" / "harbor-5" / "discord.jsonl").read_text("utf-8")
    for name in ("discord-birthday-room", "cross-discord-rollout"):
        ids = re.findall(r"\d{15,20}", (tmp_path / "tasks" / "demo-5" / f"{name}.toml").read_text("utf-8"))
        assert ids
        assert all(f'"{each}"' in rows for each in ids)


def test_an_edition_that_exists_is_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / "contexts" / "worlds" / "harbor-5").mkdir(parents=True)

    with pytest.raises(FarmError, match="exists; name another folder, or another --name"):
        reseed("harbor", 5, tmp_path)


@pytest.mark.parametrize(
    ("named", "line"),
    [
        ("harbor", "there is a world 'harbor'; choose another name"),
        ("../../x", "'../../x' is no name of a world; write 1 to 64 of a-z"),
        ('a"b', "'a\"b' is no name of a world"),
        ("..", ""),
    ],
)
def test_an_edition_with_a_name_that_it_cannot_have_is_refused(tmp_path: Path, named: str, line: str) -> None:
    out = tmp_path / "mine"

    with pytest.raises(FarmError) as refused:
        reseed("harbor", 5, out, named)

    assert str(refused.value).startswith(line)
    assert not [*tmp_path.iterdir()]


def test_a_suite_that_exists_is_not_overwritten_and_nothing_is_written(tmp_path: Path) -> None:
    mine = tmp_path / "tasks" / "demo-spring" / "mine.toml"
    mine.parent.mkdir(parents=True)
    mine.write_text("mine", "utf-8")

    with pytest.raises(FarmError, match="demo-spring exists; name another folder, or another --name"):
        reseed("harbor", 5, tmp_path, "spring")

    assert [path for path in tmp_path.rglob("*") if path.is_file()] == [mine]


def test_an_edition_that_cannot_be_generated_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A drawn duration of 90 minutes has no whole hours, in which a text of the edition tells it.
    root, out = tmp_path / "content", tmp_path / "mine"
    world = root / "contexts" / "worlds" / "pier"
    (root / "contexts").mkdir(parents=True)
    monkeypatch.setenv("FARM_CONTENT", str(root))
    new_world("pier", ["slack"], 3, root)
    (world / "facts" / "story.toml").write_text(
        '[[facts]]\nkey = "tour.lasts"\nkind = "span"\nvalue = "2 h"\ndraw = ["90 min"]\n', "utf-8"
    )
    (world / "spec" / "slack" / "talk").mkdir(exist_ok=True)
    text = "## #general\n- -1 09:12 ada: It lasts {{fact:tour.lasts hours_en}}.\n"
    (world / "spec" / "slack" / "talk" / "example.md").write_text(text, "utf-8")

    with pytest.raises(FarmError, match=r"^slack/talk/example.md:2: '90 min' is no whole number of hours$"):
        reseed("pier", 5, out)

    assert not [path for path in out.rglob("*") if path.is_file()]


def test_a_world_whose_ledger_is_invalid_has_no_edition(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root, out = tmp_path / "content", tmp_path / "mine"
    (root / "contexts").mkdir(parents=True)
    monkeypatch.setenv("FARM_CONTENT", str(root))
    story = new_world("pier", ["slack"], 3, root) / "facts" / "story.toml"
    story.write_text('[[facts]]\nkey = "tour.lasts"\nkind = "span"\nvalue = "long"\n', "utf-8")

    with pytest.raises(FactError, match=r"^facts/story.toml: 'tour.lasts': 'long' is no span"):
        reseed("pier", 5, out)

    assert not out.exists()


SEATS = (
    Fact("hall.seats", "number", 180),
    Fact("tickets.sold", "number", 168),
    Fact("tickets.spare", "number", "= hall.seats - tickets.sold", place="facts/a.toml: 'tickets.spare'"),
)


@pytest.mark.parametrize("seed", range(30))
def test_a_calculated_count_is_never_drawn_below_zero(seed: int) -> None:
    spare = values(redraw(SEATS, seed))["tickets.spare"]

    assert isinstance(spare, int)
    assert spare >= 0


def test_a_calculated_count_below_zero_is_refused_with_its_formula() -> None:
    with pytest.raises(
        FactError, match=r"'tickets.spare': '= hall.seats - tickets.sold' is -819, and no number is neg"
    ):
        Ledger((SEATS[0], Fact("tickets.sold", "number", 999), SEATS[2]))
