"""How each person writes in all apps, and whether their messages in an app match."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from farm.appkit.world_spec.realism import Utterance, ends_in_full_stop, is_emoji_only, language_of
from farm.appkit.world_spec.toml_reader import WorldError, require

# Frequency → the smallest and the largest share of a person's messages.
HOW_OFTEN: Mapping[str, tuple[float, float]] = {
    "never": (0.0, 0.03),
    "rarely": (0.0, 0.2),
    "sometimes": (0.1, 0.5),
    "often": (0.35, 0.8),
    "mostly": (0.6, 1.0),
}
# With fewer messages a share is not meaningful.
MEASURED_FROM = 12
_BEGIN_MAX, _NAMED_MAX = 30, 160  # characters of a message, and of all messages that a line names


@dataclass(frozen=True)
class Voice:
    """How one person writes.

    Attributes:
        tongue: the mother tongue.
        full_stops: how often a message ends in a full stop.
        lower_case: how often a message in a language with capitals begins without one.
        one_emoji: how often a message is only an emoji.
        habits: traits that are not measured: typos and their corrections, double messages, answering times, pet words.
    """

    person: str
    age: int
    trade: str
    tongue: str
    full_stops: str
    lower_case: str
    one_emoji: str
    habits: tuple[str, ...]

    @staticmethod
    def read(entry: Mapping[str, object], where: str) -> Voice:
        """Parse an entry of voices.toml.

        Raises:
            WorldError: a frequency is unknown, or a value has the wrong type.
        """
        for name in MEASURES:
            require("how often", str(entry[name]), HOW_OFTEN, f"{where}: {name}")
        age, habits = entry["age"], entry.get("habits", [])
        if type(age) is not int or not isinstance(habits, list):
            raise WorldError(f"{where}: 'age' is a number and 'habits' a list of texts")
        texts = {name: str(entry[name]) for name in ("person", "trade", "tongue", *MEASURES)}
        return Voice(**texts, age=age, habits=tuple(map(str, habits)))


def _begins_small(said: Utterance) -> bool:
    first = re.search(r"[^\W\d_]", said.text)
    return first is not None and first[0].islower()


def _begin(text: str) -> str:
    return text if len(text) <= _BEGIN_MAX else f"{text[:_BEGIN_MAX]}…"


_Test = Callable[[Utterance], bool]
# Measure → the test for counted messages, and the test for the messages among which they are counted.
MEASURES: Mapping[str, tuple[_Test, _Test]] = {
    "full_stops": (lambda said: ends_in_full_stop(said.text), lambda said: True),
    "lower_case": (_begins_small, lambda said: language_of(said.text) == "en"),
    "one_emoji": (lambda said: is_emoji_only(said.text), lambda said: True),
}


def out_of_voice(
    voices: Iterable[Voice], said: Iterable[Utterance], *, measured_from: int = MEASURED_FROM
) -> list[str]:
    """Return the differences between people's messages and their declared voices, one per line.

    A share may miss its range by one message, as each person writes only a few.
    """
    theirs: dict[str, list[Utterance]] = {}
    for each in said:
        if each.kind in ("text", "media") and each.text.strip():
            theirs.setdefault(each.author, []).append(each)
    found = []
    for voice in voices:
        for name, (counts, among) in MEASURES.items():
            heard = [each for each in theirs.get(voice.person, ()) if among(each)]
            if len(heard) < measured_from:
                continue
            number, (low, high) = sum(map(counts, heard)), HOW_OFTEN[getattr(voice, name)]
            if not low * len(heard) - 1 <= number <= high * len(heard) + 1:
                should = f"{getattr(voice, name)}, which is {low:.0%} to {high:.0%}"
                is_many = number > high * len(heard)
                those = ", ".join(f"'{_begin(each.text)}'" for each in heard if counts(each) == is_many)
                those = those if len(those) < _NAMED_MAX else f"{those[:_NAMED_MAX]}…"
                found.append(
                    f"{voice.person} has {name} in {number} of {len(heard)} messages; the voice says {should}; "
                    f"{'with' if is_many else 'without'} it: {those}"
                )
    return found
