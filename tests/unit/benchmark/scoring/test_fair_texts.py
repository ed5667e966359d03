"""Texts of people who sat the demo tasks or examined them: right ones once refused, and wrong ones once accepted."""

from __future__ import annotations

import pytest

from farm.benchmark.scoring.try_text import try_text
from tests.suites import parsed_suite

TASKS = {task.id: task for task in parsed_suite("demo").tasks}

RIGHT = [
    ("cross-room-counterpart", "answered", "改到小湾 Cove，4 座，3月23日周一起能用。甲板不用管，那是电话亭。"),
    (
        "rednote-embargo-numbers",
        "numbers-and-day",
        "夜猫子Leo那条：3118 赞、431 收藏、33 评论；他周六 23:14 在评论里说漏的是 3月19日 十点。",
    ),
    (
        "cross-reddit-night-lamp",
        "told",
        "u/kopi_o_kosong in Johor still has it, the lamp shows 2.8.0, they bought the lamp second hand.",
    ),
    ("email163-train-answer", "answered text", "G7136，15:42 上海发车，16:27 到苏州。旧票作废。"),
    ("slack-preorders-helen", "told-helen", "截至昨晚 S2 预约 4312 人；按 S1 的转化，彭程估计是 1496 台。"),
    ("telegram-funan-count", "answered-under-it", "8. 6 of them S2."),
    ("telegram-funan-count", "answered-under-it", "Eight (8) lamps, six (6) of them S2."),
    ("cross-apron-order", "filed summary", "下单围裙两条（尺寸已经问好）"),
    ("cross-walk-venue", "filed summary", "步行去栈桥空间彩排，别去旧场地"),
    ("cross-hike-water", "changed content", "2.5 升水（放背包侧袋）"),
]
WRONG = [
    ("cross-null-setting", "answered-in-thread", "encodeDefaults 和 explicitNulls 都要关。"),
    ("notion-deposit-item", "added title", "退伴手礼的定金"),
    ("notion-deposit-item", "added title", "伴手礼定金已付"),
    ("cross-hike-water", "changed content", "2.5 升水，已装好"),
    ("cross-reddit-water", "answered", "No, I brew it at 88 °F now."),
    ("cross-ethan-hour", "answered body_text", "Thursday 12 March, 11:00 to 11:45. We both look forward to it."),
    ("cross-offsite-drive", "told text", "4月3日周五 08:30 到达山月里，开车 221 公里"),
]


def accepts(task: str, place: str, text: str) -> bool:
    checkpoint, _, column = place.partition(" ")
    return all(finding.ok for finding in try_text(TASKS[task], checkpoint, text, column or None))


@pytest.mark.parametrize(("task", "place", "text"), RIGHT)
def test_a_right_text_is_accepted(task: str, place: str, text: str) -> None:
    assert accepts(task, place, text)


@pytest.mark.parametrize(("task", "place", "text"), WRONG)
def test_a_wrong_text_is_refused(task: str, place: str, text: str) -> None:
    assert not accepts(task, place, text)
