"""Every wrong text that the reviews found accepted is refused, every right one that was refused is accepted."""

from __future__ import annotations

from datetime import date, datetime
from zoneinfo import ZoneInfo

import pytest

from farm.benchmark.scoring.claims import Claim, Requirement, Situation, Stance, judge

NOW = datetime(2026, 3, 9, 9, 0, tzinfo=ZoneInfo("Asia/Shanghai"))
MOVED = Requirement(
    (Claim("date", (date(2026, 3, 26),)), Claim("clock", ("10:00",))),
    stance=Stance("yes", ("move", "final", "改", "挪")),
    stale=("19 March",),
)
WORDING = Requirement(
    (
        Claim("choice", ("暗到",), rivals=(("低至",),)),
        Claim("choice", ("down to",), rivals=(("as low as",),)),
    ),
    stance=Stance("yes", ("agree", "用", "同意")),
)
ROOM = Requirement(
    (
        Claim("choice", ("小湾", "Cove"), rivals=(("北斗",), ("潮汐",))),
        Claim("number", (4.0,), of=("座", "坐", "人", "seat")),
        Claim("date", (date(2026, 3, 23),)),
    )
)
REFUND = Requirement((Claim("says", ("到账", "arrive"), is_denied=True),))
SEAT = Requirement(stance=Stance("yes", ("来", "去", "留", "占", "come", "save")))
FITTING = Requirement((Claim("date", (date(2026, 3, 15),)), Claim("clock", ("14:00",))))
BERLIN = Requirement(
    (Claim("clock", ("17:30",), of=("Shanghai", "上海")), Claim("clock", ("10:30",), of=("Berlin", "柏林")))
)
NOTE = Requirement(
    (Claim("choice", ("灯下犯困",)), Claim("number", (20.0,), of=("天", "day"))), keeps="中山宏电，和 SQ-0147 无关"
)
LINE = Requirement((Claim("number", (320_000.0,)),), stale=("400,000",))
PRICE = Requirement((Claim("amount", (395.0,), ("MYR",)),))
FEE = Requirement(
    (Claim("choice", ("从预备金走",)), Claim("choice", ("同意",))), stance=Stance("yes", ("同意", "从预备金走"))
)
SUNDAY = Requirement((Claim("clock", ("14:00",)),), stance=Stance("no", ("行", "去", "来", "can")))
RATE = Requirement((Claim("number", (6.3,), ("%",)),), stale=("4 %",))
SERIES = Requirement((Claim("number", (4312.0,)),))


@pytest.mark.parametrize(
    ("wanted", "text"),
    [
        (MOVED, "No, not final, do NOT move anything to 26 Mar 10:00."),
        (MOVED, "Stay with 19 March. 26 March, 10:00 was only an idea."),
        (MOVED, "Yes, final: 26 March, 10:00 PM."),
        (MOVED, "Yes, final, see version 3.26, 10:00."),
        (WORDING, "暗到和 down to 我都不同意，请重写"),
        (ROOM, "改到北斗，14座，3月23日起，小湾只有4座，不用"),
        (ROOM, "潮汐 8座（小湾不对应），4 区，3月23日"),
        (REFUND, "3月5日已经到账，没有问题"),
        (SEAT, "看到了，别给我留，我有事"),
        (FITTING, "不是3月15日14:00，改期了"),
        (BERLIN, "TR-5590: 10:30 Shanghai, 17:30 Berlin"),
        (NOTE, "中山宏电。灯下犯困，第 20 天"),
        (LINE, "400,000（不是 320,000）"),
        (PRICE, "MYR 599 含税；395 是旧价"),
        (FEE, "从来没同意，不准从预备金走"),
        (SUNDAY, "行，没问题，没法更好了，14:00 见"),
        (SERIES, " ".join(str(number) for number in range(5000))),
        (FITTING, "、".join(f"{month}月{day}日" for month in range(1, 13) for day in range(1, 29)) + " 14:00"),
        (FITTING, "3月15日 " + " ".join(f"{hour}:{minute:02}" for hour in range(24) for minute in (0, 15, 30, 45))),
    ],
)
def test_a_wrong_text_of_the_reviews_is_refused(wanted: Requirement, text: str) -> None:
    assert not judge(wanted, text, Situation(NOW)).ok


@pytest.mark.parametrize(
    ("wanted", "text"),
    [
        (MOVED, "Yes, final: 26.03.2026, 10 o'clock."),
        (WORDING, "用暗到不用低至，用 down to 不用 as low as"),
        (ROOM, "小湾，坐四个人，23号起"),
        (NOTE, "中山宏电，和 SQ-0147 无关。灯下犯困，第二十天"),
        (FITTING, "这周日（15号）下午2点"),
        (FITTING, "15 March, 2pm"),
        (SEAT, "帮我占一个座"),
        (LINE, "三十二万，不是四十万"),
        (PRICE, "RM395"),
        (RATE, "6.3 %, not the roughly 4 %"),
        (SERIES, "4 312"),
        (Requirement((Claim("clock", ("06:10",)),)), "六点十分"),
        (Requirement((Claim("clock", ("16:30",)),)), "四点半"),
        (Requirement((Claim("span", (("15:00", "16:00"),)),)), "3–4pm"),
        (Requirement((Claim("date", (date(2026, 3, 5),)),)), "周四（5号）"),
        (SUNDAY, "Sunday is out: 14:00."),
    ],
)
def test_a_right_text_of_the_reviews_is_accepted(wanted: Requirement, text: str) -> None:
    assert judge(wanted, text, Situation(NOW)).reasons == ()


# The second exam, on the newest tasks: what its author met.
ASKED = ("要是走 B 方案，几号出发、开多少公里？", "下雨顺延到哪天？")
DRIVE = Requirement((Claim("date", (date(2026, 4, 3),)), Claim("number", (221.0,), ("公里", "km"))))
WALK = Requirement((Claim("number", (695.0,), ("米", "m")),))
WEATHER = Requirement(
    (
        Claim(
            "choice",
            ("大雨", "heavy rain"),
            not_of=("夜里", "night"),
            rivals=(("中雨", "moderate rain"), ("多云", "cloudy")),
        ),
    )
)
PUT_OFF = Requirement((Claim("date", (date(2026, 3, 15),)),))
DECIDED = Requirement((Claim("date", (date(2026, 3, 12),)), Claim("clock", ("20:00",))))
DISK = Requirement((Claim("number", (83.6,), ("%",), of=("/var/log", "full")),), also=("98 %",))
USED = Requirement((Claim("says", ("second-hand", "second hand")),))
SOLD = Requirement((Claim("date", (date(2026, 3, 26),)),))
PEN = Requirement(stance=Stance("no", ("冷藏", "冰箱")))
OPEN = Requirement((Claim("choice", ("encodeDefaults",)), Claim("choice", ("explicitNulls",))))
HELD = Requirement((Claim("id", ("HA-90317",)), Claim("clock", ("21:00",))))
LIST = Requirement((Claim("choice", ("晨雾",)),), keeps="# 收件箱\n\n- 看一眼保险到期没有")


@pytest.mark.parametrize(
    ("wanted", "text"),
    [
        (DRIVE, "B 方案的话我们 4 月 3 日出发，开 221 公里。"),
        (DRIVE, "4 月 3 日出发，全程 221 公里到莫干山。"),
        (PUT_OFF, "若雨顺延周日（3月15日），跟她说一声。"),
        (WALK, "步行 0.695 公里"),
        (WALK, "walking 695m"),
        (WEATHER, "白天大雨，夜里中雨"),
        (WEATHER, "heavy rain, at night moderate rain"),
        (WEATHER, "别纠结概率了，直接大雨"),
        (DECIDED, "三月十二号晚上八点定走不走"),
        (DISK, "The process sits at 98 % of a core. /var/log is at 83.6 % again."),
        (USED, "We cannot find them by mail because the lamp is second-hand."),
        (USED, "second-hand lamp, so the address is the first owner's"),
        (SOLD, "they may be sold from 26 March on"),
        (PEN, "跟酒店说一下，说明书写着不要冷藏"),
        (OPEN, "encodeDefaults 和 explicitNulls 都要是 true。"),
        (HELD, "确认号 HA-90317，保留到 21:00，超过这个点到店要先打电话。"),
        (LIST, "# 收件箱\n\n- 看一眼保险到期没有\n- 周四再买一包晨雾"),
    ],
)
def test_right_texts_of_the_second_exam_are_accepted(wanted: Requirement, text: str) -> None:
    assert not judge(wanted, text, Situation(NOW, ASKED if wanted in (DRIVE, PUT_OFF) else ())).reasons


@pytest.mark.parametrize(
    ("wanted", "text"),
    [
        (DRIVE, "老板点头的话我们 4 月 3 日出发，开 221 公里。"),
        (DRIVE, "莫要 4 月 3 日出发，221 公里。"),
        (PUT_OFF, "若她同意顺延周日（3月15日），跟她说一声。"),
        (WALK, "步行 6.95 公里"),
        (WALK, "walking 711m"),
        (WEATHER, "白天中雨，夜里大雨"),
        (WEATHER, "大雨还是中雨，还在纠结"),
        (DECIDED, "三月十二号晚上八点不定了"),
        (DISK, "/var/log is at 98 %. The process sits at 83.6 % of a core."),
        (USED, "We cannot find them, not because the lamp is second-hand."),
        (SOLD, "Only if you take the stand back do we start on 26 March."),
        (SOLD, "It may be 26 March."),
        (PEN, "酒店说不要冷藏"),
        (OPEN, "要是 encodeDefaults 和 explicitNulls 都在就好了"),
        (HELD, "确认号 HA-90317，保留到 21:00，不过得先付款。"),
        (LIST, "# 收件箱\n\n- 看一眼保险到期没有\n- 周四再买一包晨雾\n- 周四再买一包晨雾"),
    ],
)
def test_their_wrong_neighbours_are_refused(wanted: Requirement, text: str) -> None:
    assert judge(wanted, text, Situation(NOW, ASKED if wanted in (DRIVE, PUT_OFF) else ())).reasons
