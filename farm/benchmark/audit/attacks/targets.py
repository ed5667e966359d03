"""Aim one writing call of the oracle at another row, another day, or another person."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import date, datetime, timedelta
from typing import Any

from farm._util.json_io import dumps, loads
from farm.benchmark.agents.placeholders import Choose, MissingPlaceholderError, select
from farm.benchmark.agents.scripted import CallOverride
from farm.benchmark.audit.attacks.script import AttackScript, positions, writes
from farm.benchmark.scoring.initial_state import load_start
from farm.benchmark.scoring.people import addresses
from farm.benchmark.tasks import REFERENCE, Task

_SIBLINGS_MAX = 2
_AWAY = (
    ("wrong-day", "a day later", timedelta(days=1)),
    ("wrong-time", "a day earlier", timedelta(days=-1)),
    ("wrong-time", "a year later", timedelta(days=365)),
    ("wrong-time", "12 hours later", timedelta(hours=12)),
)
_MAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")


def wrong_targets(task: Task) -> Iterator[AttackScript]:
    """Yield the oracle with one writing call aimed at another row, another day, or another person."""
    for position, call in positions(task.oracle):
        name = call.name or call.tool
        if writes(call):
            for reference in dict.fromkeys(bracketed(call.arguments)):
                for number in range(_SIBLINGS_MAX):
                    override = CallOverride(sibling(reference, number))
                    why = f"{name} with item {number + 1} beside {reference}"
                    yield AttackScript(
                        "wrong-target", why, False, task.oracle, task.oracle_answer, {position: override}, True
                    )
            for kind, why, away in _AWAY:
                override = CallOverride(change=_moving(away))
                yield AttackScript(
                    kind, f"{name} {why}", False, task.oracle, task.oracle_answer, {position: override}, True
                )
        if _MAIL.search(dumps(call.arguments).decode()):
            override = CallOverride(change=_another_person(task.world, call.app))
            yield AttackScript(
                "wrong-person",
                f"{name} of somebody else",
                False,
                task.oracle,
                task.oracle_answer,
                {position: override},
                True,
            )


def bracketed(value: Any) -> Iterator[str]:
    """Yield every reference that picks an item out of a list."""
    match value:
        case str():
            yield from (found[0] for found in REFERENCE.finditer(value) if re.search(r"\[[^\]*]+\]", found[2]))
        case Mapping():
            for each in value.values():
                yield from bracketed(each)
        case list():
            for each in value:
                yield from bracketed(each)


def sibling(reference: str, number: int) -> Choose:
    """Return a chooser that picks another item for one reference, and the right item for all others."""

    def choose(items: list[Any], wish: str, current: str) -> Any:
        right = select(items, wish, current)
        if current != reference:
            return right
        others = [item for item in items if item is not right and item != right]
        if number >= len(others):
            raise MissingPlaceholderError(f"{current}: nothing beside it")
        return others[number]

    return choose


def _moving(away: timedelta) -> Callable[[Any, Any], Any]:
    """Return a function that moves every time among the arguments, except texts that come from earlier results."""

    def change(written: Any, sent: Any) -> Any:
        moved = _moved(written, sent, away)
        if moved == sent:
            raise MissingPlaceholderError("no time among the arguments")
        return moved

    return change


def _moved(written: Any, sent: Any, away: timedelta) -> Any:
    match sent:
        case Mapping():
            keys = written if isinstance(written, Mapping) else {}
            return {key: _moved(keys.get(key), each, away) for key, each in sent.items()}
        case list():
            pairs = zip(written, sent, strict=True) if isinstance(written, list) else ((None, each) for each in sent)
            return [_moved(before, after, away) for before, after in pairs]
        case bool():
            return sent
        case int() if is_epoch(str(sent)):
            return int(_moved_text(str(sent), away))
        case str() if isinstance(written, str) and not REFERENCE.fullmatch(written):
            return _moved_text(sent, away)
        case _:
            return sent


def is_epoch(text: str) -> bool:
    """Whether a text is a present-day time in seconds or milliseconds since 1970."""
    return re.fullmatch(r"1[5-9]\d{8}(\d{3})?", text) is not None


def _moved_text(text: str, away: timedelta) -> str:
    if is_epoch(text):
        return str(int(text) + int(away.total_seconds()) * (1 if len(text) == 10 else 1000))
    try:
        if re.fullmatch(r"\d{4}-\d\d-\d\d", text):
            return (date.fromisoformat(text) + away).isoformat()
        if re.match(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d", text):
            return (datetime.fromisoformat(text) + away).isoformat()
    except ValueError:
        pass
    return text


def _another_person(world: str, app: str) -> Any:
    """Return a function that replaces mail addresses by those of other people with an account in the app."""
    start = load_start(world)
    mails = [addresses(start.world.people[key]) for key in start.people(app)]
    known = {mail for each in mails for mail in each}

    def change(_: Any, sent: Any) -> Any:
        text = dumps(sent).decode()
        named = set(_MAIL.findall(text))
        spare = iter(each[0] for each in mails if each and not named & {*each})
        return loads(_MAIL.sub(lambda found: next(spare) if found[0] in known else found[0], text))

    return change
