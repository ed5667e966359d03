"""An optional second opinion: a model judges the texts that code is unsure of. Its figures never replace the others.

Each question is sent once: ``judge.jsonl`` in the run's folder caches the answers by a hash of the whole request.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Any

from farm._util.llm_cache import CachedModel
from farm.benchmark.scoring.metrics import decided, figures

PROMPT = "contested-1"
CACHE = "judge.jsonl"
_QUESTION = "Does the text say all of that, and nothing that contradicts it?"


class JudgeModel(CachedModel):
    """Queries a model behind an OpenAI-compatible API whether a contested text says what it should."""

    def __init__(self, model: str, folder: Path, *, base_url: str | None = None) -> None:
        """Use a model, and cache its answers in a run's folder."""
        super().__init__(model, folder / CACHE, role="the judge", base_url=base_url)

    def decide(self, contested: Mapping[str, Any], said: str) -> bool | None:
        """Return whether a text says what it should; None when the model says neither yes nor no, or the farm
        did not read the text either.

        Args:
            contested: a ``farm.benchmark.scoring.evidence.Contested`` in the log's form.
            said: the instruction of the agent.

        Raises:
            FarmError: the model does not answer.
        """
        if not contested.get("is_read", True):
            return None  # only its beginning is in the log
        answer = self.answer(prompt_for(contested, said), text=contested["text"])
        word = answer.strip(" \n.*\"'").casefold()[:3]
        return True if word == "yes" else False if word.startswith("no") else None


def prompt_for(contested: Mapping[str, Any], said: str) -> str:
    """Return the judge's prompt about one text."""
    wanted = "\n".join(f"- {each}" for each in contested["wanted"])
    template = Template(files(__name__).joinpath(f"{PROMPT}.md").read_text("utf-8"))
    return template.substitute(
        said=said, wanted=wanted, text=contested["text"], question=contested["question"] or _QUESTION
    )


def judged(trials: Sequence[Mapping[str, Any]], judge: JudgeModel, said: Mapping[str, str]) -> dict[str, Any]:
    """Return the figures with a judge's decisions on contested texts, and how often it agrees with the guess.

    Args:
        trials: the trials.
        judge: the judge.
        said: task id → the instruction of the agent.
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
