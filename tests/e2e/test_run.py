"""Runs over the wire: a farm of the run's own, and every kind of agent on it."""

from __future__ import annotations

import json
import shlex
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from farm.benchmark.agents.base import Agent, Assignment, Result
from farm.benchmark.agents.factory import make_agent
from farm.benchmark.agents.scripted import Oracle
from farm.benchmark.runner.farm_address import FarmAddress, own_farm
from farm.benchmark.runner.log import RunLog
from farm.benchmark.runner.options import Options
from farm.benchmark.runner.run import report, rescore, run_suite
from farm.benchmark.tasks import Suite
from farm.errors import ConflictError, FarmError
from farm.testing.mock_model import Endpoint, parse_script
from tests.e2e.conftest import farm_command, until
from tests.e2e.test_gateway import MCP_HEADERS, rpc, send
from tests.suites import parsed_suite

pytestmark = [pytest.mark.e2e, pytest.mark.xdist_group("run")]

SEARCH, OPERATE = "slack-boards-rate", "slack-unlock-scheduler"


@pytest.fixture(scope="module")
def place_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the farm of this module keeps its data, and no other farm of this machine."""
    return tmp_path_factory.mktemp("own")


@pytest.fixture(scope="module")
def place(place_folder: Path) -> Iterator[FarmAddress]:
    """A farm with Slack only."""
    with ExitStack() as stack:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(tempfile, "tempdir", str(place_folder))
            running = stack.enter_context(own_farm(["slack"]))
        yield running


@pytest.fixture(scope="module")
def suite() -> Suite:
    """One search and one operation of the demo suite, both in Slack."""
    demo = parsed_suite("demo")
    return Suite("demo", demo.title, (demo.task(SEARCH), demo.task(OPERATE)))


def only(suite: Suite, task_id: str) -> Suite:
    return Suite(suite.name, suite.title, (suite.task(task_id),))


@pytest.fixture
def model() -> Iterator[Callable[..., Endpoint]]:
    started: list[Endpoint] = []

    def start(*turns: Any) -> Endpoint:
        started.append(Endpoint(parse_script(list(turns))))
        started[-1].start()
        return started[-1]

    yield start
    for each in started:
        each.close()


# A turn costs as much in each test, so that sums are known.
COST = {"input": 100, "output": 10, "cached": 20}
HISTORIES = [
    {
        "tool": "slack_get_channel_history",
        "arguments": {"channel_id": f"{{slack_list_channels.channels[name={name}].id}}", "limit": 100},
    }
    for name in ("launch-ember", "supplier-quality")
]
SHEET = json.dumps({"flickering_boards": 38, "sampled_boards": 600, "flickering_share": "6.3 %", "share_limit": "1 %"})
# Look up the board rate as a model would: channels, two histories at once, an answer.
SEARCH_BOARDS = (
    {"tool": "slack_list_channels", "arguments": {"limit": 200}, "usage": COST},
    {"calls": HISTORIES, "usage": COST},
    {"text": f"38 of 600 boards, 6.3 %; the limit is 1.0 %.\n```json\n{SHEET}\n```", "usage": COST},
)


# -- the runs --------------------------------------------------------------------------------------------------------


def test_the_oracle_earns_everything_and_the_null_agent_nothing(suite: Suite, place: FarmAddress) -> None:
    oracle = run_suite(suite, make_agent("oracle"), place)
    null = run_suite(suite, make_agent("null"), place)

    assert (oracle["acc"], oracle["sr_08"], oracle["exec_acc"], oracle["damage_rate"]) == (1.0, 1.0, 1.0, 0.0)
    assert (oracle["tfs"], oracle["tefs"]) == (1.0, 1.0)
    assert (null["acc"], null["sr_08"], null["tfs"]) == (0.0, 0.0, 0.0)


def test_a_model_looks_things_up_in_turns_and_is_graded_on_its_answer(
    suite: Suite, place: FarmAddress, tmp_path: Path, model: Callable[..., Endpoint]
) -> None:
    scripted = model(*SEARCH_BOARDS)
    agent = make_agent("llm:gpt", base_url=scripted.base_url())

    found = run_suite(only(suite, SEARCH), agent, place, out=tmp_path)

    trial = RunLog(tmp_path).trials()[0]
    assert found["acc"] == 1.0
    assert found["answer_forms"] == {
        "checkpoints": 1,
        "by_sheet": 1.0,
        "by_prose": 1.0,
        "by_prose_range": [1.0, 1.0],
        "alike": 1,
    }
    assert [len(turn) for turn in trial["turns"]] == [1, 2]
    assert (found["tfs"], found["tefs"]) == (1.0, 1.0)
    assert trial["usage"] == {"prompt_tokens": 300, "completion_tokens": 30, "cached_tokens": 60}
    assert (trial["models"], trial["finish_reasons"]) == (["scripted"], ["tool_calls", "tool_calls", "stop"])
    asked = scripted.play("").requests[0]
    assert '"share_limit": 0' in asked["newest"]
    system = asked["instructions"]
    assert "Monday, 9 March 2026, 09:00" in system
    assert "Wan Lin" in system
    assert "lin.wan@harborlight.example" in system
    assert {tool.partition("__")[0] for tool in asked["tools"]} == {"slack"}


def test_a_model_that_is_wrong_about_tools_is_told_so_and_goes_on(
    suite: Suite, place: FarmAddress, tmp_path: Path, model: Callable[..., Endpoint]
) -> None:
    wrong = [
        {"tool": "slack__slack_guess", "offered": False, "as": "guess"},
        {"tool": "slack_post_message", "arguments": {"text": "no channel"}, "as": "post"},
    ]
    scripted = model(wrong, "{guess}\n{post}")

    run_suite(only(suite, OPERATE), make_agent("llm:gpt", base_url=scripted.base_url()), place, out=tmp_path)

    trial = RunLog(tmp_path).trials()[0]
    assert trial["outcome"] == "fail"
    assert "there is no tool 'slack__slack_guess'" in trial["answer"]
    assert [call["refused"] for call in trial["calls"]] == [True]


def test_a_model_that_never_ends_is_stopped_after_its_rounds(
    suite: Suite, place: FarmAddress, tmp_path: Path, model: Callable[..., Endpoint]
) -> None:
    endless = model({"tool": "slack_list_channels", "repeat": True})
    options = Options(rounds_max=3)

    run_suite(only(suite, SEARCH), make_agent("llm:gpt", base_url=endless.base_url()), place, options, out=tmp_path)

    trial = RunLog(tmp_path).trials()[0]
    assert trial["ended"] == "rounds"
    assert len(trial["calls"]) == 3


def test_a_model_that_does_not_answer_is_a_failure_and_is_told_apart(
    suite: Suite, place: FarmAddress, tmp_path: Path, model: Callable[..., Endpoint]
) -> None:
    broken = model({"text": "?", "when": "what nobody says"})

    found = run_suite(only(suite, SEARCH), make_agent("llm:gpt", base_url=broken.base_url()), place, out=tmp_path)

    assert (found["outcomes"]["endpoint_failed"], found["graded"]) == (1, 0)
    assert (found["acc"], found["graded_only"]["acc"]) == (0.0, None)
    assert "the model did not answer" in RunLog(tmp_path).trials()[0]["error"]


@contextmanager
def replying(reply: Callable[[dict[str, Any]], Any]) -> Iterator[str]:
    """Serve a model that replies with any JSON, and yield its address."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.dumps(reply(json.loads(self.rfile.read(int(self.headers["content-length"]))))).encode()
            self.send_response(200)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/v1"
        server.shutdown()
        thread.join()


def calling(**function: Any) -> dict[str, Any]:
    called = [{"type": "function", "id": "1", "function": function or None}]
    return {"choices": [{"message": {"content": "a", "tool_calls": called}}]}


def test_no_form_of_a_reply_keeps_a_trial_out_of_the_figures(suite: Suite, place: FarmAddress) -> None:
    odd = [
        *([], "x", {"choices": 7}, {"choices": [{}]}, {"choices": [{"message": None}]}),
        {"usage": {"prompt_tokens": "x"}, "choices": [{"message": {"content": "a"}}]},
        {"model": {"a": 1}, "choices": [{"message": {"content": {"a": 1}}, "finish_reason": ["stop"]}]},
        {"choices": [{"message": {"content": 5, "tool_calls": 7}, "finish_reason": "stop"}]},
        *(calling(), calling(name=[], arguments={})),
    ]
    left = iter(odd)

    with replying(lambda _: next(left)) as url:
        agent = make_agent("llm:gpt", base_url=url, retries=0)
        found = run_suite(only(suite, SEARCH), agent, place, Options(k=len(odd), parallel=1))

    assert {name: count for name, count in found["outcomes"].items() if count} == {"endpoint_failed": len(odd)}
    assert found["acc"] == 0.0


def test_a_judge_of_every_text_stands_beside_the_score_and_agrees_or_not(
    suite: Suite, place: FarmAddress, tmp_path: Path
) -> None:
    def verdict(request: dict[str, Any]) -> Any:
        rules, data = (each["content"] for each in request["messages"])
        mark = data.splitlines()[0]
        assert mark in rules
        said = "no" if "38 of 600" in json.loads(data.splitlines()[1])["text"] else "yes"
        reply = json.dumps({"mark": mark, "verdict": said, "reason": "contrary"})
        return {"model": "j", "choices": [{"message": {"content": reply}, "finish_reason": "stop"}]}

    run_suite(suite, make_agent("oracle"), place, out=tmp_path)

    with replying(verdict) as url:
        judged = farm_command("report", tmp_path, "--judge", "j", "--judge-all", "--base-url", url, "--json")
        shown = farm_command("report", tmp_path, "--judge", "j", "--judge-all", "--base-url", url).stdout
    compared = json.loads(farm_command("judge-agreement", tmp_path, "--json").stdout)
    table = farm_command("judge-agreement", tmp_path).stdout

    (found,) = json.loads(judged.stdout)["runs"]
    assert (found["acc"], found["judged"]["acc"]) == (1.0, 1.0)
    assert found["judged"]["every_text"] == {"acc": 0.5, "sr_08": 0.5, "texts": 2, "decided": 2}
    assert "j judges 2 of 2 texts" in shown
    assert compared["pairs"][0] == {
        "raters": ["code", "judge"],
        "checkpoints": 2,
        "labels": 2,
        "agreement": 0.5,
        "kappa": 0.0,
    }
    assert compared["by_kind"].keys() == {"personal_search", "operate"}
    assert "code – judge" in table


COMMAND = """
import json, os, sys, urllib.request
config = json.load(open(sys.argv[1]))["mcpServers"]["slack"]
def call(tool, arguments):
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}
    headers = {**config["headers"], "content-type": "application/json", "accept": "application/json, text/event-stream"}
    headers["mcp-protocol-version"] = "2025-11-25"
    request = urllib.request.Request(config["url"], json.dumps(body).encode(), headers)
    return json.loads(json.load(urllib.request.urlopen(request))["result"]["content"][0]["text"])
ids = {each["name"]: each["id"] for each in call("slack_list_channels", {"limit": 200})["channels"]}
call("slack_get_channel_history", {"channel_id": ids["launch-ember"], "limit": 100})
secrets = [name for name in os.environ if "SECRET" in name]
told = {name: os.environ[name] for name in ("FARM_CALLS_MAX", "FARM_DEADLINE", "FARM_TRIAL")}
assert "Helen wants it" in sys.stdin.read() and "Helen wants it" in sys.argv[2]
print(json.dumps({"type": "log", "text": "working"}))
print(json.dumps(told), file=sys.stderr)
print(json.dumps({"type": "result", "result": f"38 of 600, 6.3 %, limit 1.0 % {secrets} {os.listdir()} SHEET"}))
""".replace("SHEET", SHEET.replace("{", "{{").replace("}", "}}").replace('"', '\\"'))


def test_a_command_gets_a_configuration_a_clean_room_and_is_graded_on_its_last_message(
    suite: Suite, place: FarmAddress, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MY_SECRET", "x")
    script = tmp_path / "agent.py"
    script.write_text(COMMAND)
    agent = make_agent(f"command:{shlex.quote(sys.executable)} {shlex.quote(str(script))} {{config}} {{instruction}}")

    found = run_suite(only(suite, SEARCH), agent, place, out=tmp_path / "run")

    trial = RunLog(tmp_path / "run").trials()[0]
    assert (found["acc"], found["sealed"]) == (1.0, False)
    assert (trial["turns"], trial["tefs"], found["tefs"]) == (None, None, None)
    assert trial["answer"].startswith("38 of 600")
    assert trial["answer"].endswith(f"[] [] {SHEET}")
    told = json.loads(trial["transcript"][0]["stderr"])
    assert (told["FARM_CALLS_MAX"], told["FARM_TRIAL"]) == ("12", trial["id"])
    assert SEARCH not in trial["id"]
    left = datetime.fromisoformat(told["FARM_DEADLINE"]) - datetime.now(UTC)
    assert timedelta(seconds=500) < left < timedelta(seconds=600)


def test_a_command_is_ended_at_its_time(suite: Suite, place: FarmAddress, tmp_path: Path) -> None:
    script = tmp_path / "agent.py"
    script.write_text("import time; time.sleep(60)")
    agent = make_agent(f"command:{shlex.quote(sys.executable)} {shlex.quote(str(script))} {{config}}")

    run_suite(only(suite, SEARCH), agent, place, Options(time_s_max=1), out=tmp_path / "run")

    assert RunLog(tmp_path / "run").trials()[0]["ended"] == "time"


def test_a_fast_script_over_the_limit_is_refused_and_never_passes(
    suite: Suite, place: FarmAddress, tmp_path: Path
) -> None:
    script = tmp_path / "agent.py"
    calls = """
# It knows the answer after two calls, and goes on.
ids = {each["name"]: each["id"] for each in json.loads(call("slack_list_channels", {"limit": 200}))["channels"]}
call("slack_get_channel_history", {"channel_id": ids["launch-ember"], "limit": 100})
for _ in range(843): call("slack_list_channels", {"limit": 1})
print("38 of 600, 6.3 %, limit 1.0 %")
print(SHEET)
""".replace("SHEET", repr(SHEET))
    script.write_text(COMMAND.partition("ids =")[0].replace("return json.loads(", "return (") + calls)
    agent = make_agent(f"command:{shlex.quote(sys.executable)} {shlex.quote(str(script))} {{config}}")

    found = run_suite(only(suite, SEARCH), agent, place, Options(calls_max=12), out=tmp_path / "run")

    trial = RunLog(tmp_path / "run").trials()[0]
    assert (trial["outcome"], trial["ended"], len(trial["calls"]), trial["over_limit"]) == (
        "over_limit",
        "answered",
        12,
        833,
    )
    # The answer is right, and was found within the limit.
    assert (trial["acc"], found["sr_08"], found["outcomes"]["over_limit"]) == (1.0, 0.0, 1)
    assert rescore(RunLog(tmp_path / "run"), suite)["outcomes"]["over_limit"] == 1
    shown = farm_command("report", tmp_path / "run", "--failures").stdout
    assert f"{SEARCH} #0: over its limit of calls; the farm refused 833" in shown


def test_a_call_after_the_deadline_is_refused_whoever_outlives_the_trial(
    suite: Suite, place: FarmAddress, tmp_path: Path
) -> None:
    told: list[Assignment] = []

    class Late:
        name = "late"
        is_sealed = True
        connects = False

        def about(self) -> dict[str, Any]:
            return {}

        def play(self, job: Assignment) -> Result:
            told.append(job)
            deadline = job.limits.deadline
            until(lambda: deadline is not None and datetime.now(UTC) > deadline, "the deadline")
            answer = job.session.call("slack", "slack_list_channels", {"limit": 1})
            return Result(answer["content"][0]["text"], turns=())

    run_suite(only(suite, SEARCH), Late(), place, Options(time_s_max=0.2), out=tmp_path)

    trial = RunLog(tmp_path).trials()[0]
    assert trial["answer"].startswith("Refused: the time for this task is over.")
    assert (trial["calls"], trial["outcome"]) == ([], "fail")
    assert "have 0.2 seconds by a real clock" in told[0].system


def test_the_expected_calls_are_found_without_the_limit_of_the_trial(
    suite: Suite, place: FarmAddress, tmp_path: Path
) -> None:
    run_suite(only(suite, SEARCH), make_agent("oracle"), place, Options(calls_max=1), out=tmp_path)

    trial = RunLog(tmp_path).trials()[0]
    assert (trial["outcome"], len(trial["calls"])) == ("over_limit", 1)


# -- what an agent can find out -------------------------------------------------------------------------------------


def test_a_runs_own_farm_has_no_episode_but_those_of_its_trials(place: FarmAddress) -> None:
    with place.client() as client:
        assert client.episodes() == []
        with pytest.raises(FarmError, match=r"^no episode 'default'; have none \(0\)$"):
            client.episode("default")


@pytest.mark.parametrize("given", ["nothing", "a wrong bearer", "the bearer"])
def test_no_error_tells_an_agent_of_another_episode(place: FarmAddress, given: str) -> None:
    with place.client() as client:
        mine, other = client.create(seed=1), client.create(seed=2)
        bearer = {"nothing": {}, "a wrong bearer": {"authorization": "Bearer x"}}
        headers = bearer.get(given, {"authorization": f"Bearer {mine['token']}"})
        agents, direct = (mine[key]["slack"].rpartition("/mcp/")[0] for key in ("mcp", "direct"))
        paths = ["/", "/mcp", "/mcp/", "/v1/episodes", "/v1/openapi.json", "/metrics", "/episodes", "/mcp/default"]
        paths += ["/mcp/default/slack", "/mcp/ghost", "/mcp/ghost/slack", f"/mcp/{mine['id']}/fax", "/mcp/../x"]
        paths += [f"/mcp/{mine['id']}", f"/mcp/{mine['id']}/slack", f"/mcp/{mine['id']}/", f"/mcp/{other['id'][:-1]}"]
        answers = [
            send(server + path, "POST", body, {**fields, **headers})
            for server in (agents, direct)
            for path in paths
            for body, fields in (rpc("tools/call", {"name": "slack_fly", "arguments": {}}), (b"{", MCP_HEADERS))
        ]
        client.drop(mine["id"])
        client.drop(other["id"])

    assert len(answers) == 4 * len(paths)
    assert all(status >= 400 or b'"error"' in raw for status, _, raw in answers)
    assert not [raw for _, _, raw in answers if other["id"].encode() in raw or other["token"].encode() in raw]


@pytest.mark.parametrize("path", ["/mcp/default", "/mcp/default/slack"])
def test_an_agent_that_asks_for_the_default_episode_finds_none(place: FarmAddress, path: str) -> None:
    with place.client() as client:
        mine = client.create()
        client.drop(mine["id"])
    for kind, asked in (("mcp", path), ("direct", "/mcp/default")):
        server = mine[kind]["slack"].rpartition("/mcp/")[0]
        status, _, raw = send(server + asked, "POST", *rpc("tools/call", {"name": "slack_list_channels"}))

        assert (status, json.loads(raw)["error"]["message"]) == (404, "no episode 'default'")


def test_a_run_can_be_replayed_from_its_own_trials(suite: Suite, place: FarmAddress, tmp_path: Path) -> None:
    run_suite(suite, make_agent("oracle"), place, out=tmp_path)

    again = run_suite(suite, make_agent(f"replay:{tmp_path / 'trials.jsonl'}"), place)

    assert again["acc"] == 1.0
    assert again["tefs"] is None


def test_a_resumed_run_goes_on_where_it_stopped(suite: Suite, place: FarmAddress, tmp_path: Path) -> None:
    played: list[str] = []

    class Counting:
        name = "counting"
        is_sealed = True
        connects = False

        def about(self) -> dict[str, Any]:
            return {}

        def play(self, job: Assignment) -> Result:
            played.append(job.task.id)
            return Result("", turns=())

    agent: Agent = Counting()
    run_suite(only(suite, SEARCH), agent, place, out=tmp_path)
    with (tmp_path / "trials.jsonl").open("ab") as file:
        file.write(b'{"task":"torn')

    with pytest.raises(ConflictError, match="--resume"):
        run_suite(suite, agent, place, out=tmp_path)
    found = run_suite(suite, agent, place, Options(k=2), out=tmp_path, resume=True)

    assert found["trials"] == 4
    assert sorted(played) == [SEARCH, SEARCH, OPERATE, OPERATE]


def test_a_run_is_graded_again_by_its_tasks_as_they_are_now(suite: Suite, place: FarmAddress, tmp_path: Path) -> None:
    run_suite(suite, make_agent("oracle"), place, out=tmp_path)
    log = RunLog(tmp_path)
    wrong = log.trials()[0] | {"acc": 0.0, "outcome": "fail"}
    log.append(wrong)
    assert report(log)["acc"] == 0.5

    found = rescore(log, suite)

    assert found["acc"] == 1.0
    assert len((tmp_path / "trials.jsonl").read_bytes().splitlines()) == 4


def test_a_python_function_is_an_agent_and_its_mistakes_are_its_own(
    suite: Suite, place: FarmAddress, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "my_agent.py").write_text(
        "async def play(job):\n"
        "    if 'Helen' in job['instruction']:\n"
        "        raise KeyError('oops')\n"
        "    return {'answer': f\"{sorted(job['mcp'])} {job['calls_max']}\"}\n"
    )
    monkeypatch.syspath_prepend(tmp_path)

    run_suite(suite, make_agent("python:my_agent:play"), place, out=tmp_path / "run")

    trials = {trial["task"]: trial for trial in RunLog(tmp_path / "run").trials()}
    assert trials[SEARCH]["ended"] == "failed"
    assert trials[SEARCH]["outcome"] == "fail"
    assert "KeyError: 'oops'" in trials[SEARCH]["transcript"][0]["stderr"]
    assert trials[OPERATE]["answer"] == "['slack'] 15"


def test_a_farm_that_does_not_answer_ends_the_run_in_one_line(suite: Suite) -> None:
    with pytest.raises(FarmError, match="no farm answers at"):
        run_suite(suite, make_agent("oracle"), FarmAddress("http://127.0.0.1:9", "token"))


def test_a_run_in_an_older_version_says_so_and_one_in_none_is_refused(
    suite: Suite, tmp_path: Path, place_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    demo, asked = parsed_suite("demo"), make_agent("null")
    monkeypatch.setattr(tempfile, "tempdir", str(place_folder))
    with own_farm(["lark"]) as lark:
        task = next(task for task in demo.tasks if task.apps == ("lark",))
        chosen = Suite(demo.name, demo.title, (task,))

        found = run_suite(chosen, asked, lark, Options(profile="paper-2025"), out=tmp_path / "run")

        with pytest.raises(FarmError, match="no app has a profile 'future'"):
            run_suite(chosen, asked, lark, Options(profile="future"))
    assert found["outcomes"]["not_graded"] == 0
    log = RunLog(tmp_path / "run")
    assert found["profile"] == report(log)["profile"] == log.manifest["profile"] == "paper-2025"


def test_the_runs_own_farm_keeps_its_token_off_the_disk(place: FarmAddress, place_folder: Path) -> None:
    (data,) = place_folder.glob("farm-run-*")

    files = [path for path in data.rglob("*") if path.is_file()]

    assert files
    assert not [path for path in files if place.token.encode() in path.read_bytes()]


def test_what_an_agent_did_and_undid_is_in_the_log_and_judged_by_the_task(tmp_path: Path) -> None:
    demo = parsed_suite("demo")
    task = demo.task("rednote-refund-story")

    class Fickle:
        """Answers rightly, and likes a note in passing, of which it thinks better."""

        name = "fickle"
        is_sealed = True
        connects = False

        def about(self) -> dict[str, Any]:
            return {}

        def play(self, job: Assignment) -> Result:
            right = Oracle().play(job)
            text = job.session.call("rednote", "list_feeds", {})["content"][0]["text"]
            note = json.loads(text)["feeds"][0]
            for unlike in (False, True, False, True):
                given = {"feed_id": note["id"], "xsec_token": note["xsecToken"], "unlike": unlike}
                job.session.call("rednote", "like_feed", given)
            return Result(right.answer, turns=())

    with own_farm(["rednote"]) as place:
        found = run_suite(Suite("demo", demo.title, (task,)), Fickle(), place, out=tmp_path)

    (trial,) = RunLog(tmp_path).trials()
    assert (trial["outcome"], trial["acc"], found["damage_rate"]) == ("unsafe", 1.0, 1.0)
    assert [(each["table"], each["is_damage"]) for each in trial["reverted"]] == [("likes", True)]
    assert [each["change"] for each in trial["damage"]] == ["reverted"]
    (row,) = trial["reverted_rows"]["rednote"]["likes"]
    assert trial["reverted"][0]["calls"] == [step["call"] for step in row["steps"]]

    ignoring = Suite("demo", demo.title, (replace(task, reverted="ignore"),))
    assert rescore(RunLog(tmp_path), ignoring)["damage_rate"] == 0.0
    (trial,) = RunLog(tmp_path).trials()
    assert (trial["outcome"], trial["reverted"][0]["is_damage"]) == ("pass", False)
