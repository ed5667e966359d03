"""Chains about rows: *act*, *each-of-n*, *repair*, *hand-over* and *copy*."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import Any

from farm import content
from farm.appkit.world_spec.facts import Fact
from farm.appkit.world_spec.facts.model import Version
from farm.benchmark.generate.acts import column_of, deed_of, filled_act, notifying, open_ids, payload_of
from farm.benchmark.generate.answers import leaves_of, with_value
from farm.benchmark.generate.chains import Act, Chain, Placeholder
from farm.benchmark.generate.explore import TOKEN, Seen
from farm.benchmark.generate.kinds import is_account, kind_of_column
from farm.benchmark.generate.samplers.builder import Builder, UnreachableError, key_of
from farm.benchmark.generate.samplers.ground import Ground, is_message, story_of
from farm.benchmark.generate.samplers.tell import DRAWS
from farm.benchmark.generate.told import Told
from farm.benchmark.generate.units import ID, Argument, Unit
from farm.benchmark.generate.wording import forms_in, is_chinese, name_of, shares_words
from farm.benchmark.scoring.initial_state import load_start
from farm.context.template import load_world

_ROWS_MAX = 12  # of a kind, for one unit
_FACTS_MAX = 30  # that rows of a kind tell, for one unit
_EACH = range(3, 9)
_TOLD_MAX = 5
_COUNT = range(3, 60)
_KINDS_MAX = 4
# A value of an example that fewer rows than this share have in its column is the example's own: an odd emoji.
_ODD_SHARE = 0.1
# A shorter text is a shout.
_TEXT_MIN = 6
# An example with an id of its own in it does the same whatever the open ids are.
_OPAQUE = re.compile(r"(?=.*\d)[\w=+/.@%-]{16,}")


def act(ground: Ground) -> Iterator[Chain]:
    """Do to one row what a unit without texts does: to the person's own, or to what alone tells a fact of theirs."""
    for app, unit in acting_units(ground):
        yield from _own_done(ground, app, unit)
        yield from _telling_done(ground, app, unit)


def _own_done(ground: Ground, app: str, unit: Unit) -> Iterator[Chain]:
    """Do it to a row of the person's own, described by what people call it."""
    for turn, seen in product(range(DRAWS), own_objects(ground, app, unit)[:_ROWS_MAX]):
        builder = Builder(ground, "act", turn)
        try:
            bound = builder.bind(app, unit, seen)
            builder.act(app, unit, bound.expressions)
        except UnreachableError:
            continue
        if len(bound.label) < _TEXT_MIN:
            continue
        builder.support = len(ground.view(app).by_key[main_key(unit, seen)])
        yield builder.chain(f"{deed_of(app, unit.tool)}: {{ROW}}.", f"{deed_of(app, unit.tool)}：{{ROW}}。")


def _telling_done(ground: Ground, app: str, unit: Unit) -> Iterator[Chain]:
    """Tie the person to a text that alone tells a fact of a story of theirs: a sign, a favourite, a pin.

    Where other values of the fact are told as well, it is checked in another app first; a sign under a message says
    that it was.
    """
    for turn, (fact, seen) in product(range(DRAWS), _telling(ground, app, unit)[:_FACTS_MAX]):
        builder = Builder(ground, "act", turn)
        others = [told for told in ground.told.places(fact.key) if told.app != app] if fact.versions else []
        if not others and is_message(app, main_key(unit, seen)[0]):
            continue
        try:
            bound = builder.bind(app, unit, seen)
            for told in ground.shuffled(others, f"{app} {fact.key} {turn}")[:1]:
                ground.ways.play(builder.script, told.app, told.call)
            builder.act(app, unit, bound.expressions)
        except UnreachableError:
            continue
        label, deed = name_of(fact, chinese=builder.chinese), deed_of(app, unit.tool)
        rivals = tuple(each.key for each in fact.versions)
        builder.blanks[-1:] = [Placeholder("FACT", fact.kind, fact.key, "must", label, rivals)]
        builder.support = len(ground.told.places(fact.key))
        yield builder.chain(
            f"{deed}: the one that tells {{FACT}}{', once you know that it is right' * bool(others)}.",
            f"{deed}：讲{{FACT}}的那条{'，先核对是不是对的' * bool(others)}。",
            priority=ground.interest(fact),
        )


def _telling(ground: Ground, app: str, unit: Unit) -> list[tuple[Fact, Seen]]:
    """Return the facts of the person's stories that one row alone tells among those of its kind, with this row.

    Nobody does so to a row of their own; what changes the row itself is its owner's; no sign is put under what is old
    or asks something.
    """
    rows: dict[str, dict[str, Seen]] = defaultdict(dict)
    for seen in objects_for(ground, app, unit):
        kind, value = main_key(unit, seen)
        for text in ground.view(app).kinds.names_of(value) if kind.partition(".")[0] != unit.writes[0] else ():
            rows[text][value] = seen
    found = []
    for fact in (each for each in ground.facts if story_of(each) in ground.own_stories):
        telling = {key: (seen, text) for text in ground.texts_of(fact.key) for key, seen in rows.get(text, {}).items()}
        for seen, text in telling.values() if len(telling) == 1 else ():
            row = (app, *main_key(unit, seen))
            if not (_asks(text) or ground.is_old(*row) or ground.owns(*row)):
                found.append((fact, seen))
    return found


def acting_units(ground: Ground) -> Iterator[tuple[str, Unit]]:
    """Yield (app, unit) of the units that change a row by its ids alone."""
    for app, view in ground.universe.apps.items():
        for unit in view.units.units.values():
            has_own_id = any(_OPAQUE.fullmatch(str(value)) for _, value in leaves_of(unit.example))
            if not unit.writes or not open_ids(unit) or unit.of_role("payload") or has_own_id:
                continue
            if not _takes_person(app, unit):
                yield app, with_usual_values(ground, app, unit)


def with_usual_values(ground: Ground, app: str, unit: Unit) -> Unit:
    """Return a unit whose example has the values that most rows have, in place of odd ones."""
    example: Any = unit.example
    rows = load_start(ground.universe.world).rows(app, unit.writes[0])
    table = content.load_app(app).schema.metadata.tables[unit.writes[0]]
    keys = [str(each.name) for each in table.columns if each.foreign_keys]
    for path, value in leaves_of(unit.example):
        for column in rows[0] if rows and keys and isinstance(value, str) and value != ID else ():
            if column in keys or not 0 < sum(str(row[column]) == value for row in rows) < _ODD_SHARE * len(rows):
                continue
            # A value is usual if it stands beside many different rows and people, whatever one vote made of it.
            beside: dict[str, list[set[str]]] = defaultdict(lambda: [set() for _ in keys])
            for row in rows:
                for seen, key in zip(beside[str(row[column])], keys, strict=True):
                    seen.add(str(row[key]))
            usual = max(sorted(beside), key=lambda each: min(map(len, beside[each])))
            example = with_value(example, path, value, usual)
    return replace(unit, example=example)


def objects_for(ground: Ground, app: str, unit: Unit) -> list[Seen]:
    """Return the objects that have all the keys that a unit takes, one for each row, in a drawn order."""
    found: dict[tuple[Any, ...], Seen] = {}
    ids = open_ids(unit)
    for seen in ground.view(app).seen:
        keys = tuple(str(key_of(each, seen)[1]) for each in ids)
        if "None" not in keys:
            found.setdefault(keys, seen)
    return ground.shuffled(found.values(), f"{app}.{unit.tool}")


def own_objects(ground: Ground, app: str, unit: Unit) -> list[Seen]:
    """Return the objects for a unit whose rows concern the person: theirs, or messages that speak to them."""
    return [each for each in objects_for(ground, app, unit) if concerns(ground, app, unit, each)]


def concerns(ground: Ground, app: str, unit: Unit, seen: Seen) -> bool:
    """Return whether a row is the person's concern: it has a title and is theirs, or is a message that names them.

    A message that asks something wants an answer, and no sign.
    """
    kind, value = main_key(unit, seen)
    kinds, account = ground.view(app).kinds, ground.account(app)
    names = kinds.names_of(value)
    if not is_message(app, kind):
        # What ties the person to a row of another's, such as a favourite, is nobody's to propose.
        if kind.partition(".")[0] != unit.writes[0] or ground.is_over(app, kind, value):
            return False
        has_title = any(map(kinds.is_label, names))
        return has_title and ground.is_mine(app, value) and not _is_done(ground, app, unit, kind, value)
    names_person = account is not None and any(account in text and not _asks(text) for text in names)
    return names_person and not ground.is_old(app, kind, value)


def main_key(unit: Unit, seen: Seen) -> tuple[str, str]:
    """Return the key of the row that an act is about: that of the last id that rows have."""
    keys = [key_of(each, seen) for each in open_ids(unit)]
    kind, value = next((each for each in reversed(keys) if not each[0].startswith(TOKEN)), keys[-1])
    return kind, str(value)


def each_of_n(ground: Ground) -> Iterator[Chain]:
    """Do the same to each of several rows, which are all that belong to one: tasks of a list, notes of an author."""
    yield from _each_done(ground)
    yield from _each_given(ground)
    yield from _each_told(ground)


def _each_done(ground: Ground) -> Iterator[Chain]:
    for app, unit in acting_units(ground):
        objects = [each for each in objects_for(ground, app, unit) if _is_open(ground, app, unit, each)]
        for turn, (owner, rows) in product(range(DRAWS), [*_groups(ground, app, objects, unit)]):
            builder = Builder(ground, "each-of-n", turn)
            try:
                labels = _do_to_each(builder, app, unit, owner, rows, {})
            except UnreachableError:
                continue
            deed = deed_of(app, unit.tool)
            yield builder.chain(
                f"{deed}: each of the {len(rows)} that belong to {{OWNER}}.",
                f"{deed}：{{OWNER}}的{len(rows)}个，每个都要。",
                notes=[f"The {len(rows)} are: {'; '.join(labels)}."],
            )


def _each_given(ground: Ground) -> Iterator[Chain]:
    """Give each of several rows to the same person."""
    for app, unit, people in _giving_units(ground):
        rows_of = replace(unit, example=_without(unit.example, people.path))
        objects = [each for each in objects_for(ground, app, rows_of) if _is_to_give(ground, app, rows_of, each)]
        for owner, rows in _groups(ground, app, objects, rows_of):
            for turn, (kind, value) in enumerate(_takers(ground, app, people, rows, rows_of)[:DRAWS]):
                builder = Builder(ground, "each-of-n", turn)
                try:
                    given = builder.reach(app, kind, value)
                    if given is None or not given.label:
                        continue
                    labels = _do_to_each(builder, app, unit, owner, rows, {people.path: given.expression})
                except UnreachableError:
                    continue
                builder.blanks.append(Placeholder("PERSON", kind, value, "must", given.label, app=app))
                deed = deed_of(app, unit.tool)
                yield builder.chain(
                    f"{deed}: {{PERSON}}, for each of the {len(rows)} that belong to {{OWNER}}.",
                    f"{deed}：{{PERSON}}，{{OWNER}}的{len(rows)}个，每个都要。",
                    notes=[f"The {len(rows)} are: {'; '.join(labels)}."],
                )


def _do_to_each(
    builder: Builder, app: str, unit: Unit, owner: tuple[str, str], rows: Sequence[Seen], given: Mapping[str, Any]
) -> list[str]:
    """Act on each of the rows of an owner, which alone has a blank; return what people call the rows.

    Args:
        given: argument → the expression that it gets for every row.
    """
    reached, labels = _owner(builder, app, owner), []
    for number, seen in enumerate(rows, 1):
        bound = builder.bind(app, unit, seen, f"ROW_{number}", but=[*given])
        builder.blanks.pop()
        builder.act(app, unit, {**bound.expressions, **given}, f"act{number}")
        labels.append(bound.label)
    builder.blanks.append(Placeholder("OWNER", owner[0], owner[1], "must", reached, app=app))
    builder.support = len(rows)
    return labels


def _each_told(ground: Ground) -> Iterator[Chain]:
    """Tell a value that has changed in each of several places where its story is at home or the old value is told."""
    for turn, fact in product(range(DRAWS), [each for each in ground.facts if each.former]):
        targets = ground.targets(fact)
        for size in range(min(_EACH), 1 + min(len(targets), _TOLD_MAX)):
            chosen = ground.shuffled(targets, f"{fact.key} {size} {turn}")[:size]
            builder = Builder(ground, "each-of-n", turn)
            try:
                places = [builder.place(each, f"PLACE_{number}") for number, each in enumerate(chosen, 1)]
                builder.read(fact)
                for number, (target, expression) in enumerate(zip(chosen, places, strict=True), 1):
                    builder.say(target, expression, fact, f"tell{number}")
            except UnreachableError:
                continue
            names = [f"{{PLACE_{number}}}" for number in range(1, len(chosen) + 1)]
            yield builder.chain(
                f"Post {{FACT}} in each of {', '.join(names)}.",
                f"把{{FACT}}发到{'、'.join(names)}，每个都发。",
                priority=sum(each.is_stale for each in chosen),
                notes=[f"{fact.names[0]} has changed, and none of these places has the new one."],
            )


def _is_open(ground: Ground, app: str, unit: Unit, seen: Seen) -> bool:
    """Return whether a row has a title, and neither is over nor has been done already."""
    kind, value = main_key(unit, seen)
    kinds = ground.view(app).kinds
    if is_message(app, kind) or not any(map(kinds.is_label, kinds.names_of(value))):
        return False
    return not ground.is_over(app, kind, value) and not _is_done(ground, app, unit, kind, value)


def _groups(
    ground: Ground, app: str, objects: Sequence[Seen], unit: Unit
) -> Iterator[tuple[tuple[str, str], list[Seen]]]:
    """Yield the key of a row, and objects: all that belong to it, if they are not too many."""
    groups: dict[tuple[str, str], dict[str, Seen]] = defaultdict(dict)
    account = ground.account(app)
    for seen in objects:
        kind, value = main_key(unit, seen)
        for owner in ground.owners_of(app, kind, value):
            if owner[1] != account:
                groups[owner][value] = seen
    for owner, rows in sorted(groups.items()):
        own = sum(ground.is_mine(app, value) for value in rows)
        if len(rows) in _EACH and own * 2 >= len(rows):
            yield owner, list(rows.values())


def _owner(builder: Builder, app: str, owner: tuple[str, str]) -> str:
    """Reach the row that others belong to, and return what people call it; what is called like the person is all."""
    ground = builder.ground
    reached = builder.reach(app, *owner)
    if reached is None or not reached.label or reached.label in ground.view(app).kinds.names_of(ground.account(app)):
        raise UnreachableError
    builder.chinese = is_chinese(reached.label)
    return reached.label


def _without(example: Any, path: str) -> Any:
    """Return an example whose id at a path is not open."""
    return with_value(example, path, ID, "")


def repair(ground: Ground) -> Iterator[Chain]:
    """Find a text that tells a value which holds no more, and correct it there."""
    for fact in ground.facts:
        for version in fact.former:
            for told in ground.told.places(f"{fact.key}#{version.key}")[:_ROWS_MAX]:
                seen = ground.showing(told)
                if seen is None or not _is_to_correct(ground, told, seen, fact, version):
                    continue
                for unit in ground.view(told.app).units.units.values():
                    ids = open_ids(unit)
                    if not ids or not unit.writes or not payload_of(told.app, unit, "body"):
                        continue
                    if not _is_about_row(told.app, unit):
                        continue
                    for turn in range(DRAWS):
                        builder = Builder(ground, "repair", turn)
                        try:
                            bound = builder.bind(told.app, unit, seen)
                            builder.read(fact)
                            builder.write(told.app, unit, bound.expressions, fact, "tell")
                        except UnreachableError:
                            continue
                        if len(bound.label) < _TEXT_MIN:
                            continue
                        builder.support = len(ground.told.places(fact.key))
                        yield builder.chain(
                            "“{ROW}” is not true any more: correct {FACT} there.",
                            "「{ROW}」已经不对了，在那里更正{FACT}。",
                        )


def _is_to_correct(ground: Ground, told: Told, seen: Seen, fact: Fact, version: Version) -> bool:
    """Return whether a text tells a former value as it is no more, asks nothing, and has not been answered.

    It stands where the person takes part, and nothing beside its row tells the present value.
    """
    if fact.value == version.value or _asks(told.text):
        return False
    if not any(ground.is_mine(told.app, value) for value, _ in seen.typed.values()):
        return False
    own = {str(value) for value, path in seen.typed.values() if path in seen.own}
    for right in ground.told.places(fact.key):
        beside = ground.showing(right) if right.app == told.app else None
        if right.text == told.text or (beside and own & {str(value) for value, _ in beside.typed.values()}):
            return False
    if forms_in(told.text, fact, ground.ledger, load_world(ground.universe.world)):
        return False
    return any(shares_words(name, told.text) for name in fact.names)


def _asks(text: str) -> bool:
    return "?" in text or "？" in text


def _is_about_row(app: str, unit: Unit) -> bool:
    """Return whether a unit takes the key of a row of the table that it is for: a reply, or an edit."""
    table = content.load_app(app).schema.metadata.tables[unit.writes[0]]
    own = {kind_of_column(each) for each in table.primary_key.columns if not each.foreign_keys}
    return any(own.intersection(each.kinds) for each in open_ids(unit))


def hand_over(ground: Ground) -> Iterator[Chain]:
    """Give a row of the person's to somebody who talks of its story: invite, assign, share, add."""
    for app, unit, people in _giving_units(ground):
        rows_of = replace(unit, example=_without(unit.example, people.path))
        objects = [each for each in objects_for(ground, app, rows_of) if _is_to_give(ground, app, rows_of, each)]
        for seen in objects[: 2 * _ROWS_MAX]:
            takers = _takers(ground, app, people, [seen], rows_of)[:DRAWS]
            for turn, (kind, value) in enumerate(takers):
                builder = Builder(ground, "hand-over", turn)
                try:
                    reached = builder.reach(app, kind, value)
                    if reached is None or not reached.label:
                        continue
                    bound = builder.bind(app, unit, seen, but=[people.path])
                    builder.act(app, unit, {**bound.expressions, people.path: reached.expression})
                except UnreachableError:
                    continue
                builder.blanks.append(Placeholder("PERSON", kind, value, "must", reached.label, app=app))
                builder.support = len(ground.view(app).by_key[kind, value])
                yield builder.chain(
                    f"{deed_of(app, unit.tool)}: {{ROW}}, {{PERSON}}.",
                    f"{deed_of(app, unit.tool)}：{{ROW}}，{{PERSON}}。",
                )


def _is_done(ground: Ground, app: str, unit: Unit, kind: str, value: str) -> bool:
    """Return whether a row has already the moment that a unit would set, such as that of its completion."""
    table, _, column = kind.partition(".")
    sets = [
        name.partition(".")[2]
        for each in unit.of_role("instant")
        for name in each.columns
        if name.startswith(f"{table}.")
    ]
    rows = load_start(ground.universe.world).rows(app, table) if sets else []
    return any(row[name] not in (None, "", "0", 0) for row in rows if str(row[column]) == value for name in sets)


def _is_to_give(ground: Ground, app: str, unit: Unit, seen: Seen) -> bool:
    kind, value = main_key(unit, seen)
    kinds = ground.view(app).kinds
    has_title = any(map(kinds.is_label, kinds.names_of(value)))
    return has_title and ground.owns(app, kind, value) and not ground.is_over(app, kind, value)


def _giving_units(ground: Ground) -> Iterator[tuple[str, Unit, Argument]]:
    """Yield (app, unit, the id of the person) of the units that give a row to a person."""
    for app, view in ground.universe.apps.items():
        for unit in view.units.units.values():
            people = [each for each in open_ids(unit) if _are_people(app, each)]
            if unit.writes and len(people) == 1 and len(open_ids(unit)) > 1 and not unit.of_role("payload"):
                yield app, unit, people[0]


def _takers(ground: Ground, app: str, people: Argument, rows: Sequence[Seen], unit: Unit) -> list[tuple[str, str]]:
    """Return the keys of the people who talk of the stories of some rows and do not have them yet, in a drawn order."""
    view, keys = ground.view(app), [main_key(unit, each)[1] for each in rows]
    stories = {each for key in keys for each in ground.stories_at(app, key)[:2]}
    having = {value for key in keys for value in ground.beside_key(app, key)}
    found: Counter[tuple[str, str]] = Counter()
    for told in (told for story in sorted(stories) for told in ground.told.by_story[story] if told.app == app):
        seen = ground.showing(told)
        for kind in people.kinds if seen else ():
            value, path = seen.typed.get(kind, ("", ""))  # type: ignore[union-attr] # seen is one here
            if value and not path.startswith("<") and str(value) != ground.account(app):
                found[kind, str(value)] += 1
    circle = {each for key in keys for each in ground.colleagues(app, key)}
    if not found:
        found.update((kind, each) for each in sorted(circle) for kind in people.kinds)
    known = [each for each, _ in found.most_common() if each[1] in circle - having and view.by_key.get(each)]
    return ground.shuffled(known[:6], f"takers {keys}")


def _are_people(app: str, argument: Argument) -> bool:
    return any(is_account(app, kind) for kind in argument.kinds)


def _takes_person(app: str, unit: Unit) -> bool:
    return any(_are_people(app, each) for each in open_ids(unit))


def copy(ground: Ground) -> Iterator[Chain]:
    """Write a fact into a new row with a title: a task, a page, a note."""
    for app, view in ground.universe.apps.items():
        for unit in view.units.units.values():
            title, body = payload_of(app, unit, "title"), payload_of(app, unit, "body")
            # A moment in the example would have to be told, and found.
            if not unit.writes or title is None or len(open_ids(unit)) > 1 or unit.of_role("instant"):
                continue
            if notifying(app, unit):  # a mail goes to whom the example sends it
                continue
            for fact in (each for each in ground.facts if story_of(each) in ground.own_stories):
                builder = Builder(ground, "copy")
                try:
                    ids: Mapping[str, Any] = {}
                    if open_ids(unit):
                        some = own_objects(ground, app, unit)
                        ids = builder.bind(app, unit, some[0], "PLACE").expressions if some else {}
                    builder.read(fact)
                    _copied(builder, app, unit, ids, fact, title.path, body.path if body else None)
                except UnreachableError:
                    continue
                builder.support = len(ground.told.places(fact.key))
                where = " in {PLACE}" if ids else ""
                yield builder.chain(
                    f"{deed_of(app, unit.tool)}{where}: {{FACT}}.",
                    f"{deed_of(app, unit.tool)}{'（{PLACE}）' if ids else ''}：{{FACT}}。",
                )


def _copied(
    builder: Builder, app: str, unit: Unit, ids: Mapping[str, Any], fact: Fact, title: str, body: str | None
) -> None:
    """Add the act that makes a row with a fact: in its title, and in its text if it has one."""
    condition = {"claims": [{"fact": fact.key}]}

    def call(version: str) -> dict[str, Any]:
        texts = {each.path: builder.sentence(fact, version) for each in unit.of_role("payload")}
        if body is not None:
            texts[title] = builder.sentence(fact, version).partition(": ")[0].partition("：")[0]
        try:
            return filled_act(app, unit, "make", ids, texts)
        except ValueError:
            raise UnreachableError from None

    where = unit.arguments[body or title]
    builder.acts.append(Act(call(""), {column_of(unit, where): condition}))
    for version in fact.versions[:2]:
        builder.near_misses.append(
            {
                "why": f"the value '{version.key}', which does not hold",
                "change": {"make": call(version.key)["arguments"]},
            }
        )
