"""What says that its matter is settled, and what still asks for something."""

from __future__ import annotations

import pytest

from farm.context.settled import is_settled
from farm.errors import FarmError
from farm.testing.local_world import LocalWorld


@pytest.mark.parametrize(
    "text",
    [
        "Ben, the list is paid for, no need to send it.",
        "We’ve already booked the hall.",
        "Please don't call them, Gus has told the printer.",
        "I finished the form.",
        "The order was cancelled.",
        "The form is not ready yet.",
        "The reports aren't needed any more.",
        "那张表不用再发了",
        "钱我已经付了，谢谢",
        "合同昨天寄过去了",
        "这件事取消了",
        "我跟他说过",
        "海报收到了，很好看",
        "合同发您了，请查收",
        "Got the keys, thanks.",
        "The hall went fine, everybody liked it.",
        "表是老板拍板的，都寄过了",
        "We don't need the hall.",
    ],
)
def test_done_denied_called_off_and_not_needed_are_settled(text: str) -> None:
    assert is_settled(text)


@pytest.mark.parametrize(
    "text",
    [
        "Ben, please send the list.",
        "Have you paid the printer?",
        "The hall is booked. When do we get the keys",
        "Gus has not been told, please tell him.",
        "Nobody has confirmed the hall.",
        "We need the list by Friday.",
        "Have you already told them? I can't find it.",
        "麻烦把表发我",
        "钱付了吗",
        "尾款付了多少",
        "还没通知他，今天说一下",
        "合同寄出去了没有",
        "改到周五，请确认",
        "Gus has sent the numbers, please add them.",
        "The opening moved to Friday.",
        "Cleo asked for the list, I would like to send it.",
        "椅子太多了",
        "纸已经到了，请报一下数",
    ],
)
def test_what_asks_or_is_still_to_be_done_is_not(text: str) -> None:
    assert not is_settled(text)


def rule(**text: object) -> dict[str, object]:
    when = {"app": "slack", "table": "messages", "where": {"text": text}}
    return {"id": "list", "who": "ben", "times": 0, "when": when, "then": [{"do": "react", "emoji": "eyes"}]}


@pytest.mark.parametrize(
    ("text", "answers"),
    [({"contains": "list", "settled": False}, ["Send the list."]), ({"settled": True}, ["The list is sent already."])],
)
def test_a_rule_asks_whether_a_text_is_settled(text: dict[str, object], answers: list[str]) -> None:
    with LocalWorld("mini", apps=["slack"]) as world:
        world.add_person_rule(rule(**text))
        texts = ["Send the list.", "The list is sent already.", "Is the van here?"]
        for each in texts:
            world.call("slack", "slack_post_message", channel_id="#general", text=each)

        met = [each for each, call in zip(texts, world.calls(), strict=True) if call.get("people")]

    assert met == answers


@pytest.mark.parametrize(
    ("where", "told"),
    [
        ({"text": {"settled": "no"}}, "'settled' must be true or false, not 'no'"),
        ({"channel": {"settled": False}}, "'settled' is about what somebody writes; in slack.messages that is"),
    ],
)
def test_settled_is_a_truth_value_and_about_a_text(where: dict[str, object], told: str) -> None:
    when = {"app": "slack", "table": "messages", "where": where}
    with LocalWorld("mini", apps=["slack"]) as world, pytest.raises(FarmError) as refused:
        world.add_person_rule({**rule(), "when": when})

    assert told in str(refused.value)
