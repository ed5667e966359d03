"""What a clause does to its neighbours: it puts one thing in the place of another, depends, forbids, offers."""

from __future__ import annotations

from datetime import date, datetime
from zoneinfo import ZoneInfo

import pytest

from farm.benchmark.scoring.claims import Claim, Code, Requirement, Situation, Stance, judge

NOW = datetime(2026, 3, 9, 9, 0, tzinfo=ZoneInfo("Asia/Shanghai"))
SLOT = Requirement((Claim("date", (date(2026, 3, 26),)), Claim("clock", ("10:00",))))
PLACE = Requirement((Claim("choice", ("雪松", "Cedar"), rivals=(("柳厅", "Willow"), ("枫厅", "Maple"))),))
COUNT = Requirement(
    (Claim("number", (318.0,), of=("赞", "like")), Claim("number", (43.0,), of=("收藏", "save"))), stale=("280",)
)
RATE = Requirement((Claim("number", (0.3,), units=("%",), of=("stop", "停")),))
PRICE = Requirement((Claim("number", (260.0,), units=("", "CNY")),))
PULL = Requirement((Claim("says", ("拔", "unplug")), Claim("choice", ("客服", "support"))))
CAME = Requirement((Claim("says", ("arrived", "到账"), is_denied=True),))
SCAN = Requirement((Claim("id", ("TR-5590",)), Claim("choice", ("扫描", "scan"))))
NO_SUNDAY = Requirement(
    (Claim("clock", ("14:00",)), Claim("choice", ("苏州", "Suzhou"))), stance=Stance("no", ("行", "work"))
)
FREIGHT = Requirement(
    (Claim("number", (58000.0,), of=("freight", "空运")), Claim("number", (6000.0,), of=("rebooking", "改期"))),
    also=("400 台", "400 units"),
)


def refused(wanted: Requirement, text: str, *said: str) -> set[Code]:
    """Return why a text is refused."""
    return {reason.code for reason in judge(wanted, text, Situation(NOW, said)).reasons}


@pytest.mark.parametrize(
    ("wanted", "right", "wrong"),
    [
        # What stands in the place of what is denied.
        (PLACE, "Not Willow, Cedar.", "Not Cedar, Willow."),
        (PLACE, "不是柳厅，雪松。", "不是雪松，柳厅。"),
        (PLACE, "Not Willow, Cedar", "Not Cedar or Willow"),
        (PRICE, "不是 300，260。", "不是 260，300。"),
        (PRICE, "Not 300, 260.", "Not 300, nor 260."),
        (SLOT, "26 March, 10:00 (not 11:00)", "26 March, 11:00 (not 10:00)"),
        (SLOT, "3月26日不是19日，10:00", "3月19日不是26日，10:00"),
        (SLOT, "26 March 10:00, not the 19th at 10:00", "19 March 10:00, not the 26th at 10:00"),
        # What has grown to a value from another.
        (
            COUNT,
            "It was 280 on Friday, the newest is 318 likes; 43 saves",
            "It was 318 likes on Friday, the newest is 280; 43 saves",
        ),
        (PRICE, "Drop it from 300 to 260.", "Drop the 260."),
        # A duration is waited for, a consent makes the rest depend on it.
        (PRICE, "260 就够了，要等 7 天", "260 就够了，要等海伦点头"),
        (PRICE, "260, with a wait for about a week", "260, wait for her signature"),
        (PRICE, "260，还得等两周", "260，还得等财务放行"),
        (SLOT, "3月26日10点，签字版在附件", "签字之后才定3月26日10点"),
        (SLOT, "3月26日10点，海伦同意了", "海伦同意以后再定3月26日10点"),
        (SLOT, "26 March, 10:00, the boards passed", "26 March, 10:00, once the boards pass"),
        (SLOT, "26 March, 10:00; the crew has arrived", "26 March, 10:00, once the crew arrives"),
        (PULL, "先拔插头，再打客服", "再闪一次你再拔，找客服"),
        # Out of two ways neither is said.
        (PLACE, "雪松，不是柳厅", "雪松，要不柳厅也行"),
        # A prohibition leaves what stands before it.
        (PULL, "Unplug it, call support and don't wait", "Call support and don't unplug it"),
        (PULL, "Unplug it. No need to write, call support.", "No need to unplug it, call support."),
        (PULL, "Please unplug it and call support; you needn't open it", "You needn't unplug it, call support"),
        # A drawn-out word ends its clause.
        (PULL, "没事哈～先拔掉，打客服", "没拔哈，打客服"),
        (SLOT, "别急啦~3月26日10点", "别定3月26日10点"),
        # A label and its no.
        (CAME, "Arrived: no", "Arrived: yes"),
        (CAME, "到账：没有", "到账：有"),
        # What comes of a limit takes nothing back.
        (RATE, "停线 0.3%，所以整批冻结", "停线 0.3%，这条取消了"),
        # Others, and what is not in question.
        (SLOT, "26 March, 10:00, which I can't move", "26 March, 10:00, I can't"),
        # An hour of a day that is over.
        (SLOT, "She asked last night at eight: 26 March, 10:00", "She comes tonight at eight: 26 March, 10:00"),
        # What it rests on is no condition.
        (PRICE, "If it goes like the first batch that's 260", "If she agrees that's 260"),
        # A thing counted beside a sum.
        (FREIGHT, "空运 400 台（新加坡）：58,000\n改期费：6,000", "空运 400 台（新加坡）：6,000\n改期费：58,000"),
        # A hedge, and an answer put off.
        (SLOT, "26 March, 10:00, I slept well", "26 March, 10:00 sounds plausible, let me sleep on it"),
        (SLOT, "3月26日10点，我想好了", "3月26日10点，容我再想想"),
        (SLOT, "26 March, 10:00. Nothing else is new.", "26 March, 10:00. Nothing is settled."),
        # A free slot has nobody in it.
        (SLOT, "26 March, 10:00, everybody is free", "The call is off, so 26 March, 10:00 is free again"),
        # A request to pass something on states it.
        (PRICE, "It is 260, could you reply to them?", "It is 260, could you check?"),
        (PRICE, "是 260，你去回一句？", "是 260 吗，你去问一句？"),
        # What models wrote: an end in time, another value that is void, and a reader who need not care.
        (SLOT, "They see nobody else until 26 March, 10:00.", "They see nobody at all on 26 March, 10:00."),
        (SLOT, "3月26日10点，前面写的19号作废", "3月26日10点，前面写的作废"),
        (SLOT, "3月26日10点。我来付，你不用管。", "3月26日10点。我来付，那天不用管。"),
    ],
)
def test_a_clause_reaches_as_far_as_it_says(wanted: Requirement, right: str, wrong: str) -> None:
    assert refused(wanted, right) == set()
    assert refused(wanted, wrong) != set()
