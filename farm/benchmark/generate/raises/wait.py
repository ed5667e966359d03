"""Somebody has to be asked first, and answers after a while: by the task's people, and the server ``clock``."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from farm import content
from farm.benchmark.audit.truth.truth import further_values
from farm.benchmark.generate.acts import filled_act, payload_of
from farm.benchmark.generate.answers import leaves_of
from farm.benchmark.generate.raises.messages import Form, Message, name_of_author
from farm.benchmark.generate.raises.scene import Question, Raw, Scene
from farm.benchmark.generate.raises.told_values import (
    Telling,
    check_message,
    telling_values,
    tellings,
    why_none,
)
from farm.benchmark.generate.raises.unnamed import titles_of
from farm.benchmark.generate.raises.values import OtherValue, with_other_value
from farm.benchmark.generate.raises.words import reworded, said_text
from farm.benchmark.generate.units import Unit
from farm.benchmark.generate.ways import Script
from farm.benchmark.generate.wording import is_chinese
from farm.benchmark.scoring.claims.values import fold
from farm.errors import FarmError

PROMPT = "wait-1"
_CLOCK = "clock"
_ANSWERS_AFTER, _WAIT_MINUTES = "12m", 60
# What is due before the answer ends a wait, too.
_WAITS_MAX = 3
_MORE_CALLS, _MORE_WORDS = 3, 160
_HEARD_MAX = 40
_PLAIN = re.compile(r"[^\"\\\n<>]+")


def wait(scene: Scene) -> Question:
    """Return what a writer is asked so that somebody has to be asked for a value, and to be waited for.

    Raises:
        FarmError: nobody who can be asked tells a value that the task asks for.
    """
    if _CLOCK in scene.raw["apps"]:
        raise FarmError(f"{scene.raw['id']} waits already")

    def task(other: OtherValue) -> Raw:
        return with_other_value(scene, other)

    for found in tellings(scene, lambda of, _: of.played.clock_context.now, task):
        way = next(_ways(scene, found.message), None)
        if way is not None and not _writes_there(scene, found.message):
            return _question(scene, found, *way)
    raise FarmError(f"nobody can be asked in {scene.raw['id']}: {why_none(scene)}, where an answer is waited for")


def _ways(scene: Scene, message: Message) -> Iterator[tuple[Unit, str, str]]:
    """Yield the units that say something in the place of a message, with the argument and the kind of the place."""
    form = message.form
    if form.app not in scene.ground.universe.apps:
        return
    column = form.table.columns[form.place[0]]
    kind = str(next(iter(column.foreign_keys)).target_fullname)
    for app, unit, argument in scene.ground.telling_units():
        if app == form.app and unit.writes[0] == form.table.name and kind in argument.kinds:
            yield unit, argument.path, kind


def _writes_there(scene: Scene, message: Message) -> bool:
    """Return whether the task itself asks for a new row in the table of a message: a question could be taken for it."""
    return any(
        each.get("change") == "create" and (each["app"], each["table"]) == (message.form.app, message.form.table.name)
        for each in scene.raw["checkpoints"]
    )


def _question(scene: Scene, found: Telling, unit: Unit, argument: str, kind: str) -> Question:
    message = found.message
    place = str(message.row[message.form.place[0]])
    named = " / ".join(dict.fromkeys(titles_of(scene, message.form.app, kind, place)))

    def accept(said: Mapping[str, Any]) -> Raw:
        text, asked = reworded(scene, said, more=_MORE_WORDS), said_text(said, "question")
        answer, about = said_text(said, "message"), said.get("about")
        check_message(scene, found, answer)
        if not isinstance(about, list) or not all(isinstance(each, str) and len(each) > 1 for each in about):
            raise FarmError("'about' is a list of words, each of two letters or more")
        if not any(fold(each) in fold(asked) for each in about):
            raise FarmError("the question has none of the words of 'about'")
        if next(further_values(asked, (), scene.played.clock_context.now), None):
            raise FarmError("the question tells a day, a time or a number")
        if is_chinese(asked) != is_chinese(message.text):
            raise FarmError("the question is in another language than the talk")
        heard = max(_PLAIN.findall(answer), key=len)[:_HEARD_MAX].strip()
        for waits in range(1, _WAITS_MAX + 1):
            words = _Words(text, asked, answer, about, heard)
            made = _with_question(scene, found, words, (unit, argument, kind), waits)
            if _is_heard(Scene(made, lambda _: scene.trace), heard):
                return made
        raise FarmError(f"the answer does not come within {_WAITS_MAX} waits")

    proof = {
        "fact": found.other.fact.key,
        "former": str(found.other.fact.value),
        "value": found.other.value,
        "asked": message.person,
        "in": place,
    }
    values = telling_values(scene, found) | {
        "place": named or "the direct messages",
        "app": content.load_app(message.form.app).app.title,
        "asked": name_of_author(scene, message),
    }
    return Question(PROMPT, values, accept, proof)


def _is_heard(scene: Scene, heard: str) -> bool:
    waits = (call for call in scene.calls if call.sent.app == _CLOCK)
    return any(heard in str(each) for call in waits for _, each in leaves_of(call.body))


@dataclass(frozen=True)
class _Words:
    """What a writer has worded.

    Attributes:
        asked: the question.
        answer: what is answered.
        about: words of which any such question has one.
        heard: a part of the answer.
    """

    instruction: str
    asked: str
    answer: str
    about: Sequence[str]
    heard: str


def _with_question(scene: Scene, found: Telling, words: _Words, way: tuple[Unit, str, str], waits: int) -> Raw:
    (unit, argument, kind), message, form = way, found.message, found.message.form
    place = message.row[form.place[0]]
    script = Script()
    reached = scene.ground.reach(script, form.app, kind, str(place))
    payload = payload_of(form.app, unit, "body")
    if reached is None or payload is None:
        raise FarmError(f"no tool leads to where {name_of_author(scene, message)} can be asked")
    ask = filled_act(form.app, unit, "ask_first", {argument: reached.expression}, {payload.path: words.asked})
    waiting = [
        {"app": _CLOCK, "tool": "wait", "arguments": {"minutes": _WAIT_MINUTES}, "as": f"wait_{number}"}
        for number in range(1, waits + 1)
    ]
    before = renamed_steps(
        [*({"calls": step} for step in script.steps), {"calls": [ask]}, *({"calls": [e]} for e in waiting)]
    )
    task, about = found.task, {"contains_any": list(words.about)}
    rule = {
        "id": "asked-first",
        "who": message.person,
        "when": {"app": form.app, "table": form.table.name, "where": {form.place[0]: place, form.body: about}},
        "then": [{"do": "reply", "after": _ANSWERS_AFTER, "text": words.answer}],
    }
    points = [
        {
            "id": "asked-first",
            "kind": "operate",
            "change": "create",
            "app": form.app,
            "table": form.table.name,
            "where": {form.place[0]: place, form.author: {"person": "me"}},
            "after": {form.body: about},
            "free": _open_columns(form),
        },
        {"id": "heard", "kind": "other", "predicate": "called", "app": _CLOCK, "tool": "wait", "contains": words.heard},
    ]
    near = [
        {"why": "does not wait for the answer", "drop": [each["as"] for each in waiting]},
        {"why": "does not ask", "drop": ["ask_first"]},
    ]
    key = f"fact:{found.other.fact.key}"
    return task | {
        "title": f"{task['title']}, after an answer",
        "instruction": words.instruction,
        "apps": [*task["apps"], _CLOCK],
        "unnecessary": [each for each in task.get("unnecessary", ()) if key not in each],
        "people": [*task.get("people", ()), rule],
        "checkpoints": [*points, *task["checkpoints"]],
        "oracle": [*before, *task["oracle"]],
        "variants": [
            each | ({"steps": [*before, *each["steps"]]} if "steps" in each else {})
            for each in task.get("variants", ())
        ],
        "near_misses": [*task["near_misses"], *near],
        "calls_max": task["calls_max"] + sum(len(each["calls"]) for each in before) + _MORE_CALLS,
    }


def _open_columns(form: Form) -> list[str]:
    """Return the columns in which it makes no difference how a question is asked: in a thread, or to whom by name."""
    roles = {str(each.name): each.info["role"] for each in form.table.columns if each.nullable}
    return [name for name, role in roles.items() if role in ("reference", "time", "person")]


def renamed_steps(steps: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return steps whose results have names that no task's own have."""
    names = [call["as"] for step in steps for call in step["calls"] if not call["as"].startswith(("ask_", "wait_"))]
    text = json.dumps(steps, ensure_ascii=False)
    for name in sorted(names, key=len, reverse=True):
        text = text.replace(f'"as": "{name}"', f'"as": "first_{name}"')
        text = re.sub(rf"(?<!\{{)\{{{name}(?=[.\[}}])", f"{{first_{name}", text)
    made: list[dict[str, Any]] = json.loads(text)
    return made
