"""The server's two prompts."""

from __future__ import annotations

import pytest

from farm.testing import LocalApp


@pytest.mark.fact("prompts")
def test_the_prompts_ask_for_a_token_and_for_what_to_look_up(tushare: LocalApp) -> None:
    token, query = (
        tushare.request("prompts/get", name=name)["messages"][0]["content"]["text"]
        for name in ("configure_token", "income_statement_query")
    )

    assert "https://tushare.pro/user/token" in token
    assert "https://tushare.pro/register" in token
    assert all(f"{number} = " in query for number in range(1, 13))
    assert "000001.SZ" in query


@pytest.mark.fact("prompts")
def test_a_prompt_repeats_its_description_and_takes_no_arguments(tushare: LocalApp) -> None:
    told = tushare.request("prompts/get", name="configure_token")
    error = tushare.request("prompts/get", name="configure_token", arguments={"a": "b"})["error"]

    assert told["description"] == tushare.store.loaded.features.prompts[0]["description"]  # type: ignore[index]
    assert error["code"] == 0
    assert error["message"].startswith(
        "Error rendering prompt configure_token: 1 validation error for configure_token\na\n"
    )


@pytest.mark.fact("prompts")
def test_an_unknown_prompt_is_refused(tushare: LocalApp) -> None:
    assert tushare.request("prompts/get", name="x")["error"] == {"code": 0, "message": "Unknown prompt: x"}
