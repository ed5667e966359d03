"""A person whom the instruction names is described instead: by what only they told, or by what only they do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from farm.benchmark.generate.answers import leaves_of
from farm.benchmark.generate.raises.messages import Message, messages
from farm.benchmark.generate.raises.scene import Question, Raw, Scene
from farm.benchmark.generate.raises.wait import renamed_steps
from farm.benchmark.generate.raises.words import reworded, said_text
from farm.benchmark.generate.told import Told
from farm.benchmark.generate.ways import Script
from farm.benchmark.generate.wording import has_words, is_chinese
from farm.benchmark.generate.writers import person_values
from farm.benchmark.scoring.claims.values import fold
from farm.benchmark.scoring.people import names_of
from farm.errors import FarmError

PROMPT = "hop-1"
_MORE_CALLS, _MORE_WORDS, _SHOWN_MAX = 3, 160, 200


@dataclass(frozen=True)
class Described:
    """A person, and what is true of nobody else.

    Attributes:
        subject: what only they told, or that it is their work.
        shown: the message, or what their work is called.
        at: when they told it; empty for their work.
        app: the app whose tool shows it.
        call: the number of the call in the universe.
    """

    person: str
    subject: str
    shown: str
    at: str
    app: str
    call: int


def hop(scene: Scene) -> Question:
    """Return what a writer is asked so that a person has to be found by what they told.

    Raises:
        FarmError: the instruction names nobody, or nothing is true of them alone.
    """
    people = named_people(scene)
    if not people:
        raise FarmError(f"the instruction of {scene.raw['id']} names nobody who could be described instead")
    found = next((each for person in people for each in _descriptions(scene, person)), None)
    if found is None:
        raise FarmError(
            f"nothing that {scene.me} finds is told by {' or '.join(people)} alone, nor is their work theirs alone"
        )

    def accept(said: Mapping[str, Any]) -> Raw:
        text, words = reworded(scene, said, more=_MORE_WORDS), said_text(said, "words")
        plain = scene.text(text)
        if left := [each for each in _names(scene, found.person) if has_words(fold(plain), fold(each))]:
            raise FarmError(f"the instruction still names {left[0]}")
        if fold(words) not in fold(plain):
            raise FarmError(f"'{words}' is not in the instruction")
        return _with_lookup(scene, found, text, words)

    person = person_values(scene.world, found.person)
    values = {
        "person": person["name"],
        "names": ", ".join(_names(scene, found.person)),
        "shown": found.shown[:_SHOWN_MAX],
        "subject": found.subject,
    }
    proof = {"person": found.person, "subject": found.subject, "shown": found.shown, "app": found.app}
    return Question(PROMPT, values, accept, proof)


def named_people(scene: Scene) -> list[str]:
    """Return the people whom the instruction names; those first whose account a call of the oracle has."""
    start, told = scene.played.start, fold(scene.instruction)
    used = {(call.sent.app, str(value)) for call in scene.calls for _, value in leaves_of(call.sent.arguments)}
    found = [
        person
        for person in scene.world.people
        if person != scene.me and any(has_words(told, fold(each)) for each in _names(scene, person))
    ]
    return sorted(
        found, key=lambda each: not used & {(app, start.accounts(app).get(each)) for app in scene.raw["apps"]}
    )


def _names(scene: Scene, person: str) -> list[str]:
    return [each for each in names_of(person, scene.world.people) if len(each) > 1]


def _descriptions(scene: Scene, person: str) -> Iterator[Described]:
    """Yield what only one person told, of all that the person for whom the agent works finds; then what they do."""
    ground = scene.ground
    heard = {app: list(messages(scene, app)) for app in ground.universe.apps}
    known = fold(scene.instruction)
    for fact in sorted(ground.facts, key=lambda each: each.key):
        names = [each for each in fact.names if is_chinese(each) == scene.is_chinese]
        places = ground.told.versions(fact.key)
        if not names or not places or any(fold(each) in known for each in names):
            continue
        tellers = [_teller(heard, told) for told in places]
        # What a page or a calendar tells, too, was not told by one person alone.
        if all(each is not None and each.person == person for each in tellers):
            message = tellers[0]
            assert message is not None
            at = f"{message.at:%A %d %B}"
            yield Described(person, names[0], message.text, at, places[0].app, places[0].call)
    yield from _works(scene, person)


def _works(scene: Scene, person: str) -> Iterator[Described]:
    """Yield what a person's work is called, where an account shows it and no other row is called so."""
    known, start = scene.world.people[person], scene.played.start
    accounts = {(app, key): who for app in scene.ground.universe.apps for who, key in start.accounts(app).items()}
    for name in ("title_zh", "title_en") if scene.is_chinese else ("title_en",):
        title = str(known.get(name) or "")
        found = scene.prover.rows_titled(title) & accounts.keys() if title else set()
        for app, key in sorted(found) if {accounts[each] for each in found} == {person} else ():
            view = scene.ground.view(app)
            for seen in (each for (_, value), several in view.by_key.items() if value == key for each in several):
                if title in seen.values.values():
                    yield Described(person, "what they do", title, "", app, seen.call)
                    break


def _teller(heard: Mapping[str, list[Message]], told: Told) -> Message | None:
    return next((each for each in heard[told.app] if each.text == told.text), None)


def _with_lookup(scene: Scene, found: Described, text: str, words: str) -> Raw:
    script = Script()
    scene.ground.ways.play(script, found.app, found.call)
    before = renamed_steps([{"calls": step} for step in script.steps])
    raw = scene.raw
    person = person_values(scene.world, found.person)
    named = f"{words}: {person['name']}"
    return raw | {
        "title": f"{raw['title']}, of somebody described",
        "instruction": text,
        "apps": list(dict.fromkeys([*raw["apps"], found.app])),
        "named": [*raw.get("named", ()), named],
        "oracle": [*before, *raw["oracle"]],
        "calls_max": raw["calls_max"] + len(script.calls) + _MORE_CALLS,
    }
