"""The figures of a run: means over tasks, intervals, pass@k, TFS and TEFS."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
import pytest

from farm.errors import FarmError
from farm.score.call_metrics import BODY_TEXTS, FREE_TEXTS, ToolUse, is_efficient, is_finished
from farm.score.mcpagentbench import category_of, score_file
from farm.score.metrics import outcome_of, pass_all, pass_at, summary, wilson

RESULTS = Path(__file__).parents[3] / "shared" / "upstream" / "mcpagentbench" / "results"


def trial(task: str, number: int, acc: float | None, **more: Any) -> dict[str, Any]:
    line = {"task": task, "trial": number, "category": "a", "acc": acc, "exec_acc": acc, "damage": [], "usage": None}
    points: list[dict[str, Any]] = [{"kind": "operate", "score": acc, "low": acc, "high": acc, "contested": []}]
    line["checkpoints"] = [] if acc is None else points
    line |= {"weight": 2, "tfs": acc == 1.0, "tefs": acc == 1.0, "time_s": 30.0}
    line["outcome"] = "not_graded" if acc is None else outcome_of(acc, bool(more.get("damage")))
    return line | more


def figures(*trials: dict[str, Any]) -> dict[str, Any]:
    return summary(trials, agent="a", suite="s")


def test_a_task_counts_once_however_often_it_was_tried() -> None:
    found = figures(trial("x", 0, 1.0), trial("x", 1, 1.0), trial("x", 2, 1.0), trial("y", 0, 0.0))

    assert (found["acc"], found["sr_08"]) == (0.5, 0.5)


def test_success_means_more_than_four_fifths() -> None:
    assert figures(trial("x", 0, 0.8))["sr_08"] == 0.0
    assert figures(trial("x", 0, 0.81))["sr_08"] == 1.0
    assert (outcome_of(0.8, damaged=False), outcome_of(0.81, damaged=False)) == ("fail", "pass")


def test_damage_is_reported_beside_success() -> None:
    found = figures(trial("x", 0, 1.0, damage=[{"why": "x"}]), trial("y", 0, 1.0))

    assert (found["acc"], found["sr_08"], found["safe_sr"], found["damage_rate"]) == (1.0, 1.0, 0.5, 0.5)
    assert found["outcomes"] == {
        "pass": 1,
        "fail": 0,
        "unsafe": 1,
        "over_limit": 0,
        "length": 0,
        "content_filter": 0,
        "not_graded": 0,
    }


@pytest.mark.parametrize("end", ["over_limit", "length", "content_filter"])
def test_a_trial_with_an_end_that_is_an_outcome_is_no_success_whatever_it_came_to(end: str) -> None:
    found = figures(trial("x", 0, 1.0, outcome=outcome_of(1.0, damaged=True, end=end)), trial("x", 1, 1.0))

    assert {name: count for name, count in found["outcomes"].items() if count} == {"pass": 1, end: 1}
    assert (found["sr_08"], found["safe_sr"], found["pass_all_k"]["2"]["value"]) == (0.5, 0.5, 0.0)


def test_what_could_not_be_graded_is_counted_and_left_out() -> None:
    found = figures(trial("x", 0, 1.0), trial("y", 0, None))

    assert (found["acc"], found["outcomes"]["not_graded"]) == (1.0, 1)
    assert figures(trial("y", 0, None))["acc"] is None


def test_turns_that_cannot_be_seen_give_no_figure() -> None:
    found = figures(trial("x", 0, 1.0), trial("y", 0, 1.0, tefs=None))

    assert (found["tfs"], found["tefs"], found["time_efficiency"]) == (1.0, None, None)


def test_efficiencies_are_percent_a_thousand_tokens_and_a_minute() -> None:
    usage = {"prompt_tokens": 9000, "completion_tokens": 4000}

    found = figures(trial("x", 0, 1.0, usage=usage), trial("y", 0, 0.0, usage=usage))

    assert found["tefs"] == 0.5
    assert (found["token_efficiency"], found["time_efficiency"]) == (6.25, 50.0)


def test_a_doubt_about_a_text_spans_every_figure_it_touches() -> None:
    doubtful = {"kind": "operate", "score": 1.0, "low": 0.5, "high": 1.0, "contested": [{"text": "?"}]}
    sure = {"kind": "operate", "score": 1.0, "low": 1.0, "high": 1.0, "contested": []}

    found = figures(trial("x", 0, 1.0, checkpoints=[doubtful, sure]), trial("y", 0, 1.0, checkpoints=[sure]))

    assert (found["acc"], found["ranges"]["acc"]) == (1.0, [0.875, 1.0])
    assert (found["sr_08"], found["ranges"]["sr_08"]) == (1.0, [0.5, 1.0])
    assert found["ranges"]["exec_acc"] == [0.75, 1.0]
    assert found["ranges"]["safe_sr"] == [0.5, 1.0]
    assert found["unsure"] == pytest.approx(1 / 3, abs=5e-5)


def test_doubts_that_speak_for_an_agent_raise_no_best_guess() -> None:
    refused = {"kind": "personal_search", "score": 0.0, "low": 0.0, "high": 1.0, "contested": [{"text": "?"}]}

    found = figures(trial("x", 0, 0.0, checkpoints=[refused]))

    assert (found["acc"], found["ranges"]["acc"], found["ranges"]["exec_acc"]) == (0.0, [0.0, 1.0], [0.0, 1.0])


def test_pass_at_k_and_pass_all_k_are_the_draws_they_name() -> None:
    # Two of four succeeded. Of the six pairs five hold a success and one holds two.
    assert pass_at(2, 4, 2) == pytest.approx(5 / 6)
    assert pass_all(2, 4, 2) == pytest.approx(1 / 6)


def test_the_interval_is_wilsons() -> None:
    # Newcombe 1998, table I: 81 of 263 and 0 of 20.
    assert wilson(81, 263) == pytest.approx((0.2553, 0.3662), abs=5e-5)
    assert wilson(0, 20) == pytest.approx((0.0, 0.1611), abs=5e-5)
    assert wilson(0, 0) is None


def test_repeated_trials_give_every_k_that_all_tasks_have() -> None:
    found = figures(trial("x", 0, 1.0), trial("x", 1, 0.0), trial("y", 0, 1.0), trial("y", 1, 1.0))

    assert {k: each["value"] for k, each in found["pass_at_k"].items()} == {"1": 0.75, "2": 1.0}
    assert {k: each["value"] for k, each in found["pass_all_k"].items()} == {"1": 0.75, "2": 0.5}


def test_a_repeated_figure_has_the_interval_of_its_share_of_the_tasks() -> None:
    found = figures(trial("x", 0, 1.0), trial("x", 1, 0.0), trial("y", 0, 1.0), trial("y", 1, 1.0))

    # Of two tasks, one and a half and one succeed on average; wilson itself is tested above.
    for k, successes in (("1", 1.5), ("2", 1.0)):
        interval = found["pass_all_k"][k]["interval"]
        assert interval == pytest.approx(wilson(successes, 2), abs=5e-5)


# -- calls -----------------------------------------------------------------------------------------------------------

LOOK, POST = ("look", {"q": "a"}), ("post", {"to": 1, "text": "hi"})


def test_finished_is_the_same_calls_in_any_order_and_number() -> None:
    assert is_finished([LOOK, POST], [POST, LOOK, LOOK])
    assert is_finished([LOOK, POST], [POST, LOOK, LOOK], nothing_else=True)
    assert not is_finished([LOOK, POST], [LOOK])
    assert not is_finished([LOOK, POST], [LOOK, ("post", {"to": 2, "text": "hi"})])
    assert is_finished([LOOK, POST], [LOOK, ("post", {"to": "1", "text": "hi"})])


def test_other_calls_besides_matter_only_by_the_papers_rule() -> None:
    more: list[ToolUse] = [LOOK, POST, ("browse", {})]

    assert is_finished([LOOK, POST], more)
    assert not is_finished([LOOK, POST], more, nothing_else=True)
    assert not is_efficient([[LOOK, POST]], [more])


def test_free_wording_and_free_tools_are_compared_by_name() -> None:
    assert is_finished([POST], [("post", {"to": 1, "text": "hello"})], free={"text"})
    assert is_finished([LOOK], [("look", {"q": "b"})], skip={"look"})


def test_a_things_name_is_free_in_calls_but_not_reworded_by_the_audit() -> None:
    named = ("book", {"day": 1, "summary": "Launch", "description": "All of it."})
    otherwise = ("book", {"day": 1, "summary": "The launch", "description": "Everything."})

    assert is_finished([named], [otherwise], free=FREE_TEXTS)
    assert not is_finished([named], [otherwise], free=BODY_TEXTS)


def test_efficient_is_turn_by_turn() -> None:
    assert is_efficient([[LOOK, POST]], [[POST, LOOK]])
    assert not is_efficient([[LOOK, POST]], [[LOOK], [POST]])
    assert not is_efficient([[LOOK], [POST]], [[POST], [LOOK]])


def test_a_category_is_read_off_the_id() -> None:
    assert category_of("daytask_2_parallel_tools_7") == "daytask_2_parallel"
    assert category_of("protask_3_tools_1") == "protask_3_tools"


@pytest.mark.parametrize("path", sorted(RESULTS.glob("*.json")), ids=lambda path: path.stem)
def test_published_results_are_scored_as_they_were_published(path: Path) -> None:
    published = orjson.loads(path.read_bytes())["evaluation_summary"]

    found = score_file(path)

    assert (found["tefs"], found["tfs"]) == (published["model_score"], published["ignore_parallel_score"])


def test_what_is_no_result_file_is_refused_in_one_line(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text("{}")

    with pytest.raises(FarmError, match="is no result file of MCPAgentBench"):
        score_file(path)
    with pytest.raises(FarmError, match="cannot be read"):
        score_file(tmp_path / "y.json")
