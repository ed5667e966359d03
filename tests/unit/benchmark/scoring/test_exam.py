"""The review's exam: wrong outcomes that a person wrote and that once scored 1.00, right ones that once lost marks."""

from __future__ import annotations

import pytest

from farm.benchmark.scoring.findings import all_hold
from farm.benchmark.scoring.try_text import try_text
from tests.suites import parsed_suite

SUITE = parsed_suite("demo")
WRONG = (
    ("slack-unlock-scheduler", "answered-in-thread", None, "No, not final, do NOT move anything to 26 Mar 10:00."),
    ("slack-unlock-scheduler", "answered-in-thread", None, "Not yet: 26 Mar 10:00 was a guess. Stay with 19 March."),
    ("slack-copy-wording", "settled-in-thread", None, "暗到和 down to 我都不同意，请重写。"),
    ("cross-room-counterpart", "answered", None, "改到北斗，14座，3月23日起。小湾只有4座，不用。"),
    (
        "lark-double-booked",
        "both-overlaps",
        None,
        "硬件评审和 Launch sync 撞在 10:30，达人进度会和明渡：橱窗撞在 16:30；站会和午餐 12:00 也撞，13:00 还有一处。",
    ),
    ("lark-new-room", "room-seat-day", None, "潮汐，8 座（小湾不对应）。工位 9F-C14 在 4 区，3月23日起。"),
    ("rednote-refund-story", "story", None, "邓老师答应退 599，3月5日已经到账，没有问题。3月8日他来说谢谢。"),
    ("rednote-zhou-two-answers", "coming", None, "看到了，别给我留，我有事。"),
    ("cross-fitting-time", "answered", None, "不是3月15日14:00，改期了。"),
    ("cross-second-burp", "noted", None, "中山宏电。第二例：灯下犯困，第 20 天"),
    ("cross-berlin-slot", "booked", "summary", "随便聊聊"),
    ("cross-berlin-slot", "posted", None, "Tomorrow: 10:30 Shanghai, 17:30 Berlin."),
    ("lark-two-promises", "colour-task", "summary", "告诉阿岚：定月白了"),
    ("lark-two-promises", "programme-task", "summary", "体验店巡店"),
    ("cross-venue-fee", "approved", None, "从来没同意过，不准从预备金走。"),
    ("lark-kol-line", "said-in-the-group", None, "达人线是 400,000（不是 320,000），还剩 183,000。"),
    ("cross-myr-distributor", "answered", None, "MYR 599 含税；395 是旧价。"),
    ("cross-rain-sunday", "answered", None, "行，没问题，没法更好了，14:00 苏州见。"),
    ("slack-preorders-helen", "told-helen", None, " ".join(map(str, range(5000)))),
    ("slack-pairing-release", "store-day", None, "Out on " + ", ".join(f"{day} March" for day in range(1, 32)) + "."),
    (
        "slack-unlock-scheduler",
        "answered-in-thread",
        None,
        "Yes, final: 26 March, " + ", ".join(f"{hour}:{minute:02}" for hour in range(24) for minute in (0, 15, 30, 45)),
    ),
    ("slack-unlock-scheduler", "answered-in-thread", None, "Yes, final: 26 March 10:00 PM."),
    ("slack-unlock-scheduler", "answered-in-thread", None, "Yes, final: version 3.26, 10:00."),
)
RIGHT = (
    ("slack-copy-wording", "settled-in-thread", None, "用暗到不用低至，用 down to 不用 as low as。"),
    ("slack-unlock-scheduler", "answered-in-thread", None, "Yes, final: 26.03.2026, 10 o'clock."),
    ("cross-second-burp", "noted", None, "中山宏电，和 SQ-0147 无关。第二例：灯下犯困，第二十天"),
    ("cross-room-counterpart", "answered", None, "小湾，能坐四个人，三月二十三号起。"),
    ("cross-fitting-time", "answered", None, "这周日（15号）下午2点。"),
    ("rednote-zhou-two-answers", "coming", None, "来的，帮我占一个座！"),
    ("rednote-zhou-two-answers", "meeting-point", None, "周六早上六点十分，南厅。"),
    ("lark-two-promises", "programme-task", "summary", "调整发布会时间安排"),
    ("cross-myr-distributor", "answered", None, "RM395，不含税。"),
    ("lark-kol-line", "said-in-the-group", None, "达人线三十二万，四位都按报价算，还剩十八万三。"),
    (
        "slack-boards-rate",
        "rate-and-limit",
        None,
        "38 of 600, 6.3 %, limit 1.0 %; not the roughly 4 % of the first sheet.",
    ),
    ("cross-rain-sunday", "answered", None, "Sunday is out for me: 14:00 in Suzhou."),
    ("slack-preorders-helen", "told-helen", None, "4 312 reservations; at S1's rate 1 496 lamps."),
    ("cross-gonogo-earlier", "told", None, "Go/no-go on 23 March is an hour earlier: 3–4pm, Polaris."),
)


def accepted(task: str, checkpoint: str, column: str | None, text: str) -> bool:
    return all_hold(try_text(SUITE.task(task), checkpoint, text, column), "guess")


@pytest.mark.parametrize(("task", "checkpoint", "column", "text"), WRONG)
def test_a_wrong_outcome_earns_no_full_marks(task: str, checkpoint: str, column: str | None, text: str) -> None:
    assert not accepted(task, checkpoint, column, text)


@pytest.mark.parametrize(("task", "checkpoint", "column", "text"), RIGHT)
def test_a_right_one_loses_none(task: str, checkpoint: str, column: str | None, text: str) -> None:
    assert accepted(task, checkpoint, column, text)
