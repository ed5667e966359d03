"""Fill the prompt of a batch: place, days, voices, facts with their references, and the form of the file."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from importlib.resources import files
from string import Template

from farm.appkit.world_spec.facts import Fact
from farm.appkit.world_spec.facts.forms import forms_of
from farm.appkit.world_spec.placeholders import render_dates
from farm.appkit.world_spec.realism import language_of
from farm.world.example_file import example_file
from farm.world.generators import generator
from farm.world.spec import Spec
from farm.world.writing.batches import Batch

BATCH, AGAIN, TALK = "batch-1", "again-1", "talk-1"
CLOSED, NOISE = "closed-1", "noise-1"

# Flag of a message → how it is written.
_FLAGS = {
    "edited": "{edited}",
    "recalled": "{recalled}",
    "image": "{image: …}",
    "file": "{file: name.pdf}",
    "voice": "{voice: …}",
    "sticker": "{sticker: name}",
    "video": "{video: name.mp4}",
}
# Forms of an amount that only Chinese money has, and values that nobody writes: 1.4e-07 亿, €0.014k.
_OF_YUAN = re.compile(r"yuan|kuai|wan|yi\b")
_TOO_SMALL = re.compile(r"\de-\d|\b0\.0\d")
_SELDOM = (
    "cents_de",
    "cents_plain",
    "thousands",
    "millions",
    "wan_bare",
    "fraction",
    "tenths",
    "hour",
    "minute",
    "slash",
)


def batch_prompt(spec: Spec, batch: Batch) -> str:
    """Return the prompt of a batch; it depends on world.toml, voices, facts and the batch alone."""
    start = spec.starts_at
    return fill(
        BATCH,
        texts=str(batch.texts),
        app=batch.app,
        place=batch.place,
        file=batch.file,
        days=f"{batch.first:+d} to {batch.last:+d}",
        start=f"+{(start.date() - spec.days.monday).days} {start:%H:%M}",
        about=batch.about,
        voices="\n".join(voice_line(spec, key) for key in batch.speakers),
        facts="\n".join(_facts(spec, batch)) or "None: this file tells no fact.",
        closed=fill(NOISE if batch.is_noise else CLOSED).rstrip(),
        form=_form(spec, batch),
    )


def material(spec: Spec, batch: Batch) -> str:
    """Return what a batch's text is made from, as JSON: it stays the same if only the wording of prompts changes."""
    facts = [spec.facts.require(key) for key, _ in batch.facts]
    return json.dumps(
        {
            "batch": {name: value for name, value in vars(batch).items() if name not in ("path", "declared")},
            "facts": [{name: value for name, value in vars(fact).items() if name != "place"} for fact in facts],
            "voices": [vars(spec.voices[key]) for key in batch.speakers if key in spec.voices],
        },
        default=vars,
        sort_keys=True,
    )


def again_prompt(prompt: str, answer: str, problems: Sequence[str], number: int, answers: int) -> str:
    """Return the prompt for an answer that was refused, with the lines and reasons.

    Args:
        prompt: the batch's first prompt.
        answer: the file that was refused.
        problems: why, one line each.
        number: which answer it was, from 1; there are at most ``answers``.
        answers: see ``number``.
    """
    return fill(
        AGAIN,
        number=str(number),
        answers=str(answers),
        prompt=prompt.rstrip(),
        answer=answer.rstrip(),
        problems="\n".join(f"- {each}" for each in problems),
    )


def fill(name: str, **parts: str) -> str:
    """Return a prompt of ``prompts/`` with its parts filled in."""
    text = files("farm.world.writing").joinpath("prompts", f"{name}.md").read_text("utf-8")
    return Template(text).substitute(parts)


def voice_line(spec: Spec, key: str) -> str:
    """Return how a person writes, as one line of a prompt."""
    person, voice = spec.people.get(key), spec.voices.get(key)
    name = f" ({person.name_zh or person.name_en})" if person else ""
    if voice is None:
        note = f": {person.note}" if person and person.note else ": plain and short"
        return f"- `{key}`{name}{note}"
    habits = "".join(f"; {each}" for each in voice.habits)
    return (
        f"- `{key}`{name}, {voice.age}, {voice.trade}, mother tongue {voice.tongue}: "
        f"a full stop at the end {voice.full_stops}, no capital at the beginning {voice.lower_case}, "
        f"only an emoji {voice.one_emoji}{habits}"
    )


def _facts(spec: Spec, batch: Batch) -> Iterator[str]:
    named = set[str]()
    for key, version in batch.facts:
        fact = spec.facts.require(key)
        if key in named and version and (asked := fact.version(version)):
            yield f"- Of `{key}`, tell too: `{{{{fact:{key}#{version} FORM}}}}`, {asked.value}. It is not true."
            continue
        named.add(key)
        yield from (
            f"- {line}" if number == 0 else f"  {line}" for number, line in enumerate(_fact(spec, batch, fact, version))
        )


def _fact(spec: Spec, batch: Batch, fact: Fact, version: str) -> Iterator[str]:
    names = f" ({', '.join(fact.names[:3])})" if fact.names else ""
    since = f", true since {fact.since}" if fact.since else ""
    yield f"`{fact.key}`{names}: {fact.value}{f' {fact.unit}' if fact.unit else ''}{since}. Tell it at least once."
    if version and (asked := fact.version(version)):
        reference = f"`{{{{fact:{fact.key}#{version} FORM}}}}`"
        yield f"Tell the value that is not true any more, or never was: {reference}, {asked.value}."
    for each in fact.former:
        until = f" until {each.until}" if each.until else ""
        yield f"Before: `{{{{fact:{fact.key}#{each.key} FORM}}}}`, {each.value}{until}. Say it only as what was."
    if fact.known:
        known = ", ".join(f"{who} from {since}" for who, since in fact.known.items() if who in batch.speakers)
        yield f"Of those who write here, it is known to {known or 'nobody'}."
    yield f"Forms: {'; '.join(_forms(spec, batch, fact))}."


def _forms(spec: Spec, batch: Batch, fact: Fact) -> Iterator[str]:
    """Yield references with what they render, in the languages of those who write."""
    tongues = {spec.voices[key].tongue for key in batch.speakers if key in spec.voices} or {
        spec.people[key].language for key in batch.speakers if key in spec.people
    }
    every = forms_of(fact)
    # A form that writes what an earlier one writes, or that few texts need, only makes the prompt longer.
    common = {written: form for form, written in reversed([*every.items()]) if form not in _SELDOM}
    for form, written in every.items():
        if common.get(written) != form:
            continue
        is_foreign = bool(fact.unit) and fact.kind == "amount" and fact.unit != "CNY"
        if (is_foreign and _OF_YUAN.match(form)) or (fact.kind == "amount" and _TOO_SMALL.search(written)):
            continue
        shown = render_dates(written, spec.days.monday, spec.days.zone)
        language = language_of(shown) if fact.kind != "text" else None
        if (language == "zh" and "zh" not in tongues) or (language == "en" and tongues == {"zh"}):
            continue
        yield f"`{{{{fact:{fact.key}{f' {form}' if form else ''}}}}}` {shown}"


def _form(spec: Spec, batch: Batch) -> str:
    if batch.declared is None:
        first, *others = batch.speakers
        chat = batch.chats[0] if batch.chats else "CHAT"
        made = generator(batch.app)
        flags = [_FLAGS[each] for each in _FLAGS if each in getattr(made, "FLAGS", _FLAGS)]
        second = (others or [first])[0]
        return fill(
            TALK,
            chat=chat,
            day=f"{batch.first:+d}",
            first=first,
            second=second,
            picture=" {image: what it shows}" if "{image: …}" in flags else "",
            after=f"\n  - :eyes: {second}" if getattr(made, "HAS_REACTIONS", True) else "",
            flags=f"\nFlags in braces may follow the key: {', '.join(flags)}." if flags else "",
        ).rstrip()
    # An entry's holder has an account in the app; who else speaks may have none.
    accounts = [key for key in batch.speakers if key in spec.app(batch.app).members]
    people = [
        *(accounts or [*spec.app(batch.app).members][:1]),
        *(key for key in batch.speakers if key not in accounts),
    ]
    if batch.file.endswith(".md"):
        example = example_file(batch.declared, people)
        return (
            f"Front matter (TOML) between two lines `+++`, and the page below it.\n\n```\n+++\n{example}+++\n\n…\n```"
        )
    example = example_file(batch.declared, people, is_whole=True)
    return f"TOML; keys in comments are optional.\n\n```toml\n{example}```"
