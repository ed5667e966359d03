"""An optional second opinion: a model decides the texts code is unsure of. Its figures stand beside, never instead.

The question goes out once: answers are kept in ``judge.jsonl`` in the run's folder, by a hash of everything asked.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Any

import orjson

from farm.errors import FarmError
from farm.score.metrics import decided, figures

PROMPT = "contested-1"
CACHE = "judge.jsonl"
_QUESTION = "Does the text say all of that, and nothing that contradicts it?"


class Judge:
    """Asks a model behind an OpenAI-compatible API whether a contested text says what it should."""

    def __init__(self, model: str, folder: Path, *, base_url: str | None = None) -> None:
        """Use a model; the key is read from ``OPENAI_API_KEY``, the address from ``OPENAI_BASE_URL`` when not given."""
        self.model = model
        self._base_url = base_url or os.environ.get("OPENAI_BASE_URL") or None
        self._path = folder / CACHE
        self._answers = dict(_kept(self._path))

    def decide(self, contested: Mapping[str, Any], said: str) -> bool | None:
        """Return whether a text says what it should; None when the model says neither yes nor no.

        Args:
            contested: a ``farm.score.evidence.Contested`` as the log has it.
            said: what the agent was asked.

        Raises:
            FarmError: the model does not answer.
        """
        question = prompt_for(contested, said)
        key = hashlib.sha256(f"{self.model}\n{question}".encode()).hexdigest()
        if key not in self._answers:
            self._answers[key] = self._ask(question)
            line = {"key": key, "model": self.model, "text": contested["text"], "answer": self._answers[key]}
            with self._path.open("ab") as file:
                file.write(orjson.dumps(line) + b"\n")
        word = self._answers[key].strip(" \n.*\"'").casefold()[:3]
        return True if word == "yes" else False if word.startswith("no") else None

    def _ask(self, question: str) -> str:
        from openai import OpenAI, OpenAIError

        key = os.environ.get("OPENAI_API_KEY") or "none"
        try:
            with OpenAI(base_url=self._base_url, api_key=key) as api:
                reply = api.chat.completions.create(
                    model=self.model, messages=[{"role": "user", "content": question}], temperature=0
                )
        except OpenAIError as problem:
            raise FarmError(f"the judge {self.model} did not answer: {problem}") from problem
        return (reply.choices[0].message.content or "") if reply.choices else ""


def prompt_for(contested: Mapping[str, Any], said: str) -> str:
    """Return what a judge is asked about one text."""
    wanted = "\n".join(f"- {each}" for each in contested["wanted"])
    template = Template(files(__name__).joinpath(f"{PROMPT}.md").read_text("utf-8"))
    return template.substitute(
        said=said, wanted=wanted, text=contested["text"], question=contested["question"] or _QUESTION
    )


def judged(trials: Sequence[Mapping[str, Any]], judge: Judge, said: Mapping[str, str]) -> dict[str, Any]:
    """Return the figures that hold when a judge decides what code is unsure of, and how often it agrees with the guess.

    Args:
        said: task id → what the agent was asked.
    """
    verdicts = [
        (trial["task"], trial["trial"], point["id"], number, each["guess"], judge.decide(each, said[trial["task"]]))
        for trial in trials
        for point in trial["checkpoints"]
        for number, each in enumerate(point["contested"])
    ]
    known = {(task, trial, point, number): verdict for task, trial, point, number, _, verdict in verdicts}
    made = [guess == verdict for *_, guess, verdict in verdicts if verdict is not None]
    return {
        "model": judge.model,
        "prompt": PROMPT,
        "contested": len(verdicts),
        "decided": len(made),
        "agrees": sum(made),
        **figures([decided(trial, known) for trial in trials]),
    }


def _kept(path: Path) -> Iterator[tuple[str, str]]:
    """Yield what was answered before; a torn last line is cut, and asked again."""
    data = path.read_bytes() if path.is_file() else b""
    whole = data[: data.rfind(b"\n") + 1]
    if whole != data:
        os.truncate(path, len(whole))
    for line in whole.splitlines():
        entry = orjson.loads(line)
        yield entry["key"], entry["answer"]
