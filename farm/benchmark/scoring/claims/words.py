"""The words of texts: which have content, and which does a text have that another lacks."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from farm.benchmark.scoring.claims.normalize import fold

FEW = 2  # content words that a mere comment may have in addition to its cue
_FUNCTION_WORDS = """
    a an the this that these those it its i me my we us our you your he him his she her they them their there here
    is are was were be been being am do does did have has had will would shall should can could may must
    and or but so as at by for from in into of on onto over per than then to up with about after before between until
    wo ca
    'm 're 've 'll 'd 's s t d ll re ve m not no just also too very really quite still yet now already only even
    what which who whom whose when where why how if because since while all both each any some more most please
"""
_FUNCTION = frozenset(re.findall(r"\S+", _FUNCTION_WORDS))
_FUNCTION_ZH = frozenset(
    "的了是在和与或也都就还又再很这那我你您他她它们个吧呢吗啊呀哦嘛哈把被给对从到向为以而且但则之其有会能要可得地着过上下里中"
)
# "that's", "don't": counted like the words that they contract.
_CONTRACTED = re.compile(r"(?:n't|'(?:s|re|ve|ll|d|m))$")
_TOKEN = re.compile(r"[a-z']+|[\u4e00-\u9fff]")


@dataclass(frozen=True)
class Vocabulary:
    """The words of some texts: Latin words, and pairs of Chinese characters."""

    words: frozenset[str]
    pairs: frozenset[str]

    @classmethod
    @lru_cache(maxsize=1024)
    def of(cls, *texts: str) -> Vocabulary:
        """Return the words of some texts."""
        body = fold("\n".join(texts))
        runs = re.findall(r"[\u4e00-\u9fff]+", body)
        pairs = {run[at : at + 2] for run in runs for at in range(len(run) - 1)}
        return cls(frozenset(re.findall(r"[a-z]+", body)), frozenset(pairs))


def is_function_word(word: str) -> bool:
    """Whether a folded Latin word, or a Chinese character, has a grammatical function but no content."""
    return word in _FUNCTION or word in _FUNCTION_ZH


def unexplained(text: str, asked: str) -> list[str]:
    """Return the content words of a text that do not occur in the question."""
    found, known = [], Vocabulary.of(asked)
    for piece in re.findall(r"[a-z']{2,}|[\u4e00-\u9fff]+", text):
        if piece[0] < "\u4e00":
            stem = _CONTRACTED.sub("", piece) if "'" in piece else piece
            if stem not in _FUNCTION and piece not in known.words and piece not in asked:
                found.append(piece)
            continue
        kept = "".join(
            sign
            for at, sign in enumerate(piece)
            if sign not in _FUNCTION_ZH and known.pairs.isdisjoint((piece[max(0, at - 1) : at + 1], piece[at : at + 2]))
        )
        if kept:
            found.append(kept)
    return found


def content_words(text: str) -> int:
    """Return the number of content words; two Chinese characters count as one word."""
    latin = chinese = 0
    for token in _TOKEN.findall(text):
        if token[0] >= "\u4e00":
            chinese += token not in _FUNCTION_ZH
        else:
            latin += token not in _FUNCTION
    return latin + (chinese + 1) // 2
