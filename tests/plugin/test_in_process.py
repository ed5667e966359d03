"""The plugin where the farm is installed beside the tests."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
import threading
import tomllib
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.plugin.conftest import Run
from tests.plugin.project import CODE, PASSED
from tests.threads import still_running

PLUGIN = Path(__file__).resolve().parents[2] / "plugins" / "pytest"


def test_a_projects_tests_pass_and_leave_nothing(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    before = threading.enumerate()

    done = run(CODE)

    done.assert_outcomes(passed=PASSED)
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith("farm-")] == []
    assert still_running(before) == []


def test_a_failure_shows_what_was_called_and_what_changed(run: Run) -> None:
    done = run(
        """
        import pytest
        from pytest_mcp_farm import ToolRefusedError

        def test_it(mcp_farm):
            world = mcp_farm.world(apps=["lark", "slack"])
            with pytest.raises(ToolRefusedError):
                world.call("slack", "slack_post_message", channel_id="C0000000000", text="hi")
            world.call("slack", "slack_post_message", channel_id="#general", text="hi there")
            world.assert_changed("slack.messages", where={"user_id": world.me}, after={"text": "hello"})
        """
    )

    done.assert_outcomes(failed=1)
    done.stdout.fnmatch_lines(
        [
            ">       world.assert_changed(*",
            "E       AssertionError: expected a row of slack.messages *text is 'hi there', wanted: 'hello'*",
            "E       2 tool calls:",
            'E         #1  slack  slack_post_message  {"channel_id": "C0*"hi"} * refused:*channel_not_found*',
            'E         #2  slack  slack_post_message  {"channel_id": "#general", "text": "hi there"}  wrote',
            "E       1 row changed:",
            "E         slack.messages  created  C0*text=hi there*",
        ]
    )
    done.stdout.no_fnmatch_line("*pytest_mcp_farm/world.py*")


def test_what_comes_while_a_test_of_a_live_world_runs_is_nobodys_change(run: Run) -> None:
    done = run(
        """
        import time
        from datetime import timedelta

        def test_it(mcp_farm, monkeypatch):
            world = mcp_farm.world("harbor", apps=["lark", "slack"], now="live")
            began, now = world.clock.now, time.time_ns
            held = len(world.rows("slack", "messages"))
            world.start_here()
            # Wherever in its week the world is, another week brings the rest of it.
            monkeypatch.setattr(time, "time_ns", lambda: now() + 7 * 86_400_000_000_000)
            world.call("slack", "slack_post_message", channel_id="#general", text="hi")

            assert world.clock.now - began > timedelta(days=6)
            print("came", len(world.rows("slack", "messages")) - held - 1)
            world.assert_changed("slack.messages", after={"text": "hi"}, count=1)
            world.assert_only("slack.messages")
        """,
        "-s",
    )

    done.assert_outcomes(passed=1)
    done.stdout.re_match_lines([r".*came \d+"])


def test_a_new_row_that_was_found_may_hold_more_than_was_asserted(run: Run) -> None:
    done = run(
        """
        def test_it(mcp_farm):
            world = mcp_farm.world(apps=["gmail"])
            world.call("gmail", "send_email", to=["a@b.example"], subject="Chairs", body="24 of them")
            world.assert_changed("gmail.messages", where={"body_text": {"contains": "24"}})
            world.assert_only("gmail.messages", "gmail.message_labels")
        """
    )

    done.assert_outcomes(passed=1)


def test_what_changed_beside_it_is_named(run: Run) -> None:
    done = run(
        """
        def test_it(mcp_farm):
            world = mcp_farm.world(apps=["lark", "slack"])
            world.call("slack", "slack_post_message", channel_id="#general", text="oops")
            world.assert_only("lark.events")

        def test_nothing(mcp_farm):
            mcp_farm.world(apps=["lark"]).assert_changed("lark.events", where={"summary": "1:1"})
        """
    )

    done.assert_outcomes(failed=2)
    done.stdout.fnmatch_lines(
        [
            "E       AssertionError: expected nothing but lark.events to change; slack.messages: a row was *",
            "E       AssertionError: expected a row of lark.events to change with summary '1:1'; none changed",
            "E       no tool was called",
            "E       no row changed",
        ]
    )


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ('mcp_farm.world("mni")', "no world 'mni'; have halfday, harbor, mini"),
        ("mcp_farm.world(7)", "a world has a name, such as 'mini'; 7 is none"),
        ('mcp_farm.world(apps=["slak"])', "no app 'slak'; have *lark*slack*wecom"),
        ('mcp_farm.world(apps="slack")', "apps is a list of names, such as ['slack'], not the text 'slack'"),
        ('mcp_farm.world(me="zoe")', "no person 'zoe' in world 'mini'; have ada, ben*"),
        ('mcp_farm.world(apps=["wecom"], me="kim")', "'kim' has no account in wecom; have ada, ben*"),
        ('mcp_farm.world(now="soon")', "'now' must be a time such as *, not 'soon'"),
        ('mcp_farm.world(apps=["lark"]).url("slack")', "no app 'slack' in this world; it has lark"),
        ('mcp_farm.world(apps=["lark"]).assert_changed("lark.evnts")', "no table 'evnts' in lark; have *events*"),
        ('mcp_farm.world(apps=["lark"]).assert_only("lark.evnts")', "no table 'evnts' in lark; have *events*"),
        ('mcp_farm.world(apps=["lark"]).assert_only("slack.messages")', "no app 'slack' in this world; it has lark"),
        (
            'mcp_farm.world(apps=["lark", "slack"]).assert_changed("events")',
            "a table is named with its app, as in 'lark.events', not 'events'",
        ),
        (
            'mcp_farm.world(apps=["lark"]).rows("lark", "events", sumary="x")',
            "no column 'sumary' in lark.events; have *",
        ),
        ("mcp_farm.world(apps=['lark']).clock.advance(days=-1)", "a clock only moves forward; restore a snapshot*"),
        (
            'mcp_farm.world(apps=["lark"]).calls.for_app("lark", "im_v1_message_crate")',
            "no tool 'im_v1_message_crate' in 'lark'; *did you mean 'im_v1_message_create'?",
        ),
        (
            'mcp_farm.world(apps=["lark"]).assert_changed("lark.events", where={"sumary": "x"})',
            "no column 'sumary' in lark.events; have *",
        ),
        (
            'mcp_farm.world(apps=["lark"]).assert_changed("lark.events", after={"sumary": "x"})',
            "after: no column 'sumary' in lark.events; have *",
        ),
        ("mcp_farm.world(apps=['lark']).clock.advance(60)", "a clock advances by a timedelta or its parts*, not by 60"),
        (
            "mcp_farm.world(apps=['slack']).call('slack', 'slack_list_channels', 'limit=2')",
            "the arguments of slack_list_channels are either keywords or one mapping of name to value",
        ),
        ("mcp_farm.world(apps=['lark']).clock.advance(fortnights=1)", "a clock advances by weeks, days, hours*"),
        ("mcp_farm.world(apps=['lark']).restore('then')", "no snapshot 'then' of episode *; have none"),
        ("mcp_farm.world().mcp_all", "one server with the tools of all apps is what a farm's gateway makes*"),
        ("mcp_farm.play('demo')", "a task is named SUITE/TASK, not 'demo'; 'farm tasks list' shows them"),
        ("mcp_farm.play('demo/none')", "no task 'none' in suite 'demo'; have *"),
    ],
)
def test_bad_input_gets_one_line_with_the_way_out(run: Run, code: str, said: str) -> None:
    done = run(f"def test_it(mcp_farm):\n    {code}\n")

    done.assert_outcomes(failed=1)
    done.stdout.fnmatch_lines([f"E       pytest_mcp_farm.errors.McpFarmError: {said.replace('[', '[[]')}"])
    assert len([line for line in done.outlines if line.startswith("E ")]) == 1
    done.stdout.no_fnmatch_line("*/farm/testing/*")


def test_a_column_that_does_not_exist_is_named_with_those_that_do(run: Run) -> None:
    done = run(
        """
        def test_it(mcp_farm):
            world = mcp_farm.world(apps=["slack"])
            world.call("slack", "slack_post_message", channel_id="#general", text="hi")
            world.assert_changed("slack.messages", where={"txt": "hi"})
        """
    )

    done.stdout.fnmatch_lines(["E *McpFarmError: *no column 'txt' in slack.messages; have *text*"])


def test_the_task_of_the_marker_must_be_named(run: Run) -> None:
    done = run("def test_it(farm_task):\n    pass\n")

    done.stdout.fnmatch_lines(["E *McpFarmError: farm_task wants a task: @pytest.mark.farm_task(*"])


def test_reports_say_what_was_done(run: Run, pytester: pytest.Pytester) -> None:
    run(
        """
        def test_it(mcp_farm):
            world = mcp_farm.world(apps=["slack"])
            world.call("slack", "slack_post_message", channel_id="#general", text="hi")
            world.assert_only()

        def test_passes(mcp_farm):
            mcp_farm.world(apps=["slack"])
        """,
        "--junitxml=junit.xml",
        "--mcp-farm-report=reports",
    )

    (case,) = ElementTree.parse(pytester.path / "junit.xml").iterfind(".//testcase[@name='test_it']")
    said = {each.attrib["name"]: each.attrib["value"] for each in case.iterfind("properties/property")}
    assert said == {
        "mcp_farm.world": "mini",
        "mcp_farm.calls": "1",
        "mcp_farm.refused": "0",
        "mcp_farm.changed": "slack.messages:1",
    }
    (path,) = (pytester.path / "reports").iterdir()
    told = json.loads(path.read_text("utf-8"))
    assert told["test"].endswith("::test_it")
    assert [call["tool"] for call in told["worlds"][0]["calls"]] == ["slack_post_message"]
    assert told["worlds"][0]["diff"]["slack"]["messages"][0]["new"]["text"] == "hi"


def test_every_failed_test_has_a_report_of_its_own(run: Run, pytester: pytest.Pytester) -> None:
    run(
        """
        import pytest

        @pytest.mark.parametrize("given", ["a/b", "a b", "a_b"])
        def test_it(mcp_farm, given):
            assert not mcp_farm.world(apps=["slack"])
        """,
        "--mcp-farm-report=reports",
    )

    told = [json.loads(path.read_text("utf-8"))["test"] for path in (pytester.path / "reports").iterdir()]
    assert {each.partition("::")[2] for each in told} == {"test_it[a/b]", "test_it[a b]", "test_it[a_b]"}


def test_reports_go_to_a_folder_and_to_no_file(run: Run, pytester: pytest.Pytester) -> None:
    (pytester.path / "reports").touch()

    done = run("def test_it():\n    pass\n", "--mcp-farm-report=reports", apart=True)

    assert done.ret == pytest.ExitCode.USAGE_ERROR
    done.stderr.fnmatch_lines(["ERROR: --mcp-farm-report is a folder, and reports is none"])


USERS = """
from pytest_mcp_farm import FarmTask, McpFarm, Person, ToolRefusedError, World


def test_it(mcp_farm: McpFarm, farm_task: FarmTask) -> None:
    world: World = mcp_farm.world("mini", apps=["slack"], menu={"slack": ["slack_list_channels"]})
    ben: Person = world.people["ben"]
    at: str = world.clock.now.isoformat()
    refused: int = len(world.calls.refused)
    world.assert_changed("slack.messages", where={"user_id": ben}, after={"text": at}, count=refused)
    farm_task.assert_done()
    raise ToolRefusedError("slack", "x", "y", {})
"""


def test_a_users_test_is_typed(tmp_path: Path) -> None:
    right, wrong = tmp_path / "test_right.py", tmp_path / "test_wrong.py"
    right.write_text(USERS)
    wrong.write_text(USERS.replace("world.clock", "world.clok").replace("count=refused", "count=at"))
    command = [sys.executable, "-m", "mypy", "--strict", "--no-incremental", "--config-file=", str(right), str(wrong)]

    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "MYPYPATH": str(PLUGIN)})

    said = [line.rpartition("/test_")[2] for line in done.stdout.splitlines() if "error" in line]
    assert [line.split(":")[:2] for line in said[:-1]] == [["wrong.py", "8"], ["wrong.py", "10"]], done.stdout


def test_what_is_no_name_of_the_package_is_said_to_be_none() -> None:
    import pytest_mcp_farm

    assert {name: hasattr(pytest_mcp_farm, name) for name in (*pytest_mcp_farm.__all__, "Wrld")} == {
        **dict.fromkeys(pytest_mcp_farm.__all__, True),
        "Wrld": False,
    }


def test_help_says_how_a_farm_is_found(run: Run) -> None:
    done = run("", "--help")

    done.stdout.fnmatch_lines(["*--mcp-farm-url=URL*", "*--mcp-farm-command=COMMAND*", "*mcp_farm_command*"])


def test_who_does_not_use_it_loads_nothing_of_it() -> None:
    code = (
        "import sys, pytest; before = set(sys.modules); import pytest_mcp_farm.plugin; "
        "print(sorted(set(sys.modules) - before))"
    )

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=PLUGIN)

    assert ast.literal_eval(done.stdout) == [
        "pytest_mcp_farm",
        "pytest_mcp_farm._client",
        "pytest_mcp_farm._client.errors",
        "pytest_mcp_farm.errors",
        "pytest_mcp_farm.plugin",
    ]


def at_run_time(module: ast.Module) -> ast.Module:
    """Return a module without what only type checkers see, who may know frameworks."""
    module.body = [
        each
        for each in module.body
        if not (isinstance(each, ast.If) and isinstance(each.test, ast.Name) and each.test.id == "TYPE_CHECKING")
    ]
    return module


def test_the_plugin_needs_pytest_and_nothing_else() -> None:
    declared = tomllib.loads((PLUGIN / "pyproject.toml").read_text("utf-8"))["project"]
    imported = set()
    for path in [*(PLUGIN / "pytest_mcp_farm").glob("*.py"), *(PLUGIN / "pytest_mcp_farm" / "_client").glob("*.py")]:
        # Loaded only where the farm is installed beside the tests, and by those who import it themselves.
        if path.name in ("in_process.py", "testcontainers.py"):
            continue
        for each in ast.walk(at_run_time(ast.parse(path.read_text("utf-8")))):
            names = [alias.name for alias in each.names] if isinstance(each, ast.Import) else []
            names += [each.module or ""] if isinstance(each, ast.ImportFrom) and not each.level else []
            imported |= {name.partition(".")[0] for name in names}

    assert declared["dependencies"] == ["pytest>=8"]
    assert [*declared["optional-dependencies"]] == ["testcontainers"]
    assert imported - sys.stdlib_module_names == {"pytest", "pytest_mcp_farm"}


def test_a_test_acts_as_several_people(run: Run) -> None:
    done = run(
        """
        import pytest
        from pytest_mcp_farm import McpFarmError, ToolRefusedError

        POST = "slack_post_message"

        def test_somebody_else_acts_in_the_same_world(mcp_farm):
            world = mcp_farm.world(apps=["obsidian", "slack"])
            channel = world.rows("slack", "channels")[0]["id"]
            ben = world.as_("ben")
            ben.call("slack", POST, {"channel_id": channel, "text": "from ben"})
            world.call("slack", POST, channel_id=channel, text="from ada")
            world.assert_changed("slack.messages", where={"user_id": world.people["ben"]}, after={"text": "from ben"})
            world.assert_changed("slack.messages", where={"user_id": world.me}, after={"text": "from ada"})
            assert [each.by for each in world.calls] == ["ben", None]
            assert (ben.key, ben.apps) == ("ben", ("slack",))

        def test_refusals_name_what_there_is(mcp_farm):
            world = mcp_farm.world(apps=["obsidian", "slack"])
            with pytest.raises(McpFarmError, match="^'zoe' has no account in obsidian, slack; have ada, ben"):
                world.as_("zoe")
            with pytest.raises(McpFarmError, match="^'ben' has no account in obsidian; has slack$"):
                world.as_("ben").call("obsidian", "list_notes")
            with pytest.raises(McpFarmError, match="^'ben' has no token; make the world for both, as in mcp_farm"):
                world.as_("ben").connection("slack")
            with pytest.raises(ToolRefusedError):
                world.as_("ben").call("slack", POST, channel_id="C0", text="hi")

        def test_each_has_a_connection(mcp_farm):
            world = mcp_farm.world(me=["ada", "ben"])
            ada, ben = world.connection("slack"), world.as_("ben").connection("slack")
            assert ada["url"] == ben["url"]
            assert ada["headers"] != ben["headers"]
            assert "obsidian" in world.apps

        def test_a_person_has_the_apps_with_an_account(mcp_farm):
            assert "obsidian" not in mcp_farm.world(me="ben").apps
        """
    )

    done.assert_outcomes(passed=4)
