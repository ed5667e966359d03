"""``farm tasks``, ``audit``, ``run``, ``report`` and ``rescore`` from the command line, without a farm."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import orjson
import pytest

from farm.benchmark.tasks import load_suite
from farm.cli import main
from farm.cli.run import choose
from farm.cli.tasks import HARBOR

TASK = "slack-unlock-scheduler"


def farm(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    """Run the command line and return status, output and errors."""
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    said = capsys.readouterr()
    status = ended.value.code
    return (status if isinstance(status, int) else 0), said.out, said.err


def test_tasks_are_listed_shown_and_checked(capsys: pytest.CaptureFixture[str]) -> None:
    _, listed, _ = farm(capsys, "tasks", "list", "demo")
    _, shown, _ = farm(capsys, "tasks", "show", "demo", TASK)
    _, checked, _ = farm(capsys, "tasks", "validate")
    _, as_json, _ = farm(capsys, "tasks", "list", "demo", "--json")

    assert TASK in listed
    assert "answered-in-thread (operate)" in shown
    assert "at most 15 calls" in shown
    assert "no problems" in checked
    assert {"id", "category", "apps", "checkpoints"} <= orjson.loads(as_json)[0].keys()


def test_a_lookup_that_means_no_row_is_told_when_tasks_are_checked(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    text = Path(f"tasks/demo/{TASK}.toml").read_text(encoding="utf-8")
    suite = tmp_path / "tasks" / "mine"
    suite.mkdir(parents=True)
    lookup = '[lookups]\nnowhere = { app = "slack", table = "channels", where = { name = "nowhere" }, column = "id" }\n'
    (suite / f"{TASK}.toml").write_text(text.replace("[lookups]\n", lookup, 1), encoding="utf-8")

    status, _, told = farm(capsys, "tasks", "validate", "mine", "--content", str(tmp_path))

    assert status != 0
    assert f"{TASK}.toml: lookups.nowhere: slack.channels where {{'name': 'nowhere'}} means no row" in told


def test_what_is_told_beside_an_instruction_is_shown_with_it(capsys: pytest.CaptureFixture[str]) -> None:
    told = load_suite("demo").task("cross-krause-numbers")
    assert told.necessary or told.unnecessary

    _, shown, _ = farm(capsys, "tasks", "show", "demo", told.id)
    _, as_json, _ = farm(capsys, "tasks", "show", "demo", told.id, "--json")

    flat = " ".join(shown.split())
    for fact in told.necessary:
        assert f"told besides: {fact}" in flat
    for fact in told.unnecessary:
        assert f"told with --context +unnecessary: {fact}" in flat
    found = orjson.loads(as_json)
    assert (found["necessary"], found["unnecessary"]) == (list(told.necessary), list(told.unnecessary))


def test_an_audit_prints_the_report_scripts_rely_on(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = farm(capsys, "audit", "demo", "--tasks", TASK, "--json")

    found = orjson.loads(out)
    assert (status, found["suite"], found["tasks"], found["oracle"], found["null"]) == (0, "demo", 1, 1.0, 0.0)
    assert (found["kill_rate"], found["accept_rate"], found["survivors"]) == (1.0, 1.0, [])


def test_a_wrong_task_of_ones_own_is_one_line_a_problem(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "tasks" / "mine"
    folder.mkdir(parents=True)
    (folder / "one.toml").write_text('id = "one"\ncolour = "red"\n')
    monkeypatch.setenv("FARM_CONTENT", str(tmp_path))

    status, _, err = farm(capsys, "tasks", "validate", "mine")
    exported, _, refused = farm(capsys, "tasks", "export", "mine", str(tmp_path / "out"), "--format", HARBOR)

    assert (status, exported) == (1, 1)
    for said in (err, refused):
        assert "one.toml: colour: unknown key; have id, " in said
        assert "one.toml: title: missing; it is a text" in said
        assert "Traceback" not in said
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("tasks", "show", "demo", "x"), "no task 'x' in suite 'demo'"),
        (("tasks", "show", "demo/slack-venue-fee"), "have cross-venue-fee"),
        (("tasks", "show", "demo"), "name the task, too: demo/TASK; 'farm tasks list demo' lists them"),
        (("tasks", "try", "demo", "x", "y"), "name the task, too: demo/TASK"),
        (("run", "demo", "--agent", "null", "--tasks", "cross-rain-sunday,x"), "no task 'x'"),
        (("up", "--apps", " , "), "--apps names no app; have amap, "),
        (("up", "--apps", "slack", "--apps", "lark, slck"), "no app 'slck'"),
        (("tables", "slack", "message"), "no table 'message' in slack; have "),
        (("tools", "lark", "im_v1_message_crate"), "have im_v1_message_create, "),
        (("tasks", "export", "demo", "out", "--format", "x"), "no format 'x'; have harbor-framework"),
        (("tasks", "export", "demo", "docs", "--format", "harbor-framework", "--tasks", "x"), "no task 'x'"),
        (("tasks", "export", "dmeo", "out", "--format", "harbor-framework"), "no suite 'dmeo'; have"),
        (("tasks", "serve", "demo/x"), "no task 'x' in suite 'demo'"),
        (("audit", "dmeo"), "no suite 'dmeo'; have"),
        (("run", "demo", "--agent", "oracel"), "no agent 'oracel'; have oracle, null"),
        (("run", "demo", "--agent", "null", "--tasks", "x"), "no task 'x'"),
        (("run", "demo", "--agent", "null", "--category", "x"), "no task is left; categories of 'demo'"),
        (("run", "demo", "--agent", "null", "--resume"), "--resume needs --out"),
        (("run", "demo", "--agent", "null", "--farm", "http://127.0.0.1:9"), "--farm needs --token-file"),
        (
            ("run", "demo", "--agent", "null", "--shard", "3/2"),
            "a shard is written i/n with i from 1 to n, such as 2/4",
        ),
        (("run", "demo", "--agent", "null", "--tasks", "slack-boards-rate", "--shard", "2/2"), "shard 2/2 is empty"),
        (("run", "demo", "--agent", "null", "--engine", "dask"), "no engine 'dask'; have threads, ray"),
        (("run", "demo", "--agent", "null", "--address", "auto"), "--address names a Ray cluster; add --engine ray"),
        (
            ("run", "demo", "--agent", "null", "--farm", "http://127.0.0.1:9", "--token-file", "/a", "--token-file=/b"),
            "there are 2 token files for 1 farm; name one --token-file for all of them, or one for each",
        ),
        (("merge", "/no/such/run", "--out", "/no/such/place"), "no run in /no/such/run"),
        (("report", "/no/such/run"), "no run in /no/such/run"),
        (("rescore", "/no/such/file", "--format", "mcpagentbench"), "cannot be read"),
        (("rescore", "/no/such/file", "--format", "x"), "no format 'x'; have mcpagentbench"),
    ],
)
def test_a_mistake_is_one_clear_line(capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], said: str) -> None:
    status, _, err = farm(capsys, *arguments)

    assert status != 0
    assert said in err
    assert len(err.strip().splitlines()) == 1


def test_the_variable_of_token_files_may_name_one_with_spaces_or_several(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    run = ("run", "demo", "--agent", "null", "--farm", "http://127.0.0.1:9")
    monkeypatch.setenv("FARM_TOKEN_FILE", str(tmp_path / "my farm" / "token"))

    assert f"token file {tmp_path}/my farm/token cannot be read" in farm(capsys, *run)[2]

    monkeypatch.setenv("FARM_TOKEN_FILE", os.pathsep.join(["/a", "/b"]))
    assert "there are 2 token files for 1 farm" in farm(capsys, *run)[2]


def test_a_task_may_be_named_with_its_suite(capsys: pytest.CaptureFixture[str]) -> None:
    answer = "Final, 26 March 10:00."

    assert farm(capsys, "tasks", "show", "demo/slack-boards-rate") == farm(
        capsys, "tasks", "show", "demo", "slack-boards-rate"
    )
    assert farm(capsys, "tasks", "try", "demo/slack-unlock-scheduler", "answered-in-thread", answer) == farm(
        capsys, "tasks", "try", "demo", "slack-unlock-scheduler", "answered-in-thread", answer
    )


def test_one_table_is_shown_alone(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = farm(capsys, "tables", "slack", "reactions")

    assert [line for line in out.splitlines() if not line.startswith(" ")] == ["reactions"]


def test_tasks_and_categories_that_are_given_again_are_all_taken() -> None:
    demo = load_suite("demo")

    by_name = choose(demo, ["telegram-pin-day, demo/slack-boards-rate", "telegram-pin-day"], None)
    assert [task.id for task in by_name.tasks] == ["telegram-pin-day", "slack-boards-rate"]
    by_category = choose(demo, None, ["telegram/", "obsidian/"])
    assert {task.category.partition("/")[0] for task in by_category.tasks} == {"telegram", "obsidian"}


def test_an_empty_token_file_is_called_so(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "operator.token"
    file.write_text("\n")

    status, _, err = farm(capsys, "status", "--farm", "http://127.0.0.1:9", "--token-file", str(file))

    assert status == 1
    assert err.replace("\n", "") == f"farm: token file {file} is empty; copy the farm's operator.token once more"


def test_an_engine_that_is_not_installed_is_said_to_be(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)

    status, _, err = farm(capsys, "run", "demo", "--agent=null", "--engine=ray", f"--out={tmp_path / 'run'}")

    assert status == 1
    assert err == "farm: Ray is not installed; install mcp-farm with its extra: pip install 'mcp-farm[ray]'\n"
    assert not (tmp_path / "run").exists()
