"""An app, or a part of a name, leaves the instruction, where a search over tools proves that it can be found."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from farm import content
from farm.benchmark.audit.attacks.script import writes
from farm.benchmark.generate.answers import leaves_of
from farm.benchmark.generate.chains import Placeholder
from farm.benchmark.generate.prove import called_words, name_parts, name_pieces
from farm.benchmark.generate.raises.scene import PlayedCall, Question, Raw, Scene
from farm.benchmark.generate.raises.words import reworded
from farm.benchmark.generate.ways import Script
from farm.benchmark.generate.wording import apps_named, has_words
from farm.benchmark.scoring.claims.values import fold
from farm.benchmark.tasks import references_in
from farm.errors import FarmError

PROMPT = "unnamed-1"
# So many letters of a name may stand in an instruction by chance.
_FILLER_MAX = 2


def unnamed(scene: Scene) -> Question:
    """Return what a writer is asked, once code has proven what the instruction can leave out.

    Raises:
        FarmError: nothing that it names can be left out.
    """
    named = apps_named(scene.instruction, scene.raw["apps"])
    rows = named_rows(scene)
    apps = [app for app in named if app in scene.ground.universe.apps and _is_found(scene, app, rows)]
    short = {each.name: piece for each in rows if (piece := _shorter(scene, each))}
    if not apps and not short:
        why = f"{_why_not(scene, named, rows)}" if named else "it names no app, and no name that a part of it replaces"
        raise FarmError(f"nothing can leave the instruction of {scene.raw['id']}: {why}")
    kept = [each for each in rows if each.app in apps or each.name in short]

    def accept(said: Mapping[str, Any]) -> Raw:
        return _accepted(scene, said, apps, short, kept)

    values = {
        "apps": ", ".join(_title(app) for app in apps) or "none",
        "names": "\n".join(f"- {each.name}: {_row_line(each, short)}" for each in kept),
    }
    proofs = [
        {
            **asdict(each),
            "leaves_out": _left(each, apps, short),
            "path": _path(scene, each.app, each.type, each.value),
            "found": sorted(scene.prover.rows_titled(each.label)),
        }
        for each in kept
    ]
    return Question(PROMPT, values, accept, {"blanks": proofs})


# -- what the instruction names ---------------------------------------------------------------------------------------


def named_rows(scene: Scene) -> list[Placeholder]:
    """Return the rows that the oracle's calls name by a key, and the instruction by words that only their app has.

    The label of each is the longest part of what its row is called that the instruction has.
    """
    rows = (each for call in scene.calls for each in _rows_of(scene, call))
    # What is read on the way to a row may be called by the same words; the last is what is meant.
    return list({(each.app, each.label): each for each in rows}.values())


def _rows_of(scene: Scene, call: PlayedCall) -> Iterator[Placeholder]:
    app, view = call.sent.app, scene.ground.universe.apps.get(call.sent.app)
    for _, value in leaves_of(call.sent.arguments) if view else ():
        assert view is not None
        for kind in view.kinds.of(value):
            names = titles_of(scene, app, kind, str(value)) or called_words(view, kind, str(value))
            words = max((part for each in names if (part := _told_part(scene, each))), key=len, default="")
            is_told = len(words) > _FILLER_MAX or words in names
            if is_told and _finds_app(scene, words, app, str(value)) and _path(scene, app, kind, str(value)):
                name = f"{app}-{kind.partition('.')[0]}-{len(words)}{str(value)[-2:]}".upper()
                yield Placeholder(name, kind, str(value), "may", words, app=app)
                break


def _path(scene: Scene, app: str, kind: str, value: str) -> list[str]:
    """Return the tools that lead to a row; empty if none do."""
    script = Script()
    return list(script.tools) if scene.ground.reach(script, app, kind, value) else []


def titles_of(scene: Scene, app: str, kind: str, value: str) -> list[str]:
    """Return the titles in the row of a key."""
    table, _, key = kind.partition(".")
    roles = content.load_app(app).schema.roles.get(table, {})
    found = (each for each in scene.played.start.rows(app, table) if str(each.get(key)) == value)
    return [str(row[name]) for row in found for name, role in roles.items() if role == "title" and row.get(name)]


def _told_part(scene: Scene, called: str) -> str:
    """Return the longest part of a name that the instruction has; empty if it has none."""
    told = fold(scene.instruction)
    return next((part for part in name_parts(called) if has_words(told, fold(part))), "")


def _finds_app(scene: Scene, words: str, app: str, value: str) -> bool:
    """Return whether some words find a row among all apps of the person, and nothing in another app."""
    found, wanted = scene.prover.rows_titled(words), fold(words)
    if any(wanted in title and has_words(title, wanted) for title in scene.unseen_titles):
        return False
    return (app, value) in found and {each for each, _ in found} == {app}


def _is_found(scene: Scene, app: str, rows: Sequence[Placeholder]) -> bool:
    """Return whether all that the oracle writes in an app leads to a proven row; else what it reads last."""
    calls = [call for call in scene.calls if call.sent.app == app]
    chosen = [call for call in calls if writes(call.sent)] or calls[-1:]
    return bool(chosen) and all(_leads(scene, call, rows, ()) for call in chosen)


def _leads(scene: Scene, call: PlayedCall, rows: Sequence[Placeholder], seen: tuple[str, ...]) -> bool:
    values = {str(value) for _, value in leaves_of(call.sent.arguments)}
    found = [each for each in rows if each.app == call.sent.app and each.value in values]
    people = f"{(content.load_app(call.sent.app).schema.account or ('',))[0]}."
    places = {v for v in values if any(not k.startswith(people) for k in scene.ground.view(call.sent.app).kinds.of(v))}
    # To whom something goes says only where nothing else does.
    if any(not each.type.startswith(people) for each in found) or (found and not places):
        return True
    before = {each.planned.name: each for each in scene.calls if each.planned.name}
    names = [name for name in references_in(call.planned.arguments) if name in before and name not in seen]
    return any(
        before[name].sent.app == call.sent.app and _leads(scene, before[name], rows, (*seen, name)) for name in names
    )


def _shorter(scene: Scene, row: Placeholder) -> str:
    """Return the shortest part of a row's words that still finds only it; empty if there is none."""
    for piece in sorted(name_pieces(row.label), key=len):
        if scene.prover.rows_titled(piece) == {(row.app, row.value)}:
            return piece
    return ""


# -- the words ---------------------------------------------------------------------------------------------------------


def _accepted(
    scene: Scene, said: Mapping[str, Any], apps: Sequence[str], short: Mapping[str, str], rows: Sequence[Placeholder]
) -> Raw:
    text = reworded(scene, said)
    plain, keeps = scene.text(text), said.get("keeps")
    if not isinstance(keeps, dict):
        raise FarmError("the answer has no object 'keeps'")
    if left := apps_named(plain, apps):
        raise FarmError(f"the instruction still names {_title(left[0])}")
    needed = [app for app in apps_named(scene.instruction, scene.raw["apps"]) if app not in apps]
    if lost := [app for app in needed if app not in apps_named(plain, needed)]:
        raise FarmError(f"the instruction leaves out {_title(lost[0])}, and nothing proves that it can be found")
    for row in rows:
        words = str(keeps.get(row.name, ""))
        if not words or not has_words(fold(plain), fold(words)):
            raise FarmError(f"no words of the instruction stand for {row.name} in 'keeps'")
        if not _finds_app(scene, words, row.app, row.value):
            raise FarmError(f"'{words}', kept for {row.name}, does not find it, or finds something in another app, too")
        if words != row.label and scene.prover.rows_titled(words) != {(row.app, row.value)}:
            raise FarmError(f"'{words}', kept for {row.name}, finds more than it")
    if plain == scene.instruction:
        raise FarmError("the instruction is the old one")
    if all(fold(each.label) in fold(plain) for each in rows if each.name in short) and not apps:
        raise FarmError("no name has become shorter")
    return scene.raw | {"instruction": text, "named": _named(scene, apps, rows)}


def _named(scene: Scene, apps: Sequence[str], rows: Sequence[Placeholder]) -> list[str]:
    """Return what ``--context +named`` tells: the apps and names that are left out."""
    lines = [f"{row.label}: {_title(row.app)}" for row in rows]
    return [*scene.raw.get("named", ()), *dict.fromkeys(lines)]


def _left(row: Placeholder, apps: Sequence[str], short: Mapping[str, str]) -> list[str]:
    return ["id", *(["app"] if row.app in apps else []), *(["name"] if row.name in short else [])]


def _row_line(row: Placeholder, short: Mapping[str, str]) -> str:
    may = f'; "{short[row.name]}" alone still finds only it' if row.name in short else ""
    return f'in your words now "{row.label}", in {_title(row.app)}{may}'


def _why_not(scene: Scene, named: Sequence[str], rows: Sequence[Placeholder]) -> str:
    unknown = [app for app in named if app not in scene.ground.universe.apps]
    if unknown:
        return f"what {scene.me} finds in {_title(unknown[0])} is not known"
    return f"nothing that it calls by name leads to {' or '.join(_title(each) for each in named)} alone"


def _title(app: str) -> str:
    return content.load_app(app).app.title
