"""Yes, no or neither: the answer that a text gives to what was asked."""

from __future__ import annotations

from datetime import datetime
from typing import Literal
from zoneinfo import ZoneInfo

import pytest

from farm.benchmark.scoring.claims import Requirement, Situation, Stance, judge

NOW = datetime(2026, 3, 9, 9, 0, tzinfo=ZoneInfo("Asia/Shanghai"))
ACTS = ("come", "coming", "save", "来", "去", "留")


def answers(answer: Literal["yes", "no", "neither"], text: str, acts: tuple[str, ...] = ACTS) -> bool:
    """Whether a text gives an answer."""
    return judge(Requirement(stance=Stance(answer, acts)), text, Situation(NOW)).ok


YES = [
    "Yes!",
    "Sure, count me in.",
    "I'm coming, please save me a seat.",
    "I'll be there.",
    "Wouldn't miss it.",
    "Gladly.",
    "Absolutely, see you there",
    "Works for me.",
    "来！",
    "我去，给我留一个。",
    "算我一个",
    "没问题，一定到",
    "必须来啊",
    "好呀好呀，留着",
    "行，就这么办",
    "可以的",
    "不来才怪呢，留好位子！",
    "当然来，不用再问啦",
]
NO = [
    "No.",
    "Sorry, I can't come.",
    "I won't make it this time.",
    "Count me out.",
    "I'm afraid I'll have to pass.",
    "Don't save me a seat, please.",
    "Not this time.",
    "I'd rather not.",
    "不来了。",
    "这次去不了，下次吧。",
    "别给我留了",
    "来不及，算了",
    "没空，抱歉",
    "不行，那天有事",
    "我就不去了",
    "恕我不能来",
]
NEITHER = [
    "I'll let you know.",
    "Thanks for asking!",
    "Can I bring a friend?",
    "看到啦，谢谢",
    "我再想想",
    "那天几点开始？",
    "Maybe, let me check with Ann.",
    "还不一定",
]


@pytest.mark.parametrize("text", YES)
def test_a_yes_is_a_yes_and_no_other(text: str) -> None:
    assert answers("yes", text)
    assert not answers("no", text)


@pytest.mark.parametrize("text", NO)
def test_a_no_is_a_no_and_no_other(text: str) -> None:
    assert answers("no", text)
    assert not answers("yes", text)


@pytest.mark.parametrize("text", NEITHER)
def test_who_does_not_answer_says_neither(text: str) -> None:
    assert answers("neither", text)
    assert not answers("yes", text)
    assert not answers("no", text)
