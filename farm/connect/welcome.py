"""The card at the end of ``farm connect``: who you are in this world, your team, the date, and what to try."""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from farm import content
from farm.appkit.world_spec.placeholders import render_dates
from farm.context.template import World
from farm.server.tool_menu import DESKTOP, find_menu

PROMPTS_MAX = 3
INDENT = 11  # of a line's text, after its label


@dataclass(frozen=True)
class Card:
    """What a person needs to know before the first prompt."""

    name: str
    role: str
    mail: str
    organisation: str
    team: tuple[str, ...]
    now: str
    is_live: bool
    prompts: tuple[str, ...]

    def lines(self) -> list[str]:
        """Return the card as lines of text."""
        clock = "follows the wall clock" if self.is_live else "stands still until it is moved"
        lines = [f"You are    {self.name}, {self.role}, {self.organisation} <{self.mail}>"]
        lines += [f"Your team  {', '.join(self.team)}"] if self.team else []
        lines += [f"It is      {self.now} (simulated; {clock})"]
        lines += [f"{'Try' if number == 0 else '':<{INDENT}}{prompt}" for number, prompt in enumerate(self.prompts)]
        return lines


def make_card(
    world: World,
    me: str,
    shown: Mapping[str, Collection[str]],
    *,
    now: datetime,
    created_at: datetime,
    is_live: bool,
) -> Card:
    """Return the card of person ``me`` in a world, with prompts that the shown tools can do.

    Args:
        shown: app → its tools that the client shows.
        created_at: when the episode was made; a live world began in the seven days before.
    """
    person = world.people[me]
    organisation = world.organisations.get(str(person.get("organisation")), {})
    zone = world.zone_of(me)
    here = now.astimezone(zone)
    shift_days = world.shift_to(created_at) if is_live else 0
    return Card(
        name=_name(person),
        role=person.get("title_en", ""),
        mail=person.get("email", ""),
        organisation=organisation.get("name_en", person.get("organisation", "")),
        team=tuple(_name(each) for each in _team(world, person)),
        now=f"{here:%A} {here.day} {here:%B %Y}, {here:%H:%M} in {zone.key}",
        is_live=is_live,
        prompts=tuple(_prompts(world, me, shown, world.monday + timedelta(days=shift_days))),
    )


def _name(person: Mapping[str, Any]) -> str:
    return " ".join(filter(None, (person.get("name_en"), person.get("name_zh"))))


def _team(world: World, me: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return my team in my organisation: those who share my department or manager, who report to me, and my manager."""

    def is_near(other: Mapping[str, Any]) -> bool:
        return (
            other["key"] == me.get("manager")
            or other.get("manager") == me["key"]
            or (bool(me.get("manager")) and other.get("manager") == me["manager"])
            or (bool(me.get("department")) and other.get("department") == me["department"])
        )

    return [
        other
        for other in world.people.values()
        if other["key"] != me["key"]
        and other.get("status") != "left"
        and other.get("organisation") == me.get("organisation")
        and is_near(other)
    ]


def _own_prompts(app: str) -> list[str]:
    """Return prompts for an app that has the same data in every world."""
    path = content.context_dir(app) / "prompts.toml"
    return [each["text"] for each in tomllib.loads(path.read_text("utf-8"))["prompts"]] if path.is_file() else []


def _can_do(prompt: Mapping[str, Any], shown: Mapping[str, Collection[str]]) -> bool:
    """Return whether the shown tools suffice for a prompt: those it names, or else each app's menu for assistants."""
    if not set(prompt["apps"]) <= set(shown):
        return False
    wanted = prompt.get("tools")
    if wanted is not None:
        return set(wanted) <= {tool for app in prompt["apps"] for tool in shown[app]}
    return all(find_menu(content.load_app(app), DESKTOP) <= set(shown[app]) for app in prompt["apps"])


def _prompts(world: World, me: str, shown: Mapping[str, Collection[str]], monday: date) -> list[str]:
    """Return up to three prompts: those over most of the chosen apps first, then one app after the other."""
    mine = (each for each in world.prompts if each["me"] == me)
    known = [*mine, *({"text": text, "apps": [app]} for app in shown for text in _own_prompts(app))]
    fitting = [each for each in known if _can_do(each, shown)]
    chosen: list[Mapping[str, Any]] = []
    while fitting and len(chosen) < PROMPTS_MAX:
        used = [app for each in chosen for app in each["apps"]]
        # First prompts over several apps; then the apps that were shown least.
        best = min(fitting, key=lambda each: (sum(used.count(app) for app in each["apps"]), -len(each["apps"])))
        fitting.remove(best)
        chosen.append(best)
    return [render_dates(each["text"], monday, world.zone) for each in chosen]
