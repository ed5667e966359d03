"""Proves what an instruction may leave out: an id, an app, a part of a name.

Something may be left out if the tools lead to it from what is said, if only one row fits what is said, and if no other
place says otherwise. The proof is kept with the draft.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property

from farm.benchmark.generate.answers import PROSE
from farm.benchmark.generate.chains import Placeholder
from farm.benchmark.generate.explore import Seen
from farm.benchmark.generate.samplers.ground import Ground
from farm.benchmark.generate.universe import AppView
from farm.benchmark.generate.ways import Script
from farm.benchmark.generate.wording import has_words
from farm.benchmark.scoring.claims.values import fold

_WORD = re.compile(r"[A-Za-z0-9][A-Za-z0-9.'-]*|[\u4e00-\u9fff]+")
_TOKEN = re.compile(r"[A-Za-z0-9]+|[\u4e00-\u9fff]")
# A shorter piece of a name is filler.
_PIECE_MIN, _PIECE_MIN_CHINESE = 4, 2


@dataclass(frozen=True)
class Proof:
    """Why a blank can be found by what is said of it.

    Attributes:
        blank: the blank's name.
        leaves_out: what the instruction may leave out: ``id``, ``app``, ``name``.
        path: the tools that lead to it, in order.
        candidates: how many rows, or facts, fit what is said.
        piece: the shortest part of the name that only this row has; empty if only all of it does.
        rival_places: how many texts tell another value.
        fault: why it cannot be left to the tools; empty if it can.
    """

    blank: str
    leaves_out: tuple[str, ...]
    path: tuple[str, ...]
    candidates: int
    piece: str = ""
    rival_places: int = 0
    fault: str = ""

    def as_json(self) -> dict[str, object]:
        """Return it as it is kept with a draft."""
        return {name: list(each) if isinstance(each, tuple) else each for name, each in asdict(self).items()}


class Prover:
    """Proves blanks in a universe."""

    def __init__(self, ground: Ground) -> None:
        self._ground = ground

    def prove(self, blank: Placeholder) -> Proof:
        """Return the proof of a blank; its ``fault`` says what is missing."""
        return self._prove_row(blank) if blank.app else self._prove_fact(blank)

    # -- facts -----------------------------------------------------------------------------------------------------

    def _prove_fact(self, blank: Placeholder) -> Proof:
        """Prove that a fact is told, that its name names no other, and that no wrong value is told more often."""
        ground = self._ground
        if blank.value not in ground.ledger:
            return Proof(blank.name, (), (), 0, fault=f"there is no fact '{blank.value}'")
        fact = ground.ledger.require(blank.value)
        places = ground.told.places(fact.key)
        alike = [each.key for each in ground.facts if fold(blank.label) in map(fold, each.names)]
        wrong = {each.key: len(ground.told.places(f"{fact.key}#{each.key}")) for each in fact.wrong}
        rivals = sum(len(ground.told.places(f"{fact.key}#{each.key}")) for each in fact.versions)
        script = Script()
        if places:
            ground.ways.play(script, places[0].app, places[0].call)
        fault = ""
        if not places:
            fault = f"nothing that {ground.universe.me} finds tells {fact.key}"
        elif len(alike) != 1:
            fault = f"'{blank.label}' names {len(alike)} facts" + (f": {', '.join(alike[:4])}" if alike else "")
        elif wrong and max(wrong.values()) > len(places):
            fault = f"more places tell '{max(wrong, key=lambda key: wrong[key])}', which is wrong, than the right value"
        return Proof(blank.name, ("place",) if not fault else (), script.tools, len(alike), "", rivals, fault)

    # -- rows ------------------------------------------------------------------------------------------------------

    def _prove_row(self, blank: Placeholder) -> Proof:
        """Prove that a row can be reached, and that only it is called so."""
        view = self._ground.view(blank.app)
        kind = self._kind_of(view, blank)
        script = Script()
        if kind is None or self._ground.reach(script, blank.app, kind, blank.value) is None:
            return Proof(blank.name, (), (), 0, fault=f"no tool leads to {blank.name}")
        fitting = self.rows_called(blank.app, kind, blank.label)
        if len(fitting) != 1:
            return Proof(
                blank.name, (), script.tools, len(fitting), fault=f"{len(fitting)} rows are called '{blank.label}'"
            )
        leaves_out = ["id"]
        if self._is_unique_over_apps(blank):
            leaves_out.append("app")
        piece = self.piece_of(blank.app, kind, blank.label)
        if piece:
            leaves_out.append("name")
        return Proof(blank.name, tuple(leaves_out), script.tools, 1, piece)

    def _kind_of(self, view: AppView, blank: Placeholder) -> str | None:
        kinds = view.kinds.of(blank.value)
        return blank.type if blank.type in kinds else next(iter(sorted(kinds)), None)

    def rows_called(self, app: str, kind: str, words: str) -> list[str]:
        """Return the keys of the rows that are called by some words, exactly if any is, otherwise as a part.

        Args:
            kind: the kind of the keys.
            words: as somebody writes them; case, width and spaces make no difference.
        """
        wanted = fold(words)
        exact, part = set(), set()
        for value, label in self._labels(self._ground.view(app), kind):
            if fold(label) == wanted:
                exact.add(value)
            elif wanted in fold(label):
                part.add(value)
        return sorted(exact or part) if not (exact and part) else sorted(exact)

    def rows_titled(self, words: str) -> set[tuple[str, str]]:
        """Return the (app, key) of all rows, in any app, whose titles are some words, or have them as a part.

        Rows whose whole title the words are count alone, as people mean them.
        """
        wanted = fold(words)
        part = {
            (app, value, title == wanted)
            for app, titles in self._titles.items()
            for title, value in titles
            if wanted in title and has_words(title, wanted)
        }
        exact = {(app, value) for app, value, is_whole in part if is_whole}
        return exact or {(app, value) for app, value, _ in part}

    @cached_property
    def _titles(self) -> Mapping[str, set[tuple[str, str]]]:
        """App → (folded title, key) of its rows."""
        return {
            app: {
                (fold(label), value)
                for kind in {kind for kind, _ in view.by_key}
                for value, label in self._labels(view, kind)
                if view.kinds.is_label(label)
            }
            for app, view in self._ground.universe.apps.items()
        }

    def piece_of(self, app: str, kind: str, label: str) -> str:
        """Return the shortest word of a label that no other row of its kind has; empty if there is none."""
        for word in sorted(name_pieces(label), key=len):
            others = {value for value, other in self._labels(self._ground.view(app), kind) if fold(word) in fold(other)}
            if len(others) == 1:
                return word
        return ""

    def _labels(self, view: AppView, kind: str) -> Iterator[tuple[str, str]]:
        for (of_kind, value), objects in view.by_key.items():
            if of_kind == kind:
                yield from ((value, label) for label in dict.fromkeys(_called(view, kind, objects)))

    def _is_unique_over_apps(self, blank: Placeholder) -> bool:
        wanted = fold(blank.label)
        for app, view in self._ground.universe.apps.items():
            for seen in view.seen if app != blank.app else ():
                if any(view.kinds.is_label(value) and fold(str(value)) == wanted for value in seen.values.values()):
                    return False
        return True


def name_pieces(label: str) -> list[str]:
    """Return the words of a name that are no filler, without the whole name."""
    return [each for each in _WORD.findall(label) if each != label and len(each) >= _least(each)]


def name_parts(label: str) -> list[str]:
    """Return the parts of a name that people may call it by, the longest first: runs of words and of Chinese signs."""
    spots = [found.span() for found in _TOKEN.finditer(label)]
    runs = {label[start:end] for n, (start, _) in enumerate(spots) for _, end in spots[n:]}
    return sorted((each for each in runs if len(each) >= _least(each)), key=lambda each: (-len(each), each))


def called_words(view: AppView, kind: str, value: str) -> list[str]:
    """Return the titles by which people call the row of a key; a key that people read, such as a path, is one."""
    called = dict.fromkeys(_called(view, kind, view.by_key.get((kind, value), ())))
    own = [value] if view.kinds.is_label(value) else []
    return [*own, *(each for each in called if view.kinds.is_label(each))]


def _called(view: AppView, kind: str, objects: Sequence[Seen]) -> Iterator[str]:
    """Yield what objects call the row whose key they have as their own: titles, or the words of a text."""
    for seen in objects:
        value, path = seen.typed[kind]
        names = view.kinds.names_of(value)
        if path not in seen.own and not names:
            continue
        base = f"{path.rpartition('.')[0]}."
        for name, text in seen.values.items():
            inner = name.removeprefix(base)
            if not name.startswith(base) or "[]" in inner or PROSE in inner or (names and str(text) not in names):
                continue
            # A row with a title is not called by its text.
            if view.kinds.is_label(text) or (view.kinds.is_body(text) and not any(map(view.kinds.is_label, names))):
                yield str(text)


def _least(word: str) -> int:
    return _PIECE_MIN_CHINESE if "\u4e00" <= word[0] <= "\u9fff" else _PIECE_MIN


def faults(proofs: Sequence[Proof]) -> list[str]:
    """Return what is missing in proofs, a line each."""
    return [each.fault for each in proofs if each.fault]
