"""The three prompts of drafts, and what code checks in the answers.

*Why*: who would ask this, and what for. *Word*: the instruction, as the persona types it. *Read*: blind, which rows and
facts the instruction means. What a writer answered is kept; nonsense sends the draft back with one line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from random import Random
from string import Template
from typing import Any

from farm import content
from farm._util.json_io import loads
from farm._util.prompt_writers import Writer
from farm.benchmark.generate.chains import Placeholder
from farm.benchmark.generate.drafts import Draft
from farm.benchmark.generate.prove import Prover
from farm.benchmark.generate.samplers.ground import Ground
from farm.benchmark.generate.wording import forms_in, is_chinese
from farm.benchmark.scoring.claims.values import fold
from farm.context.template import World, load_world

WHY, WORD, READ = "why-1", "word-1", "read-1"
_TALK_MAX, _TALK_LETTERS = 3, 200
_ENTRIES_MAX = 12
_WORDS_MAX, _SIGNS_MAX = 90, 160
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
        why = self._writer.answer(f"{draft.id}-why", fill_prompt(WHY, talk=self._talk(draft), **common)).text.strip()
        if why.startswith("NOBODY"):
            return self._rejected(draft, why)
        if not why.startswith("BECAUSE "):
            return Answered(draft, "the answer to 'why' begins neither with BECAUSE nor with NOBODY")
        language = "Chinese" if is_chinese(str(draft.chain["prototype"])) else "English"
        prompt = fill_prompt(WORD, why=why.removeprefix("BECAUSE "), language=language, **common)
        text = self._writer.answer(f"{draft.id}-word", prompt).text.strip()
        if text.startswith(("NOBODY", "AMBIGUOUS")):
            return self._rejected(draft, text)
        return self.accept_words(draft, text)

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
        problem = next(self._problems(draft, said), "")
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
        common = self._common(draft)
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

    def _common(self, draft: Draft) -> dict[str, str]:
        chinese = is_chinese(str(draft.chain["prototype"]))
        return {
            **person_values(self._world, self._ground.universe.me, chinese=chinese),
            "now": self._world.starts_at.astimezone(self._world.zone).strftime("%A %d %B %Y, %H:%M"),
            "apps": ", ".join(draft.task["apps"]),
            "prototype": str(draft.chain["prototype"]),
            "blanks": "\n".join(_blank_line(each, draft) for each in blanks_of(draft)),
        }

    def _talk(self, draft: Draft) -> str:
        stories = [each.value.partition(".")[0] for each in blanks_of(draft) if not each.app]
        texts = [told.text for story in stories for told in self._ground.told.by_story.get(story, ())]
        lines = [f"- {' '.join(each.split())[:_TALK_LETTERS]}" for each in dict.fromkeys(texts)]
        return "\n".join(lines[:_TALK_MAX]) or "- nothing"

    def _rejected(self, draft: Draft, why: str) -> Answered:
        return Answered(draft.to("rejected", self._writer.name, why.splitlines()[0]))


def person_values(world: World, key: str, *, chinese: bool) -> dict[str, str]:
    """Return what prompts tell of a person: name, title and, as the voice, what the world notes of them."""
    person, language = world.people.get(key, {}), "zh" if chinese else "en"
    return {
        "name": str(person.get(f"name_{language}", key)),
        "title": str(person.get(f"title_{language}", "")),
        "voice": str(person.get("note", "")),
    }


def blanks_of(draft: Draft) -> list[Placeholder]:
    """Return the blanks of a draft."""
    return [Placeholder(**{**each, "rivals": tuple(each["rivals"])}) for each in draft.chain["placeholders"]]


def _proof_of(draft: Draft, blank: Placeholder) -> Mapping[str, Any]:
    proofs: Sequence[Mapping[str, Any]] = draft.proof.get("blanks", ())
    return next((each for each in proofs if each["blank"] == blank.name), {})


def _unproven(draft: Draft, blank: Placeholder, told: str) -> Iterator[str]:
    """Yield what an instruction leaves out of a blank though no proof allows it."""
    if not blank.app or "app" in _proof_of(draft, blank).get("leaves_out", ()):
        return
    names = {blank.app, content.load_app(blank.app).app.title}
    if not any(name.lower() in told.lower() for name in names):
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
