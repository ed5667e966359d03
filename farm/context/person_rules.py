"""Rules of people who answer: how somebody writes one, and which changes of rows it is about.

A rule as written is checked against the apps, the world and its people. What comes of it is complete and plain JSON: it
is stored in settings and call logs.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

from farm import content
from farm._util.names import list_names
from farm.appkit.acts import Acts, Place
from farm.content import LoadedApp
from farm.context.claim_reading import CLAIMS, find_problem_in
from farm.context.fault_rules import seconds_of
from farm.context.operators import normalize
from farm.context.settled import SETTLED
from farm.errors import FarmError, NotFoundError

KEYS = ("id", "who", "when", "then", "times", "per", "nth", "after_rule", "unless", "by")
WHEN_KEYS = ("app", "table", "change", "where")
STEP_KEYS = ("do", "app", "after")  # the others are the verb's arguments
CHANGES = {"create": "insert", "update": "update", "delete": "delete"}
AGENT, ANYONE = "agent", "anyone"
AFTER = "3m"  # where a step says nothing
AFTER_S_MAX = 366 * 86_400
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_DURATION = r"([0-9]{1,6})(ms|s|m|h|d)"
_AFTER = re.compile(rf"{_DURATION}(?:-{_DURATION})?")
_PLACEHOLDER = re.compile(r"\{row\.(\w+)\}|\{@([\w.-]+)\}")
_ACCOUNT = re.compile(r"@([\w.-]+)")
_COMPARED_WHOLE = {"equals", "exactly", "not", "has", "in", "one_of"}
_TO_BE_MADE = "of one that is made later, write {{ equals = '{}' }}"
_TEXTS_MAX = 20
_WRITTEN = ("body", "title")  # roles of columns


def acts_of(app: str) -> Acts | None:
    """Return what people do in an app; None if it says nothing of people."""
    found: Acts | None = content.kernel_declaration(app, "acts", "ACTS")
    return found


def written_columns(app: LoadedApp, table: str) -> frozenset[str]:
    """Return what of a table's rows is what somebody wrote: bodies and titles, and the same in plain words."""
    acts = acts_of(app.app.name)
    around = acts.around.get(table) if acts else None
    stored = {name for name, role in app.schema.roles.get(table, {}).items() if role in _WRITTEN}
    return frozenset(stored.union(around.texts if around else ()))


def completed(raw: Mapping[str, Any], number: int) -> dict[str, Any]:
    """Return a rule with its defaults; it is not checked.

    Args:
        raw: the rule as somebody wrote it.
        number: which rule of the person it is, for its id.
    """
    app = raw["when"]["app"]
    return {
        "id": raw.get("id") or f"{raw['who']}-{number}",
        "who": raw["who"],
        "when": {"change": "create", "where": {}, **raw["when"]},
        "then": [{"app": app, "after": AFTER, **step} for step in raw["then"]],
        "times": 1,
        "nth": 0,
        "after_rule": "",
        "unless": "",
        "per": "",
        "by": AGENT,
        **{name: raw[name] for name in ("times", "nth", "after_rule", "unless", "per", "by") if name in raw},
    }


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that a person does.

    Attributes:
        app: where.
        do: the verb.
        after: the delay, such as ``5m`` or ``2m-9m``.
        arguments: what the verb is given; texts may have placeholders, and a list of texts is a choice.
    """

    app: str
    do: str
    after: str
    arguments: Mapping[str, Any]

    def delay_ms(self, drawn: int) -> int:
        """Return the delay in milliseconds; of a range, one to the second by a 64-bit number."""
        first, _, last = self.after.partition("-")
        least = int(seconds_of(first) * 1000)
        if not last:
            return least
        return least + drawn % (int(seconds_of(last)) - least // 1000 + 1) * 1000


@dataclass(frozen=True, slots=True)
class PersonRule:
    """What one person does after one kind of change.

    Attributes:
        id: its name in logs and traces.
        who: the person's key.
        table, change: the rows that it is about: ``insert``, ``update`` or ``delete``.
        where: column, or what surrounds the row → a value or a table of operators.
        then: what the person does.
        times: how often in all, or for each value of ``per``; 0 for each time.
        per: a column whose values are counted apart; empty for none.
        nth: only the nth match; 0 for all.
        after_rule: only after this rule has come to its end.
        unless: not after this rule has come to its end.
        by: whose changes: the agent's, or anyone's.
    """

    id: str
    who: str
    table: str
    change: str
    where: Mapping[str, Any]
    then: tuple[Step, ...]
    times: int = 1
    per: str = ""
    nth: int = 0
    after_rule: str = ""
    unless: str = ""
    by: str = AGENT

    @classmethod
    def of(cls, raw: Mapping[str, Any]) -> PersonRule:
        """Return the rule that ``require_person_rule`` has checked."""
        when, steps = raw["when"], []
        for each in raw["then"]:
            given = {name: value for name, value in each.items() if name not in STEP_KEYS}
            steps.append(Step(each["app"], each["do"], each["after"], given))
        rest = {name: raw[name] for name in ("times", "per", "nth", "after_rule", "unless", "by") if name in raw}
        found = raw["id"], raw["who"], when["table"], CHANGES[when["change"]], when["where"], tuple(steps)
        return cls(*found, **rest)


def drawn(*parts: object) -> int:
    """Return a 64-bit number that depends on these parts alone."""
    return int.from_bytes(blake2b(":".join(map(str, parts)).encode(), digest_size=8).digest(), "big")


def fill(value: Any, row: Mapping[str, Any], account_of: Callable[[str], str | None]) -> Any:
    """Return an argument with its placeholders filled: ``{row.column}``, ``{@person}``, or ``@person`` alone."""
    if isinstance(value, str):
        if value.startswith("@") and (found := account_of(value[1:])) is not None:
            return found
        return _PLACEHOLDER.sub(lambda m: str(row.get(m[1], "")) if m[1] else account_of(m[2]) or m[2], value)
    if isinstance(value, Mapping):
        return {key: fill(each, row, account_of) for key, each in value.items()}
    return [fill(each, row, account_of) for each in value] if isinstance(value, list) else value


class RuleChecker:
    """Checks rules as somebody writes them, in the order in which they stand.

    Attributes:
        found: the rules so far, complete.
    """

    def __init__(
        self,
        apps: Sequence[str],
        load: Callable[[str], LoadedApp],
        find_people: Callable[[str], Iterable[str]],
        taken: Iterable[Mapping[str, Any]] = (),
        world: str | None = None,
        find_places: Callable[[str, Place], Iterable[str]] = lambda app, place: (),
        with_facts: Callable[[Any], Any] = lambda raw: raw,
    ) -> None:
        """Check for an episode.

        Args:
            apps: its apps.
            load: loads one of them.
            find_people: returns the people who have an account in an app.
            taken: rules that there are already.
            world: the world, which claims in rules need.
            find_places: returns the names of places in an app; none if they are not known.
            with_facts: returns a rule with its references to facts filled in.
        """
        self._apps, self._load, self._find_people, self._world = apps, load, find_people, world
        self._find_places, self._with_facts = find_places, with_facts
        self.found: list[dict[str, Any]] = [dict(each) for each in taken]

    def add(self, raw: Any) -> dict[str, Any]:
        """Check a rule, and return it complete.

        Raises:
            FarmError: a key, person, app, table, column or verb is unknown; the message names what there is.
        """
        if not isinstance(raw, Mapping):
            raise FarmError(f"a rule of a person is an object with {', '.join(KEYS)}, not {raw!r}")
        self._require_keys(raw, KEYS, "a rule of a person")
        raw = self._with_facts(raw)
        who = raw.get("who")
        rule_id = raw.get("id") or f"{who}-{sum(each['who'] == who for each in self.found) + 1}"
        if not isinstance(rule_id, str) or not _ID.fullmatch(rule_id) or rule_id in self._ids():
            raise FarmError(f"'id' of a rule must be a new name, not {rule_id!r}")
        when = self._when(raw.get("when"), rule_id)
        if not isinstance(who, str):
            raise FarmError(f"rule '{rule_id}': 'who' must be a person's key, not {who!r}")
        self._require_person(who, when["app"], rule_id)
        steps = raw.get("then")
        if not isinstance(steps, list | tuple) or not steps:
            raise FarmError(f"rule '{rule_id}': 'then' must be a list of what {who} does, not {steps!r}")
        then = [self._step(each, who, when, rule_id) for each in steps]
        made = {"id": rule_id, "who": who, "when": when, "then": then} | self._state(raw, when, rule_id)
        self.found.append(made)
        return made

    def _ids(self) -> list[str]:
        return [each["id"] for each in self.found]

    @staticmethod
    def _require_keys(given: Mapping[str, Any], keys: Sequence[str], what: str) -> None:
        for key in given:
            if key not in keys:
                raise FarmError(f"unknown key '{key}' of {what}; it takes {', '.join(keys)}")

    def _require_app(self, app: Any, rule_id: str) -> str:
        if not isinstance(app, str) or app not in self._apps:
            raise NotFoundError(f"rule '{rule_id}': no app {app!r} here; have {', '.join(self._apps)}")
        return app

    def _require_person(self, who: Any, app: str, rule_id: str) -> None:
        people = sorted(self._find_people(app))
        if people and who not in people:
            raise NotFoundError(f"rule '{rule_id}': no person {who!r} in {app}; have {list_names(people, str(who))}")

    def _when(self, raw: Any, rule_id: str) -> dict[str, Any]:
        if not isinstance(raw, Mapping):
            raise FarmError(f"rule '{rule_id}': 'when' must be an object with {', '.join(WHEN_KEYS)}, not {raw!r}")
        self._require_keys(raw, WHEN_KEYS, f"'when' of rule '{rule_id}'")
        app = self._require_app(raw.get("app"), rule_id)
        shapes = self._load(app).schema.shapes
        table, change, where = raw.get("table"), raw.get("change", "create"), raw.get("where", {})
        if table not in shapes:
            raise NotFoundError(f"rule '{rule_id}': no table {table!r} in {app}; have {list_names(shapes, str(table))}")
        if change not in CHANGES:
            raise FarmError(f"rule '{rule_id}': 'change' must be one of {', '.join(CHANGES)}, not {change!r}")
        if not isinstance(where, Mapping):
            raise FarmError(f"rule '{rule_id}': 'where' must be an object of columns, not {where!r}")
        names = self._columns(app, table)
        for name, wanted in where.items():
            if name.partition(".")[0] not in names:
                raise NotFoundError(
                    f"rule '{rule_id}': no column '{name}' in {app}.{table}; have {list_names(names, name)}"
                )
            if problem := find_problem_in(wanted, self._world):
                raise FarmError(f"rule '{rule_id}', '{name}': {problem}")
            self._require_meetable(app, table, name, wanted, rule_id)
        return {"app": app, "table": table, "change": change, "where": dict(where)}

    def _require_meetable(self, app: str, table: str, name: str, wanted: Any, rule_id: str) -> None:
        """Refuse what no row can have: claims in no text, somebody without an account, a place that is not there."""
        written = written_columns(self._load(app), table)
        is_written = name.partition(".")[0] in written
        for read in (CLAIMS, SETTLED):
            if isinstance(wanted, Mapping) and read in wanted and not is_written:
                told = f"rule '{rule_id}', '{name}': '{read}' is about what somebody writes"
                raise FarmError(f"{told}; in {app}.{table} that is {', '.join(sorted(written)) or 'nothing'}")
        if not is_written:
            for account in _accounts_in(wanted):
                self._require_person(account, app, rule_id)
        if isinstance(wanted, str):
            self._require_place(app, name, wanted, rule_id, f"; {_TO_BE_MADE.format(wanted)}")

    def _require_place(self, app: str, name: str, wanted: str, rule_id: str, way_out: str = "") -> None:
        acts = acts_of(app)
        place = acts.places.get(name) if acts else None
        if place is None or not wanted or wanted.startswith("@") or "{" in wanted:
            return
        have = sorted(f"{place.prefix}{each}" for each in self._find_places(app, place))
        if have and normalize(wanted) not in map(normalize, have):
            told = f"rule '{rule_id}': no {name} {wanted!r} in {app}; have {list_names(have, wanted)}"
            raise NotFoundError(f"{told}{way_out}")

    def _columns(self, app: str, table: str) -> list[str]:
        """Return what a rule may ask of a table's rows."""
        acts = acts_of(app)
        around = acts.around.get(table) if acts else None
        return [*self._load(app).schema.shapes[table].columns, *(around.names if around else ())]

    def _step(self, raw: Any, who: str, when: Mapping[str, Any], rule_id: str) -> dict[str, Any]:
        app = when["app"]
        if not isinstance(raw, Mapping):
            raise FarmError(f"rule '{rule_id}': what a person does is an object with 'do', not {raw!r}")
        target = self._require_app(raw.get("app", app), rule_id)
        self._require_person(who, target, rule_id)
        acts = acts_of(target)
        if acts is None:
            raise FarmError(f"rule '{rule_id}': people do nothing in {target}, as it has no acts.py")
        do = raw.get("do")
        if not isinstance(do, str) or do not in acts.verbs:
            raise NotFoundError(f"rule '{rule_id}': nobody can {do!r} in {target}; have {', '.join(acts.verbs)}")
        arguments = acts.arguments[do]
        given = {name: value for name, value in raw.items() if name not in STEP_KEYS}
        self._require_keys(given, [*arguments], f"'{do}' in rule '{rule_id}'")
        if missing := [name for name, is_required in arguments.items() if is_required and name not in given]:
            raise FarmError(f"rule '{rule_id}': '{do}' needs '{missing[0]}'")
        after = raw.get("after", AFTER)
        if not isinstance(after, str) or not _is_delay(after):
            raise FarmError(f"rule '{rule_id}': 'after' must be a delay such as 5m or 2m-9m, not {after!r}")
        for name, value in given.items():
            if isinstance(value, list) and not 0 < len(value) <= _TEXTS_MAX:
                raise FarmError(f"rule '{rule_id}': '{name}' must have 1 to {_TEXTS_MAX} choices")
            for each in value if isinstance(value, list) else [value]:
                if isinstance(each, str):
                    self._require_fillable(each, name, target, when, rule_id)
        return {"do": do, "app": target, "after": after, **given}

    def _require_fillable(self, value: str, name: str, target: str, when: Mapping[str, Any], rule_id: str) -> None:
        """Refuse an argument that names a column, an account or a place that there is not."""
        columns = self._columns(when["app"], when["table"])
        for found in _PLACEHOLDER.finditer(value):
            if found[2]:
                self._require_person(found[2], target, rule_id)
            elif found[1] not in columns:
                told = f"rule '{rule_id}': '{found[0]}': no column '{found[1]}' in {when['app']}.{when['table']}"
                raise NotFoundError(f"{told}; have {list_names(columns, found[1])}")
        if name != "text" and (person := _ACCOUNT.fullmatch(value)):
            self._require_person(person[1], target, rule_id)
        acts = acts_of(target)
        place = acts.places.get(name) if acts else None
        if place is not None and not value.startswith("@") and not _is_account(value):
            self._require_place(target, name, place.prefix + value.removeprefix(place.prefix), rule_id)

    def _state(self, raw: Mapping[str, Any], when: Mapping[str, Any], rule_id: str) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for name in ("times", "nth"):
            value = raw.get(name, 0 if name == "nth" else 1)
            if isinstance(value, bool) or not isinstance(value, int) or value < 0:
                raise FarmError(f"rule '{rule_id}': '{name}' must be a number from 0 on, not {value!r}")
            found[name] = value
        per = raw.get("per", "")
        if per and per not in self._columns(when["app"], when["table"]):
            have = list_names(self._columns(when["app"], when["table"]), str(per))
            raise NotFoundError(f"rule '{rule_id}': 'per' names no column: {per!r}; have {have}")
        by = raw.get("by", AGENT)
        if by not in (AGENT, ANYONE):
            raise FarmError(f"rule '{rule_id}': 'by' must be {AGENT} or {ANYONE}, not {by!r}")
        near = [each["id"] for each in self.found if each["when"]["app"] == when["app"]]
        for name in ("after_rule", "unless"):
            other = raw.get(name, "")
            if other and other not in near:
                raise NotFoundError(
                    f"rule '{rule_id}': '{name}' names no earlier rule about {when['app']}: {other!r}; "
                    f"have {list_names(near, str(other))}"
                )
            found[name] = other
        return {**found, "per": per, "by": by}


def _accounts_in(wanted: Any) -> Iterator[str]:
    """Yield the people whose accounts a value is compared with as a whole."""
    if isinstance(wanted, Mapping):
        for name in _COMPARED_WHOLE & wanted.keys():
            yield from _accounts_in(wanted[name])
    elif isinstance(wanted, list):
        for each in wanted:
            yield from _accounts_in(each)
    elif isinstance(wanted, str) and (found := _ACCOUNT.fullmatch(wanted)):
        yield found[1]


def _is_account(value: str) -> bool:
    """Return whether an argument is somebody's account, with whom one may have a chat, such as ``U0123`` or ``77``."""
    return value.isdigit() or re.fullmatch(r"[UW][A-Z0-9]{5,}", value) is not None


def _is_delay(given: str) -> bool:
    if not _AFTER.fullmatch(given):
        return False
    seconds = [seconds_of(each) for each in given.split("-")]
    return seconds[-1] <= AFTER_S_MAX and seconds == sorted(seconds)
