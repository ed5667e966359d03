"""The real universal-email-server beside ours: the same calls, before a stand-in for a mail service."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from farm import content
from farm.testing import LocalApp
from farm.traverse.fidelity.fidelity import measure
from farm.traverse.fidelity.provenance import load_provenance
from farm.traverse.fidelity.replay import Start
from farm.traverse.fidelity.side_by_side import ask, read_questions
from farm.traverse.transport.source import Source
from tests.upstream.email163.calls import CALLS, FATAL, SILENT
from tests.upstream.email163.mailbox import rows, source
from tests.upstream.email163.service import Service, serving
from tests.upstream.real import assert_alike, git_checkout, install

_REPOSITORY, _COMMIT = "https://github.com/TimeCyber/email-mcp", "c6b88d98f64b7ac015ed1a764a371a709edc46fe"
_REDIRECT = Path(__file__).with_name("redirect.mjs")
_ANSWER_S_MAX = 2.5
# Where both clocks stand.
NOW = datetime(2026, 3, 9, 1, 0, 0, 123_000, tzinfo=UTC)
Asking = Callable[[list[dict[str, Any]]], list[Any]]


@pytest.fixture(scope="module")
def program() -> Path:
    folder = git_checkout(_REPOSITORY, _COMMIT)
    if not (folder / "node_modules").is_dir():
        npm = shutil.which("npm") or pytest.skip("npm is not installed")
        install(npm, "ci", "--omit=dev", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", str(folder))
    return folder / "index.js"


@pytest.fixture
def first_rows() -> list[dict[str, Any]]:
    return rows(NOW)


@pytest.fixture
def asking(program: Path, first_rows: list[dict[str, Any]], tmp_path: Path) -> Iterator[Asking]:
    """Ask the real server; calls of one ``trace`` go to one process."""
    openssl = shutil.which("openssl") or pytest.skip("openssl is not installed")
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    names = "subjectAltName=DNS:smtp.163.com,DNS:imap.163.com,DNS:pop.163.com,DNS:localhost,IP:127.0.0.1"
    made = ("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=stand-in", "-addext", names)
    install(openssl, *made, "-keyout", str(key), "-out", str(certificate))
    home = tmp_path / "home"
    home.mkdir()
    with serving(Service.of(first_rows, source), certificate, key) as ports:
        environment = {
            "PATH": os.environ["PATH"],
            "TZ": "UTC",
            "LANG": "en_US.UTF-8",
            "EMAIL_USER": "me@163.com",
            "EMAIL_PASSWORD": "CODE",
            "EMAIL_TYPE": "auto",
            "NODE_EXTRA_CA_CERTS": str(certificate),
            "NODE_NO_WARNINGS": "1",
            "STAND_IN": json.dumps(ports),
            "NOW_MS": str(round(NOW.timestamp() * 1000)),
        }
        command = (shutil.which("node") or "node", "--import", _REDIRECT.as_uri(), str(program))
        real = Source("universal-email-server", command, environment, home)

        def ask_all(lines: list[dict[str, Any]]) -> list[Any]:
            questions = tmp_path / "calls.jsonl"
            questions.write_text("".join(json.dumps({**each, "result": {"content": []}}) + "\n" for each in lines))
            answered = asyncio.run(ask(real, read_questions(questions, None), answer_s_max=_ANSWER_S_MAX))
            return [replace(each, at=NOW) for each in answered]

        yield ask_all


def test_ours_says_what_the_real_one_says(asking: Asking, first_rows: list[dict[str, Any]], tmp_path: Path) -> None:
    real = asking([{"tool": tool, "arguments": arguments} for tool, arguments in CALLS])

    app = content.load_app("email163")
    masks = load_provenance(app).masks
    start = Start(rows=tuple(first_rows), me="me@163.com")
    found = measure(app, real, start, tmp_path / "ours", masks=masks, is_sequence=True)

    refused = sum(
        each.result["content"][0]["text"].startswith(("错误", "❌")) for each in real if "content" in each.result
    )
    assert len(CALLS) >= 60
    assert len(CALLS) - refused >= len(CALLS) / 2
    assert_alike(found, len(CALLS))


@pytest.mark.parametrize(("calls", "said"), [(SILENT, "Request timed out"), (FATAL, "Connection closed")])
def test_where_the_real_one_says_nothing_ours_refuses(
    calls: list[tuple[str, Any]], said: str, asking: Asking, first_rows: list[dict[str, Any]], tmp_path: Path
) -> None:
    lines = [{"tool": tool, "arguments": arguments, "trace": number} for number, (tool, arguments) in enumerate(calls)]

    real = asking(lines)

    app = LocalApp("email163", tmp_path / "ours", rows=first_rows, me="me")
    assert [each.result for each in real if "silence" not in each.result] == []
    for tool, arguments in calls:
        assert app.result(tool, **arguments)["error"]["message"].startswith(said), (tool, arguments)
    app.close()
