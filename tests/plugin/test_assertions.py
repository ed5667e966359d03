"""Assertions on calls, names in failures, rows of a test's own, trials, and the plugin without pytest."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pytest_mcp_farm import McpFarm, McpFarmError, own_environment
from pytest_mcp_farm.farm import Options, find_backend, open_farm
from pytest_mcp_farm.own_environment import own_farm

from tests.plugin.conftest import Run

ROOT = Path(__file__).resolve().parents[2]


def test_the_order_and_the_arguments_of_calls_are_asserted() -> None:
    with open_farm() as mcp_farm:
        world = mcp_farm.world(apps=["slack"])
        world.call("slack", "slack_list_channels", limit=100)
        world.call("slack", "slack_post_message", channel_id="#general", text="hi")
        world.call("slack", "slack_post_message", channel_id="#opening", text="ho")
        calls = world.calls

        calls.assert_order("slack_list_channels", "slack.slack_post_message", "slack_post_message")
        calls.assert_called("slack_post_message", times=2)
        calls.assert_called("slack_post_message", channel_id="#general")
        calls.assert_not_called("slack_get_users")
        assert calls.matching("slack.slack_post_message", text="ho").tools == ["slack_post_message"]
        with pytest.raises(AssertionError, match=r"(?s)after slack_post_message.*3 tool calls:"):
            calls.assert_order("slack_post_message", "slack_list_channels")
        with pytest.raises(AssertionError, match=r"(?s)1 times, found 2.*3 tool calls:"):
            calls.assert_called("slack_post_message", 1)
        with pytest.raises(AssertionError, match=r'(?s)with {"text": "he"}, found 0.*3 tool calls:'):
            calls.assert_called("slack_post_message", text="he")
        with pytest.raises(AssertionError, match=r"(?s)expected no call of slack_list_channels.*3 tool calls:"):
            calls.assert_not_called("slack_list_channels")
        with pytest.raises(McpFarmError, match="slack_post"):
            calls.assert_not_called("slack.slack_post")


def test_a_failure_has_the_names_of_people_and_places() -> None:
    with open_farm() as mcp_farm:
        world = mcp_farm.world(apps=["slack"])
        (opening,) = world.rows("slack", "channels", name="opening")
        world.call("slack", "slack_post_message", channel_id="#general", text="hi")

        with pytest.raises(AssertionError) as failed:
            world.assert_changed("slack.messages", where={"channel_id": opening["id"], "user_id": world.people["ben"]})

    said = str(failed.value)
    assert f"{opening['id']}' (opening)" in said or f"{opening['id']} (opening)" in said
    assert "(general)" in said
    assert "(Ada Ames" in said


@pytest.fixture(scope="module", params=["in this process", "on a farm"])
def anywhere(request: pytest.FixtureRequest) -> Iterator[McpFarm]:
    """Open a farm of each kind."""
    options = {}
    if request.param == "on a farm":
        farm = request.getfixturevalue("farm")
        options = {"url": farm.url, "token": farm.token}
    with open_farm(**options) as mcp_farm:
        yield mcp_farm


def test_rows_of_a_test_are_part_of_its_start(anywhere: McpFarm) -> None:
    plain = anywhere.world(apps=["slack"])
    (general,) = plain.rows("slack", "channels", name="general")
    row = dict(plain.rows("slack", "messages", channel_id=general["id"])[0])
    row |= {"table": "messages", "ts": "1780300000.000100", "text": "Only here."}

    world = anywhere.world(apps=["slack"], rows={"slack": [row]})

    assert len(world.rows("slack", "messages", text="Only here.")) == 1
    assert plain.rows("slack", "messages", text="Only here.") == []
    world.assert_only()
    copy = world.fork()
    copy.call("slack", "slack_add_reaction", channel_id=general["id"], timestamp="1780300000.000100", reaction="eyes")
    copy.assert_changed("slack.reactions")


def test_files_of_a_test_are_read_by_the_apps_of_its_world(anywhere: McpFarm, tmp_path: Path) -> None:
    (tmp_path / "menu.pdf").write_bytes(b"%PDF")
    world = anywhere.world(apps=["gmail", "obsidian"], files=[tmp_path / "menu.pdf"])

    world.call(
        "gmail", "send_email", to=["ben@plum.example"], subject="Menu", body="Here.",
        attachments=[str(tmp_path / "menu.pdf")],
    )  # fmt: skip

    # Ben has a mailbox here, too, so what is attached lies in both.
    world.assert_changed("gmail.attachments", after={"filename": "menu.pdf", "size_bytes": 4}, count=2)
    vault = anywhere.world(
        apps=["obsidian"], files={"obsidian": {"Oven.md": "hot", "a/menu.pdf": tmp_path / "menu.pdf"}}
    )
    assert vault.call("obsidian", "obsidian_get_file_contents", filepath="Oven.md") == '"hot"'
    assert [row["content"] for row in vault.rows("obsidian", "files", path="a/menu.pdf")] == ["%PDF"]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"rows": {"slack": [{"table": "messages", "txt": "x"}]}}, "no column 'txt' in 'messages'; have .*text"),
        ({"rows": {"slack": [{"table": "mesages"}]}}, "no table 'mesages'; have .*messages"),
        ({"rows": {"slak": [{"table": "messages"}]}}, "rows for 'slak', and no such app here; it has gmail, slack"),
        ({"rows": [{"table": "messages"}]}, "rows'? are listed by app"),
        ({"files": {"slack": {"a": "x"}}}, "slack keeps no files; of this episode's apps, gmail"),
        ({"files": ["/nowhere/a.pdf"]}, "file /nowhere/a.pdf cannot be read: No such file"),
        ({"files": "/nowhere/a.pdf"}, "files is a list of paths, or a dict of app"),
        ({"files": {"gmail": ["/a.pdf"]}}, "the files of gmail are a dict of path"),
        ({"files": {"gmail": {"a.pdf": 3}}}, "the file 'a.pdf' is a text, bytes or a pathlib.Path, not 3"),
    ],
)
def test_rows_and_files_that_do_not_fit_are_told(anywhere: McpFarm, given: dict[str, Any], said: str) -> None:
    with pytest.raises(McpFarmError, match=said):
        anywhere.world(apps=["slack", "gmail"], **given)


@pytest.mark.parametrize(("min_pass", "is_passed"), [("0.6", True), ("0.8", False), ("1.0", False)])
def test_trials_pass_by_their_share(run: Run, min_pass: str, is_passed: bool) -> None:
    done = run(
        f"""
        def test_it(mcp_farm):
            for trial in mcp_farm.trials(3, min_pass={min_pass}):
                with trial:
                    world = mcp_farm.world(apps=["slack"])
                    text = "hi" if trial.number != 2 else "ho"
                    world.call("slack", "slack_post_message", channel_id="#general", text=text)
                    world.assert_changed("slack.messages", after={{"text": "hi"}})
            assert len(mcp_farm.worlds) == 1
        """
    )

    done.assert_outcomes(passed=int(is_passed), failed=int(not is_passed))
    if not is_passed:
        done.stdout.fnmatch_lines(["*2 of 3 trials passed, wanted *", "*trial 2: expected a row of slack.messages*"])


def test_an_error_that_is_no_failed_assertion_ends_all_trials(run: Run) -> None:
    done = run(
        """
        def test_it(mcp_farm):
            for trial in mcp_farm.trials(3, min_pass=0.1):
                with trial:
                    mcp_farm.world(apps=["slak"])
        """
    )

    done.assert_outcomes(failed=1)
    done.stdout.fnmatch_lines(["*McpFarmError: no app 'slak'*"])


def test_only_the_named_apps_are_started() -> None:
    backend = find_backend(Options(command=f"{sys.executable} -m farm", apps="slack"))
    try:
        with pytest.raises(McpFarmError, match="no app 'lark' in this farm; have slack"):
            backend.create({"world": "mini", "apps": ["lark"]})
        session = backend.create({"world": "mini", "apps": ["slack"]})
        assert session.apps == ("slack",)
        session.close()
    finally:
        backend.close()


def test_the_farm_s_own_environment_is_made_once_for_what_is_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran: list[list[str]] = []
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    checkout = tmp_path / "checkout"
    checkout.mkdir()
    (checkout / "a.py").write_text("")

    def run(command: list[str], wanted: str) -> None:
        ran.append(command)
        Path(command[-1] if "venv" in command else tmp_path).mkdir(parents=True, exist_ok=True)

    monkeypatch.setattr(own_environment, "_run", run)

    first, again = own_farm(str(checkout)), own_farm(str(checkout))
    (checkout / "b.py").write_text("")
    other = own_farm(str(checkout))

    assert first == again != other
    assert len(ran) == 4
    assert ran[1][-1] == str(checkout)


def test_what_cannot_be_installed_is_told_in_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))

    with pytest.raises(McpFarmError, match=r"pip cannot install \./nowhere .*name another in mcp_farm_install"):
        find_backend(Options(install="./nowhere"))
