"""Raises by a value that somebody tells: corrected later in the same talk, or told otherwise before."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from farm.benchmark.audit.attacks.script import writes
from farm.benchmark.audit.truth.fact_trace import letters_of
from farm.benchmark.audit.truth.passages import passages_of_text
from farm.benchmark.audit.truth.standing import stands_in
from farm.benchmark.generate.answers import leaves_of
from farm.benchmark.generate.raises.messages import (
    Message,
    further_row,
    messages,
    name_of_author,
    time_after,
    time_before,
    told_talk,
)
from farm.benchmark.generate.raises.scene import Question, Raw, Scene
from farm.benchmark.generate.raises.values import (
    OtherValue,
    asked_facts,
    named_writes,
    other_values,
    telling_other,
    with_other_value,
)
from farm.benchmark.generate.raises.words import said_text
from farm.benchmark.generate.wording import is_chinese, name_of
from farm.benchmark.generate.writers import GRADER, person_values
from farm.benchmark.scoring.claims.values import fold
from farm.errors import FarmError

_MORE_CALLS = 2
_MESSAGE_MAX = 300
_WORDS_MAX = 8


@dataclass(frozen=True)
class Telling:
    """A message that the oracle reads and that tells a value the task asks for, and another such value.

    Attributes:
        at: when the further message is said.
        task: the content of the harder task's file, without that message.
    """

    message: Message
    other: OtherValue
    at: datetime
    task: Raw


def correction(scene: Scene) -> Question:
    """Return what a writer is asked so that a later message in the same talk changes a value.

    Raises:
        FarmError: no message that the oracle reads tells a value that the task asks for.
    """

    def task(other: OtherValue) -> Raw:
        return with_other_value(scene, other)

    found = next(tellings(scene, time_after, task), None)
    if found is None:
        raise FarmError(f"{scene.raw['id']} cannot be corrected: {why_none(scene)}")
    title = f"{scene.raw['title']}, as it was corrected"
    return _question(scene, "correction-1", found, title)


def distractor(scene: Scene) -> Question:
    """Return what a writer is asked so that an older message tells another value.

    Raises:
        FarmError: no message that the oracle reads tells a value that the task asks for.
    """

    def task(other: OtherValue) -> Raw:
        made = named_writes(scene.raw)
        near = telling_other(scene, other, f"{other.fact.key} as an older message has it")
        return made | {"near_misses": [*made.get("near_misses", ()), near]}

    found = next(tellings(scene, time_before, task), None)
    if found is None:
        raise FarmError(f"nothing can distract from {scene.raw['id']}: {why_none(scene)}")
    return _question(scene, "distractor-1", found, f"{scene.raw['title']}, not as it was first said")


# -- which message, which value ----------------------------------------------------------------------------------------


def tellings(
    scene: Scene, time: Callable[[Scene, Message], datetime], task: Callable[[OtherValue], Raw]
) -> Iterator[Telling]:
    """Yield the messages that tell a value the task asks for, each with other values of it.

    Args:
        time: returns when the further message is said; it raises ``FarmError`` if it cannot be.
        task: returns the harder task; it raises ``FarmError`` if it cannot have the value.
    """
    now = scene.played.clock_context.now
    texts = (each for _, each in leaves_of(scene.raw.get("near_misses", [])) if isinstance(each, str))
    wrong = [passages_of_text(scene.text(each), now) for each in texts]
    for fact in asked_facts(scene):
        for message in told_by(scene, fact.key):
            try:
                at = time(scene, message)
            except FarmError:
                continue
            for other in other_values(scene, fact):
                if any(other.is_told(scene, each) for each in wrong):
                    continue  # a near miss has it
                try:
                    yield Telling(message, other, at, task(other))
                except FarmError:
                    continue


def told_by(scene: Scene, key: str) -> list[Message]:
    """Return the messages of other people that tell a fact and that the oracle reads, the latest first."""
    read = _read_letters(scene)
    found = [
        each
        for app in scene.raw["apps"]
        if app in {call.sent.app for call in scene.calls}
        for each in messages(scene, app)
        if each.person
        and each.person != scene.me
        and any(place.is_in(fold(each.text)) for place in scene.trace.places(key))
        and letters_of(fold(each.text)) in read
    ]
    return sorted(found, key=lambda each: each.at, reverse=True)


def _read_letters(scene: Scene) -> str:
    texts = (
        str(value)
        for call in scene.calls
        if not writes(call.planned)
        for _, value in leaves_of(call.body)
        if isinstance(value, str)
    )
    return "\n".join(letters_of(fold(each)) for each in texts)


def why_none(scene: Scene) -> str:
    """Return why no value of a task can be told otherwise."""
    facts = asked_facts(scene)
    if not facts:
        return "it asks for no measured value of a fact that its instruction does not tell"
    if not any(told_by(scene, fact.key) for fact in facts):
        return f"no message of somebody else that its oracle reads tells {' or '.join(each.key for each in facts)}"
    return f"nothing else can be told of {' or '.join(each.key for each in facts)} there"


# -- the words ---------------------------------------------------------------------------------------------------------


def _question(scene: Scene, prompt: str, found: Telling, title: str) -> Question:
    key = found.other.fact.key

    def accept(said: Mapping[str, Any]) -> Raw:
        text = said_text(said, "message")
        check_message(scene, found, text)
        row = further_row(scene, found.message, text, found.at)
        unnecessary = [each for each in found.task.get("unnecessary", ()) if f"fact:{key}" not in each]
        return found.task | {
            "title": title,
            "unnecessary": unnecessary,
            "rows": [*found.task.get("rows", ()), row],
            "calls_max": found.task["calls_max"] + _MORE_CALLS,
        }

    proof = {
        "fact": key,
        "former": str(found.other.fact.value),
        "value": found.other.value,
        "beside": {name: found.message.row[name] for name in found.message.form.place},
        "told": found.message.text,
    }
    return Question(prompt, telling_values(scene, found), accept, proof)


def telling_values(scene: Scene, found: Telling) -> dict[str, str]:
    """Return what a prompt tells of a message and of the other value."""
    chinese = is_chinese(found.message.text)
    other, speaker = found.other, person_values(scene.world, found.message.person)
    return {
        "speaker": f"{speaker['name']}, {speaker['title']}. {speaker['voice']}",
        "talk": told_talk(scene, found.message),
        "said": found.message.text,
        "said_at": f"{found.message.at:%A %d %B, %H:%M}",
        "at": f"{found.at:%A %d %B, %H:%M}",
        "subject": _subject(scene, other, chinese=chinese),
        "old": _shown(scene, other, chinese=chinese, former=True),
        "new": _shown(scene, other, chinese=chinese, former=False),
        "message_language": "Chinese" if chinese else "English",
        "author": name_of_author(scene, found.message),
    }


def _subject(scene: Scene, other: OtherValue, *, chinese: bool) -> str:
    """Return what a value is the value of, with the words that a reader has to find beside a number."""
    words = [each for claim in other.asked(scene) if claim.kind == "number" for each in (*claim.of, *claim.beside)]
    beside = [each for each in dict.fromkeys(words) if is_chinese(each) == chinese] or words
    name = name_of(other.fact, chinese=chinese)
    return f"{name} (beside the number stands one of: {', '.join(beside[:_WORDS_MAX])})" if words else name


def _shown(scene: Scene, other: OtherValue, *, chinese: bool, former: bool) -> str:
    forms = ("zh_week_clock", "zh_week", "hours_zh", "") if chinese else ("en_short", "")
    parts = []
    for form in forms:
        try:
            parts.append(scene.text(other.write(form, former=former)))
        except ValueError:
            continue
        break
    if other.fact.kind == "moment" and not any(":" in each for each in parts):
        parts.append(other.write("clock", former=former))
    return " ".join([*parts, *([other.fact.unit] if other.fact.unit and other.fact.unit not in "".join(parts) else [])])


def check_message(scene: Scene, found: Telling, text: str) -> None:
    """Check what somebody says in a further message.

    Raises:
        FarmError: it does not tell the other value alone, or is in another language, or too long.
    """
    told = passages_of_text(text, found.at)
    if not found.other.is_told(scene, told):
        raise FarmError(f"the message does not tell {_shown(scene, found.other, chinese=False, former=False)}")
    for claim in found.other.asked(scene):
        if claim.kind == "number" and not stands_in(claim, [told]):
            words = ", ".join(dict.fromkeys([*claim.of, *claim.beside]))
            raise FarmError(f"the message has to say {claim.describe} beside one of: {words}")
    if found.other.is_told(scene, told, former=True):
        raise FarmError(f"the message tells {_shown(scene, found.other, chinese=False, former=True)}, too")
    if is_chinese(text) != is_chinese(found.message.text):
        raise FarmError("the message is in another language than the one beside it")
    if len(text) > _MESSAGE_MAX or GRADER.search(text):
        raise FarmError("the message is too long, or has a clause for the grader")
    if letters_of(fold(text)) == letters_of(fold(found.message.text)):
        raise FarmError("the message is the old one")
