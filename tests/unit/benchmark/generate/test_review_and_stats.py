"""Two reviewers judge drafts by a written list; a suite's figures."""

from __future__ import annotations

import io
import tomllib
from pathlib import Path

import orjson
import pytest

from farm import content
from farm.benchmark.generate.drafts import Draft, read_drafts, write_draft
from farm.benchmark.generate.review import REASONS, agreement, card, reviewed, verdicts_of
from farm.benchmark.generate.stats import suite_stats
from farm.benchmark.generate.wording import apps_named
from farm.benchmark.tasks import load_suite
from farm.cli import main
from farm.errors import FarmError


def _draft(number: int) -> Draft:
    name = f"mine-{number:03d}-tell"
    task = {
        "id": name,
        "instruction": "Tell them.",
        "oracle": [{"calls": [{"app": "a", "tool": "t", "arguments": {}}]}],
    }
    return Draft(name, "audited", {"family": "tell", "tools": ["a.t"]}, task).to("audited", "maker")


def test_kappa_is_that_of_the_textbook() -> None:
    """Of 50 applications, both say yes to 20 and no to 15; one alone says yes to 5 and 10: κ is 0.4."""
    said = (
        [("accept", "accept")] * 20
        + [("reject", "reject")] * 15
        + [("accept", "reject")] * 5
        + [("reject", "accept")] * 10
    )
    drafts = []
    for number, (one, other) in enumerate(said):
        draft = reviewed(_draft(number), "ann", one, "" if one == "accept" else "trivial")
        drafts.append(reviewed(draft, "bo", other, "" if other == "accept" else "nobody"))

    (found,) = agreement(drafts)

    assert found == {"reviewers": ["ann", "bo"], "drafts": 50, "agreement": 0.7, "kappa": 0.4}


@pytest.mark.parametrize(
    ("reviewer", "verdict", "reason", "said"),
    [
        ("ann", "good", "", "no verdict 'good'"),
        ("ann", "reject", "", "'' is no reason"),
        ("ann", "reword", "dull", "'dull' is no reason"),
        ("maker", "accept", "", "a reviewer is somebody else"),
    ],
)
def test_a_review_outside_of_the_list_is_refused(reviewer: str, verdict: str, reason: str, said: str) -> None:
    with pytest.raises(FarmError, match=said):
        reviewed(_draft(1), reviewer, verdict, reason)


def test_cards_are_judged_in_the_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(3):
        write_draft(tmp_path, _draft(number))
    monkeypatch.setattr("sys.stdin", io.StringIO("nonsense\nreject trivial\nskip\naccept\n"))

    said = _farm(capsys, "tasks", "review", "mine", "--as", "ann", "--drafts", str(tmp_path))

    assert "no verdict 'nonsense'" in said
    assert all(reason in said for reason in REASONS)
    assert said.endswith("2 drafts judged\n")
    assert [verdicts_of(each) for each in read_drafts(tmp_path)] == [{"ann": "reject"}, {}, {"ann": "accept"}]
    monkeypatch.setattr("sys.stdin", io.StringIO("accept\naccept\naccept\n"))
    _farm(capsys, "tasks", "review", "mine", "--as", "bo", "--drafts", str(tmp_path))
    shown = orjson.loads(_farm(capsys, "tasks", "review", "mine", "--drafts", str(tmp_path), "--json"))
    assert shown["agreement"][0]["drafts"] == 2
    assert shown["reasons"] == {"trivial": 1}


def test_a_card_tells_who_asks_what_is_judged_and_every_value() -> None:
    raw = tomllib.loads((content.suite_dir("persona") / "chris-terry-in-time.toml").read_text("utf-8"))

    lines = card(Draft(raw["id"], "audited", {"family": "branch"}, raw))

    assert lines[:3] == [
        "chris-terry-in-time (audited, branch)",
        "asked by Chris Tan (chris.tan) in harbor, Monday, 9 March 2026, 09:00",
        raw["instruction"].strip(),
    ]
    judged = [each for each in lines if each.startswith("judged by ") and "{{" not in each.partition(":")[0]]
    assert len(judged) == len(raw["checkpoints"])
    assert lines[-1].startswith("gold answer: He is in time: PW-226 lands Sat 28 Mar, 09:20.")
    assert "{{" not in "".join(each for each in lines if not each.startswith("judged by {{"))


def test_a_card_of_a_task_that_is_not_valid_says_why() -> None:
    assert any(each.startswith("not valid: ") for each in card(_draft(1)))


def test_the_figures_of_a_suite_are_those_of_its_files() -> None:
    suite = load_suite("demo")

    found = suite_stats(suite)

    assert (found["tasks"], found["checkpoints"]) == (
        len(suite.tasks),
        sum(len(each.checkpoints) for each in suite.tasks),
    )
    assert sum(found["by_kind"].values()) == found["checkpoints"]
    # Found by reading in a review of the suite.
    assert found["chains_alike"] == [
        ["cross-myr-distributor", "cross-room-counterpart"],
        ["rednote-embargo-numbers", "rednote-refund-story"],
    ]
    assert found["people"].keys() == {"lin.wan"}


def _farm(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    said = capsys.readouterr()
    assert (ended.value.code or 0) == 0, said.err
    return said.out


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("把我飞书日历里那场挪一下", ["lark"]),
        ("Answer her on Ins.", ["instagram"]),
        ("Look inside the larkspur note.", []),
        ("slack, please, and 小红书", ["slack", "rednote"]),
    ],
)
def test_an_app_is_named_by_what_people_call_it_and_by_no_part_of_another_word(text: str, named: list[str]) -> None:
    assert apps_named(text, ["slack", "lark", "rednote", "instagram"]) == named
