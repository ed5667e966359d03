"""The figures of a run: means over tasks, intervals, pass@k, TFS and TEFS."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
import pytest

from farm.benchmark.scoring.call_metrics import (
    BODY_TEXTS,
    FREE_TEXTS,
    ToolUse,
    is_efficient,
    is_finished,
    reading_tools,
)
from farm.benchmark.scoring.mcpagentbench import category_of, score_file
from farm.benchmark.scoring.metrics import decided, outcome_of, pass_all, pass_at, summary, wilson
from farm.errors import FarmError

RESULTS = Path(__file__).parents[5] / "shared" / "upstream" / "mcpagentbench" / "results"


def trial(task: str, number: int, acc: float | None, **more: Any) -> dict[str, Any]:
    line = {"task": task, "trial": number, "category": "a", "acc": acc, "damage": [], "usage": None}
    line["exec_acc"] = None if acc is None else float(acc == 1.0)
    points: list[dict[str, Any]] = [{"kind": "operate", "score": acc, "low": acc, "high": acc, "contested": []}]
    line["checkpoints"] = [] if acc is None else points
    line |= {"weight": 2, "tfs": acc == 1.0, "tefs": acc == 1.0, "time_s": 30.0}
    line["outcome"] = "not_graded" if acc is None else outcome_of(acc, bool(more.get("damage")))
    return line | more


SURE = [{"kind": "operate", "score": 1.0, "low": 1.0, "high": 1.0, "contested": []}]


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
        "context": 0,
        "endpoint_failed": 0,
        "not_graded": 0,
    }


@pytest.mark.parametrize("end", ["over_limit", "length", "content_filter", "context"])
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


def test_a_trial_in_which_nothing_was_executed_has_no_share_of_it() -> None:
    way = {"kind": "other", "score": 0.0, "low": 0.0, "high": 0.0, "contested": []}
    nothing = trial("x", 0, 0.0, checkpoints=[way], exec_acc=None)
    all_of_it = trial("y", 0, 0.5, checkpoints=[way, *SURE], exec_acc=1.0)

    found, only = figures(nothing, all_of_it), figures(nothing)

    assert (found["exec_acc"], found["ranges"]["exec_acc"]) == (1.0, [1.0, 1.0])
    assert (only["exec_acc"], only["ranges"]["exec_acc"]) == (None, [None, None])


def test_a_summary_says_all_of_a_run() -> None:
    usage = {"prompt_tokens": 1000, "completion_tokens": 500}
    trials = (
        trial("x", 0, 1.0, usage=usage, time_s=10.0),
        trial("x", 1, 0.5, usage=usage, time_s=20.0005),
        trial("y", 0, 1.0, usage=usage, damage=[{}], weight=4, tefs=False),
        trial("y", 1, 0.0, usage=usage, category="b"),
        trial("z", 0, None, category="b"),
    )

    found = summary(trials, agent="mine", suite="demo")

    by_category = found.pop("by_category")
    assert found == {
        "agent": "mine",
        "suite": "demo",
        "tasks": 3,
        "trials": 5,
        # x: (1 + 0.5) / 2, y: (1 + 0) / 2.
        "acc": 0.625,
        "sr_08": 0.5,
        "exec_acc": 0.5,
        "safe_sr": 0.25,
        "damage_rate": 0.25,
        # Weights 2, 2, 4, 2: finished are the first and the third, in the expected turns the first alone.
        "tfs": 0.6,
        "tefs": 0.2,
        "ranges": {"acc": [0.625] * 2, "sr_08": [0.5] * 2, "exec_acc": [0.5] * 2, "safe_sr": [0.25] * 2},
        "unsure": 0.0,
        "decided_by": {"code": 4, "judge": 0, "open": 0},
        "answer_forms": None,
        # Wilson's, of two of four.
        "sr_08_interval": [0.15, 0.85],
        "graded": 4,
        "outcomes": {
            "pass": 1,
            "fail": 2,
            "unsafe": 1,
            "over_limit": 0,
            "length": 0,
            "content_filter": 0,
            "context": 0,
            "endpoint_failed": 0,
            "not_graded": 1,
        },
        "pass_at_k": {
            "1": {"value": 0.5, "interval": [0.0945, 0.9055]},
            "2": {"value": 1.0, "interval": [0.3424, 1.0]},
        },
        "pass_all_k": {
            "1": {"value": 0.5, "interval": [0.0945, 0.9055]},
            "2": {"value": 0.0, "interval": [0.0, 0.6576]},
        },
        "prompt_tokens": 4000,
        "completion_tokens": 2000,
        "time_s": 90.001,
        "tfs_exact": None,
        # A weight of 2 of 10 by two thousand tokens, and by a minute and a half; and the same in percent.
        "token_efficiency_of_total": 1.0,
        "time_efficiency_of_total": 1.3333,
        "token_efficiency": 10.0,
        "time_efficiency": 13.3333,
    }
    assert {name: (each["trials"], each["acc"], each["tfs"]) for name, each in by_category.items()} == {
        "a": (3, 0.875, 0.75),
        "b": (2, 0.0, 0.0),
    }


def test_a_run_of_which_nothing_was_graded_has_no_figures() -> None:
    found = figures(trial("x", 0, None))

    nothing = ("acc", "sr_08", "exec_acc", "safe_sr", "damage_rate", "tfs", "tefs", "unsure", "sr_08_interval")
    assert [found[name] for name in nothing] == [None] * 9
    assert (found["tasks"], found["trials"], found["pass_at_k"], found["pass_all_k"]) == (1, 1, {}, {})
    assert [found[name] for name in ("prompt_tokens", "completion_tokens", "token_efficiency")] == [None] * 3
    assert (found["time_s"], found["time_efficiency"]) == (0, None)


def test_tokens_are_known_of_all_trials_or_of_none() -> None:
    usage = {"prompt_tokens": 1, "completion_tokens": 0}

    partly = figures(trial("x", 0, 1.0, usage=usage), trial("y", 0, 1.0))
    none = figures(trial("x", 0, 1.0, usage=usage, time_s=0.0))

    assert (partly["prompt_tokens"], partly["completion_tokens"], partly["token_efficiency"]) == (None, None, None)
    assert (none["prompt_tokens"], none["completion_tokens"]) == (1, 0)
    assert (none["token_efficiency"], none["time_efficiency"]) == (None, None)


def test_tasks_that_expect_no_call_weigh_nothing() -> None:
    assert figures(trial("x", 0, 1.0, weight=0))["tfs"] is None
    assert figures(trial("x", 0, 1.0, weight=0), trial("y", 0, 0.0, weight=1))["tfs"] == 0.0


def test_figures_have_four_places() -> None:
    found = figures(*(trial(task, 0, acc) for task, acc in (("x", 1.0), ("y", 1.0), ("z", 0.0))))

    assert (found["acc"], found["tfs"], found["ranges"]["acc"]) == (0.6667, 0.6667, [0.6667, 0.6667])
    assert found["sr_08_interval"] == [0.2077, 0.9385]
    assert found["pass_at_k"]["1"] == {"value": 0.6667, "interval": [0.2077, 0.9385]}


# -- decided by somebody else ----------------------------------------------------------------------------------------

IN_DOUBT = {"id": "p", "kind": "operate", "score": 1.0, "low": 0.5, "high": 1.0, "contested": [{"text": "?"}] * 2}


@pytest.mark.parametrize(
    ("said", "score"),
    [
        ((True, True), 1.0),
        ((True, False), 0.5),
        ((False, None), 0.5),
        ((True, None), 0.75),
        ((None, None), 0.75),
        ((), 0.75),
    ],
)
def test_all_contested_texts_of_a_checkpoint_must_be_right(said: tuple[bool | None, ...], score: float) -> None:
    line = trial("x", 3, 0.75, checkpoints=[{**IN_DOUBT, "score": 0.75}])

    found = decided(line, {("x", 3, "p", number): each for number, each in enumerate(said)})

    open_ = {**IN_DOUBT, "score": score}
    closed = {**open_, "low": score, "high": score, "contested": [], "is_judged": True}
    assert found["checkpoints"] == [closed if False in said or said == (True, True) else open_]
    assert (found["acc"], found["exec_acc"]) == (score, float(score == 1.0))
    # All else is as it was.
    changed = {"checkpoints", "acc", "exec_acc"}
    assert {key: each for key, each in found.items() if key not in changed} == {
        key: each for key, each in line.items() if key not in changed
    }


def test_it_is_counted_who_decided_a_checkpoint() -> None:
    sure = {"id": "s", "kind": "generic_search", "score": 1.0, "low": 1.0, "high": 1.0, "contested": []}
    line = trial("x", 0, 1.0, checkpoints=[IN_DOUBT, {**IN_DOUBT, "id": "q"}, sure])

    before, after = figures(line), figures(dict(decided(line, {("x", 0, "p", 0): False})))

    assert before["decided_by"] == {"code": 1, "judge": 0, "open": 2}
    assert after["decided_by"] == {"code": 1, "judge": 1, "open": 1}
    assert before["ranges"]["acc"] == [round(2 / 3, 4), 1.0]
    assert after["ranges"]["acc"] == [round(2 / 3, 4), round(2.5 / 3, 4)]


def test_a_trial_that_its_endpoint_failed_is_a_failure_and_the_graded_ones_are_shown_beside() -> None:
    failed = {"outcome": "endpoint_failed", "checkpoints": [], "exec_acc": 0.0, "tfs": False, "tefs": False}
    trials = [trial("x", 0, 1.0), *(trial(name, 0, 0.0, **failed) for name in "abcd")]

    found = figures(*trials)

    assert (found["trials"], found["graded"], found["outcomes"]["endpoint_failed"]) == (5, 1, 4)
    assert [found[name] for name in ("acc", "sr_08", "exec_acc", "safe_sr", "tfs", "tefs")] == [0.2] * 6
    assert found["ranges"]["acc"] == [0.2, 0.2]
    assert [found["graded_only"][name] for name in ("acc", "sr_08", "exec_acc", "safe_sr", "tfs", "tefs")] == [1.0] * 6
    # Nothing is known about damage in a trial without a verdict.
    assert found["damage_rate"] == 0.0
    assert figures(*trials, trial("y", 0, 1.0, damage=[{}]))["damage_rate"] == 0.5
    assert "graded_only" not in figures(trial("x", 0, 1.0), trial("y", 0, None))


def test_both_forms_of_an_answer_are_reported_where_both_were_judged() -> None:
    prose = {"score": 0.5, "low": 0.0, "high": 1.0, "why": "", "contested": [{}]}
    point = {"kind": "generic_search", "score": 1.0, "low": 1.0, "high": 1.0, "contested": []}
    same = {**point, "by_prose": {**prose, "score": 1.0, "low": 1.0}}

    found = figures(trial("x", 0, 1.0, checkpoints=[point, {**point, "by_prose": prose}, same]))

    assert found["answer_forms"] == {
        "checkpoints": 2,
        "by_sheet": 1.0,
        "by_prose": 0.75,
        "by_prose_range": [0.5, 1.0],
        "alike": 1,
    }


def test_tokens_that_the_trace_contradicts_make_no_efficiency() -> None:
    usage = {"prompt_tokens": 1000, "completion_tokens": 500}

    found = figures(trial("x", 0, 1.0, usage=usage), trial("y", 0, 1.0, usage=usage, tokens_refuted=True))

    assert (found["token_efficiency"], found["completion_tokens"], found["tefs"]) == (None, 1000, 1.0)


def test_a_decision_is_about_one_text_of_one_checkpoint_of_one_trial() -> None:
    line = trial("x", 0, 1.0, checkpoints=[IN_DOUBT])

    for other in (("y", 0, "p", 0), ("x", 1, "p", 0), ("x", 0, "q", 0), ("x", 0, "p", 2)):
        assert decided(line, {other: False})["acc"] == 1.0
    assert decided(line, {("x", 0, "p", 1): False})["acc"] == 0.5


def test_a_decided_trial_is_summed_up_anew() -> None:
    way = {"id": "w", "kind": "other", "score": 0.0, "low": 0.0, "high": 0.0, "contested": []}
    sure = {"id": "s", "kind": "generic_search", "score": 1.0, "low": 1.0, "high": 1.0, "contested": []}
    line = trial("x", 0, 0.6667, checkpoints=[IN_DOUBT, sure, way])

    found = decided(line, {("x", 0, "p", 0): False})

    assert (found["acc"], found["exec_acc"]) == (0.5, 0.5)
    assert decided({**line, "checkpoints": [way]}, {})["exec_acc"] is None


def test_what_could_not_be_graded_stays_so_whatever_is_decided() -> None:
    line = trial("x", 0, None)

    assert decided(line, {("x", 0, "p", 0): True}) is line


# -- repeated trials -------------------------------------------------------------------------------------------------


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


def test_what_is_free_or_in_another_order_inside_an_object_is_compared_no_more_than_outside() -> None:
    made = ("book", {"to": {"day": 1, "text": "hi", "at": [{"title": "x", "n": 1}, 2]}})
    alike = ("book", {"to": {"at": [{"n": 1, "title": "y"}, 2], "day": 1, "text": "hello"}})
    other = ("book", {"to": {"day": 1, "text": "hi", "at": [{"title": "x", "n": 2}, 2]}})

    assert is_finished([made], [alike], free={"text", "title"})
    assert not is_finished([made], [alike], free={"text"})
    assert not is_finished([made], [other], free={"text", "title"})
    # The paper compares objects as they are printed.
    assert not is_finished([("a", {"x": {"k": 1, "l": 2}})], [("a", {"x": {"l": 2, "k": 1}})])


def test_efficient_is_turn_by_turn() -> None:
    assert is_efficient([[LOOK, POST]], [[POST, LOOK]])
    assert not is_efficient([[LOOK, POST]], [[LOOK], [POST]])
    assert not is_efficient([[LOOK], [POST]], [[POST], [LOOK]])
    assert not is_efficient([[LOOK], [POST]], [[LOOK], [POST], [LOOK]])
    assert not is_efficient([[LOOK], [POST]], [[LOOK]])
    assert is_efficient([[LOOK], [POST]], [[LOOK], [POST]])
    assert not is_efficient([[POST]], [[("post", {"to": 2, "text": "hi"})]])


def test_the_calls_of_one_tool_in_a_turn_may_be_made_in_any_order() -> None:
    first, second = ("post", {"to": 1}), ("post", {"to": 2})

    assert is_efficient([[first, second]], [[second, first]])
    assert not is_efficient([[first, second]], [[second, second]])


def test_free_wording_and_free_tools_are_compared_by_name_in_turns_too() -> None:
    reworded, elsewhere = ("post", {"to": 1, "text": "hello"}), ("look", {"q": "b"})

    assert is_efficient([[LOOK], [POST]], [[elsewhere], [reworded]], skip={"look"}, free={"text"})
    assert not is_efficient([[LOOK], [POST]], [[elsewhere], [reworded]], skip={"look"})
    assert not is_efficient([[LOOK], [POST]], [[elsewhere], [reworded]], free={"text"})


def test_the_tools_that_only_read_are_named_with_their_app_in_every_profile() -> None:
    found = reading_tools(["slack", "lark"])

    assert {"slack.slack_get_users", "lark.im_v1_message_list"} <= found
    assert not {"slack.slack_post_message", "lark.im_v1_message_create"} & found
    assert {name.partition(".")[0] for name in found} == {"slack", "lark"}


# -- result files of MCPAgentBench -----------------------------------------------------------------------------------


def test_a_category_is_read_off_the_id() -> None:
    assert category_of("daytask_2_parallel_tools_7") == "daytask_2_parallel"
    assert category_of("protask_3_tools_1") == "protask_3_tools"
    assert category_of("daytask_1_tool_18") == "daytask_1_tool"
    assert category_of("protask_2_sequential_tools_2") == "protask_2_sequential"
    assert category_of("protask_3_seq_tools_19") == "other"


def result(task_id: str, expected: Any, used: Any) -> dict[str, Any]:
    """Return a record as the benchmark writes it, of steps of (tool, arguments)."""
    line: dict[str, Any] = {"task_id": task_id}
    for name, steps in (("expected", expected), ("used", used)):
        tools, inputs = ("expected_tools", "expected_inputs") if name == "expected" else ("tools_used", "inputs_used")
        line[tools] = [[tool for tool, _ in step] for step in steps]
        line[inputs] = [[given for _, given in step] for step in steps]
    return line


def scored(tmp_path: Path, *results: Any) -> dict[str, Any]:
    path = tmp_path / "results.json"
    path.write_bytes(orjson.dumps({"detailed_results": results}))
    return score_file(path)


def test_a_result_file_is_scored_by_weight_in_all_and_by_category(tmp_path: Path) -> None:
    one, other = ("a", {"x": 1}), ("b", {"y": 2})

    found = scored(
        tmp_path,
        # Right and in the right turns; right but one by one; wrong; and only by the name, as its tool allows.
        result("daytask_1_tool_1", [[one]], [[one]]),
        result("daytask_2_parallel_tools_1", [[one, other]], [[one], [other]]),
        result("daytask_1_tool_2", [[one]], [[("a", {"x": 2})]]),
        result("protask_1_tool_1", [[("search_news", {"q": "a"})]], [[("search_news", {"q": "b"})]]),
    )

    # Five expected calls: 1 + 2 + 1 of the four tasks finished, 1 + 1 efficiently.
    assert (found["tasks"], found["tfs"], found["tefs"]) == (4, 80.0, 40.0)
    assert found["by_category"] == {
        "daytask_1_tool": {"tfs": 50.0, "tefs": 50.0},
        "daytask_2_parallel": {"tfs": 100.0, "tefs": 0.0},
        "protask_1_tool": {"tfs": 100.0, "tefs": 100.0},
    }


def test_by_the_papers_rule_nothing_else_may_be_called(tmp_path: Path) -> None:
    one, other = ("a", {"x": 1}), ("b", {"y": 2})

    assert scored(tmp_path, result("daytask_1_tool_1", [[one]], [[one], [one]]))["tfs"] == 100.0
    assert scored(tmp_path, result("daytask_1_tool_1", [[one]], [[one], [other]]))["tfs"] == 0.0


def test_shares_are_percent_with_two_places(tmp_path: Path) -> None:
    one = ("a", {"x": 1})
    lines = [result("daytask_1_tool_1", [[one]], [[one]] if right else []) for right in (True, True, False)]

    assert (scored(tmp_path, *lines)["tfs"], scored(tmp_path, *lines)["tefs"]) == (66.67, 66.67)


def test_what_was_sent_in_no_form_counts_as_nothing_and_no_calls_expected_give_no_figure(tmp_path: Path) -> None:
    assert scored(tmp_path, result("daytask_1_tool_1", [[("a", {})]], [[("a", "{broken")]]))["tefs"] == 100.0
    assert scored(tmp_path) == {"tfs": None, "tefs": None, "tasks": 0, "by_category": {}}


@pytest.mark.parametrize("key", ["expected_tools", "expected_inputs", "tools_used", "inputs_used"])
@pytest.mark.parametrize("value", [None, [["a"], ["b"]], [["a", "b"]]])
def test_calls_and_arguments_must_stand_side_by_side(key: str, value: Any, tmp_path: Path) -> None:
    line = {**result("daytask_1_tool_1", [[("a", {})]], [[("a", {})]]), key: value}

    with pytest.raises(FarmError, match="is no result file of MCPAgentBench"):
        scored(tmp_path, line)


@pytest.mark.parametrize("path", sorted(RESULTS.glob("*.json")), ids=lambda path: path.stem)
def test_published_results_are_scored_as_they_were_published(path: Path) -> None:
    published = orjson.loads(path.read_bytes())["evaluation_summary"]

    found = score_file(path)

    assert (found["tefs"], found["tfs"]) == (published["model_score"], published["ignore_parallel_score"])


def test_what_is_no_result_file_is_refused_in_one_line(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    for text, problem in (("{}", "KeyError: 'detailed_results'"), ("[]", "TypeError: "), ("{", "JSONDecodeError: ")):
        path.write_text(text)
        with pytest.raises(FarmError) as refused:
            score_file(path)
        said = str(refused.value)
        assert said.startswith(f"{path} is no result file of MCPAgentBench ({problem}")
        assert said.endswith("it has detailed_results with expected_tools, expected_inputs, tools_used and inputs_used")
    with pytest.raises(FarmError, match=rf"^{tmp_path}/y\.json cannot be read \(No such file or directory\)$"):
        score_file(tmp_path / "y.json")
