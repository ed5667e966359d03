"""Agents that are programs with an MCP configuration: Claude Code, Codex, Gemini CLI, OpenClaw, your own script.

The program runs in an empty temporary folder with a clean environment; docs/agents.md is its contract,
``farm.benchmark.agents.help_text`` the short form. ``farm.benchmark.agents.process_group`` runs it, ends all processes
that it started, and writes its output to the disk.
"""

from __future__ import annotations

import os
import re
import select
import shlex
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from hashlib import file_digest
from pathlib import Path
from typing import Any

import orjson

from farm._util import temp_folders
from farm.benchmark.agents import process_group
from farm.benchmark.agents.base import Assignment, Ended, InfrastructureError, Result, Usage
from farm.errors import FarmError

_POLL_MS = 100
# How much longer than its program the supervising process may run before it counts as hung.
_LATE_S_MAX = 8.0
_KEPT_BYTES_MAX = 8 << 20
_OUTPUT_CHARS_MAX = 200_000
_ERRORS_CHARS_MAX = 4_000
_GAP = re.compile(r"\{(config|instruction|prompt|prompt_file)\}")
_PASSED_ON = ("PATH", "LANG", "LC_ALL", "TZ", "SSL_CERT_FILE")


@dataclass(frozen=True)
class Started:
    """The environment of a running program.

    Attributes:
        words: the program and its arguments.
        folder: the folder of its files.
        seen_as: the path of that folder for the program.
        urls: app → URL of its MCP server for the program.
        command: builds the actual command from the filled words and the program's environment.
        environment: further variables of the actual command.
    """

    words: Sequence[str]
    folder: Path
    seen_as: str
    urls: Mapping[str, str]
    command: Callable[[Sequence[str], Mapping[str, str]], list[str]]
    environment: Mapping[str, str]


class Command:
    """Runs a command line once per trial."""

    # It runs with our user id, so it could read our files.
    is_sealed = False
    connects = True

    def __init__(self, line: str, *, environment: Iterable[str] = ()) -> None:
        """Use a command line; ``environment`` names variables to pass on, such as ``ANTHROPIC_API_KEY``.

        A word that names a file in the current folder becomes an absolute path, as the program runs elsewhere.

        Raises:
            FarmError: the line is empty or has an unclosed quote, or the program or a variable does not exist.
        """
        try:
            words = shlex.split(line)
        except ValueError as problem:
            raise FarmError(f"the agent's command line cannot be split ({problem}): {line}") from None
        if not words:
            raise FarmError("the agent's command is empty; write command:PROGRAM ARGUMENTS")
        self._words = [self._program(words[0]), *(_absolute(word) for word in words[1:])]
        # Named by its script, if it has one: otherwise all programs of one interpreter would have the same name.
        script = next((word for word in words[1:2] if _is_file(word)), words[0])
        self.name = f"command:{Path(script).name}"
        self._line = line
        self._passed = sorted(environment)
        for name in self._passed:
            if name not in os.environ:
                raise FarmError(f"--agent-env names {name}, which is not set")
        self._environment = self._own_environment()

    def _program(self, word: str) -> str:
        """Return the absolute path of the program."""
        program = shutil.which(word)
        if program is None:
            raise FarmError(
                f"no program '{word}' for the agent; name one on the PATH, or a path to one that may be run"
            )
        return os.path.abspath(program)

    def _own_environment(self) -> dict[str, str]:
        """Return the variables of our environment that are passed on."""
        return {name: os.environ[name] for name in (*_PASSED_ON, *self._passed) if name in os.environ}

    def about(self) -> dict[str, Any]:
        """Return the command line, a hash of each file it names, and the names of the variables passed on."""
        files = {word: hashed for word in self._words if (hashed := _hash(Path(word))) is not None}
        return {"command": self._line, "files_sha256": files, "environment": self._passed}

    def play(self, job: Assignment) -> Result:
        """Run the command in the job's episode; its answer is its output, or the last message in it."""
        with temp_folders.scratch("farm-agent-") as folder:
            return self._run(job, folder)

    @contextmanager
    def _started(self, job: Assignment, folder: Path) -> Iterator[Started]:
        """Provide the program's environment while it runs."""
        (folder / "home").mkdir()
        (folder / "tmp").mkdir()
        around = {temp_folders.VARIABLE: str(folder), "HOME": str(folder / "home"), "TMPDIR": str(folder / "tmp")}
        yield Started(self._words, folder, str(folder), job.session.urls, lambda words, _: list(words), around)

    def _require_run(self, said: Mapping[str, Any], errors: str) -> None:
        """Raise InfrastructureError if the program never ran although its launcher did."""

    def _run(self, job: Assignment, folder: Path) -> Result:
        with self._started(job, folder) as started:
            return self._play(job, folder, started)

    def _play(self, job: Assignment, folder: Path, started: Started) -> Result:
        config, prompt_file = started.folder / "mcp.json", started.folder / "prompt.md"
        config.write_bytes(orjson.dumps(mcp_config(started.urls, job.session.token), option=orjson.OPT_INDENT_2))
        prompt = f"{job.system}\n\n{job.instruction}\n"
        prompt_file.write_text(prompt, "utf-8")
        seen_config, seen_prompt = f"{started.seen_as}/mcp.json", f"{started.seen_as}/prompt.md"
        filled = {"config": seen_config, "instruction": job.instruction, "prompt": prompt, "prompt_file": seen_prompt}
        mark = {temp_folders.VARIABLE: str(folder)}
        environment = {
            **self._environment,
            "FARM_MCP_CONFIG": seen_config,
            "FARM_INSTRUCTION": job.instruction,
            "FARM_PROMPT_FILE": seen_prompt,
            "FARM_CALLS_MAX": str(job.limits.calls_max),
            "FARM_TRIAL": job.trial,
        }
        if job.limits.deadline is not None:
            environment["FARM_DEADLINE"] = job.limits.deadline.isoformat(timespec="seconds")
        time_s_max = job.limits.time_s_max
        orders = {
            "words": started.command([_filled(word, filled) for word in started.words], environment),
            "folder": str(started.folder / "home"),
            "environment": {**environment, **mark, **started.environment},
            "stdin": str(prompt_file),
            "stdout": str(folder / "stdout"),
            "stderr": str(folder / "stderr"),
            "size_max": _KEPT_BYTES_MAX,
            "time_s_max": time_s_max,
        }
        said = _supervised(orders, mark, job.cancelled, time_s_max + _LATE_S_MAX)
        if "error" in said:
            raise InfrastructureError(f"the agent '{self._words[0]}' cannot be started: {said['error']}")
        text, errors = _read_tail(folder / "stdout"), _read_tail(folder / "stderr")
        self._require_run(said, errors)
        printed = last_message(text)
        transcript = {
            "status": said["status"],
            "stdout": text[-_OUTPUT_CHARS_MAX:],
            "stderr": errors[-_ERRORS_CHARS_MAX:],
            "printed_bytes": said["sizes"],
            "not_ended": said["left"],
        }
        answer = printed.answer[-_OUTPUT_CHARS_MAX:]
        used = printed.usage_by_model
        told = (None, printed.usage, (transcript,), printed.models)
        return Result(answer, _ended(said), *told, is_told=True, usage_by_model=used)


def _ended(said: Mapping[str, Any]) -> Ended:
    if said["ended"] == "time":
        return "time"
    return "answered" if said["ended"] == "exit" and said["status"] == 0 else "failed"


def _absolute(word: str) -> str:
    return os.path.abspath(word) if _is_file(word) else word


def _is_file(word: str) -> bool:
    try:
        return Path(word).is_file()
    except OSError:  # longer than any name may be
        return False


def _hash(path: Path) -> str | None:
    try:
        with path.open("rb") as file:
            return file_digest(file, "sha256").hexdigest()[:16]
    except OSError:
        return None


def _filled(word: str, values: Mapping[str, str]) -> str:
    # In one pass: a filled-in value may itself contain such a name in braces.
    return _GAP.sub(lambda match: values[match[1]], word)


def _supervised(
    orders: Mapping[str, Any], mark: Mapping[str, str], cancelled: threading.Event, time_s_max: float
) -> dict[str, Any]:
    """Run a program under supervision and return its outcome."""
    watcher = subprocess.Popen(
        [sys.executable, "-I", "-S", process_group.__file__],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**mark, "PATH": os.defpath},
        start_new_session=True,
    )
    assert watcher.stdin is not None
    assert watcher.stdout is not None
    until = time.monotonic() + time_s_max
    said_something = select.poll()
    said_something.register(watcher.stdout, select.POLLIN)
    try:
        watcher.stdin.write(orjson.dumps(orders) + b"\n")
        watcher.stdin.flush()
        while time.monotonic() < until and not cancelled.is_set():
            if said_something.poll(_POLL_MS):
                break
        # Closing its input ends it.
        watcher.stdin.close()
        with suppress(subprocess.TimeoutExpired):
            watcher.wait(_LATE_S_MAX)
    except BrokenPipeError:
        pass
    finally:
        with suppress(BrokenPipeError):
            watcher.stdin.close()
        watcher.kill()
        watcher.wait()
        said = watcher.stdout.read()
        watcher.stdout.close()
    try:
        found: dict[str, Any] = orjson.loads(said)
    except orjson.JSONDecodeError:
        # The program has killed the supervising process.
        return {"ended": "exit", "status": None, "left": 0, "sizes": {}}
    return found


def _read_tail(path: Path) -> str:
    """Return the stored end of a stream, even if the program has tampered with the file."""
    data = b""
    for each in (process_group.before(path), path):
        with suppress(OSError), open(os.open(each, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb") as file:
            data += file.read(_KEPT_BYTES_MAX) or b""
    return data.decode("utf-8", "replace")


def mcp_config(urls: Mapping[str, str], token: str | None) -> dict[str, Any]:
    """Return an MCP client configuration with one HTTP server per app."""
    headers = {"headers": {"Authorization": f"Bearer {token}"}} if token else {}
    return {"mcpServers": {app: {"type": "http", "url": url, **headers} for app, url in urls.items()}}


@dataclass(frozen=True)
class Printed:
    """The parsed output of a program: its answer, the tokens it used, and the models that answered it."""

    answer: str
    usage: Usage | None = None
    models: tuple[str, ...] = ()
    usage_by_model: Mapping[str, Usage] = field(default_factory=dict)


def last_message(output: str) -> Printed:
    """Parse a program's output: plain text is the answer; of JSON or JSON lines the last message is."""
    values: list[Any] = []
    try:
        whole = orjson.loads(output)
        values = whole if isinstance(whole, list) else [whole]
    except orjson.JSONDecodeError:
        for line in output.splitlines():
            if not line.startswith("{"):
                continue  # do not try to parse every line of megabytes of plain text
            try:
                value = orjson.loads(line)
            except orjson.JSONDecodeError:
                continue
            if isinstance(value, dict):
                values.append(value)
    objects = [value for value in values if isinstance(value, dict)]
    texts = [text for value in objects if (text := _text_of(value))]
    usage = next((found for value in reversed(objects) if (found := _usage(value))), None)
    models = tuple(dict.fromkeys(name for value in objects for name in _models(value)))
    apart = next((known for value in reversed(objects) if (known := _usage_by_model(value))), {})
    closing = objects[-1].get("answer") if objects else None
    # A program that ends with an answer of no words has said nothing, whatever it printed before.
    answer = closing if isinstance(closing, str) else texts[-1] if texts else output.strip()
    return Printed(answer, usage, models, apart)


def _text_of(value: Mapping[str, Any]) -> str | None:
    """Return the text of one message object, in any of the forms that agents print."""
    for key in ("result", "response", "answer", "text", "content", "output", "message", "item", "msg", "part"):
        found = value.get(key)
        if isinstance(found, str) and found.strip():
            return found
        if isinstance(found, Mapping) and (inner := _text_of(found)):
            return inner
        if isinstance(found, Sequence) and not isinstance(found, str):
            parts = [inner for each in found if isinstance(each, Mapping) and (inner := _text_of(each))]
            if parts:
                return "\n".join(parts)
    return None


def _usage(value: Mapping[str, Any]) -> Usage | None:
    """Return the tokens that a message object reports, in any of the forms that agents print."""
    used = value.get("usage")
    if not isinstance(used, Mapping):
        return sum(found.values(), Usage()) if (found := _usage_by_model(value)) else None
    prompt = used.get("input_tokens", used.get("prompt_tokens"))
    completion = used.get("output_tokens", used.get("completion_tokens"))
    if not isinstance(prompt, int) or not isinstance(completion, int):
        return None
    # Anthropic counts cached tokens separately from the rest of the prompt, OpenAI within it.
    read, written = (_count(used, f"cache_{what}_input_tokens") for what in ("read", "creation"))
    return Usage(prompt + read + written, completion, read or _count(used, "cached_input_tokens"))


def _usage_by_model(value: Mapping[str, Any]) -> dict[str, Usage]:
    """Return the tokens of each model that a message object counts apart, in either of two forms that agents print."""
    found = {}
    for model, used in _models(value).items():
        tokens = used.get("tokens") if isinstance(used, Mapping) else None
        if isinstance(tokens, Mapping):
            found[model] = Usage(_count(tokens, "prompt"), _count(tokens, "candidates"), _count(tokens, "cached"))
        elif isinstance(used, Mapping) and isinstance(used.get("inputTokens"), int):
            read, written = (_count(used, f"cache{what}InputTokens") for what in ("Read", "Creation"))
            found[model] = Usage(used["inputTokens"] + read + written, _count(used, "outputTokens"), read)
    return found


def _models(value: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a message object's data about each model that was used."""
    stats = value.get("stats")
    found = value.get("modelUsage") or (stats.get("models") if isinstance(stats, Mapping) else None)
    return found if isinstance(found, Mapping) else {}


def _count(used: Mapping[str, Any], key: str) -> int:
    found = used.get(key)
    return found if isinstance(found, int) else 0
