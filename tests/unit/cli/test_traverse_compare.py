"""``farm traverse compare``: an app beside a server that answers over HTTP."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from farm.cli import build, main
from farm.testing import LocalWorld

CALLS = [
    {"tool": "slack_list_channels", "arguments": {"limit": 3}},
    {"tool": "slack_get_channel_history", "arguments": {"channel_id": "C00000000"}},
    {"tool": "slack_list_channels", "arguments": {"limit": "three"}},
]


@pytest.fixture
def calls(tmp_path: Path) -> Path:
    file = tmp_path / "calls.jsonl"
    file.write_text("".join(json.dumps({**each, "result": {"content": []}}) + "\n" for each in CALLS))
    return file


@pytest.fixture
def served() -> Iterator[LocalWorld]:
    with LocalWorld("mini", ["slack"]) as world:
        yield world


def _given(world: LocalWorld, calls: Path, *words: str) -> list[str]:
    bearer = f"Authorization: Bearer {world.token}"
    return ["traverse", "compare", "slack", world.url("slack"), "--header", bearer, "--calls", str(calls), *words]


def _compare(*words: str) -> dict[str, Any]:
    done = CliRunner().invoke(build(words), [*words, "--json"], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    said: dict[str, Any] = json.loads(done.stdout)
    return said


def test_an_app_agrees_with_itself_and_not_with_another_state(served: LocalWorld, calls: Path, tmp_path: Path) -> None:
    out = tmp_path / "real.jsonl"
    said = _compare(*_given(served, calls, "--world", "mini", "--out", str(out)))
    assert (said["compared"], said["agreement"]) == (3, 1.0)
    assert said["confusion"]["success"] == {"success": 1}
    real = [json.loads(line)["result"] for line in out.read_text().splitlines()]
    assert '"ok":true' in real[0]["content"][0]["text"].replace(" ", "")
    other = _compare(*_given(served, calls, "--world", "harbor"))
    assert (other["agreement"], other["bodies"]["leaf_equal"]) == (1.0, 0.0)


def test_bad_input_is_one_line(served: LocalWorld, calls: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def problem(words: list[str]) -> str:
        with pytest.raises(SystemExit):
            main(words)
        said = capsys.readouterr().err.strip()
        assert "\n" not in said
        return said

    assert "wants a login (HTTP 401)" in problem(
        ["traverse", "compare", "slack", served.url("slack"), "--calls", str(calls), "--world", "mini"]
    )
    assert "cannot be read" in problem(_given(served, calls.with_name("absent"), "--world", "mini"))
    assert "no world 'nowhere'" in problem(_given(served, calls, "--world", "nowhere"))
    calls.write_text("{")
    assert "line 1 is not JSON" in problem(_given(served, calls, "--world", "mini"))


def test_a_pool_s_masks_count_beside_the_app_s(served: LocalWorld, calls: Path, tmp_path: Path) -> None:
    pool = tmp_path / "pool"
    pool.mkdir()
    post = {"channel_id": "#general", "text": "Cake at four."}
    line = {"trace": 0, "step": 0, "tool": "slack_post_message", "arguments": post, "result": {"content": []}}
    (pool / "pool.jsonl").write_text(json.dumps(line) + "\n")
    given = ["--world", "mini", "--out", str(tmp_path / "now.jsonl")]
    # The clock of the one runs on; the other stands where the call was made.
    assert _compare(*_given(served, pool, *given))["exact"] == 0.0
    (pool / "masks.toml").write_text(
        '[[volatile]]\nname = "ts"\npattern = \'\\d{10}\\.\\d{6}\'\nreason = "when it was posted"\n\n'
        '[[volatile]]\nname = "block"\npattern = \'"block_id":"(?P<value>\\w+)"\'\nreason = "of the time"\n'
    )
    said = _compare(*_given(served, pool, *given))
    assert said["exact"] == 1.0
    assert [each["name"] for each in said["masks"]] == ["ts", "block"]
    kept = json.loads((tmp_path / "now.jsonl").read_text())
    assert (kept["trace"], kept["step"]) == (0, 0), "an arm of a report names each call by them"
