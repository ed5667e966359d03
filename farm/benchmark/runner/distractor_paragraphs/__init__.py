"""Paragraphs on things that no task is about, told beside a task's own facts: the context ``+5``."""

from __future__ import annotations

import hashlib
import random
import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import orjson

from farm.benchmark.tasks import Task

_HAN = re.compile(r"[\u4e00-\u9fff]")
_LATIN_WORD = re.compile(r"[A-Za-z]+")


@dataclass(frozen=True)
class Paragraph:
    """A paragraph of the pool.

    Attributes:
        id: its id in the pool, which a trial's line repeats.
        writer: who wrote it, as a pseudonym.
        language: ``en`` or ``zh``.
        subject: what it is about.
    """

    id: str
    writer: str
    language: str
    subject: str
    text: str


@cache
def pool() -> tuple[Paragraph, ...]:
    """Return every paragraph, in the order of the file."""
    return tuple(Paragraph(**orjson.loads(line)) for line in _raw().splitlines())


def fingerprint() -> str:
    """Return a hash of the pool, for a run's manifest."""
    return hashlib.sha256(_raw()).hexdigest()[:16]


def draw(task: Task, seed: int, count: int) -> tuple[Paragraph, ...]:
    """Return ``count`` paragraphs in the language of a task's instruction; seed and task decide which."""
    language = "zh" if _is_chinese(task.instruction) else "en"
    fitting = [each for each in pool() if each.language == language]
    return tuple(random.Random(f"{seed}:{task.id}").sample(fitting, count))


def insert(facts: list[str], paragraphs: tuple[Paragraph, ...]) -> list[str]:
    """Return facts in their order with the paragraphs among them, at places that follow from the paragraphs."""
    places, told = random.Random(" ".join(each.id for each in paragraphs)), list(facts)
    for each in paragraphs:
        told.insert(places.randint(0, len(told)), each.text)
    return told


def _is_chinese(text: str) -> bool:
    return len(_HAN.findall(text)) >= len(_LATIN_WORD.findall(text))


def _raw() -> bytes:
    return files(__name__).joinpath("paragraphs.jsonl").read_bytes()
