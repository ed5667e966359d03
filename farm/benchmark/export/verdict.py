"""Asks a task's server for the verdict and writes it as files."""

from __future__ import annotations

import http.client
from pathlib import Path
from typing import Any

from farm._util.json_io import dumps, loads
from farm.benchmark.export.task_server import CONTROL_HOST
from farm.errors import FarmError

# The server refuses bodies of more values, which it counts by their commas. An answer is a few sentences.
_ANSWER_BYTES_MAX = 40_000
_TIMEOUT_S = 50.0


def write_verdict(answer: Path, out: Path, control_port: int) -> dict[str, Any]:
    """End the episode, write ``trial.json`` and ``reward.json``, and return the trial's line.

    Args:
        answer: the file with the agent's answer, of which the first 40,000 bytes count; without it the answer is empty.
        out: the folder for the two files.
        control_port: the server's port for grading.

    Raises:
        FarmError: no server answers, or a file cannot be read or written.
    """
    line = _check(_read(answer), control_port)
    try:
        out.mkdir(parents=True, exist_ok=True)
        # The reward comes last: with it, both are complete.
        for name, value in (("trial.json", line), ("reward.json", {"reward": line["acc"]})):
            (out / name).write_bytes(dumps(value) + b"\n")
    except OSError as problem:
        raise FarmError(f"{problem.filename or out} cannot be written ({problem.strerror})") from None
    return line


def _read(answer: Path) -> str:
    try:
        with answer.open("rb") as file:
            return file.read(_ANSWER_BYTES_MAX).decode("utf-8", "replace")
    except FileNotFoundError:
        return ""
    except OSError as problem:
        raise FarmError(f"{answer} cannot be read ({problem.strerror})") from None


def _check(answer: str, control_port: int) -> dict[str, Any]:
    connection = http.client.HTTPConnection(CONTROL_HOST, control_port, timeout=_TIMEOUT_S)
    try:
        connection.request("POST", "/check", dumps({"answer": answer}))
        found = connection.getresponse()
        told: dict[str, Any] = loads(found.read())
    except (OSError, http.client.HTTPException, ValueError):
        raise FarmError(f"no 'farm tasks serve' answers on port {control_port} of {CONTROL_HOST}") from None
    finally:
        connection.close()
    if found.status != 200:
        raise FarmError(str(told.get("error", {}).get("message", f"status {found.status}")))
    return told
