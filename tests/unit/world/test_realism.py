"""The measures of what is said in a world, and of how each person says it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from farm.appkit.world_spec import Utterance, Voice, WorldError
from farm.appkit.world_spec.realism import Measured, ends_in_full_stop, is_emoji_only, is_short, language_of, measure
from farm.appkit.world_spec.voices import out_of_voice

AT = datetime(2026, 3, 9, 8, 1, tzinfo=UTC)
TEN_WORDS = "we looked at each of the boards on the bench"
ENTRY: dict[str, Any] = {
    "person": "mo",
    "age": 29,
    "trade": "engineer",
    "tongue": "zh",
    "full_stops": "never",
    "lower_case": "mostly",
    "one_emoji": "never",
    "habits": ["sends the picture and says nothing"],
}


def _said(text: str, author: str = "mo", **more: Any) -> Utterance:
    return Utterance(author, more.pop("at", AT), text, **more)


def _measured(name: str, said: list[Utterance], **more: Any) -> Measured:
    ranges = {"binding": True, "ranges": [{"measure": name, "from": 0, "to": 0.5, "source": "", **more}]}
    (found,) = measure("app", said, ranges, "app/life.toml")
    return found


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("看到了 ok", "zh"),
        ("seen", "en"),
        ("🙏", None),
        (":shipit:", None),
        ("{{date:+3 zh_week}}", None),
        ("12:30", None),
    ],
)
def test_a_text_with_a_chinese_character_is_chinese(text: str, language: str | None) -> None:
    assert language_of(text) == language


@pytest.mark.parametrize(
    ("text", "ends"),
    [
        ("好。", True),
        ("Done. ", True),
        ("。", True),
        ("hm...", False),
        ("等等。。。", False),
        ("3.5", False),
        ("ok", False),
    ],
)
def test_three_dots_are_no_full_stop(text: str, ends: bool) -> None:
    assert ends_in_full_stop(text) is ends


@pytest.mark.parametrize(
    ("text", "only"),
    [
        ("🙏", True),
        (":rice: 🎉", True),
        ("[哭惹R]", True),
        ("[doge] [蹲后续H]", True),
        ("[file]", False),
        ("ok 🙏", False),
        ("", False),
    ],
)
def test_emoji_and_stickers_are_told_from_words(text: str, only: bool) -> None:
    assert is_emoji_only(text) is only


@pytest.mark.parametrize(
    ("text", "short"),
    [
        ("收到", True),
        ("好的谢谢", True),
        ("好的谢谢你", False),
        ("ok thx", True),
        ("ok thanks all", False),
        ("👌", True),
    ],
)
def test_two_words_or_four_characters_are_short(text: str, short: bool) -> None:
    assert is_short(text) is short


def test_programs_and_joins_are_no_peoples_messages() -> None:
    said = [_said("Done."), _said("Passed.", "ci", kind="bot"), _said("mo has joined", kind="coming or going")]

    assert (_measured("full_stops", said).number, _measured("full_stops", said).total) == (1, 1)
    assert (_measured("bots", said).number, _measured("bots", said).total) == (1, 3)
    assert _measured("comings_and_goings", said).number == 1


def test_a_measure_of_a_language_counts_its_messages_only() -> None:
    found = _measured("five_minute_marks", [_said("早", at=AT.replace(minute=5)), _said("morning")], language="zh")

    assert (found.number, found.total, found.is_out) == (1, 1, True)


def test_a_phrase_is_repeated_when_three_authors_use_it() -> None:
    two = [_said(TEN_WORDS, "a"), _said(TEN_WORDS, "b"), _said(TEN_WORDS, "b"), _said("no", "c")]

    assert _measured("repeated_phrases", two).number == 0
    assert _measured("repeated_phrases", [*two, _said(f"yes, {TEN_WORDS}", "c")]).number == 4


def test_an_unknown_measure_is_refused_with_its_place() -> None:
    with pytest.raises(WorldError, match=r"^app/life.toml: no measure 'full_stop'; nearest: full_stops$"):
        _measured("full_stop", [])


def test_a_voice_that_never_ends_in_a_full_stop_and_does_is_named() -> None:
    voice = Voice.read(ENTRY, "voices.toml: 'mo'")
    said = [_said("found it.") for _ in range(12)]

    (complaint,) = out_of_voice([voice], said)

    said_so = "mo has full_stops in 12 of 12 messages; the voice says never, which is 0% to 3%; with it: 'found it.', "
    assert complaint.startswith(said_so)
    assert out_of_voice([voice], said[1:]) == [], "too few to tell"


def test_capitals_are_looked_for_only_where_a_language_has_them() -> None:
    voice = Voice.read(ENTRY, "voices.toml: 'mo'")

    assert out_of_voice([voice], [_said("C17 换了") for _ in range(20)]) == []
    assert "lower_case in 0 of 20" in out_of_voice([voice], [_said("Changed C17") for _ in range(20)])[0]


def test_a_share_that_has_no_name_is_refused() -> None:
    with pytest.raises(WorldError, match=r"^voices.toml: 'mo': full_stops: no how often 'seldom'; nearest: "):
        Voice.read({**ENTRY, "full_stops": "seldom"}, "voices.toml: 'mo'")


def test_emoji_and_stickers_are_counted_inside_texts() -> None:
    said = [_said("好看🥹"), _said("蹲[哭惹R]"), _said(":tada: out"), _said("看到了")]

    assert (_measured("emoji", said).number, _measured("emoji", said).total) == (3, 4)
