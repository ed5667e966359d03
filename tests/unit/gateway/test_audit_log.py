"""Who asked for what by the control API: a line a call, never a token or a body, never more than the disk can bear."""

from __future__ import annotations

import asyncio
import json
import os
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from starlette.types import ASGIApp

from gateway import audit_log
from gateway.addresses import Addresses
from gateway.audit_log import AuditLog
from gateway.control import control_app
from tests.protocol.wire import Answer, send
from tests.unit._gateway import Gateway, config

TOKEN = "the-operators-token"
FIELDS = [("host", "127.0.0.1:1"), ("authorization", f"Bearer {TOKEN}")]


class Api:
    """The control API of a gateway, with its log."""

    def __init__(self, gateway: Gateway) -> None:
        async def ready() -> bool:
            return True

        async def metrics() -> str:
            return "farm_episodes 1"

        self.path = gateway.data / "operators.log"
        self.gateway = gateway
        addresses, self.log = Addresses(config(gateway.data, "slack")), AuditLog(self.path)
        self.app: ASGIApp = control_app(gateway.episodes, TOKEN, ready, metrics, addresses, log=self.log)

    async def ask(self, method: str, path: str, body: Any = None, fields: Any = FIELDS) -> Answer:
        return await send(self.app, body, fields, path=path, method=method)

    def entries(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.path.read_text().splitlines()]


@pytest_asyncio.fixture
async def api(tmp_path: Path) -> AsyncIterator[Api]:
    async with Gateway(tmp_path, "slack") as gateway:
        yield Api(gateway)


async def test_every_call_is_a_line_with_what_it_was_and_what_became_of_it(api: Api) -> None:
    made = (await api.ask("POST", "/v1/episodes", {"label": "a secret of mine"})).json
    await api.ask("POST", f"/v1/episodes/{made['id']}/reset")
    copy = (await api.ask("POST", f"/v1/episodes/{made['id']}/fork", {"count": 1})).json
    await api.ask("GET", "/v1/episodes/nobody")
    await api.ask("GET", "/v1/episodes", fields=[FIELDS[0], ("authorization", "Bearer a-guess")])
    await api.ask("DELETE", "/v1/episodes")
    await api.ask("DELETE", f"/v1/episodes/{made['id']}")

    entries = api.entries()
    assert [(each["method"], each["status"], each["episode"]) for each in entries] == [
        ("POST", 201, made["id"]),
        ("POST", 200, made["id"]),
        ("POST", 201, made["id"]),
        ("GET", 404, "nobody"),
        ("GET", 401, None),
        ("DELETE", 405, None),
        ("DELETE", 200, made["id"]),
    ]
    assert entries[1]["path"] == f"/v1/episodes/{made['id']}/reset"
    for each in entries:
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00", each["at"])
        assert each["took_ms"] >= 0
        assert each["from"] is not None
    raw = api.path.read_text()
    for secret in (TOKEN, "a-guess", made["token"], copy["token"], "a secret of mine"):
        assert secret not in raw
    assert api.path.stat().st_mode & 0o777 == 0o600


async def test_what_scrapers_ask_all_the_time_is_left_out_unless_it_was_refused(api: Api) -> None:
    await api.ask("GET", "/healthz")
    await api.ask("GET", "/metrics")
    assert not api.path.exists()

    await api.ask("GET", "/metrics", fields=FIELDS[:1])
    assert [(each["path"], each["status"]) for each in api.entries()] == [("/metrics", 401)]


@pytest.mark.parametrize("path", ["/v1/episodes", "/v1/nothing/" + "x" * 5000, "/metrics"])
async def test_outsiders_are_counted_and_wash_no_operators_call_out_of_the_log(
    api: Api, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    monkeypatch.setattr(audit_log, "SIZE_BYTES_MAX", 2000)
    guess, foreign = [FIELDS[0], ("authorization", "Bearer a-guess")], [("host", "evil.example"), FIELDS[1]]
    await api.ask("GET", "/v1/episodes/default")
    for _ in range(200):
        await api.ask("GET", path, fields=guess)
        await api.ask("GET", path, fields=foreign)

    mine, first = api.entries()
    assert (mine["path"], first["status"]) == ("/v1/episodes/default", 401)
    api.log.write_refused()  # as a minute later
    told = api.entries()[-1]
    assert told["refused"] == 399
    assert told["statuses"] == {"401": 199, "421": 200}
    assert [each["status"] for each in told["first"]] == [421, 401, 421]
    assert {each["path"] for each in told["first"]} == {path[:64]}
    assert "a-guess" not in api.path.read_text()

    await api.ask("GET", path, fields=guess)  # they go on: no line of its own
    assert len(api.entries()) == 3
    api.log.write_refused()
    assert api.entries()[-1]["refused"] == 1
    api.log.write_refused()
    assert len(api.entries()) == 4  # a quiet minute
    await api.ask("GET", path, fields=guess)
    assert "refused" not in api.entries()[-1]


async def test_a_minute_ends_by_itself(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(audit_log, "REFUSED_S", 0.2)
    async with asyncio.timeout(60):
        while True:
            # Again and again, as a busy machine may have let a minute pass before the second one comes.
            await api.ask("GET", "/v1/episodes", fields=FIELDS[:1])
            if told := [each for each in api.entries() if "refused" in each]:
                break

    assert told[0]["refused"] >= 1
    assert told[0]["statuses"] == {"401": told[0]["refused"]}


async def test_an_operator_who_asks_for_what_is_not_there_is_no_outsider(api: Api) -> None:
    for _ in range(3):
        await api.ask("GET", "/v1/nothing")
    assert [each["status"] for each in api.entries()] == [404] * 3


async def test_a_long_path_is_truncated(api: Api) -> None:
    await api.ask("GET", f"/v1/episodes/{'x' * 5000}")

    (long,) = api.entries()
    assert len(long["path"]) == len(long["episode"]) == 200


async def test_the_log_is_rotated_by_size_and_no_line_is_torn(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(audit_log, "SIZE_BYTES_MAX", 1000)
    for _ in range(60):
        await api.ask("GET", "/v1/episodes/default")

    files = sorted(path.name for path in api.path.parent.glob("operators.log*"))
    assert [name for name in files if name != "operators.log"] == [f"operators.log.{n}" for n in (1, 2, 3)]
    kept = list(api.path.parent.glob("operators.log*"))
    assert max(path.stat().st_size for path in kept) < 1300
    assert all(path.stat().st_mode & 0o777 == 0o600 for path in kept)
    times = [json.loads(line)["at"] for n in (3, 2, 1) for line in Path(f"{api.path}.{n}").read_text().splitlines()]
    assert times == sorted(times)


async def test_calls_go_on_where_the_log_cannot_be_written(api: Api, caplog: pytest.LogCaptureFixture) -> None:
    api.path.mkdir()
    for _ in range(3):
        assert (await api.ask("GET", "/v1/episodes/default")).status == 200
    (line,) = [each for each in caplog.messages if "operators.log" in each]
    assert line.endswith("cannot be written (Is a directory); calls go on without")

    os.rmdir(api.path)
    await api.ask("GET", "/v1/episodes/default")
    assert len(api.entries()) == 1
