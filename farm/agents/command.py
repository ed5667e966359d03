"""Any program that can be given an MCP configuration: Claude Code, OpenClaw, Codex, Gemini CLI, a script of yours.

The program runs in an empty temporary folder with a clean environment. In its command line ``{config}`` stands for the
MCP configuration file, ``{instruction}`` for what the user asks, ``{prompt}`` for that after the system prompt, and
``{prompt_file}`` for a file with it; the same are in ``FARM_MCP_CONFIG``, ``FARM_INSTRUCTION`` and
``FARM_PROMPT_FILE``, and the prompt is on its standard input.
"""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import orjson

from farm.agents.base import Ended, Infrastructure, Job, Result, Usage
from farm.errors import FarmError

_POLL_S = 0.1
_CALLS_EVERY = 5  # polls between two looks at how many calls were made
_OUTPUT_CHARS_MAX = 200_000
_PASSED_ON = ("PATH", "LANG", "LC_ALL", "TZ", "SSL_CERT_FILE")


class Command:
    """Runs a command line once a trial."""

    # It has our user id, so what it could read on this machine is only a matter of manners.
    is_sealed = False

    def __init__(self, line: str, *, environment: Iterable[str] = ()) -> None:
        """Use a command line; ``environment`` names variables of ours it may see, such as ``ANTHROPIC_API_KEY``.

        Raises:
            FarmError: the line is empty or its quotes are not closed, or a variable is not set.
        """
        try:
            self._words = shlex.split(line)
        except ValueError as problem:
            raise FarmError(f"the agent's command line cannot be split ({problem}): {line}") from None
        if not self._words:
            raise FarmError("the agent's command is empty; write command:PROGRAM ARGUMENTS")
        self.name = f"command:{Path(self._words[0]).name}"
        self._environment = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
        for name in environment:
            if name not in os.environ:
                raise FarmError(f"--agent-env names {name}, which is not set")
            self._environment[name] = os.environ[name]

    def play(self, job: Job) -> Result:
        """Run the command in the job's episode; its answer is what it prints, or the last message of that."""
        with tempfile.TemporaryDirectory(prefix="farm-agent-", ignore_cleanup_errors=True) as folder:
            return self._run(job, Path(folder))

    def _run(self, job: Job, folder: Path) -> Result:
        config, prompt_file = folder / "mcp.json", folder / "prompt.md"
        config.write_bytes(orjson.dumps(mcp_config(job.session.urls, job.session.token), option=orjson.OPT_INDENT_2))
        prompt = f"{job.system}\n\n{job.instruction}\n"
        prompt_file.write_text(prompt, "utf-8")
        filled = {"config": str(config), "instruction": job.instruction, "prompt": prompt}
        filled |= {"prompt_file": str(prompt_file)}
        environment = self._environment | {
            "HOME": str(folder),
            "FARM_MCP_CONFIG": str(config),
            "FARM_INSTRUCTION": job.instruction,
            "FARM_PROMPT_FILE": str(prompt_file),
        }
        words = [_filled(word, filled) for word in self._words]
        output = folder / "stdout"
        with output.open("wb") as stdout, prompt_file.open("rb") as stdin, (folder / "stderr").open("wb") as stderr:
            try:
                process = subprocess.Popen(
                    words,
                    cwd=folder,
                    env=environment,
                    stdin=stdin,
                    stdout=stdout,
                    stderr=stderr,
                    start_new_session=True,
                )
            except OSError as problem:
                raise Infrastructure(f"the agent '{words[0]}' cannot be started: {problem.strerror}") from None
            ended = _wait(process, job)
        text = output.read_text("utf-8", "replace")[-_OUTPUT_CHARS_MAX:]
        answer, usage = last_message(text)
        errors = (folder / "stderr").read_text("utf-8", "replace")[-4000:]
        transcript = ({"status": process.returncode, "stdout": text, "stderr": errors},)
        return Result(answer, ended, None, usage, transcript)


def _filled(word: str, values: Mapping[str, str]) -> str:
    for name, value in values.items():
        word = word.replace(f"{{{name}}}", value)
    return word


def mcp_config(urls: Mapping[str, str], token: str | None) -> dict[str, Any]:
    """Return an MCP client configuration with one HTTP server an app."""
    headers = {"headers": {"Authorization": f"Bearer {token}"}} if token else {}
    return {"mcpServers": {app: {"type": "http", "url": url, **headers} for app, url in urls.items()}}


def _wait(process: subprocess.Popen[bytes], job: Job) -> Ended:
    """Wait for the program within its limits; whatever it has started ends with it."""
    until = time.monotonic() + job.limits.time_s_max
    ended: Ended = "answered"
    polls = 0
    while True:
        try:
            status = process.wait(_POLL_S)
            ended = "answered" if status == 0 else "failed"
            break
        except subprocess.TimeoutExpired:
            polls += 1
        if time.monotonic() > until:
            ended = "time"
            break
        if polls % _CALLS_EVERY == 0 and len(job.session.calls()) > job.limits.calls_max:
            ended = "calls"
            break
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    except PermissionError:  # macOS answers so when only zombies are left
        pass
    process.wait()
    return ended


def last_message(output: str) -> tuple[str, Usage | None]:
    """Return the answer in what a program printed: plain text as it is, of JSON or JSON lines the last message."""
    values: list[Any] = []
    try:
        whole = orjson.loads(output)
        values = whole if isinstance(whole, list) else [whole]
    except orjson.JSONDecodeError:
        for line in output.splitlines():
            try:
                value = orjson.loads(line)
            except orjson.JSONDecodeError:
                continue
            if isinstance(value, dict):
                values.append(value)
    objects = [value for value in values if isinstance(value, dict)]
    texts = [text for value in objects if (text := _said(value))]
    usage = next((found for value in reversed(objects) if (found := _usage(value))), None)
    return (texts[-1] if texts else output.strip()), usage


def _said(value: Mapping[str, Any]) -> str | None:
    """Return the words of one message object, in any of the forms that agents print."""
    for key in ("result", "response", "answer", "text", "content", "output", "message", "item", "msg", "part"):
        found = value.get(key)
        if isinstance(found, str) and found.strip():
            return found
        if isinstance(found, Mapping) and (inner := _said(found)):
            return inner
        if isinstance(found, Sequence) and not isinstance(found, str):
            parts = [inner for each in found if isinstance(each, Mapping) and (inner := _said(each))]
            if parts:
                return "\n".join(parts)
    return None


def _usage(value: Mapping[str, Any]) -> Usage | None:
    used = value.get("usage")
    if not isinstance(used, Mapping):
        return None
    prompt = used.get("input_tokens", used.get("prompt_tokens"))
    completion = used.get("output_tokens", used.get("completion_tokens"))
    if not isinstance(prompt, int) or not isinstance(completion, int):
        return None
    return Usage(prompt, completion)
