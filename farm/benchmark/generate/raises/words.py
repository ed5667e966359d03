"""Asks a writer for the words of a raise, and checks what all of them have in common."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from farm._util.prompt_writers import Writer
from farm.benchmark.audit.truth.passages import passages_of_text
from farm.benchmark.audit.truth.standing import stands_in
from farm.benchmark.audit.truth.truth import further_values
from farm.benchmark.generate.raises.scene import Question, Raw, Scene
from farm.benchmark.generate.writers import GRADER, TRIES_MAX, answer_of, fill_prompt, object_in, person_values
from farm.errors import FarmError

_LONGER_MAX = 1.6
_REFERENCE = re.compile(r"\{\{fact:[^{}]*\}\}")


@dataclass(frozen=True)
class _Worded:
    """A harder task in a writer's words, or why code refuses them."""

    raw: Raw
    problem: str = ""


def ask(writer: Writer, scene: Scene, name: str, question: Question) -> Raw:
    """Return the content of the harder task's file, in a writer's words.

    Args:
        name: the raise, part of the answer's name.

    Raises:
        AnswerPendingError: the answer is waited for; after a refusal, the message says why.
        FarmError: the writer refuses, or code refuses the words of every answer; in one line.
    """
    common = {
        **person_values(scene.world, scene.me),
        "now": scene.world.starts_at.astimezone(scene.world.zone).strftime("%A %d %B %Y, %H:%M"),
        "language": "Chinese" if scene.is_chinese else "English",
        "instruction": scene.instruction,
    }
    step = f"{scene.raw['id']}-{name}"

    def worded(text: str) -> _Worded:
        if text.startswith(("NOBODY", "AMBIGUOUS")):
            raise FarmError(f"{step}: the writer says {text.splitlines()[0]}")
        said = object_in(text)
        if said is None:
            return _Worded({}, "the answer is no JSON object")
        try:
            return _Worded(question.accept(said))
        except FarmError as problem:
            return _Worded({}, str(problem))

    made = answer_of(writer, step, fill_prompt(question.prompt, **common, **question.values), worded)[1]
    if made.problem:
        raise FarmError(f"{step}: {TRIES_MAX} answers are refused, the last because {made.problem}")
    return made.raw


def said_text(said: Mapping[str, Any], name: str) -> str:
    """Return a text of an answer.

    Raises:
        FarmError: there is none.
    """
    text = said.get(name)
    if not isinstance(text, str) or not text.strip():
        raise FarmError(f"the answer has no text '{name}'")
    return text.strip()


def reworded(scene: Scene, said: Mapping[str, Any], *, more: int = 0) -> str:
    """Return the instruction of an answer, which tells every day, time, number and id that the old one tells.

    A fact that the old one refers to is referred to again.

    Args:
        more: how many characters it may have besides, as it asks for more.

    Raises:
        FarmError: the words are too many, are a clause for the grader, or leave a value out.
    """
    text, old = said_text(said, "instruction"), scene.instruction
    if len(text) > _LONGER_MAX * max(len(old), 80) + more:
        raise FarmError(f"the instruction has {len(text)} characters, and the old one {len(old)}")
    if (found := GRADER.search(text)) and not GRADER.search(old):
        raise FarmError(f"'{found[0]}' is a clause for the grader")
    now = scene.played.clock_context.now
    told = [passages_of_text(text, now)]
    for claim in further_values(old, (), now):
        if not stands_in(claim, told):
            raise FarmError(f"the instruction leaves out {claim.describe}")
    return with_references(scene, text)


def with_references(scene: Scene, text: str) -> str:
    """Return a text in which the facts are referred to, to which the old instruction refers in the same form."""
    for reference in sorted(set(_REFERENCE.findall(scene.raw["instruction"])), key=len, reverse=True):
        value = scene.text(reference)
        if len(value) > 1 and value in text:
            text = text.replace(value, reference)
    return text
