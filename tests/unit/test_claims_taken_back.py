"""What a later clause undoes, what is told as past, and what others say, is asserted by nobody; in both languages."""

from __future__ import annotations

from datetime import date, datetime
from zoneinfo import ZoneInfo

import pytest

from farm.claims import Claim, Situation, Wanted, judge

NOW = datetime(2026, 3, 9, 9, 0, tzinfo=ZoneInfo("Asia/Shanghai"))
SLOT = Wanted((Claim("date", (date(2026, 3, 26),)), Claim("clock", ("10:00",))))

UNDONE = [
    "It's 26 March at 10:00. Ann has since thrown that out.",
    "26 March, 10:00. Helen withdrew it this morning.",
    "26 March at 10:00; Bob took it back an hour later.",
    "26 March at 10:00 it is. The landlord has called it off, though.",
    "26 March, 10:00. We gave that slot away yesterday.",
    "26 March, 10:00. That date has been superseded.",
    "26 March, 10:00. Ann looked again and the old day stands.",
    "26 March at 10:00. That plan fell through on Friday.",
    "26 March at 10:00. This slot is off the table.",
    "26 March at 10:00. The booking has lapsed.",
    "26 March at 10:00. It's all moot now.",
    "26 March, 10:00. Overtaken by events.",
    "26 March, 10:00. The board overruled that.",
    "26 March, 10:00. We're back to the old plan.",
    "26 March at 10:00. Having slept on it, I'd rather not.",
    "26 March at 10:00 (she has retracted this).",
    "26 March at 10:00. The slot has since gone.",
    "26 March at 10:00, until Peng shelved it.",
    "26 March at 10:00. The deal is dead.",
    "26 March at 10:00. Our approval was rescinded.",
    "3月26日10点。这句收回。",
    "3月26日10点。上面这个安排已经凉了。",
    "3月26日10点，这个时间安昨晚已经放宽了。",
    "3月26日10点。刚跟安过了一遍，这个方案作罢。",
    "3月26日10点。后来被安推翻了。",
    "3月26日10点。安今早把这个时间退回来了。",
    "3月26日10点。不过那天另有安排。",
    "3月26日10点。上述时间不作数了。",
    "3月26日10点。这事泡汤了。",
    "3月26日10点。刚接到消息，这个期限撤了。",
    "3月26日10点。结果又黄了。",
    "3月26日10点。可惜后来告吹了。",
    "3月26日10点。谁知安又反悔了。",
    "3月26日10点，刚刚那条撤回。",
    "3月26日10点。位子你放掉吧。",
    "3月26日10点。那个时段改作他用了。",
]
STANDS = [
    "Ann threw the old date out: it's 26 March at 10:00.",
    "Helen withdrew her objection. 26 March, 10:00.",
    "Bob took his complaint back; 26 March at 10:00.",
    "They called the other meeting off, ours is on 26 March at 10:00.",
    "26 March, 10:00. We gave the posters away yesterday.",
    "The 24th has been superseded by 26 March, 10:00.",
    "26 March, 10:00. Ann looked again and it stands.",
    "26 March at 10:00, then it's too late.",
    "26 March at 10:00. Please hold it for us.",
    "26 March at 10:00. I'll hold the door.",
    "26 March at 10:00. Our offer still stands.",
    "上面那条收回，以这条为准：3月26日10点。",
    "旧方案已经作罢，3月26日10点。",
    "3月26日10点，安点了头，这个时间不会再动。",
    "刚跟安过了一遍，就定3月26日10点。",
    "3月26日10点，那份旧计划作废了。",
    "3月26日10点，这个时间安昨晚已经批了。",
    "3月26日10点。位子给你留着。",
]
PAST = [
    "Back when I wrote to you it was 26 March at 10:00.",
    "I did prefer 26 March at 10:00.",
    "I'd have been fine with 26 March at 10:00.",
    "At one point it said 26 March, 10:00.",
    "For a week the answer was 26 March at 10:00.",
    "26 March at 10:00 was our estimate.",
    "3月26日10点确实曾经是最终版。",
    "原方案是3月26日10点。",
    "那会儿说的是3月26日10点。",
    "本想3月26日10点。",
    "当时定的是3月26日10点。",
]
OTHERS = [
    "Word in the kitchen is that it's 26 March at 10:00.",
    "Bob keeps saying that it's 26 March at 10:00.",
    "Bob goes around with 26 March, 10:00.",
    "Bob prefers 26 March at 10:00. I have no opinion.",
    "Ann says it's 26 March, 10:00. Finance has never confirmed any of that.",
    "Ann says it's 26 March, 10:00. I wouldn't.",
    "Ann says it is 26 March at 10:00. Peng doesn't recognise either.",
    "Ann says it is 26 March at 10:00. First I've heard of it.",
    "李想到处说是3月26日10点。",
    "李想逢人就说3月26日10点。",
    "李想说3月26日10点，我觉得没谱。",
    "李想说3月26日10点，没人认。",
    "安说3月26日10点，我头一回听。",
    "安说3月26日10点，谁也没批。",
]
SAID_BY_ALL = [
    "Bob and Ann both prefer it, so do I: 26 March at 10:00.",
    "I looked it up, it's 26 March at 10:00.",
    "李想和我都同意，3月26日10点。",
    "跟大家说一声，3月26日10点。",
]
DEPENDS = [
    "只要安签字，就3月26日10点。",
    "只有场地那边点头后，才3月26日10点。",
    "Only if Ann signs: 26 March at 10:00.",
]


@pytest.mark.parametrize("text", [*UNDONE, *PAST, *OTHERS, *DEPENDS])
def test_what_is_undone_over_or_somebody_elses_is_not_asserted(text: str) -> None:
    assert not judge(SLOT, text, Situation(NOW)).ok


@pytest.mark.parametrize("text", [*STANDS, *SAID_BY_ALL])
def test_what_stands_beside_something_undone_is_asserted(text: str) -> None:
    assert judge(SLOT, text, Situation(NOW)).ok
