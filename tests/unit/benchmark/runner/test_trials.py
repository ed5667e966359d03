"""The trials of a run: what each is given, what its line in the log says, and how a run goes on."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import asdict, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, cast

import orjson
import pytest

from farm import content
from farm.appkit.envelope import body_of
from farm.benchmark.agents.base import Assignment, EndpointError, InfrastructureError, Result, TrialLimits, Usage
from farm.benchmark.agents.scripted import Oracle
from farm.benchmark.runner import answer_sheet, prompts, trials
from farm.benchmark.runner.distractor_paragraphs import draw, fingerprint
from farm.benchmark.runner.log import RunLog
from farm.benchmark.runner.menus import chosen_tools, shown_tools
from farm.benchmark.runner.options import Context, Options
from farm.benchmark.runner.run import report, rescore, run_suite
from farm.benchmark.runner.token_sizes import answer_sizes, menu_tokens
from farm.benchmark.tasks import Suite
from farm.errors import ConflictError, FarmError
from tests.suites import parsed_suite
from tests.unit._farm_here import Acting, FarmHere

DEMO = parsed_suite("demo")
SEARCH, OPERATE = DEMO.task("slack-boards-rate"), DEMO.task("slack-unlock-scheduler")
SUITE = Suite("demo", DEMO.title, (SEARCH, OPERATE))
ONE, OTHER = Suite("demo", DEMO.title, (SEARCH,)), Suite("demo", DEMO.title, (OPERATE,))
START = "2026-03-09T09:00:00+08:00"
ANSWER = "38 of 600 boards flickered, that is 6.3 %; the limit (AQL) is 1.0 %."

Line = dict[str, Any]


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("data")


@pytest.fixture
def here(data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[FarmHere]:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))
    farm = FarmHere(data)
    farm.stand_in(monkeypatch)
    yield farm
    farm.end()


def held(here: FarmHere, agent: Any, suite: Suite = ONE, **options: Any) -> list[Line]:
    """Return the lines of a run's trials, which are held one after the other."""
    lines: list[Line] = []
    address: Any = here
    run_suite(suite, agent, address, Options(parallel=1, **options), on_trial=lambda line, _: lines.append(line))
    return lines


def as_oracle(**changed: Any) -> Acting:
    """Return an agent that plays the oracle and tells something else about it."""
    return Acting(lambda job: replace(Oracle().play(job), **changed))


# -- what a trial is given -------------------------------------------------------------------------------------------


def test_each_trial_has_an_episode_of_its_own_with_its_tasks_limits_and_the_next_seed(here: FarmHere) -> None:
    before = datetime.now(UTC)

    lines = held(here, Acting(), SUITE, k=2, seed=5, time_s_max=90.0)

    until = [datetime.fromisoformat(each.pop("expires_at")) for each in here.created]
    assert here.created == [
        {
            "world": "harbor",
            "apps": ["slack"],
            "profile": "latest",
            "seed": seed,
            "label": f"acting {task.id} {number}",
            "calls_max": task.calls_max,
        }
        for task in (SEARCH, OPERATE)
        for number, seed in ((0, 5), (1, 6))
    ]
    assert all(before + timedelta(seconds=90) <= each <= datetime.now(UTC) + timedelta(seconds=90) for each in until)
    assert [(line["task"], line["trial"], line["category"], line["seed"]) for line in lines] == [
        ("slack-boards-rate", 0, "slack/search", 5),
        ("slack-boards-rate", 1, "slack/search", 6),
        ("slack-unlock-scheduler", 0, "slack/reply", 5),
        ("slack-unlock-scheduler", 1, "slack/reply", 6),
    ]
    assert (here.sessions, here.clients, here.callers) == ({}, 0, 0)


def test_who_and_when_it_is_are_the_tasks(here: FarmHere) -> None:
    task = replace(SEARCH, me="aisha.rahman", now="2026-03-10T08:00:00+08:00")

    (line,) = held(here, Acting(), Suite("demo", "", (task,)))

    assert (here.created[0]["me"], here.created[0]["now"]) == ("aisha.rahman", "2026-03-10T08:00:00+08:00")
    assert line["now"] == "2026-03-10T08:00:00+08:00"


def test_an_agent_is_told_its_prompt_its_instruction_and_its_limits_and_no_name_of_the_task(here: FarmHere) -> None:
    agent = Acting()

    lines = held(here, agent, SUITE, time_s_max=90.0, rounds_max=7, prompt="person-1")

    for job, line, task in zip(agent.jobs, lines, SUITE.tasks, strict=True):
        deadline = job.limits.deadline
        assert deadline is not None
        assert job.task is task
        assert job.limits == TrialLimits(task.calls_max, 7, 90.0, deadline)
        assert job.system == prompts.system_prompt("person-1", task, START, job.limits)
        assert job.instruction == prompts.instruction(task, answers="sheet")
        assert job.trial == line["id"]
        assert re.fullmatch("[0-9a-f]{16}", job.trial)
    assert len({job.trial for job in agent.jobs}) == 2
    assert [each["calls_max"] for each in here.created] == [12, 15]


def test_what_the_options_say_goes_before_what_the_task_says(here: FarmHere) -> None:
    agent = Acting()

    held(here, agent, OTHER, calls_max=3, context="+unnecessary")

    assert (agent.jobs[0].limits.calls_max, here.created[0]["calls_max"]) == (3, 3)
    assert agent.jobs[0].instruction == prompts.instruction(OPERATE, with_unnecessary=True)
    assert "at most 3 tool calls" in agent.jobs[0].system


def test_the_names_that_an_instruction_leaves_out_are_told_where_the_run_asks_for_them(here: FarmHere) -> None:
    agent, task = Acting(), replace(OPERATE, named=("It is the stand-up.",))

    for context in ("necessary", "+named"):
        held(here, agent, Suite("own", "own", (task,)), context=context)

    assert [each.instruction.endswith("- It is the stand-up.") for each in agent.jobs] == [False, True]


def test_five_paragraphs_stand_in_the_instruction_and_in_the_line(here: FarmHere) -> None:
    agent = Acting()

    first, second = held(here, agent, OTHER, context="+5", k=2)

    told = [draw(OPERATE, seed, 5) for seed in (0, 1)]
    assert [first["paragraphs"], second["paragraphs"]] == [[each.id for each in drawn] for drawn in told]
    for job, drawn in zip(agent.jobs, told, strict=True):
        assert job.instruction == prompts.instruction(OPERATE, paragraphs=drawn, answers="sheet")


@pytest.mark.parametrize("menu", ["all", "k=20"])
def test_an_episode_shows_the_chosen_menu(here: FarmHere, menu: str) -> None:
    (line,) = held(here, Acting(), menu=menu, seed=3)

    apps, tools = chosen_tools(SEARCH, menu, 3)
    asked = here.created[0]
    assert (asked.get("apps"), asked.get("menu")) == (apps, tools)
    assert line["menu_tokens"] == menu_tokens((apps, tools))
    assert line["menu_tools"] == len(shown_tools((apps, tools)))


def test_an_older_profile_is_that_of_the_episode_and_of_its_menu(here: FarmHere) -> None:
    (line,) = held(here, Acting(), profile="paper-2025", menu="k=20")

    menu = chosen_tools(SEARCH, "k=20", 0, "paper-2025")
    assert (here.created[0]["profile"], here.created[0]["menu"]) == ("paper-2025", menu[1])
    assert line["menu_tokens"] == menu_tokens(menu, "paper-2025")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"menu": "k=0"}, "no menu 'k=0'"),
        ({"profile": "future"}, "no app has a profile 'future'"),
        ({"prompt": "x"}, "no prompt 'x'"),
    ],
)
def test_a_run_that_cannot_be_held_asks_no_farm(here: FarmHere, options: dict[str, Any], said: str) -> None:
    with pytest.raises(FarmError, match=said):
        held(here, Acting(), **options)

    assert (here.created, here.clients) == ([], 0)


# -- what its line says ----------------------------------------------------------------------------------------------


def test_the_line_of_a_trial_says_all_that_was_done_and_how_it_was_judged(here: FarmHere) -> None:
    (line,) = held(here, Oracle(), OTHER, seed=5)

    calls, diff, turns = line.pop("calls"), line.pop("diff"), line.pop("turns")
    (point,) = line.pop("checkpoints")
    time_s = line.pop("time_s")
    assert re.fullmatch("[0-9a-f]{16}", line.pop("id"))
    assert line == {
        "task": "slack-unlock-scheduler",
        "trial": 0,
        "category": "slack/reply",
        "seed": 5,
        "outcome": "pass",
        "acc": 1.0,
        "exec_acc": 1.0,
        "damage": [],
        "reverted": [],
        "weight": 3,
        "tfs": True,
        "tfs_exact": True,
        "tefs": True,
        "told_wrongly": [],
        "tokens_refuted": False,
        "answer": "",
        "ended": "answered",
        "over_limit": 0,
        "models": [],
        "finish_reasons": [],
        "usage": None,
        "usage_by_model": {},
        "menu_tokens": menu_tokens((["slack"], None)),
        "menu_tools": 8,
        "now": START,
        "reverted_rows": {},
        "transcript": [],
    }
    assert (point["id"], point["kind"], point["score"], point["low"], point["high"], point["contested"]) == (
        "answered-in-thread",
        "operate",
        1.0,
        1.0,
        1.0,
        (),
    )
    made = [(call["app"], call["tool"], call["arguments"]) for call in calls]
    assert [tool for _, tool, _ in made] == [
        "slack_list_channels",
        "slack_get_channel_history",
        "slack_reply_to_thread",
    ]
    assert turns == [[list(each)] for each in made]
    (row,) = diff.pop("slack").pop("messages")
    assert (diff, row["op"], row["call"]) == ({}, "insert", 3)
    assert row["new"]["text"] == "Yes, final: Thu 26 Mar 10:00 Shanghai. Please move email and push."
    assert time_s == round(time_s, 3) > 0


def test_what_an_agent_tells_of_itself_is_in_the_line(here: FarmHere) -> None:
    told = Result(
        "no idea",
        turns=((), (("slack", "x", {"a": 1}),)),
        usage=Usage(5, 6, 7),
        transcript=[{"role": "assistant"}],
        models=("m", "n"),
        finish_reasons=("stop",),
        usage_by_model={"m": Usage(4, 6), "n": Usage(1, 0, 1)},
    )

    (line,) = held(here, Acting(lambda _: told))

    shown = (
        "answer",
        "turns",
        "usage",
        "transcript",
        "models",
        "finish_reasons",
        "outcome",
        "acc",
        "exec_acc",
        "usage_by_model",
    )
    assert {name: line[name] for name in shown} == {
        "answer": "no idea",
        "turns": [[], [["slack", "x", {"a": 1}]]],
        "usage": {"prompt_tokens": 5, "completion_tokens": 6, "cached_tokens": 7},
        "transcript": [{"role": "assistant"}],
        "models": ["m", "n"],
        "usage_by_model": {
            "m": {"prompt_tokens": 4, "completion_tokens": 6, "cached_tokens": 0},
            "n": {"prompt_tokens": 1, "completion_tokens": 0, "cached_tokens": 1},
        },
        "finish_reasons": ["stop"],
        "outcome": "fail",
        "acc": 0.0,
        "exec_acc": 0.0,
    }


@pytest.mark.parametrize(
    ("ended", "outcome"),
    [
        ("answered", "pass"),
        ("rounds", "pass"),
        ("time", "pass"),
        ("failed", "pass"),
        ("context", "context"),
        ("calls", "over_limit"),
        ("length", "length"),
        ("content_filter", "content_filter"),
    ],
)
def test_some_ends_are_outcomes_whatever_was_achieved(here: FarmHere, ended: str, outcome: str) -> None:
    (line,) = held(here, as_oracle(ended=ended))

    assert (line["outcome"], line["ended"], line["acc"], line["over_limit"]) == (outcome, ended, 1.0, 0)


@pytest.mark.parametrize(("calls_max", "outcome", "over"), [(2, "over_limit", 1), (3, "pass", 0)])
def test_a_call_beyond_the_limit_is_an_outcome_and_the_last_one_within_is_none(
    here: FarmHere, calls_max: int, outcome: str, over: int
) -> None:
    def act(job: Assignment) -> Result:
        for _, tool, given in looked_up(here):
            job.session.call("slack", tool, given)
        return Result(ANSWER)

    (line,) = held(here, Acting(act), calls_max=calls_max, answers="prose")

    assert (line["outcome"], line["over_limit"], len(line["calls"])) == (outcome, over, calls_max)


def looked_up(here: FarmHere) -> list[tuple[str, str, dict[str, Any]]]:
    """Return the three calls of the search, whose channels are the same in every episode."""
    session = next(iter(here.sessions.values()))
    rows = {row["name"]: row["id"] for row in session.rows("slack", "channels")}
    histories = ({"channel_id": rows[name], "limit": 100} for name in ("launch-ember", "supplier-quality"))
    given = [("slack_list_channels", {"limit": 200}), *(("slack_get_channel_history", each) for each in histories)]
    return [("slack", tool, each) for tool, each in given]


def test_what_was_done_beside_the_task_makes_a_trial_unsafe(here: FarmHere) -> None:
    def act(job: Assignment) -> Result:
        channels = body_of(job.session.call("slack", "slack_list_channels", {"limit": 200}))["channels"]
        job.session.call("slack", "slack_post_message", {"channel_id": channels[0]["id"], "text": "hi"})
        return Oracle().play(job)

    (line,) = held(here, Acting(act))

    assert (line["outcome"], line["acc"], [each["table"] for each in line["damage"]]) == ("unsafe", 1.0, ["messages"])


@pytest.mark.parametrize("failure", [InfrastructureError("the model did not answer"), FarmError("no such app")])
def test_what_failed_for_the_machinerys_sake_is_not_graded_and_says_why(here: FarmHere, failure: FarmError) -> None:
    def act(_: Assignment) -> Result:
        raise failure

    (line,) = held(here, Acting(act), seed=5)

    time_s = line.pop("time_s")
    assert line == {
        "task": "slack-boards-rate",
        "trial": 0,
        "category": "slack/search",
        "seed": 5,
        "outcome": "not_graded",
        "error": str(failure),
        "acc": None,
        "exec_acc": None,
        "checkpoints": [],
        "damage": [],
        "reverted": [],
        "weight": 0,
        "tfs": None,
        "tfs_exact": None,
        "tefs": None,
        "usage": None,
        "calls": [],
    }
    assert 0 < time_s == round(time_s, 3) < 60
    assert (here.sessions, here.callers, here.clients) == ({}, 0, 0)


def test_what_an_agent_raises_is_not_graded_and_the_last_of_its_frames_are_in_the_log(here: FarmHere) -> None:
    def act(_: Assignment, depth: int = 9) -> Result:
        if depth == 0:
            raise KeyError("oops")
        return act(_, depth - 1)

    (line,) = held(here, Acting(act))

    assert (line["outcome"], line["acc"]) == ("not_graded", None)
    assert line["error"].startswith("Traceback (most recent call last):\n")
    assert line["error"].endswith("KeyError: 'oops'\n")
    assert line["error"].count(", in act") == 3
    assert 0 < line["time_s"] < 60


# -- the calls that were expected ------------------------------------------------------------------------------------


def test_right_calls_in_other_turns_are_finished_and_not_efficient(here: FarmHere) -> None:
    def one_by_one(job: Assignment) -> Result:
        turns = Oracle().play(job).turns or ()
        return Result(ANSWER, turns=tuple((each,) for turn in turns for each in turn))

    (line,) = held(here, Acting(one_by_one))

    assert (line["weight"], line["tfs"], line["tefs"]) == (3, True, False)


def test_a_call_besides_the_expected_ones_is_finished_and_not_exactly(here: FarmHere) -> None:
    def with_a_look(job: Assignment) -> Result:
        job.session.call("slack", "slack_get_users", {})
        return Oracle().play(job)

    (looked,) = held(here, Acting(with_a_look))
    (oracle,) = held(here, as_oracle())

    assert (looked["tfs"], looked["tfs_exact"]) == (True, False)
    assert (oracle["tfs"], oracle["tfs_exact"]) == (True, True)


def test_an_empty_turn_costs_nothing_and_unseen_turns_have_no_efficiency(here: FarmHere) -> None:
    def with_a_pause(job: Assignment) -> Result:
        first, *rest = Oracle().play(job).turns or ()
        return Result(ANSWER, turns=((), first, (), *rest))

    (paused,) = held(here, Acting(with_a_pause))
    (unseen,) = held(here, as_oracle(turns=None))

    assert (paused["tfs"], paused["tefs"]) == (True, True)
    assert (unseen["weight"], unseen["tfs"], unseen["tefs"], unseen["turns"]) == (3, True, None, None)


def test_an_agent_that_never_calls_an_expected_tool_has_not_finished(here: FarmHere) -> None:
    (seen,) = held(here, Acting(lambda _: Result(ANSWER, turns=())))
    (unseen,) = held(here, Acting())

    assert (seen["weight"], seen["tfs"], seen["tefs"]) == (3, False, False)
    assert (unseen["weight"], unseen["tfs"], unseen["tefs"]) == (3, False, None)
    assert len(here.created) == 2  # nothing to compare with


def replying(**changed: Any) -> Callable[[Assignment], Result]:
    """Return what plays the oracle of the reply, but replies with other arguments."""

    def act(job: Assignment) -> Result:
        *looks, reply = job.task.oracle
        other = tuple(replace(call, arguments={**call.arguments, **changed}) for call in reply)
        turns = Oracle().play(replace(job, task=replace(job.task, oracle=(*looks, other)))).turns
        return Result("", turns=turns)

    return act


def test_of_a_call_that_writes_every_argument_but_its_wording_is_compared(here: FarmHere) -> None:
    (worded,) = held(here, Acting(replying(text="Yes, Thursday 26 March, 10:00 is final.")), OTHER)
    (elsewhere,) = held(here, Acting(replying(thread_ts="1770000000.000001")), OTHER)

    assert (worded["tfs"], worded["tefs"]) == (True, True)
    assert (elsewhere["tfs"], elsewhere["tefs"]) == (False, False)


def test_the_expected_calls_come_from_an_episode_like_the_trials_with_the_tasks_own_limit(here: FarmHere) -> None:
    (line,) = held(here, as_oracle(), menu="k=20", calls_max=3, seed=8)

    trial, expected = here.created
    assert (trial["calls_max"], line["tfs"]) == (3, True)
    assert expected.pop("expires_at") > trial["expires_at"][:4]
    assert expected == {
        "world": "harbor",
        "apps": ["slack"],
        "profile": "latest",
        "seed": 8,
        "label": "oracle",
        "calls_max": 12,
    }
    held(here, as_oracle(), menu="k=20", calls_max=3, seed=8)
    assert len(here.created) == 3  # they were kept


# -- what an agent tells of itself -----------------------------------------------------------------------------------


def telling(turns: Callable[[list[Any]], Any], usage: Usage | None = None) -> Acting:
    """Return an agent that plays the oracle, reads the list of channels seven times more, and tells its turns."""

    def act(job: Assignment) -> Result:
        for _ in range(7):
            job.session.call("slack", "slack_list_channels", {"limit": 5})
        played = Oracle().play(job)
        return replace(played, turns=turns(list(played.turns or ())), usage=usage, is_told=True)

    return Acting(act)


def test_calls_that_an_agent_does_not_tell_count_all_the_same(here: FarmHere) -> None:
    again = [[("slack", "slack_list_channels", {"limit": 5})]] * 7

    (hiding,) = held(here, telling(lambda turns: turns), calls_max=10)
    (honest,) = held(here, telling(lambda turns: [*again, *turns]), calls_max=10)

    assert (hiding["tefs"], hiding["told_wrongly"]) == (
        False,
        ["told 3 calls in its turns; the trace has 10, which count"],
    )
    assert (honest["tefs"], honest["told_wrongly"]) == (False, [])


@pytest.mark.parametrize(
    ("turns", "tefs", "problem"),
    [
        (lambda made: made, True, ""),
        (lambda made: made[::-1], False, "told its calls in another order than the trace's, which counts"),
        (lambda made: [*made, [("slack", "x", {})]], False, "told 4 calls in its turns; the trace has 3, which count"),
        (
            lambda made: [made[0], [made[1][0], ("slack", "x", {})]],
            False,
            "told other calls in its turns; the trace has 3, which count",
        ),
        # Arguments are the trace's: told ones do not matter.
        (lambda made: [[(app, tool, {}) for app, tool, _ in turn] for turn in made], True, ""),
    ],
)
def test_told_turns_are_held_against_the_trace(here: FarmHere, turns: Any, tefs: bool, problem: str) -> None:
    def act(job: Assignment) -> Result:
        played = Oracle().play(job)
        return replace(played, turns=turns(list(played.turns or ())), is_told=True)

    (line,) = held(here, Acting(act))

    assert (line["tefs"], line["told_wrongly"]) == (tefs, [problem] if problem else [])


def test_arguments_that_an_agent_tells_do_not_make_its_calls_right(here: FarmHere) -> None:
    def act(job: Assignment) -> Result:
        right = Oracle().play(job).turns
        played = replying(thread_ts="1770000000.000001")
        told = [each for turn in right or () for each in turn]
        assert told
        return replace(played(job), turns=right, is_told=True)

    (line,) = held(here, Acting(act), OTHER)

    assert line["tefs"] is False


def test_tokens_fewer_than_an_agent_has_written_are_noted(here: FarmHere) -> None:
    def act(tokens: int) -> Acting:
        return as_oracle(answer="It flickers. " * 100, usage=Usage(9000, tokens), is_told=True)

    (few,) = held(here, act(3))
    (enough,) = held(here, act(400))

    (problem,) = few["told_wrongly"]
    assert re.fullmatch(r"told 3 completion tokens; its answer and the texts of its calls take at least 1\d\d", problem)
    assert (few["tokens_refuted"], enough["tokens_refuted"], enough["told_wrongly"]) == (True, False, [])


def test_a_trial_that_its_models_endpoint_failed_is_a_failure_and_is_held_again(here: FarmHere, tmp_path: Path) -> None:
    address: Any = here
    fails = [True]

    def act(job: Assignment) -> Result:
        if fails[0] and job.task.id == SEARCH.id:
            raise EndpointError("the model did not answer: 500")
        return Oracle().play(job)

    first = run_suite(SUITE, Acting(act), address, Options(parallel=1), out=tmp_path)
    (failed,) = [line for line in lines_in(tmp_path) if line["task"] == SEARCH.id]
    assert rescore(RunLog(tmp_path), SUITE)["acc"] == 0.5
    fails[0] = False
    again = run_suite(SUITE, Acting(act), address, Options(parallel=1), out=tmp_path, resume=True)

    shown = ("outcome", "error", "acc", "exec_acc", "weight", "tfs", "tefs")
    assert [failed[name] for name in shown] == [
        *("endpoint_failed", "the model did not answer: 500", 0.0, 0.0, 3, False, False)
    ]
    assert (first["acc"], first["graded_only"]["acc"], first["graded"]) == (0.5, 1.0, 1)
    assert (again["acc"], again["graded"], "graded_only" in again) == (1.0, 2, False)


# -- the summary -----------------------------------------------------------------------------------------------------


def test_a_summary_says_by_whom_and_how_the_run_was_held(here: FarmHere) -> None:
    lines: list[Line] = []
    address: Any = here
    ends = iter(["failed", "answered", "failed", "answered"])

    found = run_suite(
        SUITE,
        Acting(lambda job: replace(Oracle().play(job), ended=next(ends))),  # type: ignore[arg-type] # ends of an agent
        address,
        Options(k=2, parallel=1, profile="latest"),
        on_trial=lambda line, _: lines.append(line),
    )

    told = ("agent", "suite", "sealed", "profile", "crashed", "tasks", "trials", "acc", "menu_tokens", "answer_tokens")
    assert {name: found[name] for name in told} == {
        "agent": "acting",
        "suite": "demo",
        "sealed": False,
        "profile": "latest",
        "crashed": 2,
        "tasks": 2,
        "trials": 4,
        "acc": 1.0,
        "menu_tokens": menu_tokens((["slack"], None)),
        "answer_tokens": answer_sizes(lines),
    }


def test_an_older_profile_is_in_the_summary(here: FarmHere, tmp_path: Path) -> None:
    address: Any = here

    found = run_suite(ONE, Oracle(), address, Options(profile="paper-2025"), out=tmp_path / "run")

    assert (found["profile"], found["sealed"], found["agent"]) == ("paper-2025", True, "oracle")
    assert report(RunLog(tmp_path / "run")) == found


# -- the log of a run ------------------------------------------------------------------------------------------------


def lines_in(folder: Path) -> list[Line]:
    return [orjson.loads(each) for each in (folder / "trials.jsonl").read_bytes().splitlines()]


def test_a_run_goes_on_with_what_is_missing_and_tells_the_held_trials_first(here: FarmHere, tmp_path: Path) -> None:
    address: Any = here
    told: list[tuple[str, int, bool]] = []

    def tell(line: Line, is_new: bool) -> None:
        told.append((line["task"], line["trial"], is_new))

    agent = Acting()
    run_suite(ONE, agent, address, Options(parallel=1), out=tmp_path, on_trial=tell)
    first = list(told)
    told.clear()

    found = run_suite(SUITE, agent, address, Options(k=2, parallel=1), out=tmp_path, resume=True, on_trial=tell)

    assert first == [(SEARCH.id, 0, True)]
    assert told == [(SEARCH.id, 0, False), (SEARCH.id, 1, True), (OPERATE.id, 0, True), (OPERATE.id, 1, True)]
    assert (found["trials"], found["tasks"], len(agent.jobs)) == (4, 2, 4)
    assert [(line["task"], line["trial"]) for line in lines_in(tmp_path)] == [each[:2] for each in told]
    log = RunLog(tmp_path)
    assert (log.manifest["k"], set(log.manifest["tasks"])) == (2, {SEARCH.id, OPERATE.id})
    assert report(log) == found


def test_a_run_that_goes_on_with_fewer_trials_keeps_the_number_of_those_it_had(here: FarmHere, tmp_path: Path) -> None:
    address: Any = here
    agent = Acting()
    run_suite(ONE, agent, address, Options(k=3, parallel=1), out=tmp_path)

    found = run_suite(ONE, agent, address, Options(k=2, parallel=1), out=tmp_path, resume=True)

    assert (RunLog(tmp_path).manifest["k"], found["trials"], len(agent.jobs)) == (3, 2, 3)
    assert report(RunLog(tmp_path))["trials"] == 3


def test_what_was_not_graded_is_held_again_and_what_was_is_not(here: FarmHere, tmp_path: Path) -> None:
    address: Any = here
    fails = iter([True, False, False])

    def act(_: Assignment) -> Result:
        if next(fails):
            raise InfrastructureError("the model did not answer")
        return Result("")

    agent = Acting(act)
    run_suite(SUITE, agent, address, Options(parallel=1), out=tmp_path)
    found = run_suite(SUITE, agent, address, Options(parallel=1), out=tmp_path, resume=True)

    assert [job.task.id for job in agent.jobs] == [SEARCH.id, OPERATE.id, SEARCH.id]
    assert (found["graded"], found["outcomes"]["not_graded"], found["outcomes"]["fail"]) == (2, 0, 2)


def test_a_folder_with_a_run_is_refused_before_a_trial_is_held_and_one_without_a_folder_stores_nothing(
    here: FarmHere, tmp_path: Path
) -> None:
    address: Any = here
    agent = Acting()
    run_suite(ONE, agent, address, out=tmp_path)

    with pytest.raises(ConflictError, match="holds a run already; add --resume"):
        run_suite(ONE, agent, address, out=tmp_path)
    with pytest.raises(ConflictError, match="seed was 0, is 1"):
        run_suite(ONE, agent, address, Options(seed=1), out=tmp_path, resume=True)
    run_suite(ONE, agent, address)

    assert (len(agent.jobs), len(lines_in(tmp_path)), here.clients) == (2, 1, 0)


def test_a_farm_that_is_gone_ends_the_run_and_says_how_to_go_on(
    here: FarmHere, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trials, "AWAY_S_MAX", 0.0)
    address: Any = here

    def act(job: Assignment) -> Result:
        if len(agent.jobs) > 1:
            monkeypatch.setattr(here, "episodes", gone)
            raise FarmError("it closed the connection")
        return Result("")

    def gone() -> Any:
        raise FarmError("no farm answers")

    agent = Acting(act)
    with pytest.raises(FarmError) as ended:
        run_suite(SUITE, agent, address, Options(k=2, parallel=1), out=tmp_path)

    assert str(ended.value) == (
        "the farm has not answered for 0 s: it closed the connection; 1 of 4 trials had been held; "
        f"'farm run … --out {tmp_path} --resume' goes on from there"
    )
    assert [line["task"] for line in lines_in(tmp_path)] == [SEARCH.id]


def test_whoever_breaks_a_run_off_tells_its_agents_and_no_other_trial_begins(here: FarmHere) -> None:
    address: Any = here
    agent = Acting()

    def end(*_: Any) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_suite(SUITE, agent, address, Options(k=9, parallel=1), on_trial=end)

    assert agent.jobs[0].cancelled.is_set()
    assert len(agent.jobs) < 18


def test_a_run_is_graded_again_by_its_tasks_as_they_are_now_and_changed_verdicts_alone_are_added(
    here: FarmHere, tmp_path: Path
) -> None:
    address: Any = here
    run_suite(SUITE, Oracle(), address, Options(parallel=1), out=tmp_path)
    before = lines_in(tmp_path)
    assert rescore(RunLog(tmp_path), SUITE)["acc"] == 1.0
    assert lines_in(tmp_path) == before
    search: Any = SEARCH.checkpoints[0]
    point = replace(search, answer={"contains": "what nobody says"}, sheet={})
    harder = Suite("demo", "", (replace(SEARCH, checkpoints=(point,)), OPERATE))
    began = datetime.now(UTC).replace(microsecond=0)

    found = rescore(RunLog(tmp_path), harder)

    (added,) = lines_in(tmp_path)[len(before) :]
    at = datetime.fromisoformat(added.pop("rescored_at"))
    verdict = {"outcome": "fail", "acc": 0.0, "exec_acc": 0.0}
    assert began <= at <= datetime.now(UTC)
    assert at.microsecond == 0
    assert {**added, "checkpoints": before[0]["checkpoints"]} == {**before[0], **verdict}
    assert added["checkpoints"][0]["score"] == 0.0
    assert (found["acc"], found["outcomes"]["fail"], found["outcomes"]["pass"]) == (0.5, 1, 1)


def test_what_was_over_its_limit_or_never_graded_stays_so_when_it_is_graded_again(
    here: FarmHere, tmp_path: Path
) -> None:
    address: Any = here

    def act(job: Assignment) -> Result:
        if job.task.id == OPERATE.id:
            raise InfrastructureError("the model did not answer")
        return replace(Oracle().play(job), ended="calls")

    run_suite(SUITE, Acting(act), address, Options(parallel=1), out=tmp_path)

    found = rescore(RunLog(tmp_path), SUITE)

    assert (found["outcomes"]["over_limit"], found["outcomes"]["not_graded"], found["trials"]) == (1, 1, 2)
    assert len(lines_in(tmp_path)) == 2


def test_the_manifest_has_a_hash_of_the_pool_where_paragraphs_are_drawn(here: FarmHere, tmp_path: Path) -> None:
    contexts: tuple[Context, ...] = ("necessary", "+5")
    for context in contexts:
        run_suite(ONE, Acting(), cast(Any, here), Options(parallel=1, context=context), out=tmp_path / context)

    manifests = [RunLog(tmp_path / context).manifest for context in contexts]
    assert [each.get("paragraphs_sha256") for each in manifests] == [None, fingerprint()]


def test_the_manifest_says_all_that_a_run_depends_on(here: FarmHere, tmp_path: Path) -> None:
    address: Any = here
    options = Options(k=2, parallel=1, seed=4, context="+unnecessary")
    began = datetime.now(UTC).replace(microsecond=0)

    run_suite(ONE, Acting(), address, options, out=tmp_path / "a" / "b")

    found = RunLog(tmp_path / "a" / "b").manifest
    at = datetime.fromisoformat(found.pop("started_at"))
    assert began <= at <= datetime.now(UTC)
    tools, versions, commits = found.pop("tools_sha256"), found.pop("versions"), found.pop("content_commits")
    hashes = found.pop("tasks")
    assert found == {
        "suite": "demo",
        "agent": "acting",
        "sealed": False,
        "about_agent": {"version": 7},
        **asdict(options),
        "skills": [],
        "prompt_sha256": prompts.fingerprint("person-2"),
        "sheet_sha256": answer_sheet.fingerprint(),
    }
    assert [list(each) for each in (tools, versions, hashes)] == [
        ["slack"],
        ["farm", "python", "mcp", "system"],
        [SEARCH.id],
    ]
    assert all(re.fullmatch("[0-9a-f]{16}", each) for each in (*tools.values(), *hashes.values()))
    assert len(commits) == len(content.roots())
