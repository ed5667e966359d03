"""System prompts: versioned texts with the date, the user whose assistant the agent is, and its limits."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from importlib.resources import files
from string import Template
from typing import Any

from farm.appkit.world_spec.placeholders import render_dates
from farm.benchmark.agents.base import TrialLimits
from farm.benchmark.runner.answer_sheet import request_for
from farm.benchmark.runner.distractor_paragraphs import Paragraph, insert
from farm.benchmark.tasks import Task
from farm.benchmark.tasks.sheet_fields import AnswerForm
from farm.context.template import World, load_world
from farm.errors import NotFoundError

DEFAULT = "person-2"
_LANGUAGES = {"zh": "Chinese", "en": "English"}


def names() -> list[str]:
    """Return the names of every prompt, sorted."""
    return sorted(each.name.removesuffix(".md") for each in files(__name__).iterdir() if each.name.endswith(".md"))


@cache
def text_of(name: str) -> str:
    """Return a prompt's template.

    Raises:
        NotFoundError: the prompt does not exist.
    """
    if name not in names():
        raise NotFoundError(f"no prompt '{name}'; have {', '.join(names())}")
    return files(__name__).joinpath(f"{name}.md").read_text("utf-8")


@dataclass(frozen=True)
class Prompt:
    """A system prompt of the user's own: the name in reports, and the template."""

    name: str
    text: str


@dataclass(frozen=True)
class Skill:
    """What an agent is told of how to use an app, after the system prompt."""

    name: str
    text: str


def fingerprint(name: str, own: Prompt | None = None) -> str:
    """Return a hash of a prompt's text, for a run's manifest."""
    text = text_of(name) if own is None else own.text
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def system_prompt(
    name: str,
    task: Task,
    now: str,
    limits: TrialLimits,
    *,
    own: Prompt | None = None,
    skills: Sequence[Skill] = (),
) -> str:
    """Return a prompt for one task, filled with the episode's time, its user and its limits, and the skills after it.

    Args:
        own: a template in place of the named one.
    """
    filled = _filled(text_of(name) if own is None else own.text, task, now, limits)
    parts = [filled.rstrip(), *(f"# Skill: {skill.name}\n\n{skill.text.strip()}" for skill in skills)]
    return "\n\n".join(parts) + "\n" if skills else filled


def placeholders() -> list[str]:
    """Return the placeholders that a prompt's template may have, sorted."""
    return sorted({name for each in names() for name in Template(text_of(each)).get_identifiers()})


def _filled(text: str, task: Task, now: str, limits: TrialLimits) -> str:
    world = load_world(task.world)
    person, zone = world.people[task.me or world.protagonist], world.zone_of(task.me)
    at = datetime.fromisoformat(now).astimezone(zone)
    offset = at.strftime("%z")
    filled = Template(text).substitute(
        name=person["name_en"],
        given=str(person["name_en"]).split()[0],
        name_zh=person.get("name_zh") or person["name_en"],
        title=person.get("title_en", ""),
        organisation=_organisation(world, str(person.get("organisation", ""))),
        email=person["email"],
        city=person.get("city", ""),
        zone=zone.key,
        offset=f"{offset[:3]}:{offset[3:]}",
        weekday=at.strftime("%A"),
        date=f"{at.day} {at:%B %Y}",
        time=at.strftime("%H:%M"),
        calls_max=limits.calls_max,
        calls_expected=sum(map(len, task.oracle)),
        allowed_time=_span(limits.time_s_max),
    )
    return filled if task.me in (None, world.protagonist) else f"{filled.rstrip()}\n{_language_line(person)}\n"


def _language_line(person: Mapping[str, Any]) -> str:
    """Return the line on a person's language; the prompt of a protagonist, measured in many runs, has none."""
    code = str(person.get("language", ""))
    language = _LANGUAGES.get(code, code)
    return f"- {str(person['name_en']).split()[0]}'s own language is {language}."


def _span(seconds: float) -> str:
    return f"{seconds / 60:.0f} minutes" if seconds >= 60 and seconds % 60 == 0 else f"{seconds:g} seconds"


def instruction(
    task: Task,
    *,
    with_unnecessary: bool = False,
    with_named: bool = False,
    paragraphs: tuple[Paragraph, ...] = (),
    answers: AnswerForm = "prose",
) -> str:
    """Return the user's message: the instruction, the accompanying facts, and the request for an answer sheet.

    Args:
        paragraphs: distractors among the facts.
    """
    named = task.named if with_named else ()
    facts = insert([*task.necessary, *named, *(task.unnecessary if with_unnecessary else ())], paragraphs)
    parts = [task.instruction, *(["\n".join(f"- {fact}" for fact in facts)] if facts else [])]
    world = load_world(task.world)
    said = render_dates("\n\n".join(parts), world.monday, world.zone)
    request = request_for(task) if answers == "sheet" else ""
    # Not in the system prompt, which some agents replace by their own.
    return f"{said}\n\n{request}" if request else said


def _organisation(world: World, key: str) -> str:
    return str(world.organisations.get(key, {}).get("name_en", key))
