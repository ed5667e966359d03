"""Why a trial missed its task: each reason from a trial that has it, with the line that shows it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from farm.benchmark.agents.base import Ended, Result
from farm.benchmark.agents.scripted import rendered, run_script
from farm.benchmark.audit.attacks import AttackScript, wrong_sheets, wrong_ways
from farm.benchmark.failures.reasons import Reason
from farm.benchmark.failures.report import MissedTrial, counts, missed_trials
from farm.benchmark.runner.local_host import LocalHost
from farm.benchmark.runner.play import Play
from farm.benchmark.tasks import OracleCall, Steps, Task
from tests.suites import parsed_suite
from tests.unit._score import START

DEMO = parsed_suite("demo")
TOLD = DEMO.task("cross-venue-fee")  # read in Lark, told to one of two Yues on Slack


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalHost]:
    held = LocalHost(tmp_path_factory.mktemp("data"), interrupts=False)
    yield held
    held.close()


Reasons = Callable[..., dict[str, tuple[str, ...]]]


@pytest.fixture
def why(host: LocalHost) -> Reasons:
    """Return what plays a script, and says why it missed: reason → what shows it."""

    def play(task: Task, steps: Steps, answer: str = "", *, ended: Ended = "answered", **more: Any) -> Any:
        asked = more.pop("asked", "prose")
        overrides = more.pop("overrides", None)
        with Play(task, host=host, answers=asked, **more) as held:
            turns = run_script(steps, held.session, task.world, overrides)
            line = held.finish_result(Result(rendered(answer, task.world), ended, tuple(turns)))
        (found,) = [*missed_trials([line], DEMO, "latest")] or [MissedTrial(task.id, 0, "pass", ())]
        return {reason.kind: reason.evidence for reason in found.reasons}

    return play


def script(task: Task, kind: str, why: str = "") -> AttackScript:
    """Return the audit's script of a kind."""
    ways = [*wrong_ways(task), *wrong_sheets(task)]
    return next(each for each in ways if each.kind == kind and why in each.why)


def test_a_trial_that_did_its_task_has_no_reason(why: Reasons) -> None:
    assert why(TOLD, TOLD.oracle, TOLD.oracle_answer) == {}


def test_the_other_person_of_a_name_is_a_wrong_person(why: Reasons) -> None:
    other = script(TOLD, "near-miss", "the other Yue")

    found = why(TOLD, other.steps, other.answer, overrides=other.overrides)

    assert found["wrong person"][0].endswith("slack.slack_post_message: channel_id is wang.yue, not zhao.yue")
    assert "wrong target" not in found


def test_another_thread_is_a_wrong_target(why: Reasons) -> None:
    task = DEMO.task("cross-pen-fridge")
    other = script(task, "near-miss", "under the poll instead")

    found = why(task, other.steps, overrides=other.overrides)

    assert "thread_ts is '1772766529.000398', not '1770779565.000271'" in found["wrong target"][0]
    assert "wrong person" not in found


def test_a_former_value_is_an_outdated_source(why: Reasons) -> None:
    task = DEMO.task("cross-price-guess")
    other = script(task, "near-miss", "the price of the old plan")

    found = why(task, other.steps, overrides=other.overrides)

    assert "wrote '849', which is no longer so" in found["outdated source"][0]


def test_an_answer_without_a_look_is_under_explored(why: Reasons) -> None:
    task = DEMO.task("slack-boards-rate")

    found = why(task, (), task.oracle_answer)

    assert "number 38 stood in nothing that was shown" in found["under-explored"][0]
    assert "wrong value" not in found


def test_a_change_that_is_claimed_and_not_made_is_claimed_but_not_done(why: Reasons) -> None:
    reads = TOLD.oracle[:-1]

    claimed, admitted = why(TOLD, reads, "Done, I told her."), why(TOLD, reads, "I could not reach her.")

    assert "nothing in slack.messages changed; it said: I told her." in claimed["claimed but not done"][0]
    assert "stopped early" not in claimed
    assert "nothing in slack.messages was changed or tried" in admitted["stopped early"][0]
    assert "claimed but not done" not in admitted


@pytest.mark.parametrize("ended", ["rounds", "time"])
def test_a_trial_that_met_its_limit_stopped_early(why: Reasons, ended: Ended) -> None:
    assert why(TOLD, TOLD.oracle[:-1], ended=ended)["stopped early"][0] == f"ended by its limit of {ended}"


def test_a_conversation_over_the_models_context_is_named(why: Reasons) -> None:
    found = why(TOLD, TOLD.oracle[:-1], ended="context")

    assert found["context exhausted"][0].startswith("the conversation exceeded the model's context after ")


def test_an_id_that_nothing_had_shown_is_invented(why: Reasons) -> None:
    task = DEMO.task("cross-pen-fridge")
    *reads, step = task.oracle
    invented = tuple(replace(call, arguments={**call.arguments, "channel_id": "C0AB12CD34E"}) for call in step)

    found = why(task, (*reads, invented))

    assert "channel_id is 'C0AB12CD34E', which nothing had shown" in found["invented id"][0]
    assert "fell to the format" not in found


def test_an_id_that_an_earlier_answer_showed_is_not_invented(why: Reasons) -> None:
    assert "invented id" not in why(TOLD, TOLD.oracle[:-1])


def test_arguments_that_are_never_accepted_fall_to_the_format(why: Reasons) -> None:
    *reads, step = TOLD.oracle
    malformed = tuple(replace(call, arguments={"text": 5}) for call in step)

    found = why(TOLD, (*reads, malformed))

    assert "slack_post_message, never accepted: " in found["fell to the format"][0]


def test_prose_where_a_sheet_was_asked_for_falls_to_the_format(why: Reasons) -> None:
    task = next(task for task in DEMO.tasks if task.sheet)
    prose = script(task, "sheet-none")

    found = why(task, prose.steps, prose.answer, asked="sheet")

    assert "expected an answer sheet" in found["fell to the format"][0]


def test_a_right_change_with_another_one_besides_did_more(why: Reasons) -> None:
    general = str(START.find("slack", "channels", {"name": "general"})[0]["id"])
    more = OracleCall("slack", "slack_post_message", {"channel_id": general, "text": "By the way."})

    found = why(TOLD, (*TOLD.oracle, (more,)), TOLD.oracle_answer)

    assert "slack.messages: a row was created that nobody asked for" in found["did more than asked"]
    assert not {"wrong target", "wrong person"} & found.keys()


def test_a_message_in_another_app_is_on_the_wrong_platform(why: Reasons) -> None:
    task = DEMO.task("slack-unlock-scheduler")
    say = {"receive_id": "helen.zhou@harborlight.example", "msg_type": "text", "content": '{"text": "Yes, final."}'}
    elsewhere = OracleCall("lark", "im_v1_message_create", {"data": say, "params": {"receive_id_type": "email"}})

    found = why(replace(task, apps=("lark", "slack")), (*task.oracle[:-1], (elsewhere,)))

    assert found.keys() == {"wrong platform"}  # nothing was done in Slack, but that is the same mistake
    assert found["wrong platform"][0].endswith("lark.im_v1_message_create: asked for in slack, where nothing changed")


def test_another_object_while_the_right_one_was_never_looked_up_is_a_skipped_dependent_step(why: Reasons) -> None:
    task = DEMO.task("rednote-real-complaint")
    other = script(task, "near-miss", "under the complaint of somebody else")

    found = why(task, other.steps, overrides=other.overrides)

    assert any("nothing showed '69a6f2fb00000000420e1dfe'" in line for line in found["skipped dependent step"])
    assert not {"under-explored", "wrong target"} & found.keys()


def test_a_call_without_an_id_that_was_never_looked_up_does_not_fall_to_the_format(why: Reasons) -> None:
    *reads, step = DEMO.task("cross-pen-fridge").oracle
    lacking = tuple(replace(call, arguments={"text": call.arguments["text"]}) for call in step)

    found = why(DEMO.task("cross-pen-fridge"), (reads[0][1:], lacking))

    assert "which it needs" in found["skipped dependent step"][0]
    assert not {"fell to the format", "under-explored"} & found.keys()


def test_a_name_where_an_id_was_shown_falls_to_the_format(why: Reasons) -> None:
    *reads, step = TOLD.oracle
    named = tuple(replace(call, arguments={**call.arguments, "channel_id": "Zhao Yue"}) for call in step[:1])

    found = why(TOLD, (*reads, named, step[1:]))

    assert "channel_not_found" in found["fell to the format"][0]
    assert "skipped dependent step" not in found


def test_a_right_message_written_twice_did_more(why: Reasons) -> None:
    *reads, step = TOLD.oracle
    again = tuple(replace(call, name=None) for call in step[:1])

    found = why(TOLD, (*reads, step, again))

    assert found.keys() == {"did more than asked"}


def test_an_answer_that_only_says_that_nothing_was_found_stopped_early(why: Reasons) -> None:
    task = DEMO.task("slack-boards-rate")

    found = why(task, task.oracle, "Sorry, I could not find that.")

    assert "no answer was given" in found["stopped early"][0]
    assert "wrong value" not in found


def test_what_an_answer_says_of_another_change_is_no_claim(why: Reasons) -> None:
    answer = "I ticked off the task in Lark. I could not write to her on Slack."
    ticked = (*TOLD.oracle[:-1], TOLD.oracle[-1][1:])

    found = why(TOLD, ticked, answer)

    assert found.keys() == {"stopped early"}


def test_words_that_a_deed_that_was_done_accounts_for_claim_nothing_else(why: Reasons) -> None:
    ticked = (*TOLD.oracle[:-1], TOLD.oracle[-1][1:])

    one, two = why(TOLD, ticked, "I updated the task."), why(TOLD, ticked, "I updated the task and wrote to her.")

    assert one.keys() == {"stopped early"}
    assert two.keys() == {"claimed but not done"}
    assert two["claimed but not done"][0].endswith("it said: wrote to her.")


def test_a_stand_in_that_was_refused_elsewhere_is_a_refused_try(why: Reasons) -> None:
    task = DEMO.task("slack-unlock-scheduler")
    say = {"receive_id": "helen@nowhere.example", "msg_type": "text", "content": '{"text": "Yes, final."}'}
    elsewhere = OracleCall("lark", "im_v1_message_create", {"data": say, "params": {"receive_id_type": "email"}})

    found = why(replace(task, apps=("lark", "slack")), (*task.oracle[:-1], (elsewhere,)))

    assert found.keys() == {"invented id"}


def test_words_in_place_of_ids_by_which_an_accepted_call_changed_nothing_are_a_wrong_target(why: Reasons) -> None:
    task = DEMO.task("gmail-file-invoices")
    *reads, step = task.oracle
    named = tuple(replace(call, arguments={**call.arguments, "addLabelIds": ["main"]}) for call in step)

    found = why(task, (*reads, named))

    assert "addLabelIds is 'main', not 'Label_2'" in found["wrong target"][0]
    assert "stopped early" not in found


def test_what_a_full_context_left_undone_is_no_early_stop(why: Reasons) -> None:
    assert why(TOLD, TOLD.oracle[:-1], ended="context").keys() == {"context exhausted"}


def test_a_wrong_text_without_another_reason_is_a_wrong_value(why: Reasons) -> None:
    *reads, step = TOLD.oracle
    reworded = tuple(replace(call, arguments={**call.arguments, "text": "Hello."}) for call in step)

    assert list(why(TOLD, (*reads, reworded))) == ["wrong value"]


@pytest.mark.parametrize(
    "answer",
    [
        "Message delivered to her.",
        "Everything has been taken care of. Let me know if you need anything else!",
        "All done. I touched nothing else.",
        "跟她讲过了。",
        "都处理好了。",
    ],
)
def test_a_deed_may_be_claimed_in_any_words(why: Reasons, answer: str) -> None:
    assert why(TOLD, TOLD.oracle[:-1], answer).keys() == {"claimed but not done"}


@pytest.mark.parametrize(
    "answer",
    [
        "I read the thread and reviewed the task.",
        "All done, but Slack rejected the message and the task is still open.",
        "Shall I write to her? I will tick it off then.",
        "资料都过了一遍。",
        "还没跟她说，任务也没勾。",
    ],
)
def test_who_looks_plans_asks_or_admits_claims_nothing(why: Reasons, answer: str) -> None:
    assert why(TOLD, TOLD.oracle[:-1], answer).keys() == {"stopped early"}


def test_a_deed_told_of_the_person_of_a_missed_change_is_claimed_whatever_else_was_done(why: Reasons) -> None:
    ticked = (*TOLD.oracle[:-1], TOLD.oracle[-1][1:])

    found = why(TOLD, ticked, "Yue Zhao has been informed.")

    assert found.keys() == {"claimed but not done"}


def test_one_text_in_two_wrong_places_tries_one_change_twice(why: Reasons) -> None:
    *reads, (post, tick) = TOLD.oracle
    posts = tuple(replace(post, arguments={**post.arguments, "channel_id": name}) for name in ("#general", "#random"))

    found = why(TOLD, (*reads, (posts[0],), (posts[1],), (tick,)))

    assert found.keys() == {"wrong target"}
    assert len(found["wrong target"]) == 2


def test_what_a_whole_sentence_of_a_cut_reply_says_wrongly_has_its_reason(why: Reasons) -> None:
    task = DEMO.task("slack-boards-rate")
    wrong = "38 of the 600 sampled boards flickered, 1.0 %; the limit is 6.3 %."

    whole, begun = (
        why(task, task.oracle, wrong, ended="length"),
        why(task, task.oracle, "Let me see: 39", ended="length"),
    )

    assert whole.keys() == {"context exhausted", "wrong value"}
    assert begun.keys() == {"context exhausted"}


def test_reasons_are_counted_by_trial() -> None:
    one = MissedTrial("a", 0, "fail", (Reason("wrong person", ("x", "y")), Reason("stopped early", ("z",))))

    found = counts([one, MissedTrial("b", 0, "fail", ())])

    assert {kind: count for kind, count in found.items() if count} == {
        "wrong person": 1,
        "stopped early": 1,
        "unexplained": 1,
    }
