"""Have what a world's people say by rules put into other words: asked once, judged by code, kept in the world."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from farm._util.names import list_names
from farm._util.prompt_writers import AnswerPendingError, NotKeptError, Writer
from farm.appkit.world_spec.placeholders import render_dates
from farm.appkit.world_spec.realism import language_of
from farm.context.template import load_world
from farm.context.wordings import WORDED, digest_of, find_problem, placeholders_in, without_placeholders
from farm.context.world_people import read_wordings, worded_texts
from farm.errors import FarmError
from farm.world.facts.literals import LiteralReader
from farm.world.privacy import PrivacyReader
from farm.world.spec import Spec
from farm.world.writing.prompt import again_prompt, fill, voice_line
from farm.world.writing.session import AGAIN_MAX, file_in

FILE = "worded.toml"
PROMPT = "wordings-1"
WORDINGS = 3
_SHORT = 10  # characters; a shorter text stays as it is
_LONGER, _LONGER_MIN = 1.6, 60
_HEAD = (
    "# Wordings of what the rules beside say. `farm world word-people` writes this file; `of` is of the rule's text.\n"
)


@dataclass(frozen=True)
class SaidText:
    """What a rule lets somebody say.

    Attributes:
        rule: the rule's id.
        step: the name of its prompt in files.
        text: as the rule's file has it, with references.
        app: where it is said.
        when: what it answers, as JSON.
    """

    rule: str
    step: str
    who: str
    text: str
    app: str
    when: str

    @property
    def digest(self) -> str:
        """What the text's wordings are found by."""
        return digest_of(self.who, self.text)


@dataclass(frozen=True)
class Worded:
    """What became of a text.

    Attributes:
        said: the text.
        texts: its wordings; none if the text stays as it is.
        state: ``stands`` (worded before), ``worded``, ``refused``, or ``waits`` for an answer.
        problems: why wordings were refused, or what it waits for, one line each.
    """

    said: SaidText
    texts: Sequence[str]
    state: str
    problems: Sequence[str] = ()

    def __str__(self) -> str:
        if self.state == "waits":
            return f"{self.said.step}: {self.problems[0]}"
        count = f" in {len(self.texts)} ways" if self.texts else ""
        return f"{self.said.step}: {self.state}{count}"


def said_texts(world: str, only: Sequence[str] = ()) -> list[SaidText]:
    """Return the texts of a world's rules that may be put into other words.

    A text that is very short stays, and so do those of a rule by which somebody corrects a word of his own.

    Args:
        world: the world's name.
        only: ids of rules; empty for all.

    Raises:
        NotFoundError: there is no such world.
        FarmError: there is no such rule.
    """
    found, ids = list[SaidText](), list[str]()
    rules = [(rule, text) for rule, text in worded_texts(load_world(world)) if isinstance(rule.get("id"), str)]
    correcting = {rule["id"] for rule, text in rules if text.startswith("*")}
    for rule, text in rules:
        ids.append(rule["id"])
        if len(text) < _SHORT or rule["id"] in correcting or (only and rule["id"] not in only):
            continue
        number = sum(each.rule == rule["id"] for each in found) + 1
        when = json.dumps(rule["when"], ensure_ascii=False, sort_keys=True)
        found.append(SaidText(rule["id"], f"{rule['id']}-{number}", rule["who"], text, rule["when"]["app"], when))
    for each in only:
        if each not in ids:
            raise FarmError(f"no rule '{each}' says a text; have {list_names(sorted(set(ids)), each)}")
    return found


def word_people(
    spec: Spec, writer: Writer, only: Sequence[str] = (), said: Callable[[Worded], None] = lambda _: None
) -> list[Worded]:
    """Have each text worded that is not, and keep the accepted wordings in ``people/worded.toml`` of the world.

    Args:
        spec: the world.
        writer: keeps its answers in ``written/`` of the world.
        only: ids of rules; empty for all.
        said: gets each result as it comes.

    Raises:
        FarmError: there is no such rule, or the writer fails.
    """
    session, results = _Session(spec, writer), list[Worded]()
    for text in said_texts(spec.name, only):
        results.append(session.result(text))
        session.keep(results[-1])
        said(results[-1])
    return results


def problem_lines(results: Sequence[Worded]) -> Iterator[str]:
    """Yield one line for each text that stays as it is."""
    for each in results:
        if each.state == "refused":
            yield f"{each.said.step}: keeps its words; the last answer: {'; '.join(each.problems)}"


class _Session:
    def __init__(self, spec: Spec, writer: Writer) -> None:
        self._spec, self._writer = spec, writer
        self._literals = LiteralReader(spec.facts, spec.starts_at)
        self._privacy = PrivacyReader(spec)
        self._names = sorted(set(_names_of(spec)))
        self._path = spec.folders[0] / "people" / FILE
        # Those of a text that no rule has any more go.
        every = {each.digest for each in said_texts(spec.name)}
        self._kept = {digest: entry for digest, entry in read_wordings(self._path).items() if digest in every}

    def result(self, said: SaidText) -> Worded:
        if (kept := self._kept.get(said.digest)) is not None:
            return Worded(said, kept["texts"], "stands")
        first = prompt = self._prompt(said)
        problems: list[str] = []
        # Answers that an earlier command was given and refused do not count: whoever words now is asked as well.
        asked, answers = 0, AGAIN_MAX + 1
        for number in itertools.count():
            if number == answers:
                answers += AGAIN_MAX + 1
            step = f"{said.step}-again-{number}" if number else said.step
            try:
                made = self._writer.answer(step, prompt)
            except AnswerPendingError as waits:
                return Worded(said, (), "waits", [str(waits)])
            except NotKeptError:
                if number <= AGAIN_MAX:
                    raise
                break
            answer = file_in(made.text)
            texts, problems = self._accepted(said, answer)
            if texts:
                return Worded(said, texts, "worded", problems)
            asked += made.is_new
            if asked > AGAIN_MAX:
                break
            prompt = again_prompt(first, answer, problems, number + 1, answers)
        return Worded(said, (), "refused", problems)

    def keep(self, result: Worded) -> None:
        if result.state != "worded":
            return
        said = result.said
        self._kept[said.digest] = {"rule": said.rule, "of": said.digest, "texts": list(result.texts)}
        order = {each.digest: number for number, each in enumerate(said_texts(self._spec.name))}
        entries = sorted(self._kept.values(), key=lambda entry: order[entry["of"]])
        self._path.write_text(_HEAD + "".join(map(_toml, entries)), "utf-8")

    def _prompt(self, said: SaidText) -> str:
        return fill(
            PROMPT,
            number=str(WORDINGS),
            voice=voice_line(self._spec, said.who),
            app=said.app,
            when=said.when,
            text=said.text,
            facts="\n".join(f"- `{each}`{self._shown(each)}" for each in placeholders_in(said.text)) or "Nothing.",
            length=str(_length_max(said.text)),
        )

    def _shown(self, placeholder: str) -> str:
        return f": {self._rendered(placeholder)}" if placeholder.startswith("{{") else ""

    def _rendered(self, text: str) -> str:
        days = self._spec.days
        return render_dates(self._spec.facts.render(text, "a rule"), days.monday, days.zone)

    def _names_in(self, wording: str) -> list[str]:
        """Return the names of the world's people in a wording; English ones are whole words."""
        return [
            name
            for name in self._names
            if re.search(rf"\b{re.escape(name)}\b" if name.isascii() else re.escape(name), wording)
        ]

    def _accepted(self, said: SaidText, answer: str) -> tuple[list[str], list[str]]:
        """Return the wordings of an answer that are accepted, and a line for each other one."""
        accepted, problems = list[str](), list[str]()
        for number, raw in enumerate(_wordings_of(answer), start=1):
            problem = self._problem(said.text, raw, [said.text, *accepted])
            if problem is None:
                accepted.append(raw)
            else:
                problems.append(f"wording {number} {problem}")
        if not accepted and not problems:
            problems.append("the answer has no wording")
        return accepted[:WORDINGS], problems

    def _problem(self, text: str, wording: str, others: Sequence[str]) -> str | None:
        if problem := find_problem(text, wording):
            return problem
        if " ".join(wording.split()).casefold() in {" ".join(each.split()).casefold() for each in others}:
            return "is one that there is already"
        if len(wording) > _length_max(text):
            return f"has {len(wording)} characters, and {_length_max(text)} may be"
        if wording.count("\n") > text.count("\n"):
            return "has more lines than the text"
        for kind, value in self._privacy.find(wording):
            return f"has '{value}', which looks like a {kind}"
        typed = {each.text for each in self._literals.literals(text)}
        for literal in self._literals.literals(wording):
            if literal.text not in typed:
                return f"types '{literal.text}' ({literal.kind}), which the text does not"
        for name in self._names_in(wording):
            if name not in text:
                return f"names {name}, whom the text does not name"
        language = language_of(without_placeholders(text))
        if language_of(without_placeholders(wording)) != language:
            return "is in another language than the text"
        return None


def _names_of(spec: Spec) -> Iterator[str]:
    """Yield the names by which the people of a world are called: whole ones, and given names."""
    for person in spec.people.values():
        yield from filter(None, (person.name_en, person.name_en.partition(" ")[0], person.name_zh))
        if len(person.name_zh) > 2:
            yield person.name_zh[1:]


def _length_max(text: str) -> int:
    return max(int(_LONGER * len(text)), len(text) + _LONGER_MIN)


def _wordings_of(answer: str) -> Iterator[str]:
    lines = list[str]()
    for line in [*answer.splitlines(), "---"]:
        if line.strip() != "---":
            lines.append(line.rstrip())
            continue
        if text := "\n".join(lines).strip():
            yield text
        lines = []


def _toml(entry: Mapping[str, Any]) -> str:
    texts = "".join(f"    {json.dumps(each, ensure_ascii=False)},\n" for each in entry["texts"])
    return f'\n[[{WORDED}]]\nrule = "{entry["rule"]}"\nof = "{entry["of"]}"\ntexts = [\n{texts}]\n'
