"""Texts, sound, and what there is to choose from."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from farm import content
from farm.appkit import VendorError
from farm.context import reference
from farm.testing import LocalApp

RECORDED = Path(__file__).resolve().parents[4] / "shared" / "upstream" / "pollinations" / "envelope_samples.jsonl"


@pytest.mark.fact("text")
def test_a_text_says_that_no_model_speaks(pollinations: LocalApp) -> None:
    said = {pollinations.text("respondText", prompt="你好 there", seed=seed) for seed in range(20)}

    assert len(said) == 4
    for text in said:
        assert "“你好 there”" in text
        assert any(word in text for word in ("simulat", "stand-in"))
        assert "2 words" in text
    single = {pollinations.text("respondText", prompt="hi", seed=seed) for seed in range(20)}
    assert all("1 word" in text and "1 words" not in text for text in single)
    assert pollinations.text("respondText", prompt="x", seed=1) == pollinations.text("respondText", prompt="x", seed=1)
    assert pollinations.changes() == {}


@pytest.mark.fact("service")
def test_an_unknown_model_or_voice_is_a_status(pollinations: LocalApp) -> None:
    with pytest.raises(VendorError) as refused:
        pollinations.call("respondText", prompt="x", model="no-such-model")
    assert refused.value.message == "Failed to generate text: Not Found"
    with pytest.raises(VendorError) as refused:
        pollinations.call("respondAudio", prompt="x", voice=None)
    assert refused.value.message == "Failed to generate audio: Bad Request"


@pytest.mark.fact("audio")
def test_what_was_played_is_told_and_kept(pollinations: LocalApp) -> None:
    said = pollinations.text("respondAudio", prompt="Door is open", voice="nova", voiceInstructions="calm")

    told = {"prompt": "Door is open", "voice": "nova", "model": "openai-audio", "voiceInstructions": "calm"}
    assert said == f"Audio has been played.\n\nAudio metadata: {json.dumps(told, indent=2)}"
    (played,) = pollinations.changes()["sounds"]
    assert (played["new"]["voice"], played["new"]["instructions"]) == ("nova", "calm")


@pytest.mark.fact("lists")
def test_the_lists_are_the_same_whatever_is_asked(pollinations: LocalApp) -> None:
    assert {"flux", "kontext"} <= {*pollinations.call("listImageModels", a=1)}
    assert "openai" in [each["name"] for each in pollinations.call("listTextModels")["models"]]
    assert pollinations.call("listAudioVoices")["voices"][0] == "alloy"
    for tool in ("listImageModels", "listTextModels", "listAudioVoices"):
        assert pollinations.outcome(tool, None).result == pollinations.outcome(tool, {"a": 1}).result


@pytest.mark.fact("unknown")
def test_a_name_that_is_no_tool_s_is_a_protocol_error(pollinations: LocalApp) -> None:
    said = pollinations.result("sayText", text="x")

    assert said == {"error": {"code": -32601, "message": "MCP error -32601: Unknown tool: sayText"}}


@pytest.mark.fact("recorded")
def test_every_recorded_envelope_comes_out_again(
    pollinations: LocalApp, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not RECORDED.is_file():
        pytest.skip("the recorded calls are not on this machine")
    calls = [json.loads(line) for line in RECORDED.read_text("utf-8").splitlines()]
    # They were recorded without a network: a service that has nothing.
    local = [call for call in calls if "isError" not in call["result"]]
    for call in local:
        assert pollinations.result(call["tool"], **call["arguments"]) == call["result"]
    monkeypatch.setattr(content, "reference_dir", lambda name: tmp_path)
    reference.forget()
    try:
        nowhere = LocalApp("pollinations", tmp_path / "nowhere")
        for call in calls:
            if call not in local:
                assert nowhere.result(call["tool"], **call["arguments"]) == call["result"]
        nowhere.close()
    finally:
        reference.forget()
    assert (len(local), len(calls)) == (3, 5)


@pytest.mark.fact("text")
def test_what_the_server_leaves_out_of_the_address_changes_nothing(pollinations: LocalApp) -> None:
    plain = pollinations.text("respondText", prompt="hello", seed=7)

    left_out: list[tuple[str, object]] = [("temperature", None), ("top_p", None), ("system", ""), ("system", 0)]
    for name, value in [*left_out, ("model", None), ("model", [])]:
        assert pollinations.text("respondText", prompt="hello", seed=7, **{name: value}) == plain
    with pytest.raises(VendorError) as refused:
        pollinations.call("respondText", prompt="hello", seed=7, model={})
    assert refused.value.message == "Failed to generate text: Not Found"


@pytest.mark.fact("audio")
def test_a_seed_is_told_back_as_javascript_has_it(pollinations: LocalApp) -> None:
    said = pollinations.text("respondAudio", prompt="hello", seed=12345678901234567890)

    assert '"seed": 12345678901234567000\n' in said
