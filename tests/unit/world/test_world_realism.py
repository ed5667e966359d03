"""What a world's specification says of programs, files, joins and the week to come, and how a check judges it."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from farm import content
from farm.appkit.handler_api import Row
from farm.appkit.world_spec import WorldError
from farm.context.template import load_world
from farm.world import Spec, check
from farm.world.check import check_life, check_scheduled, check_scheduled_rows
from farm.world.generate import scheduled_rows_of
from farm.world.generators import generator

# A world's data changes rarely, and each test reads the whole of it.
pytestmark = pytest.mark.slow
Changed = Callable[[str, str], Spec]


@pytest.fixture
def changed(tmp_path: Path) -> Changed:
    """Return a function that copies harbor, writes a file of its specification, and gives that as read."""

    def make(file: str, text: str) -> Spec:
        folder = tmp_path / "harbor"
        if not folder.is_dir():
            shutil.copytree(content.world_dir("harbor"), folder)
        (folder / "spec" / file).write_text(text, "utf-8")
        return Spec(folder)

    return make


def _messages(spec: Spec, talk: str, changed: Changed) -> list[Row]:
    """Return the messages of Slack when this is all that was said."""
    for path in (spec.app("slack").folder / "talk").glob("*.md"):
        path.unlink()
    spec = changed("slack/talk/only.md", f"## #ember-s2\n{talk}")
    return [row for row in generator("slack").rows(spec.app("slack")) if row["table"] == "messages"]


def test_a_webhook_posts_a_card_under_its_name(changed: Changed) -> None:
    spec = changed("slack/scheduled/week.md", "")

    (row,) = _messages(spec, "- -1 09:00 ci {card: build 7 failed} {color: danger}: 2 of 90\n", changed)

    assert (row["subtype"], row["username"], row["user_id"], row["text"]) == ("bot_message", "Lantern CI", None, "")
    (card,) = json.loads(row["attachments"])
    assert (card["title"], card["fallback"], card["text"], card["color"]) == (
        "build 7 failed",
        "build 7 failed",
        "2 of 90",
        "a30200",
    )


def test_an_app_with_a_handle_posts_as_its_user_and_is_in_its_channels(changed: Changed) -> None:
    spec = changed("slack/scheduled/week.md", "")
    for path in (spec.app("slack").folder / "talk").glob("*.md"):
        path.unlink()
    spec = changed("slack/talk/only.md", "## #firmware\n- -1 09:00 standup: Good morning!\n")

    rows = list(generator("slack").rows(spec.app("slack")))

    (message,) = [row for row in rows if row["table"] == "messages"]
    (user,) = [row for row in rows if row["table"] == "users" and row["name"] == "standup"]
    assert (message["user_id"], message.get("subtype")) == (user["id"], None)
    assert {"table": "members", "channel_id": message["channel_id"], "user_id": user["id"]} in rows


def test_who_comes_and_goes_leaves_slacks_own_words(changed: Changed) -> None:
    spec = changed("slack/scheduled/week.md", "")

    joined, left = _messages(spec, "- -2 09:00 lin.wan {joins}:\n- -1 09:00 zhu.li {leaves}:\n", changed)

    assert (joined["subtype"], joined["text"]) == ("channel_join", f"<@{joined['user_id']}> has joined the channel")
    assert (left["subtype"], left["text"]) == ("channel_leave", f"<@{left['user_id']}> has left the channel")
    assert "client_msg_id" not in left


def test_a_closed_account_changed_last_after_the_last_message(changed: Changed) -> None:
    spec = changed("slack/scheduled/week.md", "")
    for path in (spec.app("slack").folder / "talk").glob("*.md"):
        path.unlink()
    spec = changed("slack/talk/only.md", "## #launch-ember\n- -8 09:00 zhang.lei: hi\n  - 09:05 zhang.lei: bye\n")

    rows = list(generator("slack").rows(spec.app("slack")))

    (closed,) = (row for row in rows if row["table"] == "users" and row.get("person") == "zhang.lei")
    last = max(float(row["ts"]) for row in rows if row["table"] == "messages")
    assert closed["deleted"]
    assert 3 < (closed["updated"] - last) / 86_400 < 7


def test_nobody_of_harbor_writes_in_a_channel_before_joining_it() -> None:
    rows = generator("slack").rows(Spec(content.world_dir("harbor")).app("slack"))
    coming = ("channel_join", "channel_leave")
    first = dict[tuple[str, str], Row]()
    joined = set[tuple[str, str]]()
    for row in (row for row in rows if row["table"] == "messages" and row["user_id"]):
        where = (row["channel_id"], row["user_id"])
        first.setdefault(where, row)
        if row.get("subtype") == "channel_join":
            joined.add(where)

    assert len(joined) > 10
    assert [first[each]["text"] for each in joined if first[each].get("subtype") not in coming] == []


def test_what_is_attached_is_an_object_and_no_text(changed: Changed) -> None:
    spec = changed("slack/scheduled/week.md", "")

    image, voice = _messages(
        spec, "- -2 09:00 lin.wan {image: two lamps}: look\n- -1 09:00 song.jia {voice: 三秒的语音}:\n", changed
    )

    (picture,), (heard,) = json.loads(image["files"]), json.loads(voice["files"])
    assert (image["text"], picture["alt_txt"], picture["filetype"]) == ("look", "two lamps", "jpg")
    assert (voice["text"], heard["mimetype"]) == ("", "audio/mp4")
    assert heard["transcription"]["preview"]["content"] == "三秒的语音"
    assert {"original_w", "original_h"} <= picture.keys()
    assert "original_w" not in heard


def test_an_address_is_stored_between_angle_brackets(changed: Changed) -> None:
    spec = changed("slack/scheduled/week.md", "")

    (row,) = _messages(spec, "- -1 09:00 lin.wan: 看 https://a.example/b?c=1&d=2。\n", changed)

    assert row["text"] == "看 <https://a.example/b?c=1&amp;d=2>。"


def test_messages_of_one_minute_share_its_seconds_in_their_order(changed: Changed) -> None:
    spec = changed("slack/scheduled/week.md", "")

    rows = _messages(spec, "".join(f"- -1 09:00 lin.wan: {n}\n" for n in range(7)), changed)

    seconds = [int(row["ts"].partition(".")[0]) % 60 for row in rows]
    assert seconds == sorted(seconds)
    assert max(seconds) > 45, "not all of them at the beginning of the minute"
    assert [row["text"] for row in sorted(rows, key=lambda row: str(row["ts"]))] == list("0123456")


@pytest.mark.parametrize("at", ["+0 08:59", "+7 09:00"])
def test_what_comes_later_comes_within_the_week(changed: Changed, at: str) -> None:
    spec = changed("slack/scheduled/week.md", f"## #ember-s2\n- {at} lin.wan: hi\n")

    with pytest.raises(
        WorldError, match=r"^slack/scheduled/week.md:2: at .*, and scheduled/ is from Mon 09:00 up to Mon 09:00$"
    ):
        scheduled_rows_of(spec.app("slack"))


def test_a_day_in_which_nothing_comes_is_found(changed: Changed) -> None:
    spec = changed("slack/scheduled/week.md", "## #ember-s2\n- +0 20:00 lin.wan: hi\n- +2 08:00 lin.wan: hi\n")
    for other in (spec.app("slack").folder / "scheduled").glob("*_*.md"):
        other.unlink()
    findings: list[str] = []

    check_scheduled(spec.app("slack"), scheduled_rows_of(spec.app("slack")), findings)

    assert findings == ["spec/slack/scheduled/: nothing comes for 121 h up to Mon 09:00"]


def test_what_belongs_to_nothing_cannot_come(changed: Changed) -> None:
    spec = changed("slack/scheduled/week.md", "## #ember-s2\n- +0 20:00 lin.wan: hi\n")
    scheduled = scheduled_rows_of(spec.app("slack"))

    with pytest.raises(WorldError, match=r"^slack: messages.\w+ '.*' is no \w+ of "):
        check_scheduled_rows("slack", [], scheduled, load_world("harbor"))


def _ranges(binding: str, top: float) -> str:
    head = f'binding = {binding}\n[[ranges]]\nmeasure = "full_stops"\nlanguage = "zh"\n'
    return f'{head}from = 0\nto = {top}\nsource = "none"\n'


@pytest.mark.parametrize(("binding", "top", "number"), [("true", 0.01, 1), ("false", 0.01, 0), ("true", 0.9, 0)])
def test_only_a_binding_range_that_is_missed_is_a_finding(
    changed: Changed, binding: str, top: float, number: int
) -> None:
    spec = changed("slack/life.toml", _ranges(binding, top))
    findings: list[str] = []
    rows = list(generator("slack").rows(spec.app("slack")))

    (measured,) = check_life(spec.app("slack"), rows, findings)

    assert len(findings) == number
    assert measured.is_out is (top < 0.1)
    assert all(each.startswith("slack/life.toml: full_stops (zh) is ") for each in findings)


def test_a_voice_that_the_texts_do_not_have_is_a_finding(changed: Changed) -> None:
    text = (content.world_dir("harbor") / "voices.toml").read_text("utf-8")
    spec = changed("../voices.toml", text.replace('full_stops = "mostly"', 'full_stops = "never"'))
    findings: list[str] = []

    check_life(spec.app("slack"), list(generator("slack").rows(spec.app("slack"))), findings)

    assert any(each.startswith("slack: luo.qi has full_stops in ") for each in findings)


def test_a_person_with_two_voices_is_refused(changed: Changed) -> None:
    text = (content.world_dir("harbor") / "voices.toml").read_text("utf-8")
    spec = changed("../voices.toml", text.replace('person = "shen.kai"', 'person = "gao.yuan"'))

    with pytest.raises(WorldError, match=r"^voices.toml: 'gao.yuan' stands there twice$"):
        _ = spec.voices


def test_everybody_who_speaks_in_slack_has_a_voice() -> None:
    spec = Spec.load("harbor")

    assert spec.app("slack").members.keys() <= spec.voices.keys()


def test_a_report_tells_each_measure_with_its_range() -> None:
    shown = str(check("harbor"))

    assert "full_stops zh" in shown
    assert "8 to 25%" in shown
    assert "the longest silence is " in shown


def test_a_finding_ends_the_command_after_everything_was_printed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import farm.world
    from farm.cli.world import check as command
    from farm.world.check import Report
    from farm.world.facts import FactReport

    facts = FactReport(facts=0, former=0, texts=0, telling=0, bound=0, marks=0, noise={}, findings=[])
    report: Any = Report({"slack": {"messages": 1}}, {}, {"slack": "nothing"}, facts, ["slack/life.toml: all is wrong"])
    monkeypatch.setattr(farm.world, "check", lambda name: report)

    with pytest.raises(WorldError, match=r"^slack/life.toml: all is wrong$"):
        command("harbor")

    assert capsys.readouterr().out.startswith("slack: messages 1")


def _discord(changed: Changed, talk: str) -> list[Row]:
    """Return the rows of Discord when this is all that was said."""
    spec = changed("discord/scheduled/week.md", "")
    for path in (spec.app("discord").folder / "talk").glob("*.md"):
        path.unlink()
    spec = changed("discord/talk/only.md", talk)
    return list(generator("discord").rows(spec.app("discord")))


def test_who_is_known_to_an_app_alone_may_speak_and_react(changed: Changed) -> None:
    rows = _discord(changed, "## #help\n- -1 09:00 kev: hi\n  - :owl: freya\n")

    names = {row["user_id"]: row["name"] for row in rows if row["table"] == "users"}
    (message,) = [row for row in rows if row["table"] == "messages"]
    (reaction,) = [row for row in rows if row["table"] == "reactions"]
    assert (names[message["author_id"]], names[reaction["user_id"]]) == ("kevteo88", "freya.nord")


@pytest.mark.parametrize(
    ("talk", "why"),
    [
        ("## #help\n- -1 09:00 kev: hi\n  - :owl: nobody\n", "no person 'nobody'"),
        ("## #help\n- -1 09:00 kev: hi\n  - :owls: freya\n", "no emoji 'owls'"),
        ("## #general\n- -1 09:00 kev: hi\n", "'kev' is not in 'lumen-nerds'"),
        ("## #helping\n- -1 09:00 kev: hi\n", "no channel 'helping'"),
        ("## #help\n- -1 09:00 kev: see {{message:help -1 09:01}}\n", "nothing was said in 'help' at -1 09:01"),
    ],
)
def test_what_discord_cannot_store_is_refused(changed: Changed, talk: str, why: str) -> None:
    with pytest.raises(WorldError, match=why):
        _discord(changed, talk)


def test_a_message_of_discord_has_an_id_that_tells_when_it_was_sent(changed: Changed) -> None:
    rows = _discord(changed, "## #help\n- -1 09:00 kev: hi\n- -1 09:00 siti: see {{message:help -1 09:00}}\n")

    first, second = (row for row in rows if row["table"] == "messages")
    # The epoch and the 22 bits below the time are those of Discord's documentation.
    assert [(int(row["message_id"]) >> 22) + 1_420_070_400_000 for row in (first, second)] == [
        first["sent_ms"],
        second["sent_ms"],
    ]
    assert first["sent_ms"] < second["sent_ms"]
    assert second["content"].endswith(f"/{first['channel_id']}/{first['message_id']}")
