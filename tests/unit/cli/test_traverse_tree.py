"""``farm traverse tree`` and ``farm traverse reconstruct`` as a person types them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from farm.cli import main
from tests.unit.traverse._small_pools import todo_calls, write


def run(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as end:
        main([str(each) for each in ("traverse", *arguments)])
    said = capsys.readouterr()
    return int(end.value.code or 0), said.out, said.err


def test_a_pool_becomes_a_tree_a_draft_and_the_rows_it_began_with(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pool, out = write(tmp_path / "pool", todo_calls()), tmp_path / "todo"

    code, said, _ = run(capsys, "tree", pool, "--out", out)

    assert code == 0
    assert "2 kinds of things in 9 calls, rooted at the account" in said
    assert said.index("  list (id)") < said.index("    task (id)")
    assert {each.name for each in out.iterdir()} == {"tree.toml", "schema.py"}

    code, said, _ = run(capsys, "reconstruct", pool, "--tree", out / "tree.toml", "--out", out / "start.jsonl")

    assert code == 0
    assert "trace 0: 10 rows (4 lists, 6 tasks)" in said
    rows = [json.loads(line) for line in (out / "start.jsonl").read_text("utf-8").splitlines()]
    assert [row["table"] for row in rows] == ["lists"] * 4 + ["tasks"] * 6
    assert json.loads((out / "start.unknown.json").read_text("utf-8")) == {"unknown": [], "absent": []}


def test_a_corrected_tree_makes_another_schema_and_is_never_written_over(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pool, out = write(tmp_path / "pool", todo_calls()), tmp_path / "todo"
    run(capsys, "tree", pool, "--out", out)
    file = out / "tree.toml"
    file.write_text(file.read_text("utf-8").replace('table = "tasks"', 'table = "errands"'), "utf-8")

    code, _, said = run(capsys, "tree", pool, "--out", out)
    assert code != 0
    assert "tree.toml exists, and may hold corrections" in said

    code, _, _ = run(capsys, "tree", "--from", file, "--out", out)
    assert code == 0
    assert '"errands"' in (out / "schema.py").read_text("utf-8")


def test_each_trace_has_a_start_of_its_own(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    calls = [{**each, "trace": number} for number in (0, 3) for each in todo_calls()]
    pool, out = write(tmp_path / "pool", calls), tmp_path / "todo"
    run(capsys, "tree", pool, "--out", out)

    code, _, said = run(capsys, "reconstruct", pool, "--tree", out / "tree.toml", "--out", out / "start.jsonl")
    assert code != 0
    assert "has 2 traces, each with a start of its own: choose one with --trace N" in said

    code, _, _ = run(capsys, "reconstruct", pool, "--tree", out / "tree.toml", "--out", out / "start-{trace}.jsonl")
    assert code == 0
    assert (out / "start-3.jsonl").read_bytes() == (out / "start-0.jsonl").read_bytes()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("tree",), "name a pool, or with --from a corrected tree.toml"),
        (("tree", "nowhere"), "nowhere cannot be read (No such file or directory)"),
        (("tree", "--from", "nowhere"), "--from needs --out"),
        (("tree", "--from", "nowhere", "--out", "x"), "nowhere cannot be read (No such file or directory)"),
        (("tree", "broken"), "line 2 is not JSON"),
        (("tree", "empty"), "empty is no pool: it has no pool.jsonl"),
        (("reconstruct", "whole", "--tree", "nowhere", "--out", "x"), "nowhere cannot be read"),
    ],
)
def test_bad_input_gets_one_clear_line(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    arguments: tuple[str, ...],
    said: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    write(tmp_path / "whole", todo_calls())
    broken = write(tmp_path / "broken", todo_calls()) / "pool.jsonl"
    broken.write_text(broken.read_text("utf-8").replace('{"step": 1', '{"step" 1'), "utf-8")

    code, _, error = run(capsys, *arguments)

    assert code != 0
    assert said in " ".join(error.split())
    assert "Traceback" not in error
