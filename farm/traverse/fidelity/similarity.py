"""Measure the similarity of two texts in four ways that papers use; each is from 0 to 1 and compares words.

A word is a run of letters and digits, or one Chinese character. Punctuation marks count as words, because they are
meaningful in an error message. The last three equal rouge-score's and nltk's figures for the same words, as a test
shows; those libraries bring much more along than these lines:

- tfidf: cosine of term frequencies times smoothed inverse document frequencies over all texts compared;
- rouge: ROUGE-L, the F1 of the longest common subsequence;
- bleu: up to four-grams of one sentence against one reference, add-one smoothed above one-grams, brevity penalty;
- meteor: exact matches only (no stems, no synonyms), weight 9 on recall, penalty 0.5 · (chunks / matches)³.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

_WORD = re.compile(r"[一-鿿]|[^\W_]+|[^\w\s]|_")
_GRAMS_MAX = 4
# The longest common subsequence takes time in the product of both lengths, so only this many words are compared.
_WORDS_MAX = 2000

Tokens = list[str]


def tokenize(text: str) -> Tokens:
    """Return the words of a text, in lower case."""
    return _WORD.findall(text.lower())[:_WORDS_MAX]


def mean_similarity(pairs: Sequence[tuple[str, str]]) -> dict[str, float]:
    """Return the four figures, each the mean over pairs of recorded text and ours; empty without pairs."""
    if not pairs:
        return {}
    split = [(tokenize(recorded), tokenize(ours)) for recorded, ours in pairs]
    weights = _weights([each for pair in split for each in pair])
    alike = [_without_weights(*pair) for pair in pairs]
    means = {
        "tfidf": sum(tfidf(recorded, ours, weights) for recorded, ours in split),
        "rouge": sum(each[0] for each in alike),
        "bleu": sum(each[1] for each in alike),
        "meteor": sum(each[2] for each in alike),
    }
    return {name: round(total / len(pairs), 4) for name, total in means.items()}


# A report uses the same pairs for all calls, by class and by tool, and a long pair takes a second.
@lru_cache(maxsize=10_000)
def _without_weights(recorded: str, ours: str) -> tuple[float, float, float]:
    """Return ROUGE-L, BLEU and METEOR of a pair, which do not depend on other texts."""
    pair = tokenize(recorded), tokenize(ours)
    return rouge_l(*pair), bleu(*pair), meteor(*pair)


def _weights(texts: Sequence[Tokens]) -> dict[str, float]:
    counts = Counter(word for text in texts for word in set(text))
    return {word: math.log((1 + len(texts)) / (1 + count)) + 1 for word, count in counts.items()}


def tfidf(recorded: Tokens, ours: Tokens, weights: dict[str, float]) -> float:
    """Return the cosine of two texts' weighted word counts."""
    if recorded == ours:
        return 1.0
    left, right = Counter(recorded), Counter(ours)
    dot = sum(left[word] * right[word] * weights[word] ** 2 for word in left.keys() & right.keys())
    sizes = [math.sqrt(sum((count * weights[word]) ** 2 for word, count in each.items())) for each in (left, right)]
    return dot / (sizes[0] * sizes[1]) if all(sizes) else 0.0


def rouge_l(recorded: Tokens, ours: Tokens) -> float:
    """Return the F1 of the longest common subsequence."""
    if recorded == ours:
        return 1.0
    row = [0] * (len(ours) + 1)
    for word in recorded:
        diagonal = 0
        for index, other in enumerate(ours, 1):
            above = row[index]
            row[index] = diagonal + 1 if word == other else max(above, row[index - 1])
            diagonal = above
    return 2 * row[-1] / (len(recorded) + len(ours))


def bleu(recorded: Tokens, ours: Tokens) -> float:
    """Return BLEU of one sentence against one reference."""
    if recorded == ours:
        return 1.0
    if not recorded or not ours:
        return 0.0
    logs = 0.0
    sizes = range(1, min(_GRAMS_MAX, len(recorded), len(ours)) + 1)
    for size in sizes:
        have, want = _grams(ours, size), _grams(recorded, size)
        common, total = sum((have & want).values()), sum(have.values())
        smooth = 0 if size == 1 else 1
        if not common + smooth:
            return 0.0
        logs += math.log((common + smooth) / (total + smooth)) / len(sizes)
    return min(1.0, math.exp(1 - len(recorded) / len(ours))) * math.exp(logs)


def _grams(text: Tokens, size: int) -> Counter[tuple[str, ...]]:
    return Counter(tuple(text[index : index + size]) for index in range(len(text) - size + 1))


def meteor(recorded: Tokens, ours: Tokens) -> float:
    """Return METEOR with exact matches only."""
    if recorded == ours:
        return 1.0
    places: dict[str, list[int]] = {}
    for index in range(len(recorded) - 1, -1, -1):
        places.setdefault(recorded[index], []).append(index)
    # Each of our words takes the earliest free position, which keeps runs of words together.
    matched = [(at, places[word].pop()) for at, word in enumerate(ours) if places.get(word)]
    if not matched:
        return 0.0
    # A chunk is a run of matches without a gap in either text.
    chunks = 1 + sum(after != (before[0] + 1, before[1] + 1) for before, after in pairwise(matched))
    precision, recall = len(matched) / len(ours), len(matched) / len(recorded)
    return 10 * precision * recall / (recall + 9 * precision) * (1 - 0.5 * (chunks / len(matched)) ** 3)
