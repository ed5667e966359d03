"""The folders for the Harbor framework: what it reads, what the agent is told, and that no answer is among it."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml

from farm.benchmark.export.harbor import export_suite, open_files, task_files
from farm.benchmark.runner.task_cards import card_of
from farm.benchmark.tasks import Suite
from farm.errors import ConflictError, FarmError
from tests.suites import parsed_suite

DEMO = parsed_suite("demo")
TASK = DEMO.task("cross-lamp-maker-quarter")
# Harbor 0.26 takes these names of packages (harbor.constants.ORG_NAME_PATTERN).
NAME = re.compile(r"[a-zA-Z0-9][a-zA-Z0-9._-]*/[a-zA-Z0-9][a-zA-Z0-9._-]*")
LETTERS_MIN = 12  # shorter ones are words that any file may have


def texts_in(value: Any) -> Iterator[str]:
    """Yield every text in a value of JSON."""
    if isinstance(value, str):
        yield value
    for each in value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else ():
        yield from texts_in(each)


def suite_of(*tasks: Any) -> Suite:
    return Suite("demo", "Demo", tasks)


@pytest.mark.parametrize("task", DEMO.tasks, ids=lambda task: task.id)
def test_no_file_outside_the_solution_has_a_checkpoint_or_a_part_of_the_oracle(task: Any) -> None:
    card = card_of(task, answers="sheet")
    told = f"{card.system}\n{card.instruction}\n{card.title}\n{card.category}\n{task.world}\n{task.apps}"
    secrets = [*(point.id for point in task.checkpoints), task.oracle_answer]
    for point in task.checkpoints:
        secrets += texts_in(dict(point.conditions))
    for step in task.oracle:
        for call in step:
            secrets += [call.tool, *texts_in(dict(call.arguments))]
    secret = {each for each in secrets if len(each) >= LETTERS_MIN and each not in told}

    files = open_files(card)

    assert secret
    assert [
        (path, each) for path, text in files.items() for each in secret if each in text.replace(card.task, "")
    ] == []


@pytest.mark.parametrize("task", DEMO.tasks, ids=lambda task: task.id)
def test_the_settings_name_the_task_and_the_servers_of_its_apps(task: Any) -> None:
    files = open_files(card_of(task))
    found = tomllib.loads(files["task.toml"])
    farm = yaml.safe_load(files["environment/docker-compose.yaml"])["services"]["farm"]

    assert NAME.fullmatch(found["task"]["name"])
    assert found["task"]["description"] == task.title
    assert {each["name"]: each["url"] for each in found["environment"]["mcp_servers"]} == {
        app: f"http://farm:8700/mcp/{app}" for app in task.apps
    }
    assert {each["transport"] for each in found["environment"]["mcp_servers"]} == {"streamable-http"}
    assert farm["command"][:4] == ["farm", "tasks", "serve", f"demo/{task.id}"]


def test_the_agents_container_gets_the_verdict_to_read_and_no_port_is_published() -> None:
    services = yaml.safe_load(open_files(card_of(TASK))["environment/docker-compose.yaml"])["services"]

    assert services["main"]["volumes"] == ["answer:/answer", "verdict:/verdict:ro"]
    assert services["farm"]["volumes"] == ["answer:/answer:ro", "verdict:/verdict"]
    assert [name for name, each in services.items() if "ports" in each] == []
    assert "mcp-farm" not in services["main"]["image"]


def test_the_instruction_is_what_a_run_tells_and_where_the_answer_goes() -> None:
    card = card_of(TASK, answers="sheet")

    told = open_files(card)["instruction.md"]

    assert card.system.strip() in told
    assert card.instruction.strip() in told
    assert "`/answer/answer.md`" in told


def test_the_solution_has_the_oracles_calls_without_placeholders_and_its_answer(tmp_path: Path) -> None:
    (folder,) = export_suite(suite_of(TASK), tmp_path / "out")

    calls = json.loads((folder / "solution" / "calls.json").read_text("utf-8"))
    assert [(each["url"].rpartition("/")[2], each["tool"]) for each in calls] == [
        (call.app, call.tool) for step in TASK.oracle for call in step
    ]
    assert "{" not in calls[-1]["arguments"]["data"]["receive_id"]
    assert (folder / "solution" / "answer.md").read_text("utf-8").startswith(TASK.oracle_answer.strip()[:20])
    assert all((folder / path).stat().st_mode & 0o111 for path in ("tests/test.sh", "solution/solve.sh"))


def test_a_title_with_quotes_and_line_ends_stays_one_text() -> None:
    card = card_of(TASK)
    title = 'Say "now"\\\n\x7f雪 100% $HOME'
    object.__setattr__(card, "title", title)

    assert tomllib.loads(open_files(card)["task.toml"])["task"]["description"] == title


def test_exporting_again_gives_the_same_bytes() -> None:
    assert task_files(TASK) == task_files(TASK)


def test_a_folder_in_use_is_refused_and_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("mine")

    with pytest.raises(ConflictError, match="has files already; name a new or an empty folder"):
        export_suite(suite_of(TASK), tmp_path)

    assert [each.name for each in tmp_path.iterdir()] == ["mine"]


def test_a_task_whose_oracle_fails_is_named_and_nothing_is_written(tmp_path: Path) -> None:
    idle = replace(TASK, oracle=())

    with pytest.raises(FarmError, match=r"demo/cross-lamp-maker-quarter: its oracle scores 0\.\d\d; 'farm audit'"):
        export_suite(suite_of(DEMO.task("slack-boards-rate"), idle), tmp_path / "out")

    assert not (tmp_path / "out").exists()


def test_a_file_instead_of_a_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")

    with pytest.raises(FarmError, match="file cannot be written"):
        export_suite(suite_of(TASK), tmp_path / "file")
