"""A second opinion: a model classifies the answers on which no rule is certain."""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Any, get_args

from farm._util.llm_cache import CachedModel
from farm.traverse.discriminate.verdict import Verdict, VerdictKind

PROMPT = "unsure-1"
_QUOTED_LETTERS_MAX = 3_000


class ModelOpinion(CachedModel):
    """Asks a model behind an OpenAI-compatible API; earlier answers are cached in a file.

    The model sees recorded calls before redaction.
    """

    def __init__(self, model: str, path: Path) -> None:
        """Configure a model; its answers are cached in the file."""
        super().__init__(model, path, role="the model")

    def __call__(self, line: Mapping[str, Any], guess: Verdict) -> Verdict | None:
        """Return the model's verdict on an answer; None if it names none of the three kinds.

        Raises:
            FarmError: the model does not answer.
        """
        answer = self.answer(prompt_for(line), tool=str(line["tool"]), guess=guess.kind)
        word = answer.strip(" \n.*`\"'").casefold()
        kind = next((each for each in get_args(VerdictKind) if word.startswith(each)), None)
        if kind is None:
            return None
        cause = guess.cause if kind == "infrastructure" else None
        return Verdict(kind, f"{self.model} says so; by rule: {guess.why}", is_sure=True, cause=cause)


def prompt_for(line: Mapping[str, Any]) -> str:
    """Return the prompt for one line."""
    template = Template(files(__package__).joinpath(f"{PROMPT}.md").read_text("utf-8"))
    return template.substitute(
        tool=line["tool"], arguments=_truncate(line.get("arguments")), result=_truncate(line.get("result"))
    )


def _truncate(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _QUOTED_LETTERS_MAX else f"{text[:_QUOTED_LETTERS_MAX]}…"
