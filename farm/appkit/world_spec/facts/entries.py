"""The entries of a ledger's files, with the type of each key checked before anything is calculated."""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from farm.appkit.world_spec.facts.measures import is_formula, require_value
from farm.appkit.world_spec.facts.model import KINDS, Fact, FactError, Version

FOLDER = "facts"
_NAMED_MAX = 5
_KEY = re.compile(r"[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)+")
_VERSION_KEY = re.compile(r"[a-z0-9_]+")
_OFFSET = re.compile(r"[+-][0-9]{1,5}(?: (?:[01]?[0-9]|2[0-3]):[0-5][0-9])?")
_DAY = re.compile(r"[+-][0-9]{1,5}")
_COLUMN = re.compile(r"[\w-]+\.\w+\.\w+")
_FACT_KEYS = {name for name in Fact.__dataclass_fields__ if name != "place"}
_VERSION_KEYS = {"former": {"key", "value", "until", "forms"}, "wrong": {"key", "value", "by", "forms"}}
_LISTS = ("names", "tell", "distinct", "order", "scope", "rows", "draw")
_CANDIDATE_KEYS = {"value", "forms", "former", "wrong"}
_BYTE_ORDER_MARK = "\ufeff"


def ledger_files(folders: Iterable[Path]) -> list[Path]:
    """Return the files of a ledger, folder by folder."""
    return [path for folder in folders for path in sorted((folder / FOLDER).glob("*.toml"))]


def read_facts(path: Path) -> Iterator[Fact]:
    """Yield the facts of a file, formulas as they stand.

    Raises:
        FactError: the file or entries are invalid; one line for each, with file, entry and the way out. It is raised
            after the valid entries.
    """
    where = f"{FOLDER}/{path.name}"
    raw = _parsed(path, where)
    if unknown := next((name for name in raw if name not in ("facts", "noise")), None):
        raise FactError(f"{where}: a ledger has [[facts]] and [[noise]] only, not '{unknown}'")
    for name, entries in raw.items():
        if not isinstance(entries, list) or not all(isinstance(each, dict) for each in entries):
            raise FactError(f"{where}: a ledger has [[facts]] and [[noise]] only; write each entry below [[{name}]]")
    wrong: list[str] = []
    for number, entry in enumerate(raw.get("facts", ()), start=1):
        try:
            fact = _fact(entry, f"{where}: fact {number}")
        except FactError as problem:
            wrong.append(str(problem))
        else:
            yield fact
    if wrong:
        raise FactError("\n".join(wrong))


def _parsed(path: Path, where: str) -> Mapping[str, Any]:
    try:
        text = path.read_text("utf-8")
        if text.startswith(_BYTE_ORDER_MARK):
            raise FactError(f"{where}: begins with a byte order mark; save it as UTF-8 without one")
        return tomllib.loads(text)
    except RecursionError:
        raise FactError(f"{where}: brackets are nested too deeply") from None
    except (ValueError, OSError) as problem:
        raise FactError(f"{where}: {problem}") from problem


# -- entries ---------------------------------------------------------------------------------------------------------


def _fact(entry: Mapping[str, Any], where: str) -> Fact:
    key = entry.get("key")
    if not isinstance(key, str) or not _KEY.fullmatch(key):
        raise FactError(f"{where}: 'key' must be words with dots between, such as 'launch.at', not {key!r}")
    where = f"{where.partition(':')[0]}: '{key}'"
    _require_keys(entry, _FACT_KEYS, ("kind", "value"), where)
    if entry["kind"] not in KINDS:
        raise FactError(f"{where}: no kind '{entry['kind']}'; have {', '.join(KINDS)}")
    _require_types(entry, where)
    versions = {name: tuple(_versions(entry.get(name, []), name, where)) for name in ("former", "wrong")}
    names = [each.key for group in versions.values() for each in group]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise FactError(f"{where}: two versions have the key '{twice}'")
    lists = {name: tuple(entry.get(name, ())) for name in _LISTS}
    fact = Fact(**{**entry, **lists, **versions, "place": where})
    if fact.forms and is_formula(fact.value):
        raise FactError(f"{where}: has a formula and 'forms', which would not follow it; remove 'forms'")
    if "draw" in entry:
        _require_candidates(fact)
    return fact


def _require_types(entry: Mapping[str, Any], where: str) -> None:
    for name in _LISTS:
        if not isinstance(entry.get(name, []), list):
            raise FactError(f"{where}: '{name}' must be a list, not {entry[name]!r}")
        for each in entry.get(name, ()):
            if name != "draw" and not _is_text(each):
                raise FactError(f"{where}: '{name}' must be a list of texts; {each!r} is none")
    if not isinstance(entry.get("unit", ""), str):
        raise FactError(f"{where}: 'unit' must be a text such as 'CNY', not {entry['unit']!r}")
    if not isinstance(entry.get("fixed", False), bool):
        raise FactError(f"{where}: 'fixed' must be true or false, not {entry['fixed']!r}")
    if "since" in entry:
        _require_offset(entry["since"], "since", where)
    _require_table(entry, "known", where, "person → from when, such as { ada = '-3 12:00' }", _is_offset)
    _require_forms(entry, where)
    scope = entry.get("scope", ["+0", "+0"])
    if len(scope) != 2 or not all(map(_DAY.fullmatch, scope)):
        raise FactError(f"{where}: 'scope' must be two days such as ['-20', '+17'], not {scope}")
    if odd := next((each for each in entry.get("rows", ()) if not _COLUMN.fullmatch(each)), None):
        raise FactError(f"{where}: 'rows' names columns such as 'APP.TABLE.COLUMN', not '{odd}'")


def _versions(entries: Any, name: str, where: str) -> Iterator[Version]:
    if not isinstance(entries, list) or not all(isinstance(each, dict) for each in entries):
        raise FactError(f"{where}: '{name}' must be a list of tables such as {{ key = \"first\", value = … }}")
    for each in entries:
        _require_keys(each, _VERSION_KEYS[name], ("key", "value"), f"{where}: {name}")
        if not isinstance(each["key"], str) or not _VERSION_KEY.fullmatch(each["key"]):
            raise FactError(f"{where}: {name}: 'key' must be one word of a-z, 0-9 and '_', not {each['key']!r}")
        if "until" in each:
            _require_offset(each["until"], f"{each['key']}: until", where)
        if not _is_text(each.get("by", "-")):
            raise FactError(f"{where}: {name}: 'by' must be the key of a person, not {each['by']!r}")
        _require_forms(each, f"{where}: {name}: '{each['key']}'")
        yield Version(**each)


def _require_candidates(fact: Fact) -> None:
    """Refuse a ``draw`` whose candidates a redraw could not put in the place of the value."""
    if fact.fixed:
        raise FactError(f"{fact.place}: has 'draw' and 'fixed'; remove one of them")
    if is_formula(fact.value):
        raise FactError(f"{fact.place}: has 'draw' and a formula, which follows its parts; remove 'draw'")
    if not fact.draw:
        raise FactError(f"{fact.place}: 'draw' is empty; name candidates, or remove it")
    for number, candidate in enumerate(fact.draw, start=1):
        where = f"{fact.place}: draw: candidate {number}"
        table: Mapping[str, Any] = candidate if isinstance(candidate, Mapping) else {"value": candidate}
        _require_keys(table, _CANDIDATE_KEYS, ("value",), where)
        _require_forms(table, where)
        if lacking := [form for form in fact.forms if form not in table.get("forms", ())]:
            raise FactError(f"{where}: lacks the form '{lacking[0]}' of the fact; write {{ value = …, forms = … }}")
        values = [table["value"]]
        for name, versions in (("former", fact.former), ("wrong", fact.wrong)):
            _require_table(table, name, where, "version → value", lambda value: True)
            have = {each.key for each in versions}
            if odd := next((key for key in table.get(name, ()) if key not in have), None):
                raise FactError(f"{where}: the fact has no {name} value '{odd}'; have {', '.join(have) or 'none'}")
            values += table.get(name, {}).values()
        for value in values:
            try:
                require_value(fact.kind, value)
            except ValueError as problem:
                raise FactError(f"{where}: {problem}") from None


# -- types -----------------------------------------------------------------------------------------------------------


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _is_offset(value: Any) -> bool:
    return isinstance(value, str) and bool(_OFFSET.fullmatch(value))


def _is_form(value: Any) -> bool:
    return _is_text(value) and not any(letter in value for letter in '"\\\n{}')


def _require_offset(value: Any, name: str, where: str) -> None:
    if not _is_offset(value):
        raise FactError(f"{where}: '{name}' must be a time such as '-4 16:00' or '-4', not {value!r}")


def _require_forms(entry: Mapping[str, Any], where: str) -> None:
    _require_table(entry, "forms", where, "name → text without quotes, backslashes and braces", _is_form)


def _require_table(
    entry: Mapping[str, Any], name: str, where: str, meaning: str, is_right: Callable[[Any], bool]
) -> None:
    table = entry.get(name, {})
    if not isinstance(table, dict):
        raise FactError(f"{where}: '{name}' must be a table: {meaning}; not {table!r}")
    if odd := next((key for key, each in table.items() if not is_right(each)), None):
        raise FactError(f"{where}: '{name}' is a table: {meaning}; '{odd}' has {table[odd]!r}")


def _require_keys(entry: Mapping[str, Any], have: set[str], needed: Iterable[str], where: str) -> None:
    wrong: list[str] = []
    meant: list[str] = []  # a key that is misspelt is not missing, too
    for unknown in (name for name in entry if name not in have):
        near = difflib.get_close_matches(unknown, have, n=3, cutoff=0.4)
        meant += near[:1]
        wrong.append(f"{where}: no key '{unknown}'; nearest: {', '.join(near or sorted(have)[:_NAMED_MAX])}")
    wrong += (f"{where}: lacks '{missing}'" for missing in needed if missing not in entry and missing not in meant)
    if wrong:
        raise FactError("\n".join(wrong))
