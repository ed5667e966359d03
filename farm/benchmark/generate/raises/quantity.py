"""One row to act on becomes several like it, which the world has: all that share a property, or some by their names."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from farm import content
from farm.benchmark.agents.placeholders import MissingPlaceholderError, fill, follow
from farm.benchmark.audit.attacks.script import writes
from farm.benchmark.generate.answers import leaves_of, mapped_texts
from farm.benchmark.generate.derive import Deriver, UnderivableError
from farm.benchmark.generate.make import aim_of
from farm.benchmark.generate.raises.messages import text_in
from farm.benchmark.generate.raises.scene import PlayedCall, Question, Raw, Scene
from farm.benchmark.generate.raises.unnamed import titles_of
from farm.benchmark.generate.raises.values import named_writes
from farm.benchmark.generate.raises.words import reworded
from farm.benchmark.runner.local_host import LocalHost
from farm.benchmark.scoring.task_start import added_rows
from farm.context.operators import at_path
from farm.errors import FarmError

PROMPT = "quantity-1"
_FEWEST, _MOST, _LISTED_MAX = 3, 10, 4
_MORE_WORDS, _CALLS_EACH, _LABEL_MAX, _OTHERS_MAX = 200, 2, 60, 8
_ROLES = ("author", "reference", "person", "status", "kind", "key")
# One item of a list in an earlier result, by what stands in one of its fields.
_ITEM = re.compile(r"\{([a-z_][a-z0-9_]*)([^{}\[\]]*)\[([\w.]+)([=~])((?:[^{}\[\]]|\{\{[^{}]*\}\})+)\]([^{}\[\]]*)\}")
_NO_LABEL = re.compile(r"[\]\[={}~\n\"\\]")


@dataclass(frozen=True)
class Choice:
    """A writing call on one item of a list, and the items like it.

    Attributes:
        call: the call, in the task's file.
        reference: how it selects the item, ``{todo.items[summary=Launch]``, up to the bracket's end.
        field: the field of the items that tells what they are called.
        siblings: what the other items are called, in the order of the list.
        others: what some items are called that are not meant.
        property: column → the value that all of them share, in words; empty if they are named one by one.
    """

    call: Mapping[str, Any]
    reference: str
    field: str
    target: str
    siblings: tuple[str, ...]
    others: tuple[str, ...]
    property: Mapping[str, str]


def quantity(scene: Scene) -> Question:
    """Return what a writer is asked so that several rows are acted on instead of one.

    Raises:
        FarmError: the oracle acts on no row of a list, or nothing in the world is like it.
    """
    scene.raw = named_writes(scene.raw)
    why = f"no call of {scene.raw['id']} acts on one row of a list"
    # What they share is found out, names are only read; what tells nobody anything is done many times sooner.
    for choice in sorted(_choices(scene), key=lambda each: (_notifies(each.call), not each.property)):
        try:
            made = _multiplied(scene, choice)
        except FarmError as problem:
            why = f"{scene.raw['id']} cannot be multiplied: {problem}"
            continue
        return _question(scene, choice, made)
    raise FarmError(why)


def _notifies(call: Mapping[str, Any]) -> bool:
    return aim_of(call["app"], call["tool"]) in content.load_app(call["app"]).schema.notifies


def _question(scene: Scene, choice: Choice, made: Raw) -> Question:
    def accept(said: Mapping[str, Any]) -> Raw:
        text = reworded(scene, said, more=_MORE_WORDS)
        plain = scene.text(text)
        if plain == scene.instruction:
            raise FarmError("the instruction is the old one")
        if not choice.property and (lost := [each for each in choice.siblings if _short(each) not in plain]):
            raise FarmError(f"the instruction does not name '{_short(lost[0])}'")
        if choice.property and any(each in plain for each in choice.siblings):
            raise FarmError("the instruction names one of them; say what they have in common")
        return made | {"title": f"{made['title']}, {len(choice.siblings) + 1} of them", "instruction": text}

    values = {
        "target": choice.target,
        "all": "\n".join(f"- {each}" for each in (choice.target, *choice.siblings)),
        "others": "\n".join(f"- {each}" for each in choice.others) or "- none",
        "how": _how(choice),
    }
    proof = {"rows": [choice.target, *choice.siblings], "not": list(choice.others), "share": dict(choice.property)}
    return Question(PROMPT, values, accept, proof)


def _how(choice: Choice) -> str:
    if choice.property:
        shared = " and ".join(f"{name}: {value}" for name, value in choice.property.items())
        return f"What they have in common, and no other: {shared}. Say that, and name none of them by itself."
    return (
        "Name each of them, so that each name stands in your words as it stands here up to the first sign: "
        + "; ".join(map(_short, choice.siblings))
    )


def _short(label: str) -> str:
    """Return the beginning of a name, up to a sign."""
    return re.split(r"[：:，,。.（(\n]", label)[0].strip()


# -- which rows --------------------------------------------------------------------------------------------------------


def _choices(scene: Scene) -> Iterator[Choice]:
    bodies = {each.planned.name: each.body for each in scene.calls if each.planned.name}
    for played in reversed(scene.calls):
        raw = next(
            (each for step in scene.raw["oracle"] for each in step["calls"] if each.get("as") == played.planned.name),
            None,
        )
        if raw is None or not writes(played.planned):
            continue
        found = {(e[1], e[2], e[3], e[4], e[5]) for e in _ITEM.finditer(_dump(raw["arguments"]))}
        order = list(bodies)
        # Of a row in another, such as a message in a channel, only the inner one can be several.
        last = max((name for name, *_ in found if name in bodies), key=order.index, default="")
        for name, path, field, sign, label in sorted(each for each in found if each[0] == last):
            try:
                items = follow(bodies[name], path, name)
            except (KeyError, MissingPlaceholderError):
                continue
            if isinstance(items, list):
                yield from _of_items(scene, played, raw, (name, path, field, sign, label), items)


def _of_items(
    scene: Scene, played: PlayedCall, raw: Mapping[str, Any], selected: tuple[str, ...], items: list[Any]
) -> Iterator[Choice]:
    name, path, field, sign, label = selected
    wanted = scene.text(label)
    called = [(str(at_path(each, field) or ""), each) for each in items if isinstance(each, dict)]
    fitting = [each for text, each in called if (text == wanted if sign == "=" else wanted in text)]
    texts = [text for text, _ in called]
    if len(fitting) != 1:
        return
    target = fitting[0]
    usable = [
        (text, each)
        for text, each in called
        if text and each is not target and texts.count(text) == 1 and _selector(text)
    ]
    reference = f"{{{name}{path}[{field}{sign}{label}]"
    own = str(at_path(target, field))
    for shared, keys in _groups(scene, played, target):
        like = [(text, each) for text, each in usable if keys & _keys_in(each)]
        found = {key for _, each in like for key in keys & _keys_in(each)}
        if found == keys and _FEWEST <= len(like) + 1 <= _MOST:
            chosen = [text for text, _ in like]
            others = [text for text, _ in usable if text not in chosen][:_OTHERS_MAX]
            yield Choice(raw, reference, field, own, tuple(chosen), tuple(others), shared)
    titles = _title_values(scene, played.sent.app)
    near = sorted(usable, key=lambda each: abs(items.index(each[1]) - items.index(target)))
    own_name = [text for text, _ in near if _short(text) and sum(_short(text) in each for each in texts) == 1]
    listed = [text for text in own_name if text in titles and len(text) <= _LABEL_MAX][:_LISTED_MAX]
    if own in titles and len(listed) + 1 >= _FEWEST:
        others = [text for text, _ in usable if text not in listed][:_OTHERS_MAX]
        yield Choice(raw, reference, field, own, tuple(listed), tuple(others), {})


def _title_values(scene: Scene, app: str) -> set[str]:
    """Return the titles of all rows of an app: what one can call them by."""
    schema = content.load_app(app).schema
    names = {table: [name for name, role in roles.items() if role == "title"] for table, roles in schema.roles.items()}
    rows = ((row, names[table]) for table in names for row in scene.played.start.rows(app, table))
    return {str(row[name]) for row, titles in rows for name in titles if row.get(name)}


def _groups(scene: Scene, played: PlayedCall, target: Any) -> Iterator[tuple[Mapping[str, str], set[str]]]:
    """Yield what rows of the start share with the row of an item, and the keys of those others."""
    app, start = played.sent.app, scene.played.start
    schema = content.load_app(app).schema
    values = _keys_in(target)
    for table in schema.tables:
        keys = [str(c.name) for c in table.primary_key.columns if not c.foreign_keys]
        if len(keys) != 1:
            continue
        rows = start.rows(app, table.name)
        mine = [each for each in rows if str(each[keys[0]]) in values]
        if len(mine) != 1:
            continue
        names = [
            str(c.name)
            for c in table.columns
            if c.info["role"] in _ROLES and mine[0][str(c.name)] and str(c.name) not in keys
        ]
        for several in (*((each,) for each in names), *itertools.combinations(names, 2)):
            like = [each for each in rows if all(each[name] == mine[0][name] for name in several)]
            shared = {name: _in_words(scene, app, table, name, mine[0][name]) for name in several}
            if _FEWEST <= len(like) <= _MOST and all(shared.values()):
                yield shared, {str(each[keys[0]]) for each in like if each is not mine[0]}


def _in_words(scene: Scene, app: str, table: Any, name: str, value: Any) -> str:
    """Return what people call a value of a column; empty if they do not."""
    column = table.columns[name]
    if not column.foreign_keys:
        return str(value) if column.info["role"] in ("status", "kind") else ""
    kind = str(next(iter(column.foreign_keys)).target_fullname)
    return " / ".join(dict.fromkeys(map(text_in, titles_of(scene, app, kind, str(value)))))


def _keys_in(value: Any) -> set[str]:
    """Return the texts and whole numbers in an item, of which some may be keys."""
    return {str(each) for _, each in leaves_of(value) if isinstance(each, str | int)}


def _selector(text: str) -> str:
    """Return what selects an item by a text: the whole text, or a part of it; empty if nothing can."""
    if not _NO_LABEL.search(text):
        return f"={text}"
    part = max(_NO_LABEL.split(text), key=len).strip()[:_LABEL_MAX]
    return f"~{part}" if len(part) > 5 else ""


def _dump(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False).replace('\\"', '"')


# -- the task ----------------------------------------------------------------------------------------------------------


def _multiplied(scene: Scene, choice: Choice) -> Raw:
    """Return the task with the call made for each of the rows, and with a checkpoint for each.

    Raises:
        FarmError: a call for another row is refused, or what it changes is not what a checkpoint asks for.
    """
    calls = [_for_item(choice, text, number) for number, text in enumerate(choice.siblings, 2)]
    points, allow, lookups = _derived(scene, choice, calls)
    made = deepcopy(scene.raw)
    step = next(
        n for n, each in enumerate(made["oracle"]) if any(c.get("as") == choice.call["as"] for c in each["calls"])
    )
    made["oracle"][step]["calls"] += calls
    made["checkpoints"] += points
    made["allow"] = [*made.get("allow", ()), *(each for each in allow if each not in made.get("allow", ()))]
    made["lookups"] = {**made.get("lookups", {}), **lookups}
    made["calls_max"] += _CALLS_EACH * len(calls)
    near: list[Mapping[str, Any]] = [{"why": "one of them is left out", "drop": [calls[-1]["as"]]}]
    if choice.others and (selector := _selector(choice.others[0])):
        near.append({"why": "another one in its place", "change": {calls[-1]["as"]: _selecting(choice, selector)}})
    made["near_misses"] = [*made.get("near_misses", ()), *near]
    made["variants"] = [each for each in made.get("variants", ()) if "steps" not in each]
    return made


def _for_item(choice: Choice, text: str, number: int) -> dict[str, Any]:
    arguments = _selecting(choice, _selector(text))
    return {**choice.call, "arguments": arguments, "as": f"{choice.call['as']}_{number}"}


def _selecting(choice: Choice, selector: str) -> Any:
    """Return the arguments of the call for another item."""
    name = choice.reference.rpartition("[")[0]
    other = f"{name}[{choice.field}{selector}]"
    return mapped_texts(choice.call["arguments"], lambda text: text.replace(choice.reference, other))


def _derived(
    scene: Scene, choice: Choice, calls: Sequence[Mapping[str, Any]]
) -> tuple[list[Any], list[Any], Mapping[str, Any]]:
    """Return the checkpoints for further calls, what else they change, and the lookups of both."""
    raw, task = scene.raw, scene.played.task
    bodies = {each.planned.name: each.body for each in scene.calls if each.planned.name}
    with LocalHost(interrupts=False) as host:
        session = host.farm.create(raw["world"], task.apps, me=task.me, now=task.now, rows=added_rows(task) or None)
        deriver = Deriver(scene.played.start, scene.me)
        for number, call in enumerate((choice.call, *calls)):
            before = session.snapshot(f"row{number}")
            try:
                arguments = fill(call["arguments"], bodies, scene.text)
            except MissingPlaceholderError as missing:
                raise FarmError(str(missing)) from None
            outcome = session.outcome(call["app"], call["tool"], arguments)
            if outcome.refused or outcome.is_protocol_error:
                raise FarmError(f"{call['tool']} is refused for another row")
            try:
                deriver.add(
                    call["app"], aim_of(call["app"], call["tool"]), session.diff(before).get(call["app"], {}), {}
                )
            except UnderivableError as problem:
                raise FarmError(str(problem)) from None
        session.close()
    found = deriver.found.checkpoints
    if len(found) != len(calls) + 1:
        raise FarmError("a call changes more than one row")
    own, names = found[0], ("app", "table", "change")
    alike = [each for each in raw["checkpoints"] if all(each.get(name) == own[name] for name in names)]
    if len(alike) != 1:
        raise FarmError(f"{len(alike)} checkpoints ask for such a row, so it is unclear which one to multiply")
    lookups = {f"row_{name}": each for name, each in deriver.found.lookups.items()}
    points = []
    for number, each in enumerate(found[1:], 2):
        where = _prefixed(each["where"], deriver.found.lookups)
        points.append({**alike[0], "id": f"{alike[0]['id']}-{number}", "where": where})
    return points, [_prefixed(each, deriver.found.lookups) for each in deriver.found.allow], lookups


def _prefixed(value: Any, names: Mapping[str, Any]) -> Any:
    text = json.dumps(value, ensure_ascii=False)
    for name in names:
        text = text.replace(f"{{{{{name}}}}}", f"{{{{row_{name}}}}}")
    return json.loads(text)
