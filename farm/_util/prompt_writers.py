"""Who writes: a model behind an API, a program, or whoever puts answers into a folder.

A prompt is answered once: the answer is kept by the prompt's hash, so that the work can be repeated without the
writer, and an interrupted one goes on where it was.
"""

from __future__ import annotations

import hashlib
import json
import shlex
import subprocess
import time
from abc import ABC, abstractmethod
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from farm._util.json_lines import append_line, read_whole_lines
from farm._util.llm_cache import CachedModel
from farm.errors import FarmError

NONE = "none"
COMPLETIONS = "completions.jsonl"
PROMPTS = "prompts"
_KINDS = "none, kept, files:DIR, command:COMMAND or llm:NAME"
_COMMAND_S_MAX = 3600
_TASK = "TASK.md"
_ANSWER = "ANSWER.md"


class AnswerPendingError(FarmError):
    """A prompt waits for its answer in a folder."""


class NotKeptError(FarmError):
    """There is no kept answer to a prompt, and nobody to ask."""


@dataclass(frozen=True)
class Completion:
    """A prompt's answer.

    Attributes:
        writer: who answered, as ``--with`` names it.
        is_new: whether the writer was asked now; otherwise the answer was kept.
        elapsed_s: how long the writer took, or 0 if nobody knows.
    """

    prompt: str
    text: str
    writer: str
    is_new: bool
    elapsed_s: float = 0.0


class Writer(ABC):
    """Answers prompts, and keeps the answers."""

    def __init__(self, name: str, work: Path) -> None:
        """Keep answers in the work folder."""
        self.name = name
        self._path = work / COMPLETIONS
        self._prompts = work / PROMPTS
        self.asked: list[Completion] = []

    def kept(self, digest: str) -> str | None:
        """Return the kept answer to the prompt of a hash."""
        line = _read_completions(self._path).get(digest)
        return None if line is None else str(line["answer"])

    def answer(self, step: str, prompt: str) -> Completion:
        """Return the answer to a prompt.

        Args:
            step: the prompt's name in files, as ``01-write``.

        Raises:
            FarmError: the writer does not answer.
        """
        digest = hashlib.sha256(prompt.encode(errors="surrogatepass")).hexdigest()
        kept = _read_completions(self._path).get(digest)
        if kept is not None:
            by, elapsed_s = kept.get("writer", self.name), kept.get("elapsed_s", 0.0)
            found = Completion(prompt, kept["answer"], by, is_new=False, elapsed_s=elapsed_s)
        else:
            self._prompts.mkdir(parents=True, exist_ok=True)
            (self._prompts / f"{step}.md").write_text(prompt, "utf-8", errors="replace")
            began = time.monotonic()
            text = self._complete(step, prompt)
            found = Completion(prompt, text, self.name, is_new=True, elapsed_s=round(self._elapsed_s(step, began), 1))
            self._keep(step, digest, found)
        self.asked.append(found)
        return found

    @abstractmethod
    def _complete(self, step: str, prompt: str) -> str:
        """Ask the writer."""

    def _elapsed_s(self, step: str, began: float) -> float:
        """Return how long the writer took for a step that began at a moment of the monotonic clock."""
        return time.monotonic() - began

    def _keep(self, step: str, digest: str, found: Completion) -> None:
        line = {
            "step": step,
            "prompt_sha256": digest,
            "writer": self.name,
            "at": datetime.now(UTC).isoformat(timespec="seconds"),
            "elapsed_s": found.elapsed_s,
            "answer": found.text,
        }
        append_line(self._path, json.dumps(line, ensure_ascii=False).encode(errors="replace"))


def _read_completions(path: Path) -> dict[str, dict[str, Any]]:
    """Return prompt's hash → its line; the prompt of a line that was cut off is asked again."""
    return {
        said["prompt_sha256"]: said
        for said in read_whole_lines(path)
        if isinstance(said.get("prompt_sha256"), str) and isinstance(said.get("answer"), str)
    }


class KeptOnly(Writer):
    """Knows the kept answers alone."""

    def _complete(self, step: str, prompt: str) -> str:
        raise NotKeptError(f"{self._path} has no answer to the prompt {step}, now in {self._prompts}; name a writer")


class FolderWriter(Writer):
    """Writes prompts as files and reads answers from files: for people, and for agents without an API."""

    def __init__(self, folder: Path, work: Path) -> None:
        super().__init__("files", work)
        self._folder = folder

    def _complete(self, step: str, prompt: str) -> str:
        asked, answered = self._folder / f"{step}.prompt.md", self._folder / f"{step}.answer.md"
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            is_same = asked.is_file() and asked.read_text("utf-8") == prompt
            if is_same and answered.is_file() and (text := answered.read_text("utf-8", errors="replace")).strip():
                return text
            if answered.exists():
                # It answers another prompt; nothing that was written is lost.
                answered.replace(_free(self._folder, f"{step}.answer.old"))
            if not is_same:
                asked.write_text(prompt, "utf-8")
        except (OSError, UnicodeError) as problem:
            raise FarmError(f"{self._folder} cannot be used: {problem}") from None
        raise AnswerPendingError(f"{asked} waits for an answer: write it to {answered}, and give the command again")

    def _elapsed_s(self, step: str, began: float) -> float:
        # Whoever writes may begin later than the prompt lies there: an upper bound.
        asked, answered = (self._folder / f"{step}.{kind}.md" for kind in ("prompt", "answer"))
        return max(0.0, answered.stat().st_mtime - asked.stat().st_mtime)


def _free(folder: Path, stem: str) -> Path:
    number = 1
    while (path := folder / f"{stem}-{number}.md").exists():
        number += 1
    return path


class CommandWriter(Writer):
    """Runs a program, such as a coding agent, in a folder that holds the task and nothing else."""

    def __init__(self, command: str, work: Path) -> None:
        super().__init__(f"command:{command}", work)
        self._work = work
        try:
            self._words = shlex.split(command)
        except ValueError as problem:
            raise FarmError(f"command: {problem} in: {command}") from None
        if not self._words:
            raise FarmError("command: names no command")

    def _complete(self, step: str, prompt: str) -> str:
        folder = self._work / "tasks" / step
        folder.mkdir(parents=True, exist_ok=True)
        answer = folder / _ANSWER
        answer.unlink(missing_ok=True)
        (folder / _TASK).write_text(f"{prompt}\n\nWrite your answer to the file `{_ANSWER}` in this folder.\n", "utf-8")
        words = [_TASK if word == "{task}" else word for word in self._words]
        try:
            done = subprocess.run(
                words, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=_COMMAND_S_MAX
            )
        except (OSError, subprocess.TimeoutExpired) as problem:
            raise FarmError(f"{self._words[0]} did not write an answer: {problem}") from None
        if answer.is_file():
            return answer.read_text("utf-8", errors="replace")
        if done.returncode == 0 and done.stdout.strip():
            return done.stdout
        said = (done.stderr or done.stdout).strip().splitlines()
        why = said[-1] if said else "it said nothing"
        raise FarmError(f"{self._words[0]} ended with status {done.returncode} and wrote no {_ANSWER}: {why}")


class ModelWriter(Writer):
    """Asks a model behind an OpenAI-compatible API."""

    def __init__(self, model: str, work: Path, *, base_url: str | None = None) -> None:
        super().__init__(f"llm:{model}", work)
        # Its own cache is by the same prompts, and belongs to one model.
        self._model = CachedModel(model, work / "model.jsonl", role="the model", base_url=base_url)

    def _complete(self, step: str, prompt: str) -> str:
        return self._model.answer(prompt, step=step)


def read_writer(given: str, work: Path, *, base_url: str | None = None, option: str = "--with") -> Writer | None:
    """Return the writer that an option names; None for none.

    Raises:
        FarmError: there is no such kind of writer.
    """
    kind, colon, value = given.partition(":")
    match kind, bool(colon and value):
        case "none", False:
            return None
        case "kept", False:
            return KeptOnly("kept", work)
        case "files", True:
            return FolderWriter(Path(value).expanduser(), work)
        case "command", True:
            return CommandWriter(value, work)
        case "llm", True:
            return ModelWriter(value, work, base_url=base_url)
    raise FarmError(f"{option} {given}: a writer is {_KINDS}")
