"""Decide how sure a verdict is, from weights of word sequences that were learned from labelled texts.

The rules decide whether a text meets its requirements. They do not know what they misread. Here, a text becomes a
sequence of tokens: a value or a name becomes a tag (claimed, asked, further, of another subject, …), so do the words of
the claims and of the request, and any other word stays itself. Every sequence of one to three tokens has a weight. The
sum of a text's weights is the log-odds that the text is right.

``python -m tests.claims.train`` learns the weights, without the rules' verdicts, and writes ``weights.json``. Only
sequences that occur in the texts of at least ten tasks have a weight, so no weight is about one task's answer.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import get_args

from farm._util.json_io import loads
from farm.benchmark.scoring.claims.mentions import same_value
from farm.benchmark.scoring.claims.model import Code, Reason, Requirement
from farm.benchmark.scoring.claims.normalize import fold
from farm.benchmark.scoring.claims.question import Question
from farm.benchmark.scoring.claims.reading import Mention, Reading, values_of
from farm.benchmark.scoring.claims.values import Value
from farm.benchmark.scoring.claims.words import is_function_word, unexplained

WEIGHTS = Path(__file__).with_name("weights.json")
LENGTH_MAX = 3  # tokens of a sequence
# Thresholds of the probability that a text is right. An acceptance is sure from ACCEPTED; if the rules doubt it, from
# CONFIRMED. A refusal with one reason is sure up to REFUSED; if the rules doubt it, up to REJECTED.
ACCEPTED, CONFIRMED, REFUSED, REJECTED = 0.3, 0.8, 0.85, 0.5
_TOKEN = re.compile(r"[a-z]+(?:'[a-z]+)?|\d+|[\u4e00-\u9fff]|[^\s\w]|\n|[^\W\d_]")
_ENDS, _STOPS = ("^", "$"), (".", "。")
# What a mention is, by the first letter of its key: a rival, another subject, the subject, or a word beside it.
_KEYS = {"c": "C_choice", "p": "C_says", "r": "RIVAL", "n": "OTHER", "s": "SUBJECT", "w": "BESIDE"}
# What the rules may misread. Whether the text of the start was kept is certain.
_SOFT = frozenset(get_args(Code)) - {"altered", "unread"}
_NAMED = 4  # unexplained words that a doubt names


@dataclass(frozen=True)
class Vocabulary:
    """The words of some texts: Latin words, and pairs of Chinese characters."""

    words: frozenset[str]
    pairs: frozenset[str]

    @classmethod
    def of(cls, texts: Iterable[str]) -> Vocabulary:
        """Return the words of some texts."""
        body = fold("\n".join(texts))
        runs = re.findall(r"[\u4e00-\u9fff]+", body)
        pairs = {run[at : at + 2] for run in runs for at in range(len(run) - 1)}
        return cls(frozenset(re.findall(r"[a-z]+", body)), frozenset(pairs))


@lru_cache(maxsize=1024)
def _claimed_words(wanted: Requirement) -> Vocabulary:
    """Return the words of a requirement: of its values, subjects, units and sample texts."""
    texts = [*wanted.also, wanted.keeps or "", *(wanted.stance.on if wanted.stance else ())]
    for claim in wanted.claims:
        values = (" ".join(each) if isinstance(each, tuple) else str(each) for each in claim.values)
        texts += [*values, *claim.of, *claim.not_of, *claim.beside, *claim.units]
    return Vocabulary.of(texts)


@lru_cache(maxsize=1024)
def _asked_words(asked: str) -> Vocabulary:
    return Vocabulary.of((asked,))


def tokens(
    wanted: Requirement, reading: Reading, claimed: Sequence[Sequence[Mention]], question: Question
) -> list[str]:
    """Return a text as tokens.

    Args:
        claimed: for each claim of the requirement, the mentions of its value, whatever their status.
    """
    allowed = [value for text in wanted.also for value in values_of(text, reading.now)]
    tags = _tags(wanted, reading, claimed, [*question.values, *allowed])
    vocabularies = (("c", _claimed_words(wanted)), ("a", _asked_words(question.text)))
    found: list[str] = []
    place = 0
    for start in sorted(tags):
        if start < place:
            continue  # inside a longer mention
        end, tag = tags[start]
        found += _of_words(reading.text[place:start], vocabularies)
        found.append(tag)
        place = end
    return [*found, *_of_words(reading.text[place:], vocabularies)]


def _tags(
    wanted: Requirement, reading: Reading, claimed: Sequence[Sequence[Mention]], known: Sequence[Value]
) -> dict[int, tuple[int, str]]:
    """Return the tag of each mention: start → end and tag. A claimed value takes precedence over a name."""
    tags: dict[int, tuple[int, str]] = {}
    for mention in reading.mentions:
        tag = _KEYS.get(mention.key[:1], "")
        if mention.value:
            is_known = any(same_value(mention.value, each) for each in known)
            tag = f"{'A' if is_known else 'X'}_{mention.sort}{'%' if mention.value.unit == '%' else ''}"
        tags.setdefault(mention.start, (mention.end, tag))
    for claim, mentions in zip(wanted.claims, claimed, strict=True):
        for mention in mentions:
            tags[mention.start] = mention.end, f"C_{claim.kind}{'_denied' if claim.is_denied else ''}"
    return tags


def _of_words(piece: str, vocabularies: Sequence[tuple[str, Vocabulary]]) -> Iterator[str]:
    """Yield the tokens of a piece of text without mentions; a run of words of one vocabulary is one token."""
    last, skip = "", 0
    for found in _TOKEN.finditer(piece):
        if found.start() < skip:
            continue
        word = found[0]
        token = word
        if word.isdigit():
            token = "0"
        elif word >= "\u4e00":
            token, skip = _of_characters(piece, found.start(), vocabularies)
        elif word[0].isascii() and word[0].isalpha() and "'" not in word and not is_function_word(word):
            token = next((name for name, each in vocabularies if word in each.words), word)
        if token != last or token == word:
            yield token
        last = token


def _of_characters(piece: str, start: int, vocabularies: Sequence[tuple[str, Vocabulary]]) -> tuple[str, int]:
    """Return the token that begins at a Chinese character, and the place behind it."""
    pair = piece[start : start + 2]
    for name, each in vocabularies:
        if pair in each.pairs and not all(map(is_function_word, pair)):
            end = start + 1
            while piece[end : end + 2] in each.pairs:
                end += 1
            return name, end + 1
    return piece[start], start + 1


def sequences(found: Sequence[str]) -> set[str]:
    """Return every sequence of one to three tokens; a full stop at the end, and an end alone, say nothing."""
    told = found[:-1] if found and found[-1] in _STOPS else found
    ended = [_ENDS[0], *told, _ENDS[1]]
    return {
        " ".join(ended[at : at + length])
        for length in range(1, LENGTH_MAX + 1)
        for at in range(len(ended) - length + 1)
    } - {*_ENDS}


@cache
def _weights() -> dict[str, float]:
    weights: dict[str, float] = loads(WEIGHTS.read_bytes())
    return weights


def probability(found: Iterable[str]) -> float:
    """Return the probability that a text is right, from its sequences; one half if none of them has a weight."""
    weights = _weights()
    odds = sum(weights.get(each, 0.0) for each in found)
    return 1 / (1 + math.exp(-max(-50.0, min(50.0, odds))))


def weighed(
    reasons: Sequence[Reason], doubts: tuple[str, ...], chance: float, reading: Reading, question: Question
) -> tuple[str, ...]:
    """Return the doubts of a verdict: those of the rules, confirmed or overruled by the learned weights.

    Args:
        chance: the probability that the text is right.
    """
    if not reasons:
        if foreign := foreign_words(reading, question):
            return (*doubts, f"what {foreign} means")
        if chance >= (CONFIRMED if doubts else ACCEPTED):
            return ()
        return doubts or (f"whether it says so ({_unread_words(reading, question)})",)
    if doubts:
        return () if chance <= REJECTED else doubts
    codes = {reason.code for reason in reasons}
    return (f"{reasons[0].words}?",) if len(codes) == 1 and codes <= _SOFT and chance > REFUSED else ()


def _unread_words(reading: Reading, question: Question) -> str:
    words = [word for segment in reading.segments for word in unexplained(segment.rest, question.text)]
    return ", ".join(dict.fromkeys(words[:_NAMED])) or "its wording"


# Letters of scripts that the rules do not read: Greek, Cyrillic, Hebrew, Arabic, Indic, Thai, kana, Hangul.
_UNREAD_SCRIPT = re.compile("[\u0370-\u03ff\u0400-\u0e7f\u3041-\u30fa\uac00-\ud7af]{2,}")
_LATIN = re.compile(r"[a-zà-öø-ÿ']+")
_RUN_MIN = 4  # words


def foreign_words(reading: Reading, question: Question) -> str:
    """Return words of a language that the rules do not read: another script, or no English word among four.

    English has a function word among four words nearly always, unless they are names or words of the request.
    """
    if script := _UNREAD_SCRIPT.search(reading.text):
        return script[0]
    for segment in reading.segments:
        words = _LATIN.findall(segment.rest)
        if len(words) >= _RUN_MIN and not any(is_function_word(word) or word in question.text for word in words):
            return " ".join(words)
    return ""
