"""Where a clause of a chat ends, and how far a doubt, a denial or a comparison reaches beyond it."""

from __future__ import annotations

from datetime import date, datetime
from typing import get_args
from zoneinfo import ZoneInfo

import pytest

from farm.benchmark.scoring.claims import Claim, Code, Requirement, Situation
from farm.benchmark.scoring.claims.verdict import features_of

NOW = datetime(2026, 3, 9, 9, 0, tzinfo=ZoneInfo("Asia/Shanghai"))
CHECK = Requirement((Claim("date", (date(2026, 3, 26),)), Claim("clock", ("08:20",)), Claim("choice", ("三号楼",))))
CARD = Requirement((Claim("id", ("QZ-118827",)),))
NIGHT = Requirement((Claim("number", (860.0,)),))
PAIR = Requirement((Claim("number", (98.0,), of=("一本",)), Claim("number", (186.0,), of=("两本",))))
COPIES = Requirement((Claim("number", (143.0,), of=("预约",)), Claim("number", (260.0,), of=("印",))))
REFUND = Requirement((Claim("date", (date(2026, 3, 26),), of=("退", "退款")),))
LIKES = Requirement(
    (Claim("number", (3118.0,), of=("赞",)), Claim("number", (318.0,), of=("多", "涨"))), stale=("2,800 赞",)
)
SURGERY = Requirement((Claim("date", (date(2026, 3, 18),), of=("手术",)), Claim("clock", ("08:40",), of=("手术",))))


def found_faults(wanted: Requirement, text: str, *said: str) -> set[Code]:
    """Return the faults that the rules find, whatever the learned weights make of them."""
    found = features_of(wanted, text, Situation(NOW, said))
    return {code for code in get_args(Code) if f"={code}" in found}


@pytest.mark.parametrize(
    ("wanted", "right", "wrong"),
    [
        # A space ends a clause of Chinese.
        (
            CHECK,
            "妈 你可能记混了 改到 3月26日 08:20 在三号楼 前面八小时不能吃",
            "妈 可能改到 3月26日 08:20 在三号楼 前面八小时不能吃",
        ),
        (CHECK, "3月26日 08:20 在三号楼 没空也得去", "3月26日 08:20 在三号楼 我说错了"),
        (NIGHT, "我不是酒店hhh 一个人一晚860", "我不是付了860"),
        (NIGHT, "不包接送 一晚860", "不是 860"),
        # A reader's doubt is not the writer's.
        (CHECK, "你可能记混了，改到 3月26日 08:20，三号楼", "可能吧，改到 3月26日 08:20，三号楼"),
        # A length of time is what is denied, not what stands before it.
        (CARD, "就诊号 QZ-118827 前面 8 小时不能吃", "就诊号 QZ-118827 不能用"),
        (SURGERY, "3月18日 08:40 手术，08:40 到 10:40 电话打不通", "3月18日 08:40 手术，08:40 到 10:40 不行"),
        # The outdated value is elsewhere.
        (PAIR, "98 一本，两本一起 186，正文那个是旧的", "98 一本，两本一起 186，那个是旧的"),
        # A topic that is asked for is no condition.
        (REFUND, "要退的话3月26日之前都可以", "如果她同意退，3月26日之前都可以"),
        (REFUND, "退款的话到3月26日", "下雨退款的话到3月26日"),
        # What a comparison counts from is a former value.
        (LIKES, "3,118赞，比早上的2,800多了318", "2,800赞，比早上多了318，现在3,118"),
        (LIKES, "3,118赞，比早上说的2,800又多了318赞", "3,118赞，比早上说的2,900又多了300赞"),
    ],
)
def test_a_cue_reaches_to_the_end_of_its_clause(wanted: Requirement, right: str, wrong: str) -> None:
    assert found_faults(wanted, right) == set()
    assert found_faults(wanted, wrong) != set()


def test_what_is_asked_for_as_certain_may_be_denied_before_the_facts() -> None:
    asked = "有人问预约了是不是就一定有，告诉她预约的有几个、一共印几本"

    assert found_faults(COPIES, "不敢说一定：预约的有 143 个，一共印 260 本", asked) == set()
    assert found_faults(COPIES, "不敢说一定：预约的有 143 个，一共印 260 本") == {"hedged"}
    assert found_faults(COPIES, "不敢说：预约的有 143 个，一共印 260 本", asked) == {"hedged"}


@pytest.mark.parametrize("text", ["周四 上午 十点", "这次 柳厅 开", "S2 发布会 周四"])
def test_a_space_around_a_value_or_a_name_ends_no_clause(text: str) -> None:
    assert found_faults(Requirement((Claim("choice", ("柳厅", "周四")),)), f"不是{text}") == {"denied"}
