"""Whose a value is where several stand beside it, and what else may be told in the same breath."""

from __future__ import annotations

from datetime import date, datetime
from zoneinfo import ZoneInfo

import pytest

from farm.benchmark.scoring.claims import Claim, Requirement, Situation, judge

NOW = datetime(2026, 3, 9, 9, 0, tzinfo=ZoneInfo("Asia/Shanghai"))
TASTING = ("tasting", "品鉴")
OTHERS = ("rehearsal", "彩排", "concert", "音乐会")
MEETING = Requirement(
    (
        Claim("date", (date(2026, 3, 19),), of=TASTING, not_of=OTHERS),
        Claim("clock", ("15:00",), of=TASTING, not_of=OTHERS),
    ),
    also=("16:30",),
)
STAGE = Requirement(
    (
        Claim("number", (320000.0,), of=("stage", "line", "band", "舞台", "乐队"), not_of=("window", "橱窗")),
        Claim("number", (183000.0,), of=("left", "remain", "剩")),
    ),
    stale=("40 万",),
)
SHARE = Requirement(
    (
        Claim("number", (38.0,)),
        Claim("number", (600.0,)),
        Claim("number", (6.3,), ("%",)),
        Claim("number", (1.0,), ("%",), of=("limit", "上限"), not_of=("measured", "实测")),
    ),
    stale=("4 %",),
)
PERSON = Requirement((Claim("choice", ("Ada",), rivals=(("Bo",), ("Cleo",))),))
PRESENT = Requirement((Claim("choice", ("vase", "花瓶"), rivals=(("rug", "地毯"), ("lamp", "台灯"))),))
PRICE = Requirement((Claim("amount", (68.0,), ("CNY", "")),))
POST = Requirement(
    (
        Claim("number", (31.0,), of=("like", "赞"), not_of=("Mia", "米娅")),
        Claim("number", (4.0,), of=("save", "收藏"), not_of=("Mia", "米娅")),
    )
)
TOLD = Requirement((Claim("date", (date(2026, 3, 13),), not_of=("Rosa", "罗莎", "hall", "spring fair", "春集")),))
SALES = Requirement(
    (Claim("number", (1496.0,), of=("basket", "篮"), not_of=("spring fair", "春集")),), also=("34.7 %",)
)
WATER = Requirement((Claim("number", (88.0,), of=("water", "水温"), not_of=("iced",)),), also=("5",))

RIGHT: list[tuple[Requirement, str]] = [
    (MEETING, "The tasting is on Thursday, 19 March, at 15:00 (until 16:30), upstairs. Bring nothing."),
    (MEETING, "Tasting: Thursday 19 March – 15:00, over at 16:30."),
    (MEETING, "品鉴是3月19日（周四）15:00 开始，到 16:30 结束，二楼。"),
    (MEETING, "日历上写着「品鉴（二楼）」，3月19日 周四 15:00"),
    (MEETING, 'My diary says "Tasting (upstairs)": Thu 19 March, 3 pm'),
    (MEETING, "It's 15:00 on 19 March for the tasting, until half past four, with all of us."),
    (MEETING, "关于品鉴：3月19日，下午三点到四点半，在二楼"),
    (MEETING, "品鉴：3月19日 15:00。彩排是 20 号晚上七点，别弄混"),
    (MEETING, "Tasting on 19 March at 15:00; the rehearsal is the one on the 20th at 19:00."),
    (MEETING, "The tasting: 19 March, 15:00. On 21 March at 20:00 there is the concert, that's another thing."),
    (MEETING, "3月19日下午三点品鉴，21号才是音乐会"),
    (MEETING, "3月19日15:00是品鉴"),
    (MEETING, "Thursday 19 March at 15:00 is the tasting you asked about."),
    (STAGE, "The stage line is 320k, not 400k. After all five bands 183k remain."),
    (STAGE, "Counting all five bands at their quotes we have 183,000 left; the stage line is 320,000."),
    (STAGE, "舞台线第一版是 40 万，第二版起改为 32 万；五支乐队全签后剩 18.3 万。"),
    (STAGE, "Before the cut the stage line was 400k; today it is 320k, of which 183k remains after the five bands."),
    (STAGE, "“40 万”是第一版的数；现在舞台线 32 万，五支全算还剩 18.3 万。"),
    (STAGE, "Stage line: 320k. The 400k came from the first draft. Left: 183k."),
    (STAGE, "The stage line is ¥320,000 in v3, and after the five bands at their quotes ¥183,000 remains."),
    (STAGE, "320k for the stage (the 400k was the draft of February), 183k left"),
    (STAGE, "舞台线最早报的 40 万早不用了，现在 32 万，全签完剩 18.3 万"),
    (SHARE, "Against a limit of 1.0 % we measured 6.3 %: 38 of a sample of 600."),
    (SHARE, "We measured 6.3 % (38 of 600) against a limit of 1.0 %."),
    (SHARE, "上限 1.0% 而实测 6.3%，600 片里 38 片"),
    (SHARE, "38 of 600 are 6.3 %, the limit is 1.0 %. The first guess was 4 %."),
    (SHARE, "38 of 600, 6.3 %, over the limit of 1.0 %; the early count was 4 %."),
    (SHARE, "We started with 4 % on Friday, now it is 6.3 %, 38 of 600. The limit: 1.0 %."),
    (SHARE, "最早说的 4% 是没数完的数，正式是 600 里 38 个，6.3%，上限 1.0%。"),
    (PERSON, "Ada has it this week, Bo only takes over next Monday."),
    (PERSON, "Ada carries it (Bo's turn comes on the 16th)."),
    (PERSON, "这周是 Ada，Bo 下周一才接手"),
    (PERSON, "Ada，Bo 那班是下周的"),
    (PRESENT, "要买的是花瓶，地毯和台灯另说"),
    (PRESENT, "花瓶先买，地毯不急"),
    (PRESENT, "Order the vase; the rug is another matter."),
    (PRESENT, "Vase first. The rug can wait."),
    (PRESENT, "The vase, please. The lamp is for later."),
    (PRICE, "The vase is 68 yuan, I'll send you the receipt."),
    (PRICE, "68 yuan. I promise."),
    (PRICE, "68 元，我给你留着小票"),
    (PRICE, "68 yuan, nothing is added, nothing is free."),
    (PRICE, "Vase 68 yuan. I was free this morning and went there."),
    (PRICE, "花瓶 68 元，不送货，不打折"),
    (PRICE, "68 yuan, I also looked online and it's the same there."),
    (PRICE, "68 元，我也问过店里"),
    (PRICE, "68 yuan. I'll give you a call later."),
    (PRICE, "68 yuan; no gift, and I promised nobody anything."),
    (PRICE, "花瓶 68 元，也就是两杯咖啡的钱"),
    (PRICE, "68 yuan, tell me if you need more."),
    (WATER, "水温 88，研磨改成 5 档"),
    (WATER, "The water is 88, the grind is changed to 5."),
    (WATER, "水温原来 92，后改成 88"),
    (POST, "31 likes and 4 saves on your post."),
    (POST, "31 个赞、4 个收藏，米娅那条另说"),
    (POST, "赞 31，收藏 4，不是米娅那条"),
    (POST, "Yours has 31 likes and 4 saves; Mia's has gone."),
    (TOLD, "She has to know by 13 March. Rosa knows already."),
    (TOLD, "The hall is paid for. Our guest must be told by 13 March."),
    (SALES, "Going like the spring fair, we sell 1,496 baskets."),
    (SALES, "At the spring fair's rate that makes 1,496 baskets."),
    (SALES, "Judging by the spring fair we sell 1,496 baskets."),
    (PERSON, "Ada 值班，Bo 已经回家了"),
    (SALES, "按春集的转化率，是 1,496 篮"),
    (SALES, "照春集那样算，1,496 篮。"),
    (SALES, "1,496 baskets, using the spring fair's 34.7 %."),
]
WRONG: list[tuple[Requirement, str]] = [
    (MEETING, "The rehearsal is on Thursday, 19 March, at 15:00 (until 16:30)."),
    (MEETING, "彩排在3月19日15:00，品鉴我还不知道。"),
    (MEETING, "Tasting: 19 March 15:00 or 20 March 19:00"),
    (MEETING, "Tasting on 19 March at 15:00 and on 20 March at 19:00."),
    (MEETING, "Tasting 19 March 15:00. Friday 19:00 is fine as well."),
    (MEETING, "品鉴3月19日15:00，周五19:00 也可以"),
    (MEETING, "品鉴3月19日15:00，周五19:00 也行"),
    (MEETING, "The rehearsal is on 19 March. It starts at 15:00."),
    (MEETING, "Tasting: Thursday 19 March at 16:30 (until 18:00)."),
    (MEETING, "The tasting is on 19 March; the concert is at 15:00."),
    (STAGE, "The stage line is 183k, 320k remain."),
    (STAGE, "After all five bands 320k remain, the stage line is 183k."),
    (STAGE, "舞台线是 32 万，第二版起改为 40 万，剩 18.3 万"),
    (STAGE, "舞台线 32 万，其实 40 万也行，剩 18.3 万"),
    (STAGE, "The stage line is 320k. 400k is what we really have. Left: 183k"),
    (STAGE, "舞台线 40 万，剩 18.3 万；橱窗 32 万"),
    (STAGE, "Stage line 320k, 400k for now. 183k left."),
    (STAGE, "舞台线 32 万变成 40 万，剩 18.3 万"),
    (STAGE, "The stage line went from 320k to 400k; 183k left."),
    (STAGE, "The window line is 320k, 183k left."),
    (SHARE, "Against a limit of 6.3 % we measured 1.0 %: 38 of a sample of 600."),
    (SHARE, "We measured 1.0 % (38 of 600) against a limit of 6.3 %."),
    (SHARE, "上限 6.3% 而实测 1.0%，600 片里 38 片"),
    (SHARE, "38 of 600, that's 6.3 %, limit 1.0 %. The right figure is 4 %."),
    (SHARE, "38 of 600, 6.3 %, limit 1.0 %, or 4 % if you ask me."),
    (SHARE, "38 of 600, 6.3 %, limit 1.0 %. The newest count was 4 %."),
    (SHARE, "The first guess was 6.3 %, 38 of 600, limit 1.0 %; in the end it is 4 %."),
    (PERSON, "Ada carries it, Bo takes over at noon."),
    (PERSON, "Ada and Bo carry it."),
    (PERSON, "Bo carries it, Ada only takes over next Monday."),
    (PERSON, "这周是 Bo，Ada 下周一才接手"),
    (PERSON, "Ada, then Bo from Tuesday."),
    (PERSON, "Ada 和 Bo 一起"),
    (PRESENT, "要买花瓶，地毯也要"),
    (PRESENT, "Order the vase; the rug is needed too."),
    (PRESENT, "花瓶另说，先买地毯"),
    (PRESENT, "Order the rug; the vase is another matter."),
    (PRESENT, "Vase and rug, the sooner the better."),
    (PRICE, "The vase is 68 yuan, plus 12 for wrapping."),
    (PRICE, "Vase: 68 yuan. Another 20 is for the courier."),
    (PRICE, "花瓶 68 元，另加 12 元包装费"),
    (PRICE, "68 元，老板说还送一支蜡烛"),
    (PRICE, "68 yuan, 10 off if you name me."),
    (POST, "Mia's post has 31 likes and 4 saves."),
    (POST, "31 likes and 4 saves stand under Mia's post."),
    (POST, "米娅那条 31 赞 4 收藏"),
    (POST, "Likes: 31, saves: 4 on Mia's."),
    (TOLD, "Rosa knows nothing yet. She has to hear by 13 March."),
    (TOLD, "The hall is not paid. It's due on 13 March."),
    (TOLD, "罗莎还不知道。她最晚3月13日得知道。"),
    (TOLD, "No, the hall is still open. They want it by 13 March."),
    (TOLD, "罗莎那边还没说，最晚3月13日告诉她。"),
    (SALES, "The spring fair! 1,496 baskets."),
    (PERSON, "Bo has it, Ada only from Monday."),
    (SALES, "The spring fair sold 1,496 baskets."),
    (SALES, "Spring fair: 1,496 baskets."),
    (SALES, "春集当年卖了 1,496 篮，这次的还没出"),
    (SALES, "At the spring fair it was 1,496 baskets."),
]


@pytest.mark.parametrize(("wanted", "text"), RIGHT)
def test_what_a_reader_takes_at_once_is_accepted(wanted: Requirement, text: str) -> None:
    assert judge(wanted, text, Situation(NOW)).reasons == ()


# No rule knows what is promised beside the price; the weights have seen such clauses mislead.
PROMISED = [
    "68 yuan, and I've promised the shop we'd take three.",
    "68 yuan; we'll pay him the rest in April.",
    "花瓶 68 元，我已经答应送她一条丝巾",
    "花瓶 68 元，答应再送一个灯罩。",
    "68 yuan, and he is getting a voucher from us.",
    "68 yuan, whoever orders early has it wrapped for free.",
]


@pytest.mark.parametrize("text", PROMISED)
def test_a_promise_that_nobody_asked_for_is_not_surely_accepted(text: str) -> None:
    verdict = judge(PRICE, text, Situation(NOW))

    assert not (verdict.ok and verdict.sure)


@pytest.mark.parametrize(("wanted", "text"), WRONG)
def test_what_is_said_of_another_or_besides_is_refused(wanted: Requirement, text: str) -> None:
    assert not judge(wanted, text, Situation(NOW)).ok
