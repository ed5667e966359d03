"""More ways to stand by a thing and to take it back, as people put it, in both languages."""

from __future__ import annotations

from datetime import date, datetime
from zoneinfo import ZoneInfo

import pytest

from farm.benchmark.scoring.claims import Claim, Requirement, Situation, judge

NOW = datetime(2026, 3, 9, 9, 0, tzinfo=ZoneInfo("Asia/Shanghai"))
SLOT = Requirement((Claim("date", (date(2026, 3, 26),)), Claim("clock", ("10:00",))))
PLACE = Requirement((Claim("choice", ("雪松", "Cedar"), rivals=(("柳厅", "Willow"), ("Maple",))),))

TIMES_TAKEN_BACK = [
    "26 March at 10:00 got bumped.",
    "The 26 March 10:00 slot went to somebody else.",
    "26 March at 10:00? Over my dead body.",
    "Wish it were 26 March at 10:00.",
    "26 March 10:00 was the plan until Friday.",
    "We changed our minds about 26 March at 10:00.",
    "26 March at 10:00 clashes with the board.",
    "Nobody can make 26 March at 10:00.",
    "I wouldn't bank on 26 March, 10:00.",
    "26 March 10:00 remains to be seen.",
    "26 March, 10:00 pending the landlord's answer.",
    "As long as the printer delivers, 26 March 10:00.",
    "Legend has it that it's 26 March, 10:00.",
    "Bob swears it's 26 March at 10:00.",
    "26 March 10:00, or not, who knows.",
    "26 March 10:00 is ancient history.",
    "There's no way we make 26 March at 10:00.",
    "26 March, 10:00 has been ruled out.",
    "Please strike 26 March 10:00 from the plan.",
    "I doubt that it is 26 March at 10:00.",
    "26 March 10:00 got reopened for discussion.",
    "We have yet to settle on 26 March 10:00.",
    "It's supposed to be 26 March at 10:00, I'd double-check.",
    "If nothing gets in the way, 26 March 10:00.",
    "26 March 10:00 hinges on Ann.",
    "Somewhere around 26 March, tenish.",
    "3月26日10点被否了。",
    "3月26日10点让给别的团队了。",
    "3月26日10点没谈成。",
    "3月26日10点悬了。",
    "3月26日10点凉了。",
    "3月26日10点？做梦吧。",
    "3月26日10点还得看安的意思。",
    "3月26日10点要等批文下来。",
    "3月26日10点，前提是天气好。",
    "坊间传3月26日10点。",
    "安说好像是3月26日10点。",
    "老王非说是3月26日10点。",
    "要是3月26日10点就好了。",
    "3月26日10点早就翻篇了。",
    "3月26日10点我们反悔了。",
    "3月26日10点推翻重来。",
    "谁说3月26日10点了？",
    "3月26日10点，八字还没一撇。",
    "3月26日10点，先这么写着，回头再改。",
    "3月26日10点，没人点头。",
    "3月26日10点已经撤下来了。",
    "别按3月26日10点准备。",
    "3月26日10点这事儿没影。",
    "3月26日10点算是泡汤了。",
    "3月26日10点恐怕要变。",
    "不排除3月26日10点。",
    "倾向3月26日10点，没拍板。",
    "3月26日10点只是草案。",
    "但愿能赶上3月26日10点。",
]
USED = Requirement((Claim("says", ("second-hand", "second hand", "secondhand", "二手")),))
PRICE = Requirement((Claim("amount", (600.0,), units=("CNY",)),))

USED_THINGS = [
    "The desk is second-hand.",
    "I bought the desk second-hand.",
    "It's a second-hand oak desk, the lamp is new.",
    "The chair came with the flat, the desk is second hand.",
    "桌子是二手的。",
    "二手的橡木桌，群里收的。",
    "桌子在二手信息平台上买的。",
]
PRICES_OF_USED_THINGS = [
    "The second-hand desk was 600 yuan.",
    "The desk (second-hand) cost me 600 yuan.",
    "Second-hand, 600 yuan.",
    "二手桌子600元。",
    "桌子600元，二手的。",
]
PRICES_FROM_OTHERS = [
    "600 yuan, but I heard it second-hand.",
    "The news is second hand, though: 600 yuan.",
]

PLACES_TAKEN_BACK = [
    "Cedar has been given away.",
    "Cedar? Willow more like.",
    "Cedar is under renovation.",
    "Cedar would do if Willow weren't nicer, so Willow.",
    "Cedar's closed that day.",
    "I thought it was Cedar.",
    "You'd think Cedar.",
    "Whatever they told you, it isn't Cedar.",
    "Cedar till further notice was wrong, take Willow.",
    "Cedar might work, too.",
    "雪松在装修。",
    "雪松给市场部用了。",
    "雪松换成了柳厅。",
    "雪松那天关门。",
    "除了雪松都行。",
    "原先写的雪松。",
    "不一定是雪松。",
    "雪松被挤掉了。",
    "我还以为是雪松。",
    "雪松不能用。",
    "说好的雪松没了。",
    "雪松改天再用，这次柳厅。",
]
TIMES_STOOD_BY = [
    "It's settled: 26 March, 10:00 sharp.",
    "26 March it is, 10:00.",
    "Pencils down, we're on for 26 March at 10:00.",
    "We go live on 26 March at 10:00 and nothing can stop us.",
    "26 March 10:00 stands.",
    "26 March at 10:00 remains unchanged.",
    "26 March at 10:00 as agreed, nobody objected.",
    "Good news: Ann signed, so 26 March at 10:00 is official.",
    "Not a second later than 26 March, 10:00.",
    "Mark your calendars: 26 March, 10:00. Don't be shy about forwarding this.",
    "It's 26 March at 10:00; I've told the others already.",
    "26 March, 10:00. Couldn't be happier.",
    "Yes! 26 March 10:00, no ifs, no buts.",
    "I won't bore you with details: 26 March, 10:00.",
    "Sorry for the silence, it's 26 March at 10:00.",
    "There was some confusion, but it's 26 March at 10:00.",
    "After a lot of back and forth: 26 March, 10:00.",
    "26 March at 10:00. The weather doesn't matter.",
    "26 March at 10:00, whatever the weather.",
    "26 March at 10:00 (I checked twice, no mistake).",
    "You asked when: 26 March at 10:00.",
    "If you're wondering, 26 March at 10:00.",
    "Whoever told you otherwise is wrong: 26 March, 10:00.",
    "Ignore my earlier mail, it's 26 March at 10:00.",
    "Forget what I said before: 26 March, 10:00.",
    "定了，3月26日10点，雷打不动。",
    "3月26日10点，板上钉钉。",
    "3月26日10点，谁都别想改。",
    "3月26日10点，不见不散，别迟到。",
    "就3月26日10点吧，不折腾了。",
    "最后敲定3月26日10点。",
    "3月26日10点没跑了。",
    "3月26日10点，错不了。",
    "放心，3月26日10点，没变过。",
    "3月26日10点，风雨无阻。",
    "之前说得乱，统一一下：3月26日10点。",
    "3月26日10点，安已经点头了。",
    "不卖关子了，3月26日10点。",
    "别的不说，3月26日10点要到。",
    "3月26日10点，记得不要空腹。",
    "3月26日10点，不用穿正装。",
    "忘了说，3月26日10点。",
    "前面那条作废，以这条为准：3月26日10点。",
    "不是玩笑，3月26日10点。",
    "3月26日10点整，晚一分钟都不等。",
    "怕你忘，再说一遍：3月26日10点。",
    "3月26日10点，大家都没意见。",
    "3月26日10点，说定了就不改了。",
    "如果没别的问题，就3月26日10点了。",
]
PLACES_STOOD_BY = [
    "Cedar, no doubt.",
    "Cedar it is, Willow's taken.",
    "We'll be in Cedar this time, Willow was too loud.",
    "Cedar, since Maple is being painted.",
    "Willow's out, Cedar's in.",
    "Not in Willow any more: Cedar.",
    "You'll find us in Cedar, don't go to Willow.",
    "Cedar. Please don't tell the others yet.",
    "It's Cedar and nothing else.",
    "雪松，柳厅那间在装修。",
    "雪松没错。",
    "换雪松了，柳厅被占了。",
    "柳厅太吵，这次雪松。",
    "雪松，别走错到柳厅。",
    "还是雪松，没换。",
    "雪松，门口没牌子，推门就进。",
]


@pytest.mark.parametrize("text", TIMES_TAKEN_BACK)
def test_a_time_that_nobody_stands_by_is_not_asserted(text: str) -> None:
    assert not judge(SLOT, text, Situation(NOW)).ok


@pytest.mark.parametrize("text", PLACES_TAKEN_BACK)
def test_a_place_that_nobody_stands_by_is_not_asserted(text: str) -> None:
    assert not judge(PLACE, text, Situation(NOW)).ok


@pytest.mark.parametrize("text", TIMES_STOOD_BY)
def test_a_time_that_somebody_stands_by_is_asserted(text: str) -> None:
    assert judge(SLOT, text, Situation(NOW)).ok


@pytest.mark.parametrize("text", PLACES_STOOD_BY)
def test_a_place_that_somebody_stands_by_is_asserted(text: str) -> None:
    assert judge(PLACE, text, Situation(NOW)).ok


@pytest.mark.parametrize("text", USED_THINGS)
def test_a_used_thing_is_no_report(text: str) -> None:
    assert judge(USED, text, Situation(NOW)).ok


@pytest.mark.parametrize("text", PRICES_OF_USED_THINGS)
def test_the_price_of_a_used_thing_is_asserted(text: str) -> None:
    assert judge(PRICE, text, Situation(NOW)).ok


@pytest.mark.parametrize("text", PRICES_FROM_OTHERS)
def test_a_price_at_second_hand_is_what_others_say(text: str) -> None:
    assert "reported" in {reason.code for reason in judge(PRICE, text, Situation(NOW)).reasons}
