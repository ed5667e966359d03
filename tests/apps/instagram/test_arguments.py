"""How the toolkit refuses arguments, and in what it wraps answers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from farm.testing import LocalApp
from tests.apps.instagram.conftest import ACCOUNT, CY, PHOTO

DERIVED = Path(__file__).resolve().parents[4] / "shared" / "upstream" / "instagram" / "validation_derived.jsonl"


def text_of(app: LocalApp, tool: str, **arguments: Any) -> str:
    result = app.result(tool, **arguments)
    assert result["isError"] is False
    (item,) = result["content"]
    assert isinstance(item["text"], str)
    return item["text"]


@pytest.mark.fact("arguments")
def test_every_derived_refusal_comes_out_to_the_letter(instagram: LocalApp) -> None:
    if not DERIVED.is_file():
        pytest.skip("the derived calls are not on this machine")
    lines = [json.loads(line) for line in DERIVED.read_text("utf-8").splitlines()]

    for line in lines:
        told = json.dumps(line["result"], ensure_ascii=False, separators=(",", ":"))
        assert text_of(instagram, line["tool"], **line["arguments"]) == told
    assert len(lines) == 12


@pytest.mark.fact("arguments")
@pytest.mark.parametrize(
    ("tool", "arguments", "findings"),
    [
        ("CREATE_POST", {}, ["Following fields are missing: {'creation_id', 'ig_user_id'}"]),
        ("GET_USER_INFO", {"ig_user_id": None}, ["Input should be a valid string on parameter `ig_user_id`"]),
        (
            "CREATE_MEDIA_CONTAINER",
            {"ig_user_id": "me", "is_carousel_item": "maybe"},
            ["Input should be a valid boolean, unable to interpret input on parameter `is_carousel_item`"],
        ),
        (
            "SEND_IMAGE",
            {"recipient_id": 1},
            [
                "Following fields are missing: {'image_url'}",
                "Input should be a valid string on parameter `recipient_id`",
            ],
        ),
    ],
)
def test_findings_are_worded_as_pydantic_does(
    instagram: LocalApp, tool: str, arguments: dict[str, Any], findings: list[str]
) -> None:
    body = json.loads(text_of(instagram, f"INSTAGRAM_{tool}", **arguments))

    assert body == {"successful": False, "data": {}, "error": "\n- ".join(["Invalid request data provided", *findings])}


@pytest.mark.fact("envelope")
def test_an_answer_stands_in_data(instagram: LocalApp) -> None:
    body = json.loads(text_of(instagram, "INSTAGRAM_GET_USER_INFO"))

    assert (body["successful"], body["error"], body["data"]["id"]) == (True, None, ACCOUNT)


@pytest.mark.fact("envelope")
def test_a_refusal_says_what_failed_and_what_the_api_answered(instagram: LocalApp) -> None:
    body = json.loads(text_of(instagram, "INSTAGRAM_SEND_TEXT_MESSAGE", recipient_id=CY, text="hi"))

    said, answered = body["error"].split(" Response: ")
    error = json.loads(answered)["error"]
    trace = error.pop("fbtrace_id")
    assert said == "Failed to send message (status 403)."
    assert error == {
        "message": "This message is sent outside of allowed window.",
        "type": "IGApiException",
        "code": 10,
        "error_subcode": 2534022,
    }
    assert (trace[0], len(trace)) == ("A", 23)
    assert body["data"] == {"message": body["error"], "status_code": 403}
    assert body["successful"] is False


@pytest.mark.fact("envelope")
def test_two_different_refusals_have_two_traces(instagram: LocalApp) -> None:
    calls = [("SEND_TEXT_MESSAGE", {"recipient_id": CY, "text": "hi"}), ("GET_POST_COMMENTS", {"ig_post_id": "17"})]

    answers = [json.loads(text_of(instagram, f"INSTAGRAM_{tool}", **arguments)) for tool, arguments in calls]

    first, second = (json.loads(each["error"].split(" Response: ")[1])["error"]["fbtrace_id"] for each in answers)
    assert first != second


@pytest.mark.fact("unconnected")
def test_somebody_without_a_connection_is_refused(instagram: LocalApp) -> None:
    instagram.episode.db.execute("DELETE FROM connections")

    for tool, arguments in (
        ("GET_USER_INFO", {}),
        ("GET_POST_COMMENTS", {"ig_post_id": PHOTO}),
        ("MARK_SEEN", {"recipient_id": CY}),
    ):
        body = json.loads(text_of(instagram, f"INSTAGRAM_{tool}", **arguments))
        assert '"code":190' in body["error"]
