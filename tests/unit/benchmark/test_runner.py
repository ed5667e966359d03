"""What a run is made of: prompts, menus, references, the log, agents' names, and what a program printed."""

from __future__ import annotations

import re
import shlex
import subprocess
import tempfile
import threading
from pathlib import Path
from typing import Any

import orjson
import pytest

from farm import content
from farm.appkit.envelope import body_of
from farm.benchmark.agents.base import Limits
from farm.benchmark.agents.command import last_message, mcp_config
from farm.benchmark.agents.factory import make_agent
from farm.benchmark.agents.llm import shown_name
from farm.benchmark.agents.placeholders import MissingPlaceholderError, fill
from farm.benchmark.runner import prompts, run
from farm.benchmark.runner.farm_address import own_farm
from farm.benchmark.runner.in_process_farm import LocalFarm
from farm.benchmark.runner.log import RunLog
from farm.benchmark.runner.manifest import commit_of
from farm.benchmark.runner.menus import apps_shown, check_menu, check_profile, chosen_tools, missing_tools, playable
from farm.benchmark.runner.options import Options
from farm.benchmark.tasks import Suite, load_suite
from farm.cli import run as run_command
from farm.context import reference
from farm.errors import ConflictError, FarmError

DEMO = load_suite("demo")
TASK = DEMO.task("slack-boards-rate")

# -- prompts ---------------------------------------------------------------------------------------------------------


def test_a_prompt_says_when_it_is_where_and_who_the_user_is() -> None:
    text = prompts.system_prompt(prompts.DEFAULT, TASK, "2026-03-09T01:00:00+00:00", Limits(12, time_s_max=90))

    assert "Monday, 9 March 2026, 09:00 in Shanghai (time zone Asia/Shanghai, UTC+08:00)" in text
    assert "Wan Lin (林晚), Senior Product Manager, Ember at Harborlight, lin.wan@harborlight.example" in text
    assert "at most 12 tool calls, refused ones included, and have 90 seconds by a real clock" in text
    assert "$" not in text


def test_a_prompt_tells_the_time_in_minutes_where_they_are_whole() -> None:
    assert "have 10 minutes by" in prompts.system_prompt(
        prompts.DEFAULT, TASK, "2026-03-09T01:00:00+00:00", Limits(12, time_s_max=600)
    )


def test_every_version_of_the_prompt_can_still_be_chosen_and_is_told_apart_by_its_hash() -> None:
    filled = [prompts.system_prompt(name, TASK, "2026-03-09T01:00:00+00:00", Limits(12)) for name in prompts.names()]

    assert prompts.names() == ["person-1", "person-2"]
    assert ["12 tool calls" in text for text in filled] == [False, True]
    assert len({prompts.fingerprint(name) for name in prompts.names()}) == 2


def test_facts_go_with_the_instruction_and_needless_ones_only_when_asked_for() -> None:
    task = DEMO.task("slack-unlock-scheduler")

    assert task.unnecessary[0] not in prompts.instruction(task)
    assert prompts.instruction(task, with_unnecessary=True).endswith(f"- {task.unnecessary[0]}")


def test_an_unknown_prompt_is_refused_with_those_that_exist() -> None:
    with pytest.raises(FarmError, match="no prompt 'x'; have person-1, person-2"):
        prompts.text_of("x")


# -- menus -----------------------------------------------------------------------------------------------------------


def test_a_menu_of_k_tools_holds_the_needed_ones_and_seeded_others() -> None:
    apps, tools = chosen_tools(TASK, "k=20", 7)

    assert tools is not None
    assert apps == sorted(tools)
    assert sum(map(len, tools.values())) == 20
    assert {"slack_list_channels", "slack_get_channel_history"} <= set(tools["slack"])
    assert chosen_tools(TASK, "k=20", 7) == (apps, tools)
    assert chosen_tools(TASK, "k=20", 8) != (apps, tools)


def test_a_run_s_own_farm_serves_the_apps_that_its_menu_shows() -> None:
    one = Suite("one", "One", (TASK,))

    assert apps_shown(one, "selected") == ["slack"]
    assert apps_shown(one, "all") == apps_shown(one, "k=5") == content.app_names()


def test_a_menu_is_selected_all_or_a_number() -> None:
    assert chosen_tools(TASK, "selected", 0) == (["slack"], None)
    assert chosen_tools(TASK, "all", 0) == (None, None)
    with pytest.raises(FarmError, match="no menu 'k=0'; have selected"):
        check_menu("k=0")


@pytest.mark.parametrize("profile", ["latest", "paper-2025"])
def test_a_menu_of_more_tools_than_there_are_is_refused_with_their_number(profile: str) -> None:
    count = sum(len(content.load_app(app).in_profile(profile).tool_schemas) for app in content.app_names())

    assert check_menu(f"k={count}", profile) == f"k={count}"
    for menu in (f"k={count + 1}", "k=5000", "k=" + "9" * 5000):
        with pytest.raises(FarmError, match=f"wants more tools than there are; 'all' shows all {count}$"):
            check_menu(menu, profile)


def test_tasks_whose_tools_a_profile_lacks_are_left_out_and_named() -> None:
    suite = load_suite("demo")

    kept, left_out = playable(suite, "paper-2025")

    assert 0 < len(kept.tasks) < len(suite.tasks) == len(kept.tasks) + len(left_out)
    assert playable(suite, "latest") == (suite, [])
    assert all(missing_tools(suite.task(each), "paper-2025") for each in left_out)
    with pytest.raises(FarmError, match=r"no task can be done in profile 'paper-2025'; task '.*' needs .*, which it"):
        playable(Suite("s", "S", tuple(map(suite.task, left_out))), "paper-2025")


def test_a_menu_of_an_older_version_is_filled_with_tools_it_has() -> None:
    served = {entry["name"] for entry in content.load_app("lark", "paper-2025").tool_schemas}

    every = [content.load_app(app).in_profile("paper-2025") for app in content.app_names()]

    _, tools = chosen_tools(TASK, f"k={sum(len(each.tool_schemas) for each in every)}", 7, "paper-2025")

    assert tools is not None
    assert set(tools["lark"]) == served
    with pytest.raises(FarmError, match="no app has a profile 'x'; have latest, paper-2025"):
        check_profile("x")


# -- references ------------------------------------------------------------------------------------------------------

RESULTS = {"a": {"items": [{"id": 1, "name": "x", "body": '{"text":"hello"}'}, {"id": 2, "name": "y=z", "body": "{}"}]}}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("{a.items[0].id}", 1),
        ("{a.items[-1].id}", 2),
        ("{a.items[name=x].id}", 1),
        ("{a.items[name=y=z].id}", 2),
        ("{a.items[body~hell].id}", 1),
        ("{a.items[body.text=hello].id}", 1),
        ("{a.items[0].body.text}", "hello"),
        ("{a.items[*].id}", [1, 2]),
        ("no. {a.items[0].id}!", "no. 1!"),
        ('{"text":"{a.items[0].name}"}', '{"text":"x"}'),
    ],
)
def test_a_reference_is_a_piece_of_an_earlier_result(text: str, value: Any) -> None:
    assert fill({"deep": [text]}, RESULTS, str) == {"deep": [value]}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{b.items}", "no result of that name"),
        ("{a.item}", "no 'item' there; have items"),
        ("{a.items[5]}", "only 2 items"),
        ("{a.items[name=q]}", "no item with name=q"),
        ("{a.items[oops]}", r"no index, \[key=value\]"),
    ],
)
def test_a_reference_that_leads_nowhere_says_where_it_stopped(text: str, said: str) -> None:
    with pytest.raises(MissingPlaceholderError, match=said):
        fill(text, RESULTS, str)


# -- agents ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wish", "said"),
    [
        ("oracel", "no agent 'oracel'; have oracle, null, replay:FILE"),
        ("llm:", "lacks what comes after the colon"),
        ("replay:/no/such.jsonl", "cannot be read"),
        ("command:claude 'x", "cannot be split"),
        ("python:no_such_module:f", "no function python:no_such_module:f"),
    ],
)
def test_an_agent_that_cannot_be_had_is_refused_in_one_line(wish: str, said: str) -> None:
    with pytest.raises(FarmError, match=said) as refused:
        make_agent(wish)

    assert "\n" not in str(refused.value)


def test_a_run_is_played_again_by_its_folder(tmp_path: Path) -> None:
    folder = tmp_path / "gpt"
    folder.mkdir()
    (folder / "trials.jsonl").write_text('{"task": "one", "calls": [], "answer": "38"}\n')

    assert make_agent(f"replay:{folder}").name == "replay:gpt"
    assert make_agent(f"replay:{folder / 'trials.jsonl'}").name == "replay:trials.jsonl"
    with pytest.raises(FarmError, match=f"recording {tmp_path}/trials.jsonl cannot be read"):
        make_agent(f"replay:{tmp_path}")


def test_a_variable_that_is_not_set_is_not_promised_to_an_agent() -> None:
    with pytest.raises(FarmError, match="--agent-env names NO_SUCH_KEY, which is not set"):
        make_agent("command:true", environment=["NO_SUCH_KEY"])


@pytest.mark.parametrize(
    ("printed", "answer"),
    [
        ("plain words\n", "plain words"),
        ('{"type":"result","result":"It is 38.","usage":{"input_tokens":5,"output_tokens":2}}', "It is 38."),
        ('{"type":"item","item":{"text":"first"}}\n{"type":"item","item":{"text":"last"}}\n', "last"),
        ('[{"message":{"content":[{"type":"text","text":"hello"}]}},{"type":"result","result":"bye"}]', "bye"),
        ("1,080,000", "1,080,000"),
    ],
)
def test_an_answer_is_what_was_printed_or_the_last_message_of_it(printed: str, answer: str) -> None:
    assert last_message(printed).answer == answer


def test_tokens_are_read_where_a_program_reports_them() -> None:
    usage = last_message('{"result":"x","usage":{"input_tokens":5,"output_tokens":2}}').usage

    assert usage is not None
    assert (usage.prompt_tokens, usage.completion_tokens) == (5, 2)
    assert last_message("x").usage is None


def test_a_configuration_has_a_server_an_app_and_the_bearer() -> None:
    made = mcp_config({"slack": "http://h/mcp/e/slack"}, "secret")

    server = made["mcpServers"]["slack"]
    assert (server["url"], server["headers"]) == ("http://h/mcp/e/slack", {"Authorization": "Bearer secret"})


def test_every_tools_shown_name_is_short_enough_and_its_own() -> None:
    names = [
        shown_name(app, tool["name"]) for app in content.app_names() for tool in content.load_app(app).tool_schemas
    ]

    assert len(set(names)) == len(names)
    assert max(map(len, names)) <= 64


# -- the log ---------------------------------------------------------------------------------------------------------

MANIFEST = {"suite": "s", "agent": "a", "seed": 0, "k": 1, "tasks": {"x": "1"}, "tools_sha256": {}}


def test_a_log_keeps_the_last_line_of_each_trial_and_cuts_a_torn_one(tmp_path: Path) -> None:
    log = RunLog.begin(tmp_path, MANIFEST, resume=False)
    log.append({"task": "x", "trial": 0, "acc": 0.0})
    log.append({"task": "x", "trial": 0, "acc": 1.0})
    with (tmp_path / "trials.jsonl").open("ab") as file:
        file.write(b'{"task": "y", "tri')

    again = RunLog.begin(tmp_path, MANIFEST | {"k": 3}, resume=True)
    again.append({"task": "z", "trial": 0, "acc": 0.5})

    assert [(trial["task"], trial["acc"]) for trial in again.trials()] == [("x", 1.0), ("z", 0.5)]


def test_a_folder_with_a_run_is_not_written_over(tmp_path: Path) -> None:
    RunLog.begin(tmp_path, MANIFEST, resume=False)

    with pytest.raises(ConflictError, match="holds a run already; add --resume"):
        RunLog.begin(tmp_path, MANIFEST, resume=False)
    with pytest.raises(ConflictError, match="holds a run that differs: seed was 0, is 1; name another --out"):
        RunLog.begin(tmp_path, MANIFEST | {"seed": 1}, resume=True)


def test_a_folder_without_a_run_is_said_to_have_none(tmp_path: Path) -> None:
    with pytest.raises(FarmError, match=r"it has no readable run\.json"):
        RunLog(tmp_path)


# -- episodes in process ---------------------------------------------------------------------------------------------


def test_a_local_episode_refuses_a_write_beyond_its_calls_as_a_farm_does(tmp_path: Path) -> None:
    farm = LocalFarm(tmp_path)
    session = farm.create("harbor", ["lark", "slack"], calls_max=2)
    channels = body_of(session.call("slack", "slack_list_channels", {"limit": 200}))["channels"]
    session.call("lark", "im_v1_chat_list", {})

    said = session.call("slack", "slack_post_message", {"channel_id": channels[0]["id"], "text": "late"})

    assert (said["isError"], session.over_limit(), len(session.calls())) == (True, 1, 2)
    assert "the limit of 2 calls for this task is reached" in said["content"][0]["text"]
    assert session.changes().diff == {}
    session.close()
    assert farm.create("harbor", ["slack"]).over_limit() == 0
    farm.close()


def test_no_call_waits_for_what_its_app_looks_things_up_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reference.forget()
    farm = LocalFarm(tmp_path)
    session = farm.create("harbor", ["amap"])
    # Reading a reference takes longer than a call may: on a busy machine no call ever came to its end.
    monkeypatch.setattr(reference, "_bytes", lambda *_: pytest.fail("read within a call"))

    assert "上海" in str(session.call("amap", "maps_geo", {"address": "上海市"}))
    farm.close()


def test_local_episodes_are_apart_and_leave_nothing(tmp_path: Path) -> None:
    farm = LocalFarm(tmp_path)
    one, other = farm.create("harbor", ["slack"]), farm.create("harbor", ["slack"])
    channels = body_of(one.call("slack", "slack_list_channels", {"limit": 200}))["channels"]

    one.call("slack", "slack_post_message", {"channel_id": channels[0]["id"], "text": "hi"})

    assert [change["op"] for change in one.changes().diff["slack"]["messages"]] == ["insert"]
    assert other.changes().diff == {}
    assert [call["tool"] for call in one.calls()] == ["slack_list_channels", "slack_post_message"]
    one.close()
    other.close()
    assert list((tmp_path / "episodes").iterdir()) == []
    farm.close()


def test_the_log_of_a_run_is_plain_json_lines(tmp_path: Path) -> None:
    log = RunLog.begin(tmp_path, MANIFEST, resume=False)
    log.append({"task": "x", "trial": 0, "answer": "两行\n"})

    lines = (tmp_path / "trials.jsonl").read_bytes().splitlines()

    assert [orjson.loads(line)["answer"] for line in lines] == ["两行\n"]


# -- under which conditions a run goes on ----------------------------------------------------------------------------

HELD: dict[str, Any] = {
    **MANIFEST,
    "about_agent": {"model": "m", "host": "api.example", "temperature": None},
    "versions": {"python": "3.11.7", "mcp": "2.3.0"},
    "content_commits": ["abc"],
    "started_at": "2026-03-09T01:00:00+00:00",
    "parallel": 4,
}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"about_agent": {**HELD["about_agent"], "temperature": 0.7}}, "about_agent.temperature was nothing, is 0.7"),
        (
            {"about_agent": {**HELD["about_agent"], "host": "other.example"}},
            'about_agent.host was "api.example", is "other.example"',
        ),
        ({"versions": {"python": "3.12.0", "mcp": "2.3.0"}}, 'versions.python was "3.11.7", is "3.12.0"'),
        ({"content_commits": ["abd"]}, 'content_commits was ["abc"], is ["abd"]'),
        ({"tasks": {"x": "2"}}, 'tasks.x was "1", is "2"'),
        ({"tools_sha256": {"slack": "2"}}, 'tools_sha256.slack was "1", is "2"'),
    ],
)
def test_a_run_goes_on_only_as_it_began_and_what_differs_is_named(
    tmp_path: Path, change: dict[str, Any], said: str
) -> None:
    before = HELD | {"tools_sha256": {"slack": "1"}}
    RunLog.begin(tmp_path, before, resume=False)

    with pytest.raises(ConflictError) as refused:
        RunLog.begin(tmp_path, before | change, resume=True)

    assert str(refused.value) == f"{tmp_path} holds a run that differs: {said}; name another --out"


def test_a_run_goes_on_with_more_trials_and_other_tasks_and_remembers_all(tmp_path: Path) -> None:
    RunLog.begin(tmp_path, HELD, resume=False)
    later = HELD | {"k": 3, "parallel": 1, "started_at": "later", "tasks": {"y": "1"}, "tools_sha256": {"lark": "1"}}

    log = RunLog.begin(tmp_path, later, resume=True)

    assert log.manifest == HELD | {"k": 3, "tasks": {"x": "1", "y": "1"}, "tools_sha256": {"lark": "1"}}


def test_what_an_agent_is_made_of_is_told_to_the_byte(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = tmp_path / "mine.sh"
    script.write_text("echo 1\n")
    monkeypatch.setenv("MY_KEY", "secret")
    command = f"sh {shlex.quote(str(script))} {{config}}"
    first = make_agent(f"command:{command}", environment=["MY_KEY"]).about()
    script.write_text("echo 2\n")
    second = make_agent(f"command:{command}", environment=["MY_KEY"]).about()

    assert first["command"] == second["command"] == command
    assert first["files_sha256"][str(script)] != second["files_sha256"][str(script)]
    assert first["environment"] == ["MY_KEY"]
    assert "secret" not in str(first)


def test_of_an_endpoints_address_only_the_host_is_told() -> None:
    agent = make_agent("llm:m", base_url="https://user:secret@api.example:8443/v1?key=secret", temperature=0.5)

    assert agent.about() == {"model": "m", "host": "api.example:8443", "temperature": 0.5}


def test_a_program_that_is_not_there_is_refused_before_anything_is_run() -> None:
    with pytest.raises(FarmError, match="no program 'no-such-agent' for the agent; name one on the PATH"):
        make_agent("command:no-such-agent {config}")


@pytest.mark.parametrize("state", ["clean", "changed", "added"])
def test_the_commit_of_content_says_whether_it_is_as_committed(tmp_path: Path, state: str) -> None:
    tasks = tmp_path / "tasks"
    tasks.mkdir()
    (tasks / "a.toml").write_text("1")
    identity = ("-c", "user.name=n", "-c", "user.email=e@example.com")
    for words in (("init", "-q"), ("add", "."), (*identity, "commit", "-qm", "m")):
        subprocess.run(["git", "-C", str(tmp_path), *words], check=True)
    (tmp_path / "README").write_text("no content")
    if state != "clean":
        (tasks / ("a.toml" if state == "changed" else "b.toml")).write_text("2")

    found = commit_of(tmp_path)

    assert found is not None
    assert re.fullmatch("[0-9a-f]{40}" if state == "clean" else r"[0-9a-f]{40}\+[0-9a-f]{8}", found)
    assert commit_of(tmp_path / "tasks") is None


def test_an_image_is_for_commands_only() -> None:
    with pytest.raises(FarmError, match="--agent-image is for command: agents, not 'oracle'"):
        make_agent("oracle", image="python")


def test_an_agent_in_an_image_needs_docker(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))

    with pytest.raises(FarmError, match="--agent-image needs the program 'docker'; install it"):
        make_agent("command:no-program-of-ours {config}", image="python")


# -- a farm that goes away -------------------------------------------------------------------------------------------


class GoneFarm:
    """An address at which a farm answers only so many times, counted over all clients."""

    def __init__(self, answers: int, comes_back: bool = False) -> None:
        self.answers = answers
        self.comes_back = comes_back
        self.trials = 0

    def client(self) -> Any:
        return self

    def close(self) -> None:
        pass

    def episodes(self) -> list[Any]:
        if self.answers == 0:
            self.answers = 1 if self.comes_back else 0
            raise FarmError("no farm answers at http://127.0.0.1:8701")
        self.answers -= 0 if self.comes_back else 1
        return []

    def create(self, **_: Any) -> Any:
        self.trials += 1
        raise FarmError("http://127.0.0.1:8701 closed the connection")


def test_a_run_ends_when_its_farm_is_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "AWAY_S_MAX", 0.0)
    farm: Any = GoneFarm(answers=1)

    with pytest.raises(FarmError, match=rf"closed the connection; 0 of {len(DEMO.tasks)} trials had been held"):
        run.run_suite(DEMO, make_agent("null"), farm, Options(parallel=1))

    assert farm.trials == 1


def test_a_run_waits_for_a_farm_that_comes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "_ASK_AGAIN_S", 0.01)
    farm: Any = GoneFarm(answers=1, comes_back=True)

    found = run.run_suite(DEMO, make_agent("null"), farm, Options(parallel=1))

    assert farm.trials == found["outcomes"]["not_graded"] == len(DEMO.tasks)


def test_a_runs_own_farm_that_ends_before_it_is_told_anything_is_said_in_one_line(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    start = subprocess.Popen

    def dead(*_: Any, **options: Any) -> subprocess.Popen[bytes]:
        process = start(["sh", "-c", "exit 3"], **options)
        process.wait()
        return process

    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(subprocess, "Popen", dead)

    with pytest.raises(FarmError, match=r"the run's own farm did not start \(status 3\)"), own_farm(["slack"]):
        pytest.fail("there is none")
    assert list(tmp_path.iterdir()) == []


def test_that_a_run_was_broken_off_is_said_once_by_whoever_comes_first(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def end(status: int) -> None:
        raise SystemExit(status)

    monkeypatch.setattr(run_command, "_end", end)
    breaking = run_command._EndAtOnce()
    with pytest.raises(SystemExit):
        breaking._end()
    impatient = threading.Thread(target=breaking._end, daemon=True)  # has the process ended by then, but for this test

    impatient.start()
    impatient.join(0.2)

    assert capsys.readouterr().err == "broken off\n"
