"""What all samplers draw from: a universe, the ways in it, the facts that it tells, and where stories are at home.

A *story* is the first part of the keys of its facts. It is at home in a place where several texts tell facts of it, and
where they are a good part of all facts that are told there.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import cached_property
from random import Random
from typing import TypeVar

from farm import content
from farm.appkit.schema import TimeForm
from farm.appkit.world_spec.facts import Fact, Ledger
from farm.benchmark.agents.scripted import rendered
from farm.benchmark.audit.truth.fact_trace import FactTrace
from farm.benchmark.generate.acts import notifying, open_ids, payload_of
from farm.benchmark.generate.derive import moment_of
from farm.benchmark.generate.explore import Seen
from farm.benchmark.generate.kinds import is_account, kind_of_column
from farm.benchmark.generate.told import Told, ToldFacts
from farm.benchmark.generate.units import Argument, Unit
from farm.benchmark.generate.universe import AppView, Universe
from farm.benchmark.generate.ways import Reached, Script, Ways
from farm.benchmark.scoring.initial_state import load_start
from farm.benchmark.tasks.facts import ledger_of
from farm.context.template import load_world

T = TypeVar("T")
_TARGETS_MAX = 6
# A story is at home where so many texts tell of it, and so large a share of all texts there that tell facts does.
_TEXTS_MIN, _SHARE_MIN = 3, 0.3
# So many texts are enough in a place that has much talk of anything.
_TEXTS_ENOUGH = 12
# In a place that has less than this share of the texts of where it is talked of most, a story only passes by.
_RANK_MIN = 0.2
_COLLEAGUES_MAX = 10
_SOURCES_MAX = 5
# Until then, people come back to a message.
_LATELY = timedelta(days=21)
_KEY = re.compile(r"[a-z]\w*(?:\.\w+)+")


def story_of(fact: Fact) -> str:
    """Return the story of a fact: the first part of its key."""
    return fact.key.partition(".")[0]


def is_message(app: str, kind: str) -> bool:
    """Return whether a row of a kind has no title, and others are notified of it: a message, a comment."""
    schema, table = content.load_app(app).schema, kind.partition(".")[0]
    return table in schema.notifies and "title" not in schema.roles[table].values()


@dataclass(frozen=True)
class Target:
    """Where something can be told: a row that a writing unit takes as its only open id.

    Attributes:
        support: how many texts there tell facts of the same story.
        is_stale: whether a former or wrong value of the fact is told there, and the right one is not.
    """

    app: str
    unit: Unit
    argument: Argument
    kind: str
    value: str
    support: int
    is_stale: bool = False


class Ground:
    """A person's universe, ready to be sampled.

    Attributes:
        ledger: the facts of the world.
        seed: the seed of all draws.
        random: draws; the same seed gives the same chains.
    """

    def __init__(self, universe: Universe, trace: FactTrace, seed: int = 0) -> None:
        self.universe = universe
        self.ledger: Ledger = ledger_of(universe.world)
        self.told = ToldFacts(universe, trace)
        self.ways = Ways(universe)
        self.seed, self.random = seed, Random(seed)
        self._targets: dict[tuple[str, bool], list[Target]] = {}
        self._talk: dict[tuple[str, tuple[str, ...]], Mapping[tuple[str, str], Counter[str]]] = {}
        self._stories: dict[str, Mapping[str, Mapping[str, set[str]]]] = {}
        self._own: dict[tuple[str, str], Sequence[frozenset[str]]] = {}
        self._planned: dict[tuple[str, str], Mapping[str, TimeForm]] = {}
        self._owners: dict[tuple[str, str], Mapping[str, list[tuple[str, str]]]] = {}
        self._rows: dict[str, Mapping[str, list[tuple[str, ...]]]] = {}
        self._beside: dict[str, frozenset[str]] = {}
        self._mine: dict[str, frozenset[str] | None] = {}

    @cached_property
    def facts(self) -> list[Fact]:
        """The facts with a name that the person can read somewhere, in a drawn order."""
        named = (fact for fact in self.ledger.values() if fact.names and self.told.places(fact.key))
        return self.shuffled(named, "facts")

    def is_mine(self, app: str, value: object) -> bool:
        """Return whether a row of the start holds a key and the person's account: they wrote it, own it, are in it.

        In an app without accounts, all that the person finds is their own.
        """
        if app not in self._mine:
            self._mine[app] = self._own_values(app)
        mine = self._mine[app]
        return mine is None or str(value) in mine

    def owns(self, app: str, kind: str, value: object) -> bool:
        """Return whether a row is the person's own: it names their account, or they are in it if rows name nobody."""
        account, (table, _, column) = self.account(app), kind.partition(".")
        schema = content.load_app(app).schema
        if account is None or schema.account is None or table not in schema.metadata.tables:
            return account is None
        holders = [
            str(each.name)
            for each in schema.metadata.tables[table].columns
            if any(key.column.table.name == schema.account[0] for key in each.foreign_keys)
        ]
        if not holders:
            return self.is_mine(app, value)
        rows = load_start(self.universe.world).rows(app, table)
        return any(str(row[column]) == str(value) and account in [str(row[each]) for each in holders] for row in rows)

    def is_over(self, app: str, kind: str, value: object) -> bool:
        """Return whether the last of the times for which a row is planned, such as an event's end, has passed."""
        table, _, column = kind.partition(".")
        rows, now = load_start(self.universe.world).rows(app, table), load_world(self.universe.world).starts_at
        if (app, table) not in self._planned:
            forms = content.load_app(app).schema.times.get(table, {}).items()
            # A column that holds a time to come holds what is planned, and not what has been.
            held = {name: [self._moment(row[name], form) for row in rows if row[name]] for name, form in forms}
            full = {name: form for name, form in forms if len(held[name]) == len(rows)}
            self._planned[app, table] = {
                name: form for name, form in full.items() if any(at > now for at in held[name])
            }
        row = next((each for each in rows if str(each[column]) == str(value)), None)
        times = [self._moment(row[name], form) for name, form in self._planned[app, table].items()] if row else []
        return bool(times) and max(times) < now

    def is_old(self, app: str, kind: str, value: object) -> bool:
        """Return whether a row is a message of weeks ago, to which nobody comes back."""
        if not is_message(app, kind):
            return False
        table, _, column = kind.partition(".")
        rows, now = load_start(self.universe.world).rows(app, table), load_world(self.universe.world).starts_at
        forms = content.load_app(app).schema.times.get(table, {}).items()
        row = next((each for each in rows if str(each[column]) == str(value)), None)
        times = [self._moment(row[name], form) for name, form in forms if row[name]] if row else []
        return bool(times) and max(times) < now - _LATELY

    def _moment(self, value: object, form: TimeForm) -> datetime:
        return moment_of(value, form, load_world(self.universe.world))

    def is_name_of_person(self, app: str, label: str) -> bool:
        """Return whether people call an account so."""
        schema = content.load_app(app).schema
        rows = load_start(self.universe.world).rows(app, schema.account[0]) if schema.account else []
        return any(label in map(str, row.values()) for row in rows)

    def _own_values(self, app: str) -> frozenset[str] | None:
        start, schema = load_start(self.universe.world), content.load_app(app).schema
        account = start.accounts(app).get(self.universe.me) if schema.account else None
        if account is None:
            return None
        found: set[str] = set()
        for table in schema.tables:
            for row in start.rows(app, table.name):
                values = {str(value) for value in row.values() if value not in (None, "")}
                if account in values or any(account in each for each in values if len(each) > len(account)):
                    found |= values
        return frozenset(found)

    def beside_key(self, app: str, value: str) -> frozenset[str]:
        """Return the values that rows of the start hold beside a key, in any table."""
        return frozenset(each for row in self._rows_with(app).get(value, ()) for each in row)

    def owners_of(self, app: str, kind: str, value: str) -> list[tuple[str, str]]:
        """Return (kind, value) of the rows that a row belongs to, by a foreign key of its own or of a row between."""
        schema, start = content.load_app(app).schema, load_start(self.universe.world)
        table, _, column = kind.partition(".")
        if (app, kind) not in self._owners:
            found: dict[str, list[tuple[str, str]]] = defaultdict(list)
            for each in schema.tables:
                keys = {str(c.name): kind_of_column(c) for c in each.columns if c.foreign_keys}
                own = [column] if each.name == table else [name for name, of in keys.items() if of == kind]
                # What somebody wrote under a row belongs to nobody else: between two rows stands one without words.
                is_between = each.name != table
                if is_between and {"title", "body"} & {c.info["role"] for c in each.columns}:
                    continue
                others = {
                    name: of
                    for name, of in keys.items()
                    if of is not None and of != kind and not (is_between and is_account(app, of))
                }
                for row in start.rows(app, each.name) if own and others else ():
                    for name in own:
                        found[str(row[name])] += [(of, str(row[c])) for c, of in others.items() if row[c]]
            self._owners[app, kind] = found
        return list(dict.fromkeys(self._owners[app, kind].get(value, ())))

    def colleagues(self, app: str, value: str) -> list[str]:
        """Return the accounts that stand in rows beside the people of a row, the most frequent first.

        A row of the person alone, such as a private appointment, has nobody.
        """
        me, accounts = self.account(app), set(load_start(self.universe.world).accounts(app).values())
        people = (self.beside_key(app, value) & accounts) - {str(me)}
        rows = (row for each in people for row in self._rows_with(app).get(each, ()))
        found = Counter(each for row in rows for each in row if each in accounts and each != me)
        return [each for each, _ in found.most_common(_COLLEAGUES_MAX) if each not in people]

    def _rows_with(self, app: str) -> Mapping[str, list[tuple[str, ...]]]:
        if app not in self._rows:
            found: dict[str, list[tuple[str, ...]]] = defaultdict(list)
            for table in content.load_app(app).schema.tables:
                for row in load_start(self.universe.world).rows(app, table.name):
                    values = tuple(str(each) for each in row.values() if each not in (None, ""))
                    for each in values:
                        found[each].append(values)
            self._rows[app] = found
        return self._rows[app]

    def account(self, app: str) -> str | None:
        """Return the key of the person's account in an app; None if it has no accounts."""
        return load_start(self.universe.world).accounts(app).get(self.universe.me)

    def view(self, app: str) -> AppView:
        """Return what the person can find in an app."""
        return self.universe.apps[app]

    def telling_units(self) -> Iterator[tuple[str, Unit, Argument]]:
        """Yield (app, unit, its id) of the units that tell somebody something."""
        for app, view in self.universe.apps.items():
            for unit in view.units.units.values():
                ids = open_ids(unit)
                if notifying(app, unit) and len(ids) == 1 and payload_of(app, unit, "body"):
                    yield app, unit, ids[0]

    def targets(self, fact: Fact) -> list[Target]:
        """Return where a fact could be told, those first where a former or wrong value of it is told.

        The person has written there, the fact's story is at home there, something is told there that was told together
        with the fact elsewhere, and the fact itself is not told there yet.
        """
        return sorted(self._places_of(fact, known=False), key=lambda each: not each.is_stale)

    def informed(self, fact: Fact) -> list[Target]:
        """Return the places of a fact's story that tell the fact, and no other value of it."""
        return [each for each in self._places_of(fact, known=True) if not each.is_stale]

    def _places_of(self, fact: Fact, *, known: bool) -> list[Target]:
        """Return where a fact's story is at home and the person has written, if the fact is told there, or is not."""
        if (fact.key, known) not in self._targets:
            found = []
            for app, unit, argument in self.telling_units():
                if all(is_message(app, kind) for kind in argument.kinds):
                    continue  # an answer to somebody is no place
                telling = self._told_in(fact.key, app, argument)
                stale = {each for v in fact.versions for each in self._told_in(f"{fact.key}#{v.key}", app, argument)}
                near = Counter(each for key in self.beside(fact.key) for each in self._told_in(key, app, argument))
                homes = {each: n for each, n in self.homes(story_of(fact), app, argument).items() if near[each]}
                here = {**dict.fromkeys(stale, 2), **homes}
                ranked = sorted(here, key=lambda each: (each not in stale, -here[each], each))
                asked = (each for each in ranked if (each in telling) == known)
                wanted = [each for each in asked if self.writes_in(app, unit.writes[0], each[1])][:_TARGETS_MAX]
                found += [
                    Target(app, unit, argument, kind, value, here[kind, value], (kind, value) in stale)
                    for kind, value in wanted
                ]
            self._targets[fact.key, known] = found
        return self._targets[fact.key, known]

    def places_of(self, story: str) -> Iterator[Target]:
        """Yield the places where a story is at home and the person has written, that with most talk of an app first."""
        for app, unit, argument in self.telling_units():
            homes = {} if all(is_message(app, kind) for kind in argument.kinds) else self.homes(story, app, argument)
            for (kind, value), support in sorted(homes.items(), key=lambda each: (-each[1], each[0])):
                if self.writes_in(app, unit.writes[0], value):
                    yield Target(app, unit, argument, kind, value, support)

    def writes_in(self, app: str, table: str, value: str) -> bool:
        """Return whether the person has written a row of a table in a place; in an app without accounts, anywhere."""
        return self.account(app) is None or any(value in row for row in self._own_rows(app, table))

    def reports_in(self, target: Target) -> bool:
        """Return whether the person has told any fact in a place, as nobody does where others announce things."""
        texts = {told.text for tellings in self.told.by_story.values() for told in tellings if told.app == target.app}
        rows = (row for row in self._own_rows(target.app, target.unit.writes[0]) if target.value in row)
        return self.account(target.app) is None or any(text in each for row in rows for each in row for text in texts)

    def _own_rows(self, app: str, table: str) -> Sequence[frozenset[str]]:
        """Return the values of each row of a table that names the person's account."""
        if (app, table) not in self._own:
            rows = (frozenset(map(str, row.values())) for row in load_start(self.universe.world).rows(app, table))
            self._own[app, table] = [row for row in rows if str(self.account(app)) in row]
        return self._own[app, table]

    def knows(self, target: Target, key: str) -> bool:
        """Return whether a place tells a fact, ``KEY`` or ``KEY#VERSION``."""
        return (target.kind, target.value) in self._told_in(key, target.app, target.argument)

    def telling(self, target: Target, key: str) -> Told | None:
        """Return the first telling of a fact, ``KEY`` or ``KEY#VERSION``, in a place."""
        here = (told for told in self.told.places(key) if told.app == target.app)
        return next((each for each in here if self._is_in(each, target)), None)

    def _is_in(self, told: Told, target: Target) -> bool:
        return told.app == target.app and (target.kind, target.value) in self._around(told, target.argument.kinds)

    def _told_in(self, key: str, app: str, argument: Argument) -> set[tuple[str, str]]:
        told_here = (told for told in self.told.places(key) if told.app == app)
        return {each for told in told_here for each in self._around(told, argument.kinds)}

    def homes(self, story: str, app: str, argument: Argument) -> Mapping[tuple[str, str], int]:
        """Return where a story is at home, among the keys that an argument takes → how many texts tell of it there."""
        talk = self._talk_of(app, argument)
        most = max((stories[story] for stories in talk.values()), default=0)
        return {
            place: stories[story]
            for place, stories in talk.items()
            if stories[story] >= max(_TEXTS_MIN, _RANK_MIN * most)
            and (stories[story] >= _TEXTS_ENOUGH or stories[story] >= _SHARE_MIN * stories.total())
        }

    def _talk_of(self, app: str, argument: Argument) -> Mapping[tuple[str, str], Counter[str]]:
        """Return key → story → how many texts there tell facts of it, for the keys that an argument takes."""
        name = (app, argument.kinds)
        if name not in self._talk:
            texts: dict[tuple[str, str], dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
            for story, tellings in self.told.by_story.items():
                for told in tellings:
                    if told.app == app:
                        for place in self._around(told, argument.kinds):
                            texts[place][story].add(told.text)
            self._talk[name] = {
                place: Counter({story: len(each) for story, each in stories.items()})
                for place, stories in texts.items()
            }
        return self._talk[name]

    def _around(self, told: Told, kinds: Sequence[str]) -> Iterator[tuple[str, str]]:
        """Yield the keys of some kinds that the call of a telling was made with: the channel that it stands in."""
        view = self.view(told.app)
        seen = next(iter(view.by_call.get(told.call, ())), None)
        for kind in kinds if seen else ():
            value, path = seen.typed.get(kind, ("", ""))  # type: ignore[union-attr] # seen is one here
            if path.startswith("<"):
                yield kind, str(value)

    def interest(self, fact: Fact) -> int:
        """Return how much people care for a fact: whether it had another value, and is told in several texts."""
        return int(bool(fact.former)) + int(len(self.texts_of(fact.key)) >= _TEXTS_MIN)

    def stories_at(self, app: str, value: str) -> list[str]:
        """Return the stories of the facts that are told in answers beside a key, those with most texts first."""
        if app not in self._stories:
            found: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
            for story, tellings in self.told.by_story.items():
                for told in tellings:
                    seen = self.showing(told) if told.app == app else None
                    for key, path in seen.typed.values() if seen else ():
                        if not path.startswith("<"):
                            found[str(key)][story].add(told.text)
            self._stories[app] = found
        stories = self._stories[app].get(value, {})
        return sorted(stories, key=lambda each: (-len(stories[each]), each))

    def showing(self, told: Told) -> Seen | None:
        """Return the object of an answer whose text tells a fact."""
        return next(
            (each for each in self.view(told.app).by_call.get(told.call, ()) if told.text in each.values.values()), None
        )

    @cached_property
    def own_stories(self) -> frozenset[str]:
        """The stories that are at home in a place where the person takes part."""
        found = set()
        for app, _, argument in self.telling_units():
            for place, stories in self._talk_of(app, argument).items():
                if self.is_mine(app, place[1]):
                    found |= {each for each in stories if place in self.homes(each, app, argument)}
        return frozenset(found)

    def texts_of(self, key: str) -> set[str]:
        """Return the texts that tell a fact, ``KEY`` or ``KEY#VERSION``."""
        return {told.text for told in self.told.places(key)}

    def beside(self, key: str) -> frozenset[str]:
        """Return the facts of its story that are told in one text with a fact, or calculated from or to it."""
        if key not in self._beside:
            story, texts = key.partition(".")[0], self.texts_of(key)
            others = [each for each in self.ledger if each != key and each.partition(".")[0] == story]
            self._beside[key] = frozenset(
                each
                for each in others
                if texts & self.texts_of(each) or key in self.parts_of(each) or each in self.parts_of(key)
            )
        return self._beside[key]

    def texts_in(self, app: str, value: str, stories: Iterable[str]) -> list[str]:
        """Return the texts in a place that tell facts of some stories, or of any if none of these is told there."""
        here: dict[str, list[str]] = defaultdict(list)
        for of, _, argument in self.telling_units():
            if of == app:
                for story, tellings in self.told.by_story.items():
                    here[story] += [
                        told.text
                        for told in tellings
                        if told.app == app and value in (each for _, each in self._around(told, argument.kinds))
                    ]
        wanted = [each for story in sorted(stories) for each in here.get(story, ())]
        return list(dict.fromkeys(wanted or [each for texts in here.values() for each in texts]))[::-1]

    def parts_of(self, key: str) -> frozenset[str]:
        """Return the facts that a fact is calculated from, and those that these are calculated from."""
        found: set[str] = set()
        waiting = [key]
        while waiting:
            for part in _KEY.findall(self.ledger.formulas.get(waiting.pop(), "")):
                if part not in found and part in self.ledger:
                    found.add(part)
                    waiting.append(part)
        return frozenset(found)

    def source(self, fact: Fact, but: Target | None = None) -> Told | None:
        """Return the place to read a fact: that with the fewest calls before it; several are as good, one is drawn.

        Args:
            but: a place where it is not to be read.
        """
        places = [each for each in self.told.places(fact.key) if but is None or not self._is_in(each, but)]
        ranked = sorted(places, key=lambda each: (self.view(each.app).calls[each.call].depth, len(each.text)))
        return self.random.choice(ranked[:_SOURCES_MAX]) if ranked else None

    def is_past(self, fact: Fact) -> bool:
        """Return whether a fact is a day or moment before the day on which the world starts."""
        world = load_world(self.universe.world)
        return fact.kind in ("day", "moment") and self._day_of(fact) < world.starts_at.astimezone(world.zone).date()

    def distance(self, fact: Fact, version: str) -> float:
        """Return how far a fact has moved from a former value: days, or in its unit; 0 if that is no use to anybody.

        Shares and times of day are not compared: nobody says "two points" or "minus forty minutes".
        """
        if fact.kind in ("day", "moment"):
            return (self._day_of(fact) - self._day_of(fact, version)).days
        if fact.kind not in ("amount", "number"):
            return 0
        now, before = (float(self.ledger.write(fact.key, each, "number")) for each in ("", version))
        return int(now - before) if (now - before).is_integer() else round(now - before, 2)

    def _day_of(self, fact: Fact, version: str = "") -> date:
        written = str(self.ledger.write(fact.key, version, "iso"))
        return date.fromisoformat(rendered(written, self.universe.world)[:10])

    def shuffled(self, items: Iterable[T], name: str) -> list[T]:
        """Return items in a drawn order, the same for the same seed and name."""
        drawn = list(items)
        Random(f"{name} {self.seed}").shuffle(drawn)
        return drawn

    def reach(self, script: Script, app: str, kind: str, value: str) -> Reached | None:
        """Add the best way to a key to a script."""
        return self.ways.reach(script, app, kind, value)
