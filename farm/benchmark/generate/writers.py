"""The three prompts of drafts, and what code checks in the answers.

*Why*: who would ask this, and what for. *Word*: the instruction, as the persona types it. *Read*: blind, which rows and
facts the instruction means. What a writer answered is kept; nonsense sends the draft back with one line.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from itertools import chain, combinations
from random import Random
from string import Template
from typing import Any, Protocol, TypeVar

from farm import content
from farm._util.json_io import loads
from farm._util.prompt_writers import AnswerPendingError, Writer
from farm.appkit.world_spec.facts import Fact, Ledger
from farm.benchmark.generate.chains import Placeholder
from farm.benchmark.generate.drafts import Draft
from farm.benchmark.generate.kinds import is_account
from farm.benchmark.generate.prove import Prover
from farm.benchmark.generate.samplers.ground import Ground
from farm.benchmark.generate.voices import voice_of
from farm.benchmark.generate.wording import forms_in, is_chinese, shares_words, values_in
from farm.benchmark.scoring.claims.values import fold
from farm.benchmark.scoring.initial_state import load_start
from farm.context.template import World, load_world

WHY, WORD, READ = "why-2", "word-2", "read-1"
_TALK_MAX, _TALK_LETTERS = 2, 240
_MEMBERS_MAX = 8
_CALLED = ("name_en", "name_zh", "title_en", "title_zh")
TRIES_MAX = 3
# Which of their facts is told is to be found out.
_CHOSEN = ("compare", "aggregate")
_ENTRIES_MAX = 12
_WORDS_MAX, _SIGNS_MAX = 90, 160
_LATIN, _HAN = re.compile(r"[A-Za-z]"), re.compile(r"[\u4e00-\u9fff]")
_LATIN_A_SIGN = 3  # letters of a word for one Chinese sign
_CHINESE_SHARE = 0.9  # of the facts have Chinese names: the world speaks nothing else
_KEY_PARTS, _FACT = re.compile(r"[._]"), re.compile(r"\{\{[^{}]*\}\}")
_OBJECT = re.compile(r"\{.*\}", re.DOTALL)
# What an author writes for the grader: it tells the rule.
GRADER = re.compile(
    r"nothing else|anything else untouched|(?:don't|do not) change anything else"
    r"|别动别的|其他(?:的)?(?:都)?(?:别|不要)动|不要动其他",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Answered:
    """What became of a draft at a writer.

    Attributes:
        draft: the draft, changed if the answer is good.
        problem: why the answer is refused; empty if it is good.
    """

    draft: Draft
    problem: str = ""


class Checked(Protocol):
    """What became of an answer."""

    @property
    def problem(self) -> str:
        """Why it is refused; empty if it is good."""


_C = TypeVar("_C", bound=Checked)


def answer_of(writer: Writer, step: str, prompt: str, check: Callable[[str], _C]) -> tuple[str, _C]:
    """Ask, and ask again with the reason while code refuses; return the last answer and what became of it.

    Raises:
        AnswerPendingError: an answer is waited for; after a refusal, the message says why.
    """
    refused, asked = "", prompt
    for _ in range(TRIES_MAX):
        try:
            text = writer.answer(step, asked).text.strip()
        except AnswerPendingError as waits:
            raise AnswerPendingError(f"refused: {refused}; {waits}" if refused else str(waits)) from None
        checked = check(text)
        if not checked.problem:
            break
        refused = checked.problem
        asked = f"{prompt}\n\nYou answered:\n\n{text}\n\nThat was refused: {refused}. Answer again.\n"
    return text, checked


class Desk:
    """Asks a writer about drafts of one universe."""

    def __init__(self, ground: Ground, writer: Writer) -> None:
        self._ground, self._writer = ground, writer
        self._prover = Prover(ground)
        self._world = load_world(ground.universe.world)

    # -- the instruction -------------------------------------------------------------------------------------------

    def word(self, draft: Draft) -> Answered:
        """Have a draft worded: why somebody would ask it, then how.

        Raises:
            AnswerPendingError: the answer is waited for.
            FarmError: the writer fails.
        """
        common = self._common(draft)

        def explained(text: str) -> Answered:
            is_good = text.startswith(("NOBODY", "BECAUSE "))
            return Answered(draft, "" if is_good else "the answer to 'why' begins neither with BECAUSE nor with NOBODY")

        why, answered = answer_of(self._writer, f"{draft.id}-why", fill_prompt(WHY, **common), explained)
        if answered.problem:
            return answered
        if why.startswith("NOBODY"):
            return self._rejected(draft, why)

        def worded(text: str) -> Answered:
            if text.startswith(("NOBODY", "AMBIGUOUS")):
                return self._rejected(draft, text)
            return self.accept_words(draft, text)

        prompt = fill_prompt(WORD, why=why.removeprefix("BECAUSE "), **common)
        return answer_of(self._writer, f"{draft.id}-word", prompt, worded)[1]

    def accept_words(self, draft: Draft, text: str) -> Answered:
        """Return the draft with the instruction of an answer, or why code refuses it."""
        said = object_in(text)
        if said is None or not isinstance(said.get("instruction"), str) or not isinstance(said.get("keeps"), dict):
            return Answered(draft, "the answer is no JSON object with 'instruction' and 'keeps'")
        for name in ("necessary", "unnecessary"):
            if not isinstance(said.get(name, []), list) or not all(
                isinstance(each, str) for each in said.get(name, [])
            ):
                return Answered(draft, f"'{name}' is a list of texts")
        problem = next(chain(self._problems(draft, said), self._problems_of_words(draft, said)), "")
        if problem:
            return Answered(draft, problem)
        task = {**draft.task, "instruction": said["instruction"].strip()}
        task |= {name: said[name] for name in ("necessary", "unnecessary") if said.get(name)}
        return Answered(draft.to("written", self._writer.name, task=task))

    def _problems(self, draft: Draft, said: Mapping[str, Any]) -> Iterator[str]:
        instruction, keeps = said["instruction"], said["keeps"]
        told = " ".join([instruction, *said.get("necessary", []), *said.get("unnecessary", [])])
        length = len(instruction) if is_chinese(instruction) else len(instruction.split())
        if not instruction.strip() or length > (_SIGNS_MAX if is_chinese(instruction) else _WORDS_MAX):
            yield f"the instruction has {length} words"
        if found := GRADER.search(told):
            yield f"'{found[0]}' is a clause for the grader"
        for tool in {str(each).partition(".")[2] for each in draft.chain["tools"]}:
            if tool and tool in told:
                yield f"it names the tool {tool}"
        for blank in blanks_of(draft):
            yield from _unproven(draft, blank, told)
            yield from self._problems_of(blank, instruction, told, str(keeps.get(blank.name, "")))

    def _problems_of_words(self, draft: Draft, said: Mapping[str, Any]) -> Iterator[str]:
        """Yield why words cannot stand for their blanks, the language is another, or what does not matter is not so."""
        instruction, keeps = said["instruction"], {name: str(each) for name, each in said["keeps"].items()}
        language = self.language_of(draft)
        letters = len(_LATIN.findall(instruction)), len(_HAN.findall(instruction))
        if (language == "Chinese") != (letters[1] * _LATIN_A_SIGN > letters[0]):
            yield f"the instruction is not in {language}"
        blanks = blanks_of(draft)
        for one, other in combinations([each for each in blanks if keeps.get(each.name, "").strip()], 2):
            if fold(keeps[one.name]) == fold(keeps[other.name]):
                yield f"'{keeps[one.name]}' stands for {one.name} and for {other.name}"
        for blank in blanks:
            words, names = keeps.get(blank.name, ""), self._names_of(blank)
            # Words in one language have nothing in common with names in the other.
            alike = [each for each in names if is_chinese(each) == is_chinese(words)]
            if words and alike and not any(shares_words(each, words) or fold(words) in fold(each) for each in alike):
                yield f"'{words}', kept for {blank.name}, has no word of '{blank.label}'"
        for text in said.get("unnecessary", []):
            if not self._is_told(draft, text):
                yield f"'{text}' is said nowhere: quote what does not matter"

    def _is_told(self, draft: Draft, text: str) -> bool:
        """Return whether an answer of the draft's apps has a text in it."""
        views = [self._ground.view(app) for app in draft.task["apps"]]
        return any(
            fold(text) in fold(str(value)) for view in views for seen in view.seen for value in seen.values.values()
        )

    def _problems_of(self, blank: Placeholder, instruction: str, told: str, words: str) -> Iterator[str]:
        if blank.app and blank.value in told:
            yield f"it tells the id of {blank.name}"
        if not blank.app:
            fact = self._ground.ledger.require(blank.value)
            if forms_in(told, fact, self._ground.ledger, self._world):
                yield f"it tells the value of {blank.value}, which is to be found"
        if words and fold(words) not in fold(instruction):
            yield f"'{words}', kept for {blank.name}, is not in the instruction"
        if blank.said == "must" and not words:
            yield f"no words stand for {blank.name}"
        if words and blank.app:
            kinds = [blank.type, *sorted(self._ground.view(blank.app).kinds.of(blank.value))]
            rows = next((found for kind in kinds if (found := self._prover.rows_called(blank.app, kind, words))), [])
            if len(rows) > 1:
                yield f"'{words}' could be {len(rows)} rows"

    # -- blind reading ---------------------------------------------------------------------------------------------

    def read(self, draft: Draft) -> Answered:
        """Have a draft read blind: the reader says which entry of each list the instruction means.

        Raises:
            AnswerPendingError: the answer is waited for.
            FarmError: the writer fails.
        """
        lists = {blank.name: self.entries(draft, blank) for blank in blanks_of(draft)}
        common = self._person()
        shown = "\n".join(_listed(name, entries) for name, (entries, _) in lists.items())
        prompt = fill_prompt(READ, instruction=draft.task["instruction"], lists=shown, **common)
        said = object_in(self._writer.answer(f"{draft.id}-read", prompt).text)
        if said is None or not set(lists) <= said.keys():
            return Answered(draft, f"the answer is no JSON object with {', '.join(lists)}")
        for name, (entries, right) in lists.items():
            if said[name] != right:
                meant = entries[said[name] - 1] if _is_index(said[name], entries) else "none, or two of them"
                return self._rejected(draft, f"{name} was read as {meant}")
        return Answered(draft.to("read", self._writer.name))

    def entries(self, draft: Draft, blank: Placeholder) -> tuple[list[str], int]:
        """Return what a reader chooses from for a blank, and the number of the right entry, from 1."""
        others = self._other_rows(blank) if blank.app else self._other_facts(blank)
        drawn = Random(f"{draft.id} {blank.name}")
        chosen = drawn.sample(others, min(len(others), _ENTRIES_MAX - 1))
        entries = [*chosen, blank.label]
        drawn.shuffle(entries)
        return entries, entries.index(blank.label) + 1

    def _other_rows(self, blank: Placeholder) -> list[str]:
        view = self._ground.view(blank.app)
        kinds = view.kinds.of(blank.value)
        labels = {
            str(value)
            for (kind, key), objects in view.by_key.items()
            if kind in kinds and key != blank.value
            for seen in objects
            for name, value in seen.values.items()
            if view.kinds.is_label(value) and name.rpartition(".")[0] == seen.typed[kind][1].rpartition(".")[0]
        }
        return sorted(labels - {blank.label})

    def _other_facts(self, blank: Placeholder) -> list[str]:
        chinese, story = is_chinese(blank.label), blank.value.partition(".")[0]
        named = [
            (each.key.partition(".")[0] != story, name)
            for each in self._ground.facts
            for name in each.names
            if each.key != blank.value and is_chinese(name) == chinese
        ]
        own = set(self._ground.ledger.require(blank.value).names)
        return [name for _, name in sorted(named) if name not in own][: 2 * _ENTRIES_MAX]

    # -- what is told to writers -----------------------------------------------------------------------------------

    def language_of(self, draft: Draft) -> str:
        """Return the language in which the person asks: their own, or English about what has English names alone.

        Who writes English writes it about everything.
        """
        person = self._world.people.get(self._ground.universe.me, {})
        if person.get("language") == "en":
            return "English"
        said = [str(draft.chain["prototype"]), *(each.label for each in blanks_of(draft))]
        others = [each for each in self._ground.ledger.values() if is_chinese(" ".join(each.names))]
        is_all_english = not any(map(is_chinese, said)) and len(others) < len(self._ground.ledger) * _CHINESE_SHARE
        return "English" if is_all_english or not person.get("language") else "Chinese"

    def _person(self) -> dict[str, str]:
        now = self._world.starts_at.astimezone(self._world.zone).strftime("%A %d %B %Y, %H:%M")
        return {**person_values(self._world, self._ground.universe.me), "now": now}

    def _common(self, draft: Draft) -> dict[str, str]:
        blanks = blanks_of(draft)
        return {
            **self._person(),
            "language": self.language_of(draft),
            "apps": ", ".join(draft.task["apps"]),
            "prototype": str(draft.chain["prototype"]),
            "blanks": "\n".join(f"{_blank_line(each, draft)}{self._about(each)}" for each in blanks),
            "effects": "\n".join(f"- {each}" for each in (*self._effects(draft), *draft.chain.get("notes", ()))),
            "talk": "\n".join(line for each in blanks for line in self._talk(each, blanks)) or "- nothing",
        }

    def _about(self, blank: Placeholder) -> str:
        """Return what a writer has to know of a blank: its other names, its unit and story; who is in a place."""
        if blank.app:
            members = self._members(blank)
            title = content.load_app(blank.app).app.title
            table = blank.type.partition(".")[0].replace("_", " ")
            return f" [{title}, {table}{f'; in it: {members}' if members else ''}]"
        fact = self._ground.ledger.require(blank.value)
        others = [each for each in fact.names if each != blank.label]
        known = [f"also called {', '.join(others)}"] if others else []
        known += [
            f"a {fact.kind}{f' in {fact.unit}' if fact.unit else ''}",
            f"of the story '{blank.value.partition('.')[0]}'",
        ]
        known += ["it had another value before"] if fact.former else []
        known += ["somebody takes another value for true"] if fact.wrong else []
        return f" [{'; '.join(known)}]"

    def _members(self, blank: Placeholder) -> str:
        accounts = load_start(self._ground.universe.world).accounts(blank.app)
        beside = self._ground.beside_key(blank.app, blank.value)
        keys = [person for person, account in accounts.items() if account in beside and account != blank.value]
        named = [self._called(each) for each in keys]
        more = f" and {len(named) - _MEMBERS_MAX} more" if len(named) > _MEMBERS_MAX else ""
        return ", ".join(named[:_MEMBERS_MAX]) + more

    def _called(self, key: str) -> str:
        person = self._world.people.get(key, {})
        return str(person.get("name_zh") or person.get("name_en") or key)

    def _names_of(self, blank: Placeholder) -> list[str]:
        """Return what a blank may be called: its names, the words of a key; titles of a row, and who is in it."""
        if not blank.app:
            fact = self._ground.ledger.require(blank.value)
            return [blank.label, *fact.names, *_KEY_PARTS.split(fact.key)]
        kinds, beside = self._ground.view(blank.app).kinds, self._ground.beside_key(blank.app, blank.value)
        accounts = load_start(self._ground.universe.world).accounts(blank.app)
        people = [self._world.people.get(each, {}) for each, account in accounts.items() if account in beside]
        called = [str(person[each]) for person in people for each in _CALLED if person.get(each)]
        return [blank.label, *kinds.names_of(blank.value), *called]

    def _effects(self, draft: Draft) -> Iterator[str]:
        """Yield what is done, in words, from what the task checks."""
        for point in draft.task.get("checkpoints", ()):
            if point.get("kind") != "operate":
                yield "It is answered; everything that is looked up and not asked for stays as it is."
                continue
            title, table = content.load_app(point["app"]).app.title, point["table"].replace("_", " ")
            chosen = {**(point.get("where", {}) if point["change"] == "create" else {}), **point.get("after", {})}
            plain = {name: each for name, each in chosen.items() if not _is_reference(each)}
            sets = [self._effect(name, each, draft) for name, each in plain.items()]
            verb = {"create": "makes a new one of", "update": "changes one of", "delete": "deletes one of"}
            yield f"{verb[point['change']]} the {table} of {title}{': ' if sets else ''}{', '.join(sets)}"

    def _effect(self, column: str, value: Any, draft: Draft) -> str:
        name = column.replace("_", " ")
        if isinstance(value, dict) and "claims" in value:
            keys = [each["fact"] for each in value["claims"] if isinstance(each, dict) and "fact" in each]
            named = [
                self._ground.ledger.require(each).names[0] for each in keys if draft.chain["family"] not in _CHOSEN
            ]
            return f"its {name} tells {' and '.join(named) or 'the result'}"
        if isinstance(value, dict) and {"min", "max"} <= value.keys():
            return f"{name} becomes the moment at which it is done"
        shown = value.get("exactly", value) if isinstance(value, dict) else value
        return f"{name} becomes {_FACT.sub('…', str(shown))}"

    def _talk(self, blank: Placeholder, blanks: Sequence[Placeholder]) -> Iterator[str]:
        """Yield what was said of a blank: texts that tell a fact, its values hidden; the last ones of a place."""
        texts: list[str] = []
        if not blank.app:
            fact = self._ground.ledger.require(blank.value)
            former = [
                told.text for each in fact.versions for told in self._ground.told.places(f"{fact.key}#{each.key}")
            ]
            # Prompts are kept by their words, so that ties have to be in an order, too.
            now = sorted(self._ground.texts_of(fact.key), key=lambda each: (abs(len(each) - _TALK_LETTERS // 2), each))
            hidden = [_hidden(each, fact, self._ground.ledger, self._world) for each in now[:_TALK_MAX]]
            texts = [*hidden, *(f"(an old or wrong value) {each}" for each in dict.fromkeys(former[:1]))]
        else:
            keys = [each.value for each in blanks if not each.app]
            stories = {each.partition(".")[0] for each in keys}
            here = self._ground.texts_in(blank.app, blank.value, stories)
            facts = [self._ground.ledger.require(each) for each in keys]
            for text in here[:_TALK_MAX]:
                for fact in facts:
                    text = _hidden(text, fact, self._ground.ledger, self._world)
                texts.append(text)
            beside = self._ground.view(blank.app).kinds.names_of(blank.value) - {blank.label}
            texts += sorted(beside, key=lambda each: (len(each), each))[-1:]
        yield from (f"- {blank.name}: {_excerpt(each)}" for each in texts)

    def _rejected(self, draft: Draft, why: str) -> Answered:
        return Answered(draft.to("rejected", self._writer.name, why.splitlines()[0]))


def person_values(world: World, key: str) -> dict[str, str]:
    """Return what prompts tell of a person: names, title, and as the voice what the world notes and how they write."""
    person, voice = world.people.get(key, {}), voice_of(world, key)
    names = [str(person[each]) for each in ("name_en", "name_zh") if person.get(each)]
    return {
        "name": " ".join(names) or key,
        "title": str(person.get("title_en") or person.get("title_zh") or "no title"),
        "voice": " ".join(each for each in (str(person.get("note", "")), voice) if each),
    }


def _is_reference(value: Any) -> bool:
    """Return whether a condition names another row: a lookup, a person, what another checkpoint made."""
    if isinstance(value, dict):
        return bool({"person", "checkpoint"} & value.keys())
    return isinstance(value, str) and bool(_FACT.fullmatch(value)) and ":" not in value


def _excerpt(text: str) -> str:
    """Return the part of a text round the first value that was hidden in it, or its beginning."""
    line = " ".join(text.split())
    begin = max(0, min(line.find("…") - _TALK_LETTERS // 2, len(line) - _TALK_LETTERS))
    return f"{'[…] ' if begin else ''}{line[begin : begin + _TALK_LETTERS]}"


def _hidden(text: str, fact: Fact, ledger: Ledger, world: World) -> str:
    """Return a text with the values of a fact left out."""
    for value in values_in(text, fact, ledger, world):
        text = text.replace(value, "…")
    return text


def blanks_of(draft: Draft) -> list[Placeholder]:
    """Return the blanks of a draft."""
    return [Placeholder(**{**each, "rivals": tuple(each["rivals"])}) for each in draft.chain["placeholders"]]


def _proof_of(draft: Draft, blank: Placeholder) -> Mapping[str, Any]:
    proofs: Sequence[Mapping[str, Any]] = draft.proof.get("blanks", ())
    return next((each for each in proofs if each["blank"] == blank.name), {})


def _unproven(draft: Draft, blank: Placeholder, told: str) -> Iterator[str]:
    """Yield what an instruction leaves out of a blank though no proof allows it; nobody says the app of a person."""
    if not blank.app or "app" in _proof_of(draft, blank).get("leaves_out", ()):
        return
    known = content.load_app(blank.app).app
    if is_account(blank.app, blank.type):
        return
    if not any(name.lower() in told.lower() for name in (blank.app, known.title, *known.called)):
        yield f"it leaves out the app of {blank.name}, and another app has something of that name"


def _blank_line(blank: Placeholder, draft: Draft) -> str:
    proof = _proof_of(draft, blank)
    left = [each for each in proof.get("leaves_out", ()) if each != "id"]
    may = f"; you may leave out its {' and '.join(left)}" if left else ""
    never = "its value" if not blank.app else "its id"
    return f"- {blank.name} ({blank.said}; never {never}): {blank.label}{may}"


def _listed(name: str, entries: Sequence[str]) -> str:
    return "\n".join([f"\n{name}:", *(f"  {number}. {each}" for number, each in enumerate(entries, 1))])


def _is_index(value: Any, entries: Sequence[str]) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= len(entries)


def object_in(text: str) -> dict[str, Any] | None:
    """Return the JSON object in an answer; None if there is none."""
    found = _OBJECT.search(text)
    try:
        parsed = loads(found[0]) if found else None
    except ValueError:
        return None
    return parsed if isinstance(parsed, dict) else None


def fill_prompt(prompt: str, **values: str) -> str:
    """Return the text of a prompt's file with its blanks filled."""
    text = (files("farm.benchmark.generate") / "prompts" / f"{prompt}.md").read_text("utf-8")
    return Template(text).safe_substitute(values)
