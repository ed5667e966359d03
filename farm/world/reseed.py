"""Make a private edition of a world: its facts drawn anew, its rows generated, and its suites of tasks beside it."""

from __future__ import annotations

import json
import re
import shutil
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from farm import content
from farm.appkit.world_spec.facts import Fact, FactError, Ledger
from farm.appkit.world_spec.facts.entries import FOLDER, ledger_files, read_facts
from farm.benchmark.tasks.facts import with_claims
from farm.errors import FarmError
from farm.world.authentic import FOLDER as AUTHENTIC
from farm.world.generate import write_rows
from farm.world.redraw import redraw
from farm.world.spec import Spec
from farm.world.world_name import require_new

_ID = re.compile(r"\b[A-Z]{1,5}-?\d{2,}\b")
# An id such as Discord's or Gmail's, which people copy into what they ask.
_GENERATED = re.compile(r"(?<![\da-f])(?:\d{15,20}|[\da-f]{16})(?![\da-f])")
_COMMON = ("*.toml", "outsiders", "people", "spec")


@dataclass(frozen=True)
class Edition:
    """A world that was drawn anew.

    Attributes:
        world: its name.
        suites: the suites of tasks that play in it.
        facts: the number of its facts.
        drawn: the number of facts with another value than before.
    """

    world: str
    suites: tuple[str, ...]
    facts: int
    drawn: int


def reseed(world: str, seed: int, out: Path, name: str = "") -> Edition:
    """Write an edition of a world into a content folder.

    Args:
        world: the world.
        seed: the seed of the draw and of the edition's ids and generated numbers.
        out: the content folder, for ``--content`` or ``FARM_CONTENT``; it must not have this edition already.
        name: the edition's name; by default the world's with the seed. Suites end in the seed, or in this name.

    Raises:
        FarmError: there is such a world or suite, the world has authentic rows, no facts or invalid ones, a condition
            of its facts cannot be met, or a text or task cannot be written with the drawn ones. Then nothing is
            written.
    """
    ending = f"-{name or seed}"
    name = name or f"{world}-{seed}"
    home, *others = content.world_dirs(world)
    target, suites = out / "contexts" / "worlds" / name, [*_suites_of(world)]
    of_suites = [out / "tasks" / f"{suite}{ending}" for suite in suites]
    for folder in (target, *of_suites):
        if folder.exists():
            raise FarmError(f"{folder} exists; name another folder, or another --name")
    require_new(name)
    _require_no_authentic_rows((home, *others), world)
    Ledger.load((home, *others))
    files = {path: [*read_facts(path)] for path in ledger_files([home])}
    before = [fact for facts in files.values() for fact in facts]
    if not before:
        raise FarmError(f"world '{world}' has no fact in {FOLDER}/*.toml, so nothing can be drawn")
    after = {fact.key: fact for fact in redraw(before, seed, _ids_in(home))}
    drawn = sum(after[fact.key] != fact for fact in before)
    try:
        _write_world(target, [home, *others], files, after, seed)
        ids = _generated_ids(home, target)
        for path in target.glob("spec/*/prompts.toml"):
            path.write_text(_with_ids(path.read_text("utf-8"), ids), "utf-8")
        ledger = Ledger.load([target])
        for suite, folder in zip(suites, of_suites, strict=True):
            _copy_suite(suite, folder, world, name, ids, ledger)
    except BaseException:
        for folder in (target, *of_suites):
            _remove(folder, out)
        raise
    return Edition(name, tuple(folder.name for folder in of_suites), len(before), drawn)


def _require_no_authentic_rows(folders: Sequence[Path], world: str) -> None:
    """Refuse a world with rows of an export: they have the ids of this world, and an edition's rows have others."""
    found = next((path for folder in folders for path in sorted(folder.glob(f"spec/*/{AUTHENTIC}/*.jsonl"))), None)
    if found is not None:
        place = f"spec/{found.parents[1].name}/{AUTHENTIC}/{found.name}"
        raise FarmError(f"world '{world}' has rows of an export, {place}, which refer to its ids; no edition has these")


def _remove(folder: Path, out: Path) -> None:
    """Remove a folder, and those above it in ``out`` that are empty then."""
    shutil.rmtree(folder, ignore_errors=True)
    with suppress(OSError):
        while (folder := folder.parent) != out:
            folder.rmdir()


def _write_world(
    target: Path, folders: Sequence[Path], files: Iterable[Path], after: Mapping[str, Fact], seed: int
) -> None:
    """Write the specification with the drawn facts, and the rows that are generated from it."""
    for folder in folders:
        _copy_specification(folder, target)
    for path in files:
        (target / FOLDER).mkdir(exist_ok=True)
        (target / FOLDER / path.name).write_text(_redrawn_file(path, after), "utf-8")
    common = (target / "world.toml").read_text("utf-8")
    common = _with_key(_with_key(common, "name", json.dumps(target.name)), "seed", str(seed))
    (target / "world.toml").write_text(common, "utf-8")
    write_rows(Spec(target))


def _ids_in(folder: Path) -> frozenset[str]:
    """Return everything in a specification that looks like an id."""
    texts = (path.read_text("utf-8") for path in folder.rglob("*") if path.suffix in (".toml", ".md"))
    return frozenset(found for text in texts for found in _ID.findall(text))


def _copy_specification(folder: Path, target: Path) -> None:
    """Copy what a world is generated from; pages for its authors beside the apps' folders tell the present facts."""
    for pattern in _COMMON:
        for path in sorted(folder.glob(pattern)):
            for file in sorted(path.rglob("*")) if path.is_dir() else (path,):
                relative = file.relative_to(folder)
                is_for_authors = file.suffix == ".md" and (len(relative.parts) == 2 or file.stem == "README")
                if file.is_file() and not is_for_authors:
                    (target / relative).parent.mkdir(parents=True, exist_ok=True)
                    shutil.copyfile(file, target / relative)


def _generated_ids(home: Path, target: Path) -> dict[str, str]:
    """Return the ids of the world's rows → those of the edition's, which another seed has made."""
    found: dict[str, str] = {}
    for path in sorted(home.glob("*.jsonl")):
        before, after = (_rows(folder / path.name) for folder in (home, target))
        for old, new in zip(before, after, strict=False):
            if old.get("table") == new.get("table"):
                found |= {
                    each: str(new[column])
                    for column, each in old.items()
                    if isinstance(each, str) and _GENERATED.fullmatch(each) and new.get(column, each) != each
                }
    return found


def _rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()] if path.is_file() else []


def _with_ids(text: str, ids: Mapping[str, str]) -> str:
    return _GENERATED.sub(lambda found: ids.get(found[0], found[0]), text)


def _with_key(text: str, key: str, value: str) -> str:
    """Return a TOML text with another value of a top-level key, which is added if it is missing."""
    pattern = re.compile(rf"^{key} = .*$", re.MULTILINE)
    return (
        pattern.sub(lambda _: f"{key} = {value}", text, count=1) if pattern.search(text) else f"{key} = {value}\n{text}"
    )


def _suites_of(world: str) -> Iterable[str]:
    for suite in content.suite_names():
        if any(_world_of(path) == world for path in content.suite_dir(suite).glob("*.toml")):
            yield suite


def _world_of(path: Path) -> str | None:
    try:
        found = tomllib.loads(path.read_text("utf-8")).get("world")
    except (tomllib.TOMLDecodeError, UnicodeDecodeError):
        return None
    return found if isinstance(found, str) else None


def _copy_suite(suite: str, target: Path, world: str, name: str, ids: Mapping[str, str], ledger: Ledger) -> None:
    """Copy the tasks of a world; the facts that they name are rendered from the edition's ledger."""
    folder = content.suite_dir(suite)
    target.mkdir(parents=True)
    for path in sorted(folder.glob("*.*")):
        if path.suffix == ".toml" and path.name != "suite.toml":
            if _world_of(path) == world:
                text = path.read_text("utf-8").replace(f'world = "{world}"', f'world = "{name}"', 1)
                _require_facts(text, f"{suite}/{path.name}", ledger)
                (target / path.name).write_text(_with_ids(text, ids), "utf-8")
        elif path.suffix in (".toml", ".py"):
            shutil.copyfile(path, target / path.name)


def _require_facts(text: str, where: str, ledger: Ledger) -> None:
    """Refuse a task that names a fact, a version or a form which the edition lacks."""
    try:
        with_claims(tomllib.loads(ledger.render(text, where)), ledger)
    except ValueError as problem:
        raise FactError(f"{where}: {problem}") from None


# -- ledgers ---------------------------------------------------------------------------------------------------------


def _redrawn_file(path: Path, facts: Mapping[str, Fact]) -> str:
    """Return a ledger's file with drawn values; comments are not kept, as they may tell the present ones."""
    raw = tomllib.loads(path.read_text("utf-8"))
    tables = [("facts", _entry(each, facts[each["key"]])) for each in raw.get("facts", ())]
    tables += [("noise", each) for each in raw.get("noise", ())]
    return "\n".join(
        f"[[{kind}]]\n" + "".join(f"{key} = {_toml(value)}\n" for key, value in entry.items()) for kind, entry in tables
    )


def _entry(raw: Mapping[str, Any], fact: Fact) -> dict[str, Any]:
    entry = {**raw, "value": fact.value}
    for name, versions in (("former", fact.former), ("wrong", fact.wrong)):
        if name in raw:
            pairs = zip(raw[name], versions, strict=True)
            entry[name] = [{**each, "value": version.value} for each, version in pairs]
    if fact.forms:
        entry["forms"] = dict(fact.forms)
    return entry


def _toml(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{json.dumps(key)} = {_toml(each)}" for key, each in value.items()) + " }"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return json.dumps(value, ensure_ascii=False)
