"""Labelled texts: what people write, right and wrong, and what is wanted of each."""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any, Literal
from zoneinfo import ZoneInfo

from farm.claims import Claim, Situation, Stance, Wanted

HERE = Path(__file__).parent
MONDAY = date(2026, 3, 9)
NOW = datetime(2026, 3, 9, 9, 0, tzinfo=ZoneInfo("Asia/Shanghai"))
Half = Literal["tune", "held"]


@dataclass(frozen=True)
class Labelled:
    """One text: where it stands, whether it is right there, and in which way."""

    place: str
    author: str
    is_right: bool
    sort: str
    text: str

    @property
    def half(self) -> Half:
        """Return the half that a text belongs to, so that no tuning can move it."""
        return "tune" if hashlib.sha1(self.text.encode()).digest()[0] % 2 else "held"


@dataclass(frozen=True)
class Exam:
    """A text with what is wanted of it; ``wanted`` has one entry for each checkpoint that reads it."""

    labelled: Labelled
    wanted: tuple[Wanted, ...]
    situation: Situation


def read_file(path: Path) -> Iterator[tuple[Labelled, list[str]]]:
    """Yield a file's texts, each with the claims (lines of TOML) that stand over its place."""
    place, lines = "", list[str]()
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("== "):
            place, lines = line[3:].strip(), []
        elif line.startswith("! "):
            lines.append(line[2:])
        elif line[:2] in ("+ ", "- "):
            sort, text = line[2:].split(" | ", 1)
            yield Labelled(place, path.stem, line[0] == "+", sort.strip(), text.replace("⏎", "\n")), lines


def prototype() -> Iterator[Exam]:
    """Yield the texts of the first rules' author, whose claims stand beside them."""
    for path in sorted((HERE / "prototype").glob("*.txt")):
        for labelled, lines in read_file(path):
            table = tomllib.loads("\n".join(lines))
            said = (table["instruction"],) if "instruction" in table else ()
            yield Exam(labelled, (_wanted(table),), Situation(NOW, said))


def _wanted(table: dict[str, Any]) -> Wanted:
    stance = table.get("stance")
    return Wanted(
        claims=tuple(_claim(each) for each in table.get("claims", [])),
        stance=Stance(stance["is"], tuple(stance.get("on", ()))) if stance else None,
        also=tuple(table.get("also", ())),
        stale=tuple(table.get("stale", ())),
        keeps=table.get("keeps"),
        bans=tuple(table.get("bans", ())),
    )


def _claim(table: dict[str, Any]) -> Claim:
    values: tuple[Any, ...]
    units = table.get("unit", ())
    units = (units,) if isinstance(units, str) else tuple(units)
    if "date" in table:
        kind, values = "date", (MONDAY + timedelta(days=int(table["date"])),)
    elif "clock" in table:
        kind, values = "clock", tuple(table["clock"].split("|"))
    elif "amount" in table:
        currency, _, number = table["amount"].partition(" ")
        kind, values, units = "amount", (float(number),), (currency,)
    elif "number" in table:
        kind, values = "number", (float(table["number"]),)
    else:
        kind = "choice" if "choice" in table else "says"
        values = tuple(table[kind])
    return Claim(
        kind,  # type: ignore[arg-type]  # one of the words above
        values,
        units,
        of=tuple(table.get("of", ())),
        beside=tuple(table.get("beside", ())),
        rivals=tuple((rival,) for rival in table.get("rivals", ())),
        is_former=table.get("former", False),
        is_denied=table.get("denied", False),
    )
