"""Decide how sure a verdict is, from weights that were learned from labelled texts.

The rules decide whether a text meets its requirements. They do not know what they misread. Here, a text becomes
features. A word counts by its place: in a clause with a claimed value, before, between or after such clauses. Two
adjacent words count by whether their clause has a claimed value. A value or a name is replaced by a tag (claimed,
asked, further, of another subject, …), so are the words of the claims, of the request and of right texts, and a
function word that none of them has is marked. What the rules found is a feature, too: the kinds of reasons, the share
of claims that fail, the number of clauses and of unread words beside the claims. The weighted sum is the log-odds that
the text is right. Other weights of the same words, learned from texts that the rules accept, give the log-odds that
such a text does not mislead by what it says beside the claims.

``python -m tests.claims.train`` learns both and writes ``weights.json``. Only words that occur in the texts of at least
six tasks have a weight, so no weight is about one task's answer. What the rules' findings are worth is learned only
from texts for which the rules were not made.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Literal

from farm._util.json_io import loads
from farm.benchmark.scoring.claims.deeds import find_undone
from farm.benchmark.scoring.claims.lexicon import CALLS
from farm.benchmark.scoring.claims.mentions import same_value
from farm.benchmark.scoring.claims.model import Code, Judgement, Reason, Requirement
from farm.benchmark.scoring.claims.question import Question
from farm.benchmark.scoring.claims.reading import Mention, Reading, values_of
from farm.benchmark.scoring.claims.values import Value
from farm.benchmark.scoring.claims.words import Vocabulary, is_function_word, unexplained

WEIGHTS = Path(__file__).with_name("weights.json")
# An acceptance is sure from SURE, the probability that the text is right, and from FAIR, the one that it does not
# mislead; from FAIR_IF_KNOWN if the request or a right text has each word beside the values, and always if it puts them
# as a right text does. Where a task looks for words alone, words of its own need FAIR_BY_WORDS. A refusal is sure up to
# SURELY_WRONG; one for a reason that the rules may misread becomes an acceptance if the text is fair and likelier right
# than not, and a sure one from VERY_SURE. A text that tells a deed is surely accepted from TELLS_DEED only: it may be
# another one than the trial's. If there is a judge, it is asked about other words up to FAIR_WITHOUT_JUDGE.
SURE, VERY_SURE, TELLS_DEED, SURELY_WRONG = 0.76, 0.8, 0.93, 0.18
FAIR, FAIR_IF_KNOWN, FAIR_BY_WORDS, FAIR_WITHOUT_JUDGE = 0.65, 0.5, 0.85, 0.9
FOUND = "="  # begins the features of what the rules found
_TOKEN = re.compile(r"[a-z]+(?:'[a-z]+)?|\d+|[\u4e00-\u9fff]|[^\s\w]|\n|[^\W\d_]")
_STOPS = " \n.。"
# What a mention is, by the first letter of its key: a rival, another subject, the subject, or a word beside it.
_KEYS = {"c": "C_choice", "p": "C_says", "r": "RIVAL", "n": "OTHER", "s": "SUBJECT", "w": "BESIDE"}
_CERTAIN: frozenset[Code] = frozenset({"altered", "banned", "unread"})
# A few reasons of these kinds may be a misreading; the claimed values do occur. Words do not show whether values are
# swapped or struck through, and whether a deed was done.
_MISREAD: frozenset[Code] = frozenset({"extra", "denied", "hedged", "asked", "conditional", "reported"})
_MISREAD_MAX = 3
_NAMED = 4  # unexplained words that a doubt names


@lru_cache(maxsize=1024)
def _claimed_words(wanted: Requirement) -> Vocabulary:
    """Return the words of a requirement: of its values, subjects, units and sample texts."""
    texts = [*wanted.also, wanted.keeps or "", *(wanted.stance.on if wanted.stance else ())]
    for claim in wanted.claims:
        values = (" ".join(each) if isinstance(each, tuple) else str(each) for each in claim.values)
        texts += [*values, *claim.of, *claim.not_of, *claim.beside, *claim.units]
    return Vocabulary.of(*texts)


def features(
    wanted: Requirement,
    reading: Reading,
    claimed: Sequence[Sequence[Mention]],
    question: Question,
    reasons: Sequence[Reason],
    samples: str,
) -> dict[str, float]:
    """Return the features of a text, with their sizes.

    Args:
        claimed: for each claim of the requirement, the mentions of its value, whatever their status.
        reasons: the faults that the rules found.
        samples: right texts.
    """
    clauses = _clauses(wanted, reading, claimed, question, samples)
    holding = [index for index, words in clauses.items() if any(word.startswith("C_") for word in words)]
    found: dict[str, float] = {}
    for index, words in clauses.items():
        place = _place(index, holding)
        found |= {f"{place} {word}": 1.0 for word in words}
        side = "in" if place == "in" else "out"
        found |= {f"{side} {word}_{following}": 1.0 for word, following in pairwise(["^", *words, "$"])}
    beside = sum(
        len(unexplained(segment.rest, question.text))
        for index, segment in enumerate(reading.segments)
        if index not in holding
    )
    return found | _findings(wanted, reasons, len(reading.segments), beside)


def _place(index: int, holding: Sequence[int]) -> str:
    """Return where a clause is, relative to those that hold a claimed value."""
    if not holding:
        return "without"
    if index in holding:
        return "in"
    return "before" if index < holding[0] else "after" if index > holding[-1] else "between"


def _findings(wanted: Requirement, reasons: Sequence[Reason], clauses: int, beside: int) -> dict[str, float]:
    """Return the features of what the rules found.

    Args:
        clauses: the number of clauses.
        beside: the number of unexplained words in clauses without a claimed value.
    """
    verdict = "refused" if reasons else "accepted"
    codes = {reason.code for reason in reasons}
    failing = {reason.claim for reason in reasons} - {None}
    found = {f"{FOUND}{verdict}": 1.0, f"{FOUND}failing": len(failing) / max(1, len(wanted.claims))}
    found |= {f"{FOUND}{verdict} clauses": math.log1p(clauses), f"{FOUND}{verdict} beside": math.log1p(beside)}
    found |= {f"{FOUND}{code}": 1.0 for code in codes}
    return found | {f"{FOUND}only {code}": 1.0 for code in codes if len(codes) == 1}


def _clauses(
    wanted: Requirement, reading: Reading, claimed: Sequence[Sequence[Mention]], question: Question, samples: str
) -> dict[int, list[str]]:
    """Return the tokens of each clause."""
    allowed = [value for text in wanted.also for value in values_of(text, reading.now)]
    tags = _tags(wanted, reading, claimed, [*question.values, *allowed])
    vocabularies = (("c", _claimed_words(wanted)), ("a", Vocabulary.of(question.text)), ("o", Vocabulary.of(samples)))
    starts = [segment.start for segment in reading.segments[1:]]
    end = len(reading.text.rstrip(_STOPS))
    clauses: dict[int, list[str]] = defaultdict(list)
    place = index = 0
    for stop in sorted({*tags, *starts, end}):
        if stop > place:
            clauses[index] += _of_words(reading.text[place:stop], vocabularies)
        index += index < len(starts) and stop >= starts[index]
        if stop in tags and stop >= place:  # not inside a longer mention
            place, tag = tags[stop]
            clauses[index].append(tag)
        place = max(place, stop)
    return clauses


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
        elif word[0].isalpha() and not any(word in each.words for _, each in vocabularies):
            token = f"!{word}"
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


@cache
def _weights() -> dict[str, dict[str, float]]:
    weights: dict[str, dict[str, float]] = loads(WEIGHTS.read_bytes())
    return weights


def probability(found: Mapping[str, float], of: Literal["right", "fair"] = "right") -> float:
    """Return the probability that a text is right, or that an accepted one is fair; one half if nothing has a weight.

    Args:
        found: the features of the text, with their sizes.
        of: which weights.
    """
    weights = _weights()[of]
    odds = sum(weights.get(name, 0.0) * size for name, size in found.items())
    return 1 / (1 + math.exp(-max(-50.0, min(50.0, odds))))


def weighed(
    reasons: Sequence[Reason],
    chance: float,
    fairness: float,
    reading: Reading,
    question: Question,
    samples: str,
    fair_from: tuple[float, float] = (FAIR, FAIR_IF_KNOWN),
) -> Judgement:
    """Return the verdict of the rules, with doubts unless the learned weights confirm it; or the opposite verdict.

    Args:
        reasons: the faults that the rules found.
        chance: the probability that the text is right.
        fairness: the probability that it does not mislead.
        samples: right texts.
        fair_from: the least fairness with words of its own, and without.
    """
    if any(reason.code in _CERTAIN for reason in reasons):
        return Judgement(tuple(reasons))
    if not reasons:
        known = f"{question.text}\n{samples}"
        if foreign := foreign_words(reading, question):
            return Judgement(doubts=(f"what {foreign} means",))
        if (called := CALLS.search(reading.text)) and called[0] not in known:
            return Judgement(doubts=(f"why it calls {called[0]}",))
        least = TELLS_DEED if any(find_undone(reading, Question(), frozenset())) else SURE
        unread = _unread_words(reading, known, samples)
        is_sampled = not unread and _is_sampled(reading, samples)
        is_sure = chance >= least and (is_sampled or fairness >= fair_from[0 if unread else 1])
        doubt = f"whether it says so ({', '.join(unread[:_NAMED]) or 'its wording'})"
        return Judgement((), () if is_sure else (doubt,), is_close=not is_sampled and fairness < FAIR_WITHOUT_JUDGE)
    doubts = tuple(dict.fromkeys(f"{reason.words}?" for reason in reasons))
    is_misread = len(reasons) <= _MISREAD_MAX and all(reason.code in _MISREAD for reason in reasons)
    if is_misread and chance > 0.5 and fairness >= fair_from[0]:
        return Judgement(doubts=() if chance >= VERY_SURE else doubts)
    return Judgement(tuple(reasons), () if chance <= SURELY_WRONG else doubts)


def _unread_words(reading: Reading, known: str, samples: str) -> list[str]:
    """Return the content words beside the values and names that neither the request nor a right text has, each once."""
    words = (word for segment in reading.segments for word in unexplained(segment.rest, known))
    # Of Chinese words, pairs of characters are looked for, which a value cuts: "18 张".
    return [word for word in dict.fromkeys(words) if len(word) > 1 or word not in samples]


_LETTERS = re.compile(r"[a-z\u00c0-\u017f' ]+|[\u4e00-\u9fff]+")


def _is_sampled(reading: Reading, samples: str) -> bool:
    """Whether each run of words beside the values and names stands in a right text."""
    pieces = (piece for segment in reading.segments for piece in _LETTERS.findall(segment.rest))
    runs = (run.strip() for piece in pieces for run in piece.split("  "))  # blanks stand for a value
    return all(len(run) < 2 or run in samples for run in runs)


# Letters of scripts that the rules do not read: phonetic (upside down), Greek, Cyrillic, Hebrew, Arabic, Indic, Thai,
# kana, Hangul.
_UNREAD_SCRIPT = re.compile("[\u0250-\u02af\u0370-\u03ff\u0400-\u0e7f\u3041-\u30fa\uac00-\ud7af]{2,}")
_LATIN = re.compile(r"[a-zà-öø-ÿ']+")
_RUN_MIN, _ASKED_MIN = 4, 3  # words; letters of a word of the request
_ROMANCE = ("a", "as", "do", "me", "no", "on")  # of Spanish, Portuguese and French, too


def foreign_words(reading: Reading, question: Question) -> str:
    """Return words of a language that the rules do not read: another script, or no English word among four.

    English has a function word among four words nearly always, unless they are names or words of the request. Beside a
    word with an accent, those that Romance languages have, too, do not count.
    """
    if script := _UNREAD_SCRIPT.search(reading.text):
        return script[0]
    for segment in reading.segments:
        words = _LATIN.findall(segment.rest)
        borrowed = _ROMANCE if any(not word.isascii() for word in words) else ()
        is_read = any(
            (len(word) >= _ASKED_MIN and word in question.text) or (is_function_word(word) and word not in borrowed)
            for word in words
        )
        if len(words) >= _RUN_MIN and not is_read:
            return " ".join(words)
    return ""
