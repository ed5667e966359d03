"""What agents and operators hear of files that are missing, broken or cannot be written: one error, one line."""

from __future__ import annotations

import errno
from collections.abc import Callable
from pathlib import Path

import pytest

from farm.context.log import CallLog
from farm.server.app import AppServer
from farm.server.http.answer import CANNOT_BE_USED
from tests.protocol.wire import LEGACY, MODERN, make_episode, request, send

SPOILT = {
    "a directory in place of calls": lambda folder: replace(folder / "calls", None),
    "a log that is no log": lambda folder: replace(folder / "toy.0.log", b"[1, 2]\n"),
    "a directory in place of the log": lambda folder: replace(folder / "toy.0.log", None),
    "settings that are no JSON": lambda folder: replace(folder / "episode.json", b"{"),
    "settings of something else": lambda folder: replace(folder / "episode.json", b"[]"),
    "a directory in place of the settings": lambda folder: replace(folder / "episode.json", None),
    "a context that is no database": lambda folder: replace(folder / "toy.0.db", b"no database" * 1000),
    "a context cut short": lambda folder: replace(folder / "toy.0.db", (folder / "toy.0.db").read_bytes()[:5000]),
}


def replace(path: Path, data: bytes | None) -> None:
    """Put bytes, or a directory, in place of a file."""
    path.unlink()
    if data is None:
        path.mkdir()
    else:
        path.write_bytes(data)


@pytest.mark.parametrize("version", [LEGACY, MODERN])
@pytest.mark.parametrize("is_plain", [True, False])
@pytest.mark.parametrize("spoil", SPOILT.values(), ids=SPOILT)
async def test_a_broken_file_is_one_error_without_a_path_and_one_line_with_it(
    toy: AppServer,
    caplog: pytest.LogCaptureFixture,
    spoil: Callable[[Path], None],
    version: str,
    is_plain: bool,
) -> None:
    make_episode(toy, "spoilt", calls_max=9)
    toy.store.close_all()
    spoil(toy.store.episodes / "spoilt")
    params = {"name": "note_add", "arguments": {"text": "x"}} | ({} if is_plain else {"task": {"ttl": 5}})
    body, fields = request("tools/call", params, version=version, request_id="mine")

    for _ in range(2):
        caplog.clear()
        answer = await send(toy, body, fields, path="/mcp/spoilt")

        assert (answer.json["id"], answer.json["error"]["code"]) == ("mine", -32603)
        assert str(toy.store.episodes) not in answer.body.decode()
        (line,) = caplog.messages
        assert f"{toy.store.episodes}/spoilt/" in line
        assert "\n" not in line
        assert caplog.records[0].exc_info is None
    body, fields = request("tools/call", {"name": "note_add", "arguments": {"text": "x"}}, version=version)
    assert "error" not in (await send(toy, body, fields)).json


async def test_a_refused_call_that_cannot_be_logged_is_an_error_without_a_path(
    toy: AppServer, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    body, fields = request("tools/call", {"name": "no_such", "arguments": {}})
    path = toy.store.open("ep").log.path

    def full(log: CallLog, line: bytes) -> None:
        raise OSError(errno.ENOSPC, "No space left on device", str(log.path))

    with monkeypatch.context() as disk:
        disk.setattr(CallLog, "append", full)
        for _ in range(2):
            answer = await send(toy, body, fields)
            assert answer.json["error"] == {"code": -32603, "message": CANNOT_BE_USED}
    assert [str(path) in line for line in caplog.messages] == [True, True]

    assert (await send(toy, body, fields)).json["error"]["message"] != CANNOT_BE_USED
    assert [entry["tool"] for entry in toy.store.calls("ep")] == ["no_such"]
