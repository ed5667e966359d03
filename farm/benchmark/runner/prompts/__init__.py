"""System prompts: versioned texts with the date, the user whose assistant the agent is, and its limits."""

from __future__ import annotations

import hashlib
from datetime import datetime
from functools import cache
from importlib.resources import files
from string import Template

from farm.appkit.world_spec.placeholders import render_dates
from farm.benchmark.agents.base import TrialLimits
from farm.benchmark.runner.answer_sheet import request_for
from farm.benchmark.tasks import Task
from farm.benchmark.tasks.sheet_fields import AnswerForm
from farm.context.template import World, load_world
from farm.errors import NotFoundError

DEFAULT = "person-2"


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


def fingerprint(name: str) -> str:
    """Return a hash of a prompt's text, for a run's manifest."""
    return hashlib.sha256(text_of(name).encode()).hexdigest()[:16]


def system_prompt(name: str, task: Task, now: str, limits: TrialLimits) -> str:
    """Return a prompt for one task, filled with the episode's time, its user and its limits."""
    world = load_world(task.world)
    person = world.people[task.me or world.protagonist]
    at = datetime.fromisoformat(now).astimezone(world.zone)
    offset = at.strftime("%z")
    return Template(text_of(name)).substitute(
        name=person["name_en"],
        given=str(person["name_en"]).split()[0],
        name_zh=person.get("name_zh") or person["name_en"],
        title=person.get("title_en", ""),
        organisation=_organisation(world, str(person.get("organisation", ""))),
        email=person["email"],
        city=person.get("city", ""),
        zone=world.zone.key,
        offset=f"{offset[:3]}:{offset[3:]}",
        weekday=at.strftime("%A"),
        date=f"{at.day} {at:%B %Y}",
        time=at.strftime("%H:%M"),
        calls_max=limits.calls_max,
        allowed_time=_span(limits.time_s_max),
    )


def _span(seconds: float) -> str:
    return f"{seconds / 60:.0f} minutes" if seconds >= 60 and seconds % 60 == 0 else f"{seconds:g} seconds"


def instruction(task: Task, *, with_unnecessary: bool = False, answers: AnswerForm = "prose") -> str:
    """Return the user's message: the instruction, the accompanying facts, and the request for an answer sheet."""
    facts = [*task.necessary, *(task.unnecessary if with_unnecessary else ())]
    parts = [task.instruction, *(["\n".join(f"- {fact}" for fact in facts)] if facts else [])]
    world = load_world(task.world)
    said = render_dates("\n\n".join(parts), world.monday, world.zone)
    request = request_for(task) if answers == "sheet" else ""
    # Not in the system prompt, which some agents replace by their own.
    return f"{said}\n\n{request}" if request else said


def _organisation(world: World, key: str) -> str:
    return str(world.organisations.get(key, {}).get("name_en", key))
