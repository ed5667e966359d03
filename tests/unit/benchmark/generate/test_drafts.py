"""Drafts: their files, and the way from a chain to a proven task."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import orjson
import pytest

from farm.benchmark.audit.truth.fact_trace import FactTrace
from farm.benchmark.generate.drafts import Draft, read_draft, read_drafts, write_draft
from farm.benchmark.generate.task_file import task_text
from farm.benchmark.tasks import Task, load_task
from farm.benchmark.tasks.toml_schema import keys_of
from farm.cli import main
from farm.errors import FarmError

DRAFT = Draft("mine-001-tell", "draft", {"family": "tell", "tools": ["slack.a"]}, {"id": "mine-001-tell"})


def test_a_draft_is_written_and_read_again_with_its_history(tmp_path: Path) -> None:
    made = DRAFT.to("rejected", "audit", "blind")

    path = write_draft(tmp_path, made)

    assert read_draft(path) == made
    assert read_drafts(tmp_path)[0].history == ({"state": "rejected", "by": "audit", "why": "blind"},)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "is no JSON"),
        ("[1]", "an object is expected"),
        ('{"id": "mine-001-tell"}', "lacks state, chain, task"),
        ('{"id": "mine-001-tell", "state": "good", "chain": {}, "task": {}}', "no state 'good'"),
        ('{"id": "other", "state": "draft", "chain": {}, "task": {"id": "other"}}', "differ"),
    ],
)
def test_a_draft_edited_into_nonsense_gets_one_line_and_stays(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "mine-001-tell.json"
    path.write_text(text)

    with pytest.raises(FarmError, match=said) as refused:
        read_drafts(tmp_path)

    assert "\n" not in str(refused.value)
    assert path.read_text() == text


def test_chains_become_drafts_and_proven_drafts_become_tasks(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    drafts, out = tmp_path / "drafts", tmp_path / "tasks" / "mine"
    given = ["--drafts", str(drafts)]
    made = _farm(
        capsys,
        *("tasks", "generate", "mine", "--world", "harbor", "--apps", "slack", "--families", "tell", "--count", "2"),
        *("--parallel", "1", "--data", str(tmp_path / "data"), "--json", *given),
    )
    found = orjson.loads(made)
    assert found["drafts"] == 2
    assert found["states"].get("audited", 0) >= 1

    _farm(capsys, "tasks", "accept", "mine", "--out", str(out), *given)

    files = sorted(out.glob("*.toml"))
    assert len(files) == found["states"]["audited"]
    task = load_task(files[0], "mine")
    assert task.checkpoints[0].kind == "operate"
    assert not re.search(r"\b[CDU]0[A-Z0-9]{8}\b", task.instruction)
    assert read_draft(drafts / f"{task.id}.json").state == "accepted"


def test_nothing_unproven_is_accepted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_draft(tmp_path, DRAFT)

    said = _farm(capsys, "tasks", "accept", "mine", DRAFT.id, "--drafts", str(tmp_path), status=1)

    assert said == f"farm: {DRAFT.id} is draft; only what the audit has proven is accepted\n"


def _farm(capsys: pytest.CaptureFixture[str], *arguments: str, status: int = 0) -> str:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    said = capsys.readouterr()
    assert (ended.value.code or 0) == status, said.err
    return said.err if status else said.out


def test_a_task_file_holds_what_toml_can(tmp_path: Path) -> None:
    import tomllib

    task = {"id": "a", "apps": ["x"], "checkpoints": [{"where": {"a b": {"exactly": 'say "hi"\n'}}, "count": 2}]}

    assert tomllib.loads(task_text(task)) == task
    assert json.dumps(task)  # and nothing else
    assert FactTrace({}, frozenset()).places("x") == ()


def test_a_task_file_has_every_key_that_a_task_may_have() -> None:
    tables = {name: each.shape.words for name, each in keys_of(Task).items()}
    values = {"a table": {"a": 1}, "a list of tables": [{"a": 1}], "a list of texts": ["a"]}
    task = {name: values.get(words, "a") for name, words in tables.items()}

    assert tomllib.loads(task_text(task)) == task
