"""Labelled texts: what people write, right and wrong, and what is wanted of each."""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal
from zoneinfo import ZoneInfo

from farm import content
from farm.benchmark.scoring.app_schemas import schema_of
from farm.benchmark.scoring.claims import Change, Claim, Requirement, Situation, Stance
from farm.benchmark.scoring.clock_context import ClockContext
from farm.benchmark.scoring.initial_state import load_start
from farm.benchmark.scoring.resolve import ValueResolver
from farm.benchmark.scoring.texts import wanted_of
from farm.benchmark.scoring.value_check import check
from farm.benchmark.tasks import Operate, Search, Task
from farm.benchmark.tasks.load import load_task
from farm.benchmark.tasks.text_rules import TEXT_KEYS, wants_text
from farm.context.operators import at_path, texts_in

HERE = Path(__file__).parent
MONDAY = date(2026, 3, 9)
NOW = datetime(2026, 3, 9, 9, 0, tzinfo=ZoneInfo("Asia/Shanghai"))
Check = Callable[[str], bool]
Half = Literal["tune", "held"]
# Of these authors all was read for tuning, or nothing; the texts of the others are split by hash.
TUNED_ON = ("graders", "models", "natives", "newcomers", "novelists")
HELD_BACK = ("testers",)
# Texts are frozen and a world is not: what they say of it is read with what stands there today.
_TEASER = {"264": "33", "二百六十四": "三十三"}
SINCE = {
    "rednote-embargo-numbers": _TEASER,
    "cross-leo-penalty": _TEASER,
    "obsidian-best-beans": {"给爸妈订周末的房间，他们下周末到": "爸的拖鞋要 44 码，他们 21 号到"},
    # Ids that were drawn anew: Gmail's, of Slack's channels, the tails of Instagram's, and Telegram's numbers.
    "gmail-file-invoices": {
        "19cb6e707802395a": "19cb6e79480dea9e",
        "19c74f4b480b22c6": "19c74f53cd7b22c6",
        "19ca71fb9004a307": "19ca720494d4a307",
        "19cbe5669203cba2": "19cbe56f9d13cba2",
        "19cc21d3520893ef": "19cc21d9874893ef",
    },
    "cross-ethan-hour": {"19cb29169002f0c7": "19cb29235ad2f0c7", "19ccfcec300b6429": "19ccfced91ab6429"},
    "cross-krause-numbers": {"19cbe68b8a0dd643": "19cbe6969acdd643", "19ccd4a3b009c0f8": "19ccd4ada7d9c0f8"},
    "cross-ningbo-umbrella": {"C0ZNIASHEP8": "C0ZNHASHEP8", "D0ZOWD2W15A": "D0ZP5D2W15A"},
    "cross-null-setting": {"C0ZJMYMUZ5A": "C0ZJLYMUZ5A"},
    "cross-johor-lamp": {
        "E3LNTU0aaaaaaaaaaaaaaaaaZD": "E3LNTU5crbIo2mdw7uTs2WlnZD",
        "YjRCssRaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaZD": "YjRCss6yeWK02KDYopDoiFyGoRkVVDNb9Ss825b97bkSZD",
    },
    "telegram-funan-count": {"5440": "5553", "5448": "5592", "5450": "5606", "5451": "5608"},
    "telegram-pin-day": {"5387": "5400", "5426": "5515", "5432": "5527"},
}


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
        if self.author in TUNED_ON + HELD_BACK:
            return "tune" if self.author in TUNED_ON else "held"
        return "tune" if hashlib.sha1(self.text.encode()).digest()[0] % 2 else "held"


@dataclass(frozen=True)
class Exam:
    """A text with what is wanted of it.

    Attributes:
        wanted: what each checkpoint that reads it wants by claims.
        rest: what they want besides.
    """

    labelled: Labelled
    wanted: tuple[Requirement, ...]
    situation: Situation
    rest: tuple[Check, ...] = ()


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


def labelled(half: Half, tasks: Path | None = None) -> Iterator[Exam]:
    """Yield one half of the texts made from the demo tasks, with what the tasks want of them."""
    folder = tasks or content.suite_dir("demo")
    for path in sorted((HERE / "labelled").glob("*.txt")):
        for text, _ in read_file(path):
            if text.half == half:
                yield Exam(_of_today(text), *_place(folder, text.place))


def probes(name: str) -> Iterator[Exam]:
    """Yield the texts of one file of probes, with what the demo tasks want of them."""
    for text, _ in read_file(HERE / f"{name}.txt"):
        yield Exam(_of_today(text), *_place(content.suite_dir("demo"), text.place))


FRESH = HERE / "fresh" / "tasks" / "fresh"


def exam_texts() -> Iterator[Exam]:
    """Yield the texts by authors who saw instructions and worlds only, for demo tasks and for the fresh suite."""
    return _of_folder("exam")


def unseen_texts() -> Iterator[Exam]:
    """Yield texts that teach nothing: for tasks without labelled texts, and by authors who came last."""
    return _of_folder("unseen")


def beside_texts() -> Iterator[Exam]:
    """Yield texts by strangers that hold the right values, some with more words that mislead, some with harmless ones.

    In the files of pairs a right text and a wrong one have the same length and tone.
    """
    return (each for each in _of_folder("beside") if each.wanted)


def sat_texts() -> Iterator[Exam]:
    """Yield what two sitters wrote in trials of the suite persona; all of it is right."""
    return (_sat(text) for text, _ in read_file(HERE / "sat" / "sitters.txt"))


def agent_texts(half: Half) -> Iterator[Exam]:
    """Yield what models wrote in trials of the suite persona; the half of a text is that of its task."""
    agents = [_sat(text) for text, _ in read_file(HERE / "agents.txt")]
    readers = [Exam(text, *_place(_holding(text.place), text.place)) for text, _ in read_file(HERE / "readers.txt")]
    for exam in (*agents, *readers):
        is_taught = hashlib.sha1(exam.labelled.place.split()[0].encode()).digest()[0] % 2 == 0
        if is_taught == (half == "tune"):
            yield exam


def _sat(text: Labelled) -> Exam:
    """Return a text of a trial of the suite persona.

    Tasks that the suite no longer has, or has with other conditions, lie beside the texts as they were then.
    """
    was = HERE / "sat" / "tasks"
    return Exam(text, *_place(_holding(text.place, was), text.place))


def _holding(place: str, *first: Path) -> Path:
    """Return the folder that holds a place's task: one of the first ones, or a suite's; persona's if none does."""
    persona = content.suite_dir("persona")
    folders = (*first, FRESH, *map(content.suite_dir, content.suite_names()))
    return next((each for each in folders if (each / f"{place.split()[0]}.toml").exists()), persona)


def _of_folder(folder: str) -> Iterator[Exam]:
    for path in sorted((HERE / folder).glob("*.txt")):
        texts = [text for text, _ in read_file(path)]
        right = {place: [each.text for each in texts if each.place == place and each.is_right] for place in _of(texts)}
        for text in texts:
            wanted, situation, rest = _place(_holding(text.place), text.place)
            # Some authors wrote what is added to a note, without the note; then the right texts lack it, too.
            kept = next((each.keeps for each in wanted if each.keeps and each.keeps not in text.text), None)
            is_added = kept is not None and not any(kept in each for each in right[text.place])
            said = f"{kept}\n{text.text}" if is_added else text.text
            yield Exam(replace(text, author=f"{folder} {text.author}", text=said), wanted, situation, rest)


def _of(texts: Iterable[Labelled]) -> set[str]:
    return {each.place for each in texts}


def _of_today(text: Labelled) -> Labelled:
    said = text.text
    for old, new in SINCE.get(text.place.split()[0], {}).items():
        said = said.replace(old, new)
    return replace(text, text=said)


@lru_cache(maxsize=256)
def _place(folder: Path, place: str) -> tuple[tuple[Requirement, ...], Situation, tuple[Check, ...]]:
    """Return all that a task wants of the text at one place: by claims, and by what is no claim."""
    name, *where = place.split()
    task = load_task(folder / f"{name}.toml", "demo")
    start = load_start(task.world)
    at = datetime.fromisoformat(task.now) if task.now else None
    values = ValueResolver.from_task(task, start, at)
    forms: list[tuple[Mapping[str, Any], str]] = []
    if len(where) == 1 and (owner := next((each.id for each in _operates(task) if where[0] in each.after), None)):
        where = [owner, *where]
    if len(where) == 1 and where != ["answer"]:
        where = [*where, *_judged_column(task, where[0])] if _judged_column(task, where[0]) else ["answer"]
    if where[-1:] == ["answer"]:
        searches = (each for each in task.checkpoints if isinstance(each, Search) and where[0] in ("answer", each.id))
        forms = [(values.resolve(each.answer, ""), "") for each in searches]
    for point in task.checkpoints:
        if isinstance(point, Operate) and len(where) > 1 and point.id == where[0]:
            # "fields" means the one text among a record's fields.
            inside = [each for key, each in point.after.items() if key.startswith(f"{where[1]}.") and wants_text(each)]
            # A message in Lark is judged whole since posts count, too.
            column = "content" if where[1] == "content.text" and where[1] not in point.after else where[1]
            form = point.after.get(column, point.where.get(column, inside[0] if inside else None))
            if inside and isinstance(form, Mapping):
                form = {key: each for key, each in form.items() if key != "prefix"}  # of one field, not of all
            old = [] if point.change == "create" else start.find(point.app, point.table, _known(values, point))
            before = texts_in(at_path(old[0], values.text(where[1]))) if len(old) == 1 else ""
            forms.append((values.resolve(form, point.app), before))
    wanted = tuple(wanted_of(form, before, values.clock_context) for form, before in forms if wants_text(form))
    rest = tuple(_rest(form, values.clock_context) for form, _ in forms)
    others = [point for point in task.checkpoints if isinstance(point, Operate) and point.id != where[0]]
    done = frozenset(kind for point in others for kind in _changes_of(point))
    clock = values.clock_context
    return wanted, Situation(clock.now, clock.said, done, clock.samples), rest


def _operates(task: Task) -> Iterator[Operate]:
    return (each for each in task.checkpoints if isinstance(each, Operate))


def _changes_of(point: Operate) -> Iterator[Change]:
    """Yield the kinds of changes that a checkpoint asks for."""
    yield point.change
    if point.change == "create" and point.table in schema_of(point.app).notifies:
        yield "send"


def _judged_column(task: Task, checkpoint: str) -> list[str]:
    """Return the one column of a checkpoint whose text is judged, where a place does not name it."""
    return [
        key
        for point in task.checkpoints
        if isinstance(point, Operate) and point.id == checkpoint
        for key, form in point.after.items()
        if wants_text(form)
    ]


def _known(values: ValueResolver, point: Operate) -> dict[str, Any]:
    found: dict[str, Any] = values.resolve(point.where, point.app)
    return found


def _rest(form: Any, clock_context: ClockContext) -> Check:
    """Return whether a text is what a form wants of it besides claims."""
    if isinstance(form, Mapping):
        form = {key: value for key, value in form.items() if key not in TEXT_KEYS}
        if not form:
            return lambda text: True
    return lambda text: all(finding.ok for finding in check(form, text, clock_context))


def _wanted(table: dict[str, Any]) -> Requirement:
    stance = table.get("stance")
    return Requirement(
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
