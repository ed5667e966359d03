"""The measures of similarity are those of the libraries that papers use, on the same words."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from farm.traverse.fidelity.similarity import Tokens, bleu, meteor, rouge_l, tokenize

SENTENCES = (
    ("The channel has been archived.", "Channel was archived: no posts are taken."),
    ("没有找到该笔记，请检查 note_id", "笔记不存在，请检查 note_id 是否正确"),
    ("Error: 404 page not found", "Error: 403 access is denied for this page"),
    ("one two three four five six", "six five four three two one"),
)


def drawn(seed: int) -> tuple[Tokens, Tokens]:
    """Return two texts of the same vocabulary, no word twice in one: libraries pair repeated words differently."""
    draw, words = random.Random(seed), [f"w{number}" for number in range(24)]
    return draw.sample(words, draw.randrange(5, 20)), draw.sample(words, draw.randrange(5, 20))


# A second to import, for this file alone: by the worker that runs it, and by no other.
pytestmark = pytest.mark.xdist_group("similarity")

PAIRS = [*((tokenize(recorded), tokenize(ours)) for recorded, ours in SENTENCES), *map(drawn, range(40))]


class Words:
    """Stands in for a tokenizer and a stemmer: the words are given, and have no stems."""

    def tokenize(self, text: str) -> list[str]:
        return text.split("\n")

    def stem(self, word: str) -> str:
        return word


class NoSynonyms:
    """Stands in for WordNet, which is not installed: METEOR of exact matches alone."""

    def synsets(self, _word: str) -> Sequence[object]:
        return ()


@pytest.mark.parametrize(("recorded", "ours"), PAIRS)
def test_rouge_l_is_that_of_rouge_score(recorded: Tokens, ours: Tokens) -> None:
    from rouge_score.rouge_scorer import RougeScorer

    scorer = RougeScorer(["rougeL"], tokenizer=Words())

    expected = scorer.score("\n".join(recorded), "\n".join(ours))["rougeL"].fmeasure

    assert rouge_l(recorded, ours) == pytest.approx(expected)


@pytest.mark.parametrize(("recorded", "ours"), PAIRS)
def test_bleu_is_that_of_nltk_with_add_one_smoothing(recorded: Tokens, ours: Tokens) -> None:
    from nltk.translate.bleu_score import SmoothingFunction, sentence_bleu

    expected = sentence_bleu([recorded], ours, smoothing_function=SmoothingFunction().method2)

    assert bleu(recorded, ours) == pytest.approx(expected)


@pytest.mark.parametrize(("recorded", "ours"), PAIRS)
def test_meteor_is_that_of_nltk_without_stems_and_synonyms(recorded: Tokens, ours: Tokens) -> None:
    from nltk.translate.meteor_score import single_meteor_score

    expected = single_meteor_score(recorded, ours, stemmer=Words(), wordnet=NoSynonyms())

    assert meteor(recorded, ours) == pytest.approx(expected)
