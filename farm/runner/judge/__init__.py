"""An optional second opinion: a model decides the texts code is unsure of. Its figures stand beside, never instead.

The question goes out once: answers are kept in ``judge.jsonl`` in the run's folder, by a hash of everything asked.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Any

from farm.asked import AskedOnce
from farm.score.metrics import decided, figures

PROMPT = "contested-1"
CACHE = "judge.jsonl"
_QUESTION = "Does the text say all of that, and nothing that contradicts it?"


class Judge(AskedOnce):
    """Asks a model behind an OpenAI-compatible API whether a contested text says what it should."""

    def __init__(self, model: str, folder: Path, *, base_url: str | None = None) -> None:
        """Use a model, and keep its answers in a run's folder."""
        super().__init__(model, folder / CACHE, role="the judge", base_url=base_url)

    def decide(self, contested: Mapping[str, Any], said: str) -> bool | None:
        """Return whether a text says what it should; None when the model says neither yes nor no.

        Args:
            contested: a ``farm.score.evidence.Contested`` as the log has it.
            said: what the agent was asked.

        Raises:
            FarmError: the model does not answer.
        """
        answer = self.answer(prompt_for(contested, said), text=contested["text"])
        word = answer.strip(" \n.*\"'").casefold()[:3]
        return True if word == "yes" else False if word.startswith("no") else None


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
