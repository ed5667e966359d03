"""Chooses the tools that a menu shows besides the needed ones: any, unrelated ones, or ones easily taken for them.

How alike two tools are is the cosine of their words, those of name, description and arguments; rare words weigh more.
"""

from __future__ import annotations

import math
import random
import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache

from farm import content

ToolName = tuple[str, str]
DISTRACTORS = ("unrelated", "confusable", "mixed", "own")
# Of the other tools, the share that counts as unrelated: the least alike.
_UNRELATED_SHARE = 0.5
_WORD = re.compile(r"[a-z]+|[\u4e00-\u9fff]")
_NAME_WEIGHT = 3


def distractors(
    others: Sequence[ToolName], needed: Collection[ToolName], kind: str, count: int, seed: str, profile: str
) -> list[ToolName]:
    """Return ``count`` of the other tools.

    Args:
        others: the tools to choose from.
        needed: the tools that the task needs.
        kind: ``unrelated``: of apps of no needed tool, the less alike half, at random; ``confusable``: the most alike
            to a needed tool; ``mixed``: half of each; ``own``: of the needed tools' apps, at random; empty: any, at
            random.
        seed: decides what is drawn.
    """
    drawn = list(others)
    random.Random(seed).shuffle(drawn)
    if not kind:
        return drawn[:count]
    if kind == "own":
        apps = {app for app, _ in needed}
        return [each for each in drawn if each[0] in apps][:count]
    likeness = {each: _likeness(each, needed, profile) for each in drawn}
    # A stable sort: tools that are equally alike stay in the drawn order.
    alike = sorted(drawn, key=lambda each: -likeness[each])
    if kind == "confusable":
        return alike[:count]
    far = _unrelated(drawn, alike, needed)
    if kind == "unrelated":
        return [*far, *(each for each in reversed(alike) if each not in far)][:count]
    close = alike[: count - count // 2]
    rest = [each for each in [*far, *reversed(alike)] if each not in close]
    return [*close, *dict.fromkeys(rest)][:count]


def _unrelated(drawn: Sequence[ToolName], alike: Sequence[ToolName], needed: Collection[ToolName]) -> list[ToolName]:
    """Return the less alike half of the tools of other apps, in the drawn order."""
    apps = {app for app, _ in needed}
    least = set(alike[math.floor(len(alike) * (1 - _UNRELATED_SHARE)) :])
    return [each for each in drawn if each in least and each[0] not in apps]


def _likeness(tool: ToolName, needed: Collection[ToolName], profile: str) -> float:
    """Return how much a tool is like the needed one that it is most like, from 0 to 1."""
    vectors = _vectors(profile, content.roots())
    own = vectors[tool]
    return max((sum(own[word] * vectors[each].get(word, 0.0) for word in own) for each in needed), default=0.0)


@lru_cache(maxsize=4)
def _vectors(profile: str, _: tuple[content.Root, ...]) -> Mapping[ToolName, Mapping[str, float]]:
    """Return the weighted words of every tool, as vectors of length 1."""
    words = {
        (app, tool["name"]): _words(tool)
        for app in content.app_names()
        for tool in content.load_app(app).in_profile(profile).tool_schemas
    }
    having = Counter(word for each in words.values() for word in each)
    return {tool: _weighted(each, having, len(words)) for tool, each in words.items()}


def _words(tool: Mapping[str, object]) -> Counter[str]:
    named = re.sub(r"([a-z])([A-Z])", r"\1 \2", str(tool["name"])).lower()
    schema = tool.get("inputSchema")
    arguments = schema.get("properties", {}) if isinstance(schema, Mapping) else {}
    found = Counter(_WORD.findall(f"{tool.get('description', '')} {' '.join(arguments)}".lower()))
    for word in _WORD.findall(named):
        found[word] += _NAME_WEIGHT
    return found


def _weighted(words: Counter[str], having: Counter[str], count: int) -> Mapping[str, float]:
    weights = {word: math.log(1 + times) * math.log(count / having[word]) for word, times in words.items()}
    length = math.sqrt(sum(weight**2 for weight in weights.values())) or 1.0
    return {word: weight / length for word, weight in weights.items()}
