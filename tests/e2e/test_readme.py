"""Every command in the README and on the pages of docs/ works, in the order a reader would type them."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from farm import content
from tests.npm import error_of
from tests.ports import free_ports

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text("utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", README, re.DOTALL | re.MULTILINE)
SHELL = [block for language, block in BLOCKS if language == "sh"]
PYTHON = [block for language, block in BLOCKS if language == "python"]
COMMAND_S_MAX = 600


@pytest.fixture
def environment(tmp_path: Path) -> Iterator[dict[str, str]]:
    """A reader's shell: the venv activated, a home and a data folder of its own, free ports."""
    own = {
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "HOME": str(tmp_path),
        "FARM_DATA": str(tmp_path / "data"),
        "npm_config_fetch_retries": "1",
        **dict(zip(("FARM_PORT", "FARM_OPERATOR_PORT"), map(str, free_ports(2)), strict=True)),
    }
    yield {**{name: value for name, value in os.environ.items() if not name.startswith("FARM_")}, **own}
    subprocess.run(["farm", "down"], env={**os.environ, **own}, cwd=tmp_path, capture_output=True, check=False)


def run(command: str, environment: dict[str, str], folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        shlex.split(command, comments=True),
        env=environment,
        cwd=folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=COMMAND_S_MAX,
        check=False,
    )


# Minutes of two processors, and test_audit.py does the same; content.md types it on a suite of one task.
AUDIT = "farm audit demo"
# Two runs of the whole suite; test_run.py plays shorter ones.
RUNS = next(block for block in SHELL if AUDIT in block.splitlines())
CONNECT, TEST, MAKE, *REST = SHELL
SECTIONS = [pytest.param(block, marks=[pytest.mark.slow] if block == RUNS else []) for block in REST]


@pytest.mark.e2e
@pytest.mark.parametrize("section", SECTIONS)
def test_the_commands_of_a_section_work_one_after_the_other(
    section: str, environment: dict[str, str], tmp_path: Path
) -> None:
    lines = [line for line in section.splitlines() if line != AUDIT]
    if section.startswith("farm connect"):
        lines.insert(0, "farm up --detach")  # what `make demo` leaves is there when a reader comes to it
    for command in lines:
        done = run(command, environment, tmp_path)

        assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"


SAMPLE_CALLS = (
    ("slack", "slack_list_channels", {"limit": 200}),
    ("slack", "slack_post_message", {"channel_id": "#launch-ember-s1", "text": "The lamps arrive on Friday at ten."}),
    ("slack", "slack_post_message", {"channel_id": "#general", "text": "The lamps arrive on Friday at ten."}),
    ("gmail", "send_email", {"to": ["hu.lei@harborlight.example"], "subject": "Lamps on Friday", "body": "Wan"}),
)


@pytest.mark.e2e
def test_calls_and_changes_look_as_the_sample_has_them(environment: dict[str, str], tmp_path: Path) -> None:
    (sample,) = (block for language, block in BLOCKS if language == "text")
    _, watched, diff = re.split(r"^\$ .*\n", sample, flags=re.MULTILINE)
    run("farm up --detach --apps slack,gmail", environment, tmp_path)
    for app, tool, arguments in SAMPLE_CALLS:
        run(shlex.join(["farm", "call", app, tool, json.dumps(arguments)]), environment, tmp_path)

    assert run("farm episode diff default", environment, tmp_path).stdout == diff
    with subprocess.Popen(
        ["farm", "watch", "--past"], env=environment, cwd=tmp_path, stdout=subprocess.PIPE, text=True
    ) as watching:
        assert watching.stdout is not None
        lines = [watching.stdout.readline()[9:] for _ in SAMPLE_CALLS]
        watching.terminate()
    assert lines == [line[9:] for line in watched.splitlines(keepends=True)]


@pytest.mark.e2e
def test_make_demo_scores_one_and_zero_and_says_where_the_farm_is(environment: dict[str, str]) -> None:
    assert MAKE.splitlines()[0].startswith("make demo")

    done = run("make demo", environment, ROOT)

    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    assert re.search(r"oracle\s.*1\.00", done.stdout), done.stdout
    assert re.search(r"null\s.*0\.00", done.stdout), done.stdout
    assert f"http://127.0.0.1:{environment['FARM_PORT']}/mcp/default/lark" in done.stdout


# -- docs/ -------------------------------------------------------------------------------------------------------------

# What cannot be typed as it stands on any machine, and where it is played instead.
ELSEWHERE = {
    r"command:(claude-code|codex|gemini-cli)": "needs the program and an account; test_examples.py plays it",
    r"^pip install FARM/plugins/": "an environment of the harness's own; tests/harness makes one",
    r"^(docker build|harbor run)\b": "needs Docker and Harbor; `make docker-test` and `make harbor-test` have them",
    r"--engine ray\b": "needs Ray; tests/harness/ray has it",
    r"tasks record mine\b|audit mine\b": "needs a task that somebody did by hand; test_record.py does one",
    r"\.venv\b": "an environment of the reader's own; tests/plugin plays the Python of the page in this one",
}
# Pages whose commands are typed on two machines (test_second_machine.py plays them).
PAGES_ELSEWHERE = {"team.md"}
# What a reader has by then.
BEFORE = {
    "operations.md": (
        "farm up --detach",
        "farm episode create --now live",
        "farm episode snapshot EPISODE --name before",
    ),
    "control-api.md": ("farm up --detach",),
    "generating-tasks.md": ("farm up --detach",),
}
# Said of a farm that has no world of this name, and this one has it.
REFUSED = {
    "farm world import backup/world --into my-content": "there is a world 'harbor' already",
    "farm world word-people mini --by files:asked": "texts wait for an answer",
    "farm tasks harder demo cross-ethan-hour --by unnamed --by-writer files:answers": "waits for an answer",
}


# What a page's first command installs and a machine may not be able to.
INSTALLS = {"traverse.md": "npm install"}


def commands_of(page: Path) -> list[str]:
    blocks = re.findall(r"^```sh\n(.*?)^```$", page.read_text("utf-8"), re.DOTALL | re.MULTILINE)
    lines = "".join(blocks).replace("\\\n", " ").splitlines()
    return [line for line in lines if not any(re.search(pattern, line) for pattern in ELSEWHERE)]


def content_of_a_reader(folder: Path) -> None:
    """Put there what the pages name: a content folder with a suite, the examples, and lists of tools."""
    suite = folder / "mine" / "tasks" / "my-suite"
    suite.mkdir(parents=True)
    (suite / "suite.toml").write_text('title = "Mine"\n', "utf-8")
    shutil.copy(ROOT / "tasks" / "demo" / "slack-boards-rate.toml", suite)
    shutil.copytree(ROOT / "examples", folder / "examples")
    for app in ("lark", "slack"):
        (folder / f"{app}-tools.json").write_text(json.dumps(content.load_app(app).tool_schemas), "utf-8")


PAGES = [
    page for page in sorted((ROOT / "docs").glob("*.md")) if page.name not in PAGES_ELSEWHERE and commands_of(page)
]


@pytest.mark.slow
@pytest.mark.e2e
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_commands_of_a_page_work_one_after_the_other(
    page: Path, environment: dict[str, str], tmp_path: Path
) -> None:
    content_of_a_reader(tmp_path)
    episode = "default"
    for line in (*BEFORE.get(page.name, ()), *commands_of(page)):
        command = re.sub(r"\b(EPISODE|ID)\b", episode, line).replace("NAME", "harbor")
        command = command.replace("~/.local/share/mcp-farm", environment["FARM_DATA"])
        command = command.replace(":8701", f":{environment['FARM_OPERATOR_PORT']}")

        done = run(f"sh -c {shlex.quote(command)}", environment, tmp_path)

        installs = INSTALLS.get(page.name)
        if installs is not None and line.startswith(installs) and done.returncode:
            pytest.skip(f"THE SERVER OF {page.name} CANNOT BE INSTALLED: {error_of(done.stderr)}")
        refused = REFUSED.get(line.partition("  #")[0].partition("       ")[0].strip())
        assert done.returncode == (0 if refused is None else 1), f"{command}\n{done.stdout}\n{done.stderr}"
        assert (refused or "") in done.stderr
        if line.startswith("farm episode create"):
            episode = done.stdout.split()[0]


def test_pages_with_commands_are_found_and_what_is_left_out_is_there() -> None:
    pages = [page.read_text("utf-8") for page in (ROOT / "docs").glob("*.md")]

    assert {"agents.md", "content.md", "control-api.md", "operations.md", "tasks.md"} <= {page.name for page in PAGES}
    for page, command in INSTALLS.items():
        assert commands_of(ROOT / "docs" / page)[0].startswith(command)
    for pattern in ELSEWHERE:
        assert any(re.search(pattern, text, re.MULTILINE) for text in pages), pattern


# -- README ------------------------------------------------------------------------------------------------------------


def typed(block: str) -> list[str]:
    return [line.split("#")[0].strip() for line in block.splitlines()]


def test_the_first_screen_has_a_client_a_test_and_the_two_commands_of_a_checkout() -> None:
    # With the clone, a client does its job by four commands and a test is green by three.
    assert typed(CONNECT) == ["pip install ./mcp-farm", "farm connect claude-code --write", "claude", "farm open"]
    assert typed(TEST) == ["pip install ./mcp-farm ./mcp-farm/plugins/pytest", "pytest test_agent.py"]
    assert typed(MAKE) == ["make demo", "make test"]
    assert README.index("make test") < 5000  # the picture and what watching looks like come first


@pytest.mark.e2e
def test_connecting_a_client_starts_a_farm_where_none_runs(environment: dict[str, str], tmp_path: Path) -> None:
    done = run("farm connect claude-code --write", environment, tmp_path)

    assert done.returncode == 0, done.stderr
    assert done.stderr == "No farm ran, so one is started; 'farm down' ends it.\n"
    assert "lark" in json.loads((tmp_path / ".mcp.json").read_bytes())["mcpServers"]
    assert run("farm status", environment, tmp_path).returncode == 0


@pytest.mark.parametrize("block", PYTHON)
def test_the_test_in_the_readme_passes(block: str, tmp_path: Path) -> None:
    (tmp_path / "test_readme_example.py").write_text(block, "utf-8")

    done = run(f"{shlex.quote(sys.executable)} -m pytest -q", dict(os.environ), tmp_path)

    assert done.returncode == 0, done.stdout
