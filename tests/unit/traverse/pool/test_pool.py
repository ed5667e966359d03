"""Recordings made into a pool."""

from __future__ import annotations

import errno
import json
import os
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from farm.cli import build, main
from farm.traverse.pool.pool import read_pool

TOOLS = {
    "server": {"name": "notes", "version": "1"},
    "protocol": "2025-11-25",
    "tools": [{"name": name, "inputSchema": {"type": "object"}} for name in ("read", "write", "drop")],
}


def _said(text: str, **more: Any) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": text}], **more}


def _line(trace: int, step: int, tool: str, result: dict[str, Any], **more: Any) -> dict[str, Any]:
    said = {"trace": trace, "step": step, "tool": tool, "arguments": {"n": trace}, "result": result}
    return {**said, "server": "notes", "version": "1", "at": "2026-06-01T12:00:00.000+00:00", **more}


def _trace(number: int) -> list[dict[str, Any]]:
    refused = _said("Error: no such note", isError=True)
    return [
        _line(number, 0, "read", _said("[]")),
        _line(number, 1, "write", _said(f"kept {number}")),
        _line(number, 2, "write", refused, error_class="type_mismatch", operation="string as integer", seed_step=1),
        _line(number, 3, "read", _said(f"[{number}]")),
    ]


def _record(folder: Path, lines: list[dict[str, Any]], tools: object = TOOLS) -> Path:
    folder.mkdir()
    (folder / "calls.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    if tools is not None:
        (folder / "tools.json").write_text(json.dumps(tools))
    return folder


def _pool(*words: str) -> dict[str, Any]:
    given = ["traverse", "pool", "--json", *words]
    done = CliRunner().invoke(build(given), given, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    said: dict[str, Any] = json.loads(done.stdout)
    return said


def _lines(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "pool.jsonl").read_text().splitlines()]


@pytest.fixture
def recorded(tmp_path: Path) -> Path:
    return _record(tmp_path / "recorded", [line for number in range(10) for line in _trace(number)])


def test_whole_traces_are_held_back_and_half_of_what_counts_is_refused(recorded: Path, tmp_path: Path) -> None:
    said = _pool(str(recorded), "--out", str(tmp_path / "pool"))
    lines = _lines(tmp_path / "pool")
    assert {side: counts["traces"] for side, counts in said["sides"].items()} == {"train": 5, "check": 2, "held": 3}
    for number in range(10):
        assert len({line["side"] for line in lines if line["trace"] == number}) == 1
    for side in ("train", "check", "held"):
        scored = [line["verdict"] for line in lines if line["side"] == side and line["scored"]]
        assert scored.count("refused") == scored.count("success") > 0
    assert said["by_class"] == {"success": {"success": 30}, "type_mismatch": {"refused": 10}}
    assert said["never_called"] == ["drop"]
    assert len(read_pool(tmp_path / "pool")) == 40


def test_a_call_with_its_answer_counts_once_on_the_first_side_that_has_it(tmp_path: Path) -> None:
    same = [_line(number, 0, "read", _said("[]"), arguments={}) for number in range(6)]
    refused = [_line(number, 1, "write", _said("no", isError=True)) for number in range(6)]
    _pool(str(_record(tmp_path / "recorded", same + refused)), "--out", str(tmp_path / "pool"))
    fresh = [line for line in _lines(tmp_path / "pool") if line["tool"] == "read" and not line.get("duplicate")]
    assert [line["side"] for line in fresh] == ["train"]


def test_a_later_recording_may_be_held_back_whole_and_counts_only_what_was_not_seen(
    recorded: Path, tmp_path: Path
) -> None:
    _pool(str(recorded), "--out", str(tmp_path / "pool"))
    later = _record(tmp_path / "later", [*_trace(1), *_trace(77)])

    made = _pool(str(later), "--out", str(tmp_path / "held"), "--held", "--seen", str(tmp_path / "pool"))

    assert (made["sides"]["train"]["lines"], made["sides"]["held"]["lines"]) == (0, 8)
    counting = {(line["arguments"]["n"], line["step"]) for line in _lines(tmp_path / "held") if "duplicate" not in line}
    assert counting == {(77, step) for step in range(4)}


def test_what_says_nothing_of_the_server_is_kept_apart_with_the_reason(tmp_path: Path) -> None:
    lines = [
        *_trace(0),
        _line(0, 4, "write", {"silence": "no answer within 10 s"}),
        _line(0, 5, "read", _said("[0]"), state="unknown"),
        *_trace(1),
    ]
    said = _pool(str(_record(tmp_path / "recorded", lines)), "--out", str(tmp_path / "pool"))
    rejected = [json.loads(line) for line in (tmp_path / "pool" / "rejected.jsonl").read_text().splitlines()]
    assert [(line["trace"], line["step"]) for line in rejected] == [(0, 4), (0, 5)]
    assert sum(said["rejected"].values()) == 2
    assert said["lines"] == 8


def test_recordings_join_and_the_same_seed_gives_the_same_bytes(recorded: Path, tmp_path: Path) -> None:
    more = _record(tmp_path / "more", _trace(0), tools=None)
    said = _pool(str(recorded), str(more), "--out", str(tmp_path / "pool"))
    assert said["lines"] == 44
    assert {line["trace"] for line in _lines(tmp_path / "pool")} == set(range(11))
    _pool(str(recorded), str(more), "--out", str(tmp_path / "again"))
    for name in ("pool.jsonl", "manifest.json", "rejected.jsonl", "tools.json"):
        assert (tmp_path / "pool" / name).read_bytes() == (tmp_path / "again" / name).read_bytes()


def test_what_is_private_has_stand_ins_that_a_later_pool_has_too(tmp_path: Path) -> None:
    mail = "grace.hopper@navy-yard.com"
    lines = [
        *_trace(0),
        _line(0, 4, "write", _said(f"sent to {mail} by Grace"), arguments={"text": mail.upper()}),
        *_trace(1),
    ]
    recorded = _record(tmp_path / "recorded", lines)
    listed, mapping = tmp_path / "private.toml", tmp_path / "own" / "mapping.json"
    listed.write_text('names = ["Grace Hopper"]')
    options = ("--redact", str(mapping), "--private", str(listed))

    said = _pool(str(recorded), "--out", str(tmp_path / "pool"), *options)
    _pool(str(recorded), "--out", str(tmp_path / "again"), *options)

    whole = b"".join(file.read_bytes() for file in sorted((tmp_path / "pool").iterdir()))
    for word in (b"grace", b"hopper", b"navy"):
        assert word not in whole.lower()
    assert said["redacted"] == {"mail address": 1, "name": 1}
    assert mail in mapping.read_text()
    assert (tmp_path / "pool" / "pool.jsonl").read_bytes() == (tmp_path / "again" / "pool.jsonl").read_bytes()
    assert mail in (recorded / "calls.jsonl").read_text()


def _problem(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    with pytest.raises(SystemExit):
        main(["traverse", "pool", *words])
    said = capsys.readouterr().err.strip()
    assert "\n" not in said
    return said


def test_bad_input_is_one_line(recorded: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = ("--out", str(tmp_path / "pool"))
    assert "holds no recorded call" in _problem(capsys, str(tmp_path / "absent"), *out)
    broken = _record(tmp_path / "broken", _trace(0))
    (broken / "calls.jsonl").write_text("{\n")
    assert f"{broken / 'calls.jsonl'}, line 1 is not JSON" in _problem(capsys, str(broken), *out)
    bare = _record(tmp_path / "bare", _trace(0), tools=None)
    assert f"{bare} has no tools.json; farm traverse capture writes it there" in _problem(capsys, str(bare), *out)
    other = _record(tmp_path / "other", [{**line, "server": "tasks"} for line in _trace(0)])
    assert "these recordings are of notes, tasks" in _problem(capsys, str(recorded), str(other), *out)
    assert "it holds calls.jsonl; give another --out" in _problem(capsys, str(recorded), "--out", str(recorded))
    silent = _record(tmp_path / "silent", [_line(0, 0, "read", {"silence": "ended"})])
    assert "no call is left" in _problem(capsys, str(silent), *out)
    inside = ("--redact", str(tmp_path / "pool" / "mapping.json"))
    assert "is inside the pool" in _problem(capsys, str(recorded), *out, *inside)
    assert not (tmp_path / "pool").exists()
    assert "give --redact FILE, too" in _problem(capsys, str(recorded), *out, "--private", str(tmp_path / "x.toml"))


def test_a_manifest_says_which_arguments_were_wrong_in_which_way_and_what_package_answered(tmp_path: Path) -> None:
    schema = {"type": "object", "properties": {"n": {"type": "integer"}, "text": {"type": "string"}}}
    package = {"registry": "npm", "name": "notes-server", "version": "3"}
    tools = {**TOOLS, "package": package, "tools": [{"name": "write", "inputSchema": schema}]}
    wrong = {"error_class": "type_mismatch", "operation": "string as integer", "path": ["n"], "seed_step": 0}
    lines = [
        _line(0, 0, "write", _said("kept")),
        _line(0, 1, "write", _said("no", isError=True), **wrong),
        _line(0, 2, "write", _said("kept"), error_class="schema_violation", operation="extra", path=[], seed_step=0),
    ]

    said = _pool(str(_record(tmp_path / "recorded", lines, tools)), "--out", str(tmp_path / "pool"))

    assert said["package"] == package
    assert said["coverage"] == {
        "write": {"(all)": {"schema_violation": 1}, "n": {"type_mismatch": 1}, "text": {}},
    }


def test_what_may_be_drawn_anew_is_proposed_and_declared_masks_stay(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = [_line(0, step, "read", _said(f"number {step + 7} of 9")) for step in range(2)]
    recorded, pool = _record(tmp_path / "recorded", lines), tmp_path / "pool"
    pool.mkdir()
    (pool / "masks.toml").write_text("# by hand")

    with pytest.raises(SystemExit) as ended:
        main(["traverse", "pool", str(recorded), "--out", str(pool)])

    said = " ".join(capsys.readouterr().out.split())
    assert ended.value.code == 0
    assert "read answered the same call otherwise (1 time), as in 0.1: number ▸7 of 9 number ▸8 of 9" in said
    assert f"may be declared in {pool / 'masks.toml'}" in said.replace(" /", " /")
    assert (pool / "masks.toml").read_text() == "# by hand"


def test_a_manifest_quotes_no_answer_that_is_held_back(tmp_path: Path) -> None:
    lines = [_line(trace, step, "read", _said(f"drawn {trace}-{step}")) for trace in range(4) for step in range(2)]

    said = _pool(str(_record(tmp_path / "recorded", lines)), "--out", str(tmp_path / "pool"))

    held = {line["trace"] for line in _lines(tmp_path / "pool") if line["side"] == "held"}
    shown = {int(seen["call"].partition(".")[0]) for each in said["volatile_candidates"] for seen in each["seen"]}
    assert held
    assert shown == set(range(4)) - held


def test_a_pool_with_what_is_private_is_the_owner_s_alone(recorded: Path, tmp_path: Path) -> None:
    pool = tmp_path / "pool"
    mask = os.umask(0o022)  # whatever a farm that a test before has served in this process has set

    try:
        _pool(str(recorded), "--out", str(pool))
        private = {each.name: each.stat().st_mode & 0o077 for each in pool.iterdir()}
        _pool(str(recorded), "--out", str(pool), "--redact", str(tmp_path / "mapping.json"))
        shared = {each.name: each.stat().st_mode & 0o044 for each in pool.iterdir()}
    finally:
        os.umask(mask)

    assert private == dict.fromkeys(private, 0)
    assert shared == dict.fromkeys(private, 0o044)


def test_a_redacted_pool_is_not_written_over_unredacted(
    recorded: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pool = tmp_path / "pool"
    _pool(str(recorded), "--out", str(pool), "--redact", str(tmp_path / "mapping.json"))
    before = (pool / "pool.jsonl").read_bytes()

    assert "was redacted; give --redact FILE again" in _problem(capsys, str(recorded), "--out", str(pool))
    assert (pool / "pool.jsonl").read_bytes() == before


def test_a_full_disk_is_one_line_and_leaves_the_old_pool(
    recorded: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    pool = tmp_path / "pool"
    _pool(str(recorded), "--out", str(pool))
    before = {each.name: each.read_bytes() for each in pool.iterdir()}

    opened = os.open

    def full(path: Path, *more: int) -> int:
        if path.name.startswith(".manifest.json"):  # the last of them
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return opened(path, *more)

    monkeypatch.setattr(os, "open", full)
    assert f"{pool} cannot be written (No space left on device)" in _problem(capsys, str(recorded), "--out", str(pool))
    assert {each.name: each.read_bytes() for each in pool.iterdir()} == before
