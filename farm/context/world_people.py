"""The rules of a world's own people: ``people/*.toml`` in its folder, with facts, dates and wordings filled in."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import date, timedelta
from functools import lru_cache
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from farm import content
from farm.appkit.world_spec.placeholders import render_dates
from farm.context.claim_reading import WrittenText, says_and_satisfies
from farm.context.person_rules import RuleChecker, completed, written_columns
from farm.context.template import World, account_holders, load_ledger, load_world, values_of
from farm.context.wordings import KEYS, WORDED, digest_of, find_problem, with_wordings, wordings_in
from farm.errors import FarmError

_FACT = re.compile(r"\{\{fact:([\w.]+)")
_CONTAINED = ("contains", "contains_all", "contains_any")
_INSIDE_OTHERS = re.compile(r"[A-Za-z]{1,4}|[\u4e00-\u9fff]")  # such as "rig" in "bright"


def read_rules(world: World) -> Iterator[tuple[Path, Mapping[str, Any]]]:
    """Yield each rule of a world as it is written, with its file; references to facts are rendered.

    Raises:
        FarmError: a file is no TOML, or has a key besides ``[[people]]`` and ``[[worded]]``.
    """
    files = {path: _read(world, path) for path in world.people_files}
    wordings = wordings_in(each for raw, _ in files.values() for each in raw.get(WORDED, ()))
    for path, (raw, written) in files.items():
        for each, as_written in zip(raw.get("people", ()), written.get("people", ()), strict=True):
            yield path, with_wordings(each, as_written, wordings)


def _read(world: World, path: Path) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    """Return a file of rules with its references to facts rendered, and as it is written."""
    try:
        text = path.read_text("utf-8")
        raw = tomllib.loads(load_ledger(world.folders).render(text, path.name))
    except ValueError as problem:
        raise FarmError(f"{path}: {problem}") from problem
    if unknown := sorted(set(raw) - {"people", WORDED}):
        raise FarmError(f"{path}: unknown key '{unknown[0]}'; the file has [[people]] and [[{WORDED}]]")
    return raw, tomllib.loads(text)


def world_rules(world: World, shift_days: int, apps: Sequence[str]) -> tuple[Mapping[str, Any], ...]:
    """Return the rules of a world that are about these apps and act in no other, complete.

    They are not checked, which would load every app and read its rows; ``check_rules`` does it.

    Raises:
        FarmError: a file is no TOML, or a rule has no ``who``, ``when`` or ``then``.
    """
    have = set(apps)
    return tuple(each for each in _rules(world.name, shift_days, content.roots()) if _apps_of(each) <= have)


def _apps_of(rule: Mapping[str, Any]) -> set[str]:
    return {rule["when"]["app"], *(step["app"] for step in rule["then"])}


@lru_cache(maxsize=16)
def _rules(name: str, shift_days: int, _: tuple[content.Root, ...]) -> tuple[Mapping[str, Any], ...]:
    world, found = load_world(name), list[Mapping[str, Any]]()
    monday = world.monday + timedelta(days=shift_days)
    for path, raw in read_rules(world):
        try:
            number = 1 + sum(each["who"] == raw["who"] for each in found)
            found.append(completed(rendered(raw, monday, world.zone), number))
        except (KeyError, TypeError, AttributeError) as problem:
            raise FarmError(f"{path}: a rule has 'who', 'when' with an 'app', and 'then' ({problem!r})") from problem
    return tuple(found)


def try_text(world: World, text: str) -> Iterator[dict[str, Any]]:
    """Yield the rules of a world that a text meets, and what else each of them asks.

    Rules that look at what somebody writes come first, then those that take any text (``any_text``).
    """
    anything = list[dict[str, Any]]()
    for rule in world_rules(world, 0, world.apps):
        when = rule["when"]
        columns = written_columns(content.load_app(when["app"]), when["table"])
        asked = {name: each for name, each in when["where"].items() if name.partition(".")[0] in columns}
        if not columns or not all(_fits(world, when, name, text) for name in asked):
            continue
        rest = {name: each for name, each in when["where"].items() if name not in asked}
        rest |= {name: rule[name] for name in ("nth", "after_rule", "unless") if rule[name]}
        found = {"id": rule["id"], "who": rule["who"], **when, "if": rest, "then": rule["then"]}
        if asked:
            yield found
        else:
            anything.append({**found, "any_text": True})
    yield from anything


def _fits(world: World, when: Mapping[str, Any], name: str, text: str) -> bool:
    """Return whether a text, written when the world starts, is as a rule wants a column."""
    row = {name: text}
    written = WrittenText(when["app"], when["table"], name, row, text, world.starts_at, world.name)
    return says_and_satisfies(when["where"][name], written)


def check_rules(world: World, holders: Mapping[str, Collection[str]] | None = None) -> Iterator[str]:
    """Yield what is wrong with a world's rules, a line each.

    Also who tells a fact that they do not know, and which words are so short that they stand inside other words.

    Args:
        holders: app → the people who have an account there, of each app of the world; None: as its rows say.
    """
    yield from _tells_of_strangers(world)
    yield from _words_inside_others(world)
    yield from _wrong_wordings(world)
    if holders is None:
        holders = {app: account_holders(world.name, app) for app in world.apps}
    checker = RuleChecker(
        tuple(holders),
        content.load_app,
        holders.__getitem__,
        world=world.name,
        find_places=lambda app, place: values_of(world.name, app, place.table, place.column),
    )
    try:
        for path, raw in read_rules(world):
            try:
                checker.add(rendered(raw, world.monday, world.zone))
            except FarmError as problem:
                yield f"people/{path.name}: {problem}"
    except FarmError as problem:
        yield str(problem)


def _tells_of_strangers(world: World) -> Iterator[str]:
    ledger = load_ledger(world.folders)
    for path, rule in _written(world):
        for key in sorted(set(_FACT.findall(str(rule.get("then"))))):
            known = ledger[key].known if key in ledger else None
            who = rule.get("who")
            if known and who not in known:
                yield f"people/{path.name}: rule '{rule.get('id')}': {who} is not among those who know {key}"


def _words_inside_others(world: World) -> Iterator[str]:
    for path, rule in _written(world):
        when = rule.get("when")
        where = when.get("where") if isinstance(when, Mapping) else None
        for wanted in where.values() if isinstance(where, Mapping) else ():
            for name in _CONTAINED if isinstance(wanted, Mapping) else ():
                words = wanted.get(name, ())
                for word in words if isinstance(words, list) else [words]:
                    if isinstance(word, str) and _INSIDE_OTHERS.fullmatch(word):
                        told = f"'{name}' finds '{word}' inside other words; give a longer one, or a regex with \\b"
                        yield f"people/{path.name}: rule '{rule.get('id')}': {told}"


def _wrong_wordings(world: World) -> Iterator[str]:
    texts = {digest_of(rule["who"], text): text for rule, text in worded_texts(world)}
    for path, entry in _written(world, WORDED):
        place = f"people/{path.name}: the wording of rule '{entry.get('rule')}'"
        if entry.keys() != KEYS or not isinstance(entry["texts"], list):
            yield f"{place} has {', '.join(sorted(KEYS))}, and nothing else"
        elif entry["of"] not in texts:
            yield f"{place} is of a text that no rule has; give 'farm world word-people' again, or remove it"
        else:
            for wording in entry["texts"]:
                if problem := find_problem(texts[entry["of"]], wording):
                    yield f"{place} {problem}"


def read_wordings(path: Path) -> dict[str, Mapping[str, Any]]:
    """Return text's digest → the entry of a file of wordings, as the file has it; none if there is no file.

    Raises:
        FarmError: it is no TOML.
    """
    try:
        entries = tomllib.loads(path.read_text("utf-8")).get(WORDED, ()) if path.is_file() else ()
    except ValueError as problem:
        raise FarmError(f"{path} cannot be read: {problem}") from None
    return {str(each.get("of")): each for each in entries}


def worded_texts(world: World) -> Iterator[tuple[Mapping[str, Any], str]]:
    """Yield each text that people say by rules, as its file has it, with the rule; lists are choices already."""
    for _, rule in _written(world):
        steps = rule.get("then")
        for step in steps if isinstance(steps, list) else ():
            if isinstance(step, Mapping) and isinstance(step.get("text"), str) and isinstance(rule.get("who"), str):
                yield rule, step["text"]


def _written(world: World, entries: str = "people") -> Iterator[tuple[Path, Mapping[str, Any]]]:
    """Yield each rule as its file has it, with its file; a file that is no TOML is reported when it is read."""
    for path in world.people_files:
        try:
            rules = tomllib.loads(path.read_text("utf-8")).get(entries, ())
        except ValueError:
            continue
        for rule in rules:
            yield path, rule


def with_facts(world: World | None, shift_days: int, raw: Any) -> Any:
    """Return a rule with its references to facts filled in, in the days of a week that is shifted.

    Raises:
        FarmError: there is no such fact, version or form, or no world.
    """
    if isinstance(raw, str):
        if world is None:
            if "{{fact:" in raw:
                raise FarmError(f"'{raw}' refers to a fact of a world, and this episode has none")
            return raw
        try:
            text = load_ledger(world.folders).render(raw, "a rule")
            return render_dates(text, world.monday + timedelta(days=shift_days), world.zone)
        except ValueError as problem:
            raise FarmError(str(problem)) from problem
    if isinstance(raw, Mapping):
        return {key: with_facts(world, shift_days, each) for key, each in raw.items()}
    return [with_facts(world, shift_days, each) for each in raw] if isinstance(raw, list | tuple) else raw


def rendered(value: Any, monday: date, zone: ZoneInfo) -> Any:
    """Return a rule with its dates rendered, counted from a Monday."""
    if isinstance(value, str):
        return render_dates(value, monday, zone)
    if isinstance(value, Mapping):
        return {key: rendered(each, monday, zone) for key, each in value.items()}
    return [rendered(each, monday, zone) for each in value] if isinstance(value, list) else value
