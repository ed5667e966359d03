"""Accept or refuse a written file: it parses, tells its facts and no other value, and sounds like those who write."""

from __future__ import annotations

import re
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cached_property
from pathlib import Path

from farm.appkit.world_spec.app_spec import AppSpec
from farm.appkit.world_spec.facts import FactError
from farm.appkit.world_spec.open_minutes import written_minutes
from farm.appkit.world_spec.placeholders import render_dates
from farm.appkit.world_spec.problems import Problems, collecting
from farm.appkit.world_spec.realism import Utterance
from farm.appkit.world_spec.talk import HEADING
from farm.appkit.world_spec.voices import out_of_voice
from farm.world.check import generated
from farm.world.facts.check import FACT_REFERENCE, told_too_early
from farm.world.facts.free_text import FreeTextReader
from farm.world.facts.literals import LiteralReader
from farm.world.facts.spec_texts import SpecText, app_texts, spec_texts
from farm.world.generate import SCHEDULED, rows_of_app, scheduled_rows_of
from farm.world.generators import files, generator
from farm.world.privacy import PrivacyReader
from farm.world.spec import Spec
from farm.world.writing.batches import Batch
from farm.world.writing.phrases import WORDS, Phrases

_REFERENCE = re.compile(r"\{\{[^{}]*\}\}")
_NOISE = re.compile(r"\{\{noise:")
_PLAIN_SHARE = 0.25  # of the texts carry no fact, at least; a third is asked for
_MARKS_MAX = 2
_VOICE_FROM = 4  # texts of one person, in a batch
_ROUND_SHARE, _ROUND_MIN = 0.4, 2
_FEW, _MANY = 0.7, 1.4  # of the number of texts that is asked for
_SHARES_FROM = 6


class Acceptance:
    """Knows a world, and judges files that were written for its batches."""

    def __init__(self, spec: Spec) -> None:
        self._spec = spec
        self._literals = LiteralReader(spec.facts, spec.starts_at)
        self._privacy = PrivacyReader(spec)
        self._reader = FreeTextReader(spec.facts, spec.days, spec.starts_at)

    def problems(self, batch: Batch, text: str) -> list[str]:
        """Return why a file is refused, one line each, with its line where there is one; empty if it is accepted."""
        texts: list[SpecText] = []
        with collecting() as unread, unread.added():
            texts = self._read(batch, text, unread)
        if unread.lines and not texts:
            return [_with_line(batch, line) for line in unread.lines]
        found = [
            *unread.lines,
            *self._of_texts(batch, texts),
            *self._facts(batch, texts),
            *_chats(batch, text),
            *_speakers(batch, texts),
            *self._voices(batch, texts),
            *_minutes(batch, text),
            *self._phrases(batch, texts),
            *self._private(texts),
        ]
        return sorted((_with_line(batch, line) for line in dict.fromkeys(found)), key=_line_number)

    def learn(self, batch: Batch, text: str) -> None:
        """Remember the phrases of an accepted file."""
        self._others.setdefault(batch.app, Phrases()).add(self._read(batch, text, Problems()))

    # -- reading -------------------------------------------------------------------------------------------------------

    def _read(self, batch: Batch, text: str, problems: Problems) -> list[SpecText]:
        """Return the texts of a file, after the app's generator has made its rows with it.

        Args:
            batch: the batch.
            text: the file.
            problems: gets what the generator refuses.
        """
        with tempfile.TemporaryDirectory() as made:
            part = self._with_file(batch, text, Path(made) / batch.app)
            texts = [each for each in app_texts(part) if each.file == f"{batch.app}/{batch.file}"]
            generated(rows_of_app, part, problems)
            if batch.file.startswith(f"{SCHEDULED}/"):
                generated(scheduled_rows_of, part, problems)
            return texts

    def _with_file(self, batch: Batch, text: str, folder: Path) -> AppSpec:
        shutil.copytree(self._spec.app(batch.app).folder, folder)
        path = folder / batch.file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
        return AppSpec(self._spec, batch.app, folder, generator(batch.app), self._spec.link, files(batch.app))

    # -- judging -------------------------------------------------------------------------------------------------------

    def _of_texts(self, batch: Batch, texts: Sequence[SpecText]) -> Iterator[str]:
        """Yield what is wrong with the number of texts, their days and chats."""
        if not texts:
            yield "nothing is said in the file"
        if batch.is_talk and not _FEW * batch.texts <= len(texts) <= _MANY * batch.texts:
            yield f"the file has {len(texts)} texts, and {batch.texts} are asked for"
        monday = self._spec.days.monday
        for text in texts:
            day = None if text.at is None else (text.at.date() - monday).days
            if day is not None and not batch.first <= day <= batch.last:
                yield f"{text.place}: is on day {day:+d}; the days are {batch.first:+d} to {batch.last:+d}"

    def _facts(self, batch: Batch, texts: Sequence[SpecText]) -> Iterator[str]:
        """Yield facts that are not told, or not yet true, and values that belong to none."""
        told, marks, plain = set[tuple[str, str]](), 0, 0
        for text in texts:
            references = FACT_REFERENCE.findall(text.text)
            told.update(references)
            plain += not references
            marks += len(_NOISE.findall(text.text))
            for key, version in references:
                if key in self._spec.facts:
                    yield from told_too_early(self._spec, self._spec.facts[key], version, text)
            for literal in self._literals.literals(text.text):
                yield f"{text.place}: '{literal.text}' ({literal.kind}) belongs to no fact; leave it out"
            yield from map(str, self._reader.contradictions(text))
        for key, version in batch.facts:
            if (key, version) not in told:
                name = f"{key}#{version}" if version else key
                yield f"no text tells '{name}'; write {{{{fact:{name} FORM}}}} in one"
        yield from _shares(batch, len(texts), told, marks, plain)

    def _voices(self, batch: Batch, texts: Sequence[SpecText]) -> Iterator[str]:
        voices = [self._spec.voices[key] for key in batch.speakers if key in self._spec.voices]
        said = [
            Utterance(each.author, each.at or self._spec.starts_at, text)
            for each in texts
            if (text := self._rendered(each).strip())
        ]
        yield from out_of_voice(voices, said, measured_from=_VOICE_FROM)

    def _rendered(self, text: SpecText) -> str:
        """Return what a text says with its facts and dates, and without mentions and links."""
        said = text.text if text.said is None else text.said
        with suppress(FactError, ValueError):  # an invalid reference is reported by itself
            facts = self._spec.facts.render(said, text.place)
            said = render_dates(facts, self._spec.days.monday, self._spec.days.zone)
        return _REFERENCE.sub("", said)

    def _phrases(self, batch: Batch, texts: Sequence[SpecText]) -> Iterator[str]:
        elsewhere, own = self._elsewhere(batch), Phrases()
        for text in texts:
            if found := elsewhere.repeated(text, own):
                phrase, place = found
                yield f"{text.place}: '{phrase}' are {WORDS} words in a row that {place} has, too; say it otherwise"
            own.add([text])

    def _elsewhere(self, batch: Batch) -> Phrases:
        """Return the phrases of all files but the batch's own."""
        phrases = Phrases()
        phrases.add(each for each in self._texts if each.file != f"{batch.app}/{batch.file}")
        for learnt in self._others.values():
            phrases.merge(learnt)
        return phrases

    @cached_property
    def _texts(self) -> list[SpecText]:
        return [*spec_texts(self._spec)]

    @cached_property
    def _others(self) -> dict[str, Phrases]:
        return {}

    def _private(self, texts: Sequence[SpecText]) -> Iterator[str]:
        for text in texts:
            for kind, value in self._privacy.find(text.text):
                yield f"{text.place}: '{value}' looks like a {kind}; leave it out"


def _shares(batch: Batch, number: int, told: set[tuple[str, str]], marks: int, plain: int) -> Iterator[str]:
    if batch.is_noise and (told or marks):
        yield "the file is noise, and holds a fact or a value; leave it out"
    if marks > _MARKS_MAX:
        yield f"{marks} values are marked as noise, and {_MARKS_MAX} may be; leave some out"
    if batch.is_talk and number >= _SHARES_FROM and plain < _PLAIN_SHARE * number:
        yield f"{plain} of {number} texts carry no fact, and a third should; say less"


def _chats(batch: Batch, text: str) -> Iterator[str]:
    for number, line in enumerate(text.splitlines() if batch.is_talk and batch.chats else (), start=1):
        if (heading := HEADING.fullmatch(line.rstrip())) and heading[1] not in batch.chats:
            chats = ", ".join(f"#{each}" for each in batch.chats)
            yield f"{batch.app}/{batch.file}:{number}: the chat is #{heading[1]}, and the place is {chats}"


def _speakers(batch: Batch, texts: Sequence[SpecText]) -> Iterator[str]:
    for text in texts:
        if text.author and text.author not in batch.speakers:
            yield f"{text.place}: {text.author} writes, and only {', '.join(batch.speakers)} may"


def _minutes(batch: Batch, text: str) -> Iterator[str]:
    minutes = written_minutes(text, is_talk=batch.is_talk)
    marks = sum(minute % 5 == 0 for minute in minutes)
    if marks > max(_ROUND_MIN, _ROUND_SHARE * len(minutes)):
        yield f"{marks} of {len(minutes)} written minutes are round; leave minutes open, such as 17:~"


def _line_number(problem: str) -> int:
    """Return the line of a problem; those of the whole file come last."""
    found = re.match(r"line (\d+):", problem)
    return int(found[1]) if found else sys.maxsize


def _with_line(batch: Batch, problem: str) -> str:
    """Return a problem that begins with its line, instead of with the file that everybody knows."""
    own = re.escape(f"{batch.app}/{batch.file}")
    return re.sub(rf"^{own}(?::(\d+))?: ", lambda found: f"line {found[1]}: " if found[1] else "", problem)
