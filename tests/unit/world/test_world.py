"""The world generator: what it makes of every world, and how it refuses a specification with a mistake."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest

from farm import content
from farm.appkit.world_spec import Row, WorldError
from farm.appkit.world_spec.text import find_literal_date, resolve
from farm.context.template import load_world, shift_rows
from farm.world import Spec, check, generate
from farm.world.generate import as_lines, as_scheduled_lines, scheduled_rows_of
from farm.world.generators import generator, schema
from tests.unit._two_people import PERSON, WORLD

Made = dict[str, list[Row]]
Small = Callable[..., list[Row]]

ACCOUNTS = """
accounts = [{ person = "lin.wan" }, { person = "chen.mei" }]
"""
WORKSPACE = """
bot = { name = "helper", real_name = "Home Helper" }
time_zones = { "Asia/Shanghai" = "China Standard Time" }
"""
CHANNEL = """
[[channels]]
key = "launch"
creator = "lin.wan"
created = "-30 10:00"
members = ["lin.wan", "chen.mei"]
"""
THREAD = """## #launch
- -1 09:00 lin.wan: one
  - 09:00 chen.mei: two
  - :eyes: lin.wan
  - +1 08:00 lin.wan: three
"""


@pytest.fixture(scope="module")
def harbor() -> Made:
    return generate("harbor")


@pytest.fixture
def small(tmp_path: Path) -> Small:
    """Return a function that makes a world of two people and one channel and gives the rows of its Slack."""

    def rows_of(talk: str, channels: str = CHANNEL) -> list[Row]:
        folder = tmp_path / "small"
        slack = folder / "spec" / "slack"
        (slack / "talk").mkdir(parents=True)
        people = "".join(PERSON.format(key=key, name="林晚") for key in ("lin.wan", "chen.mei"))
        (folder / "world.toml").write_text(WORLD + people, "utf-8")
        (slack / "accounts.toml").write_text(ACCOUNTS, "utf-8")
        (slack / "workspace.toml").write_text(WORKSPACE, "utf-8")
        (slack / "channels.toml").write_text(channels, "utf-8")
        (slack / "talk" / "talk.md").write_text(talk, "utf-8")
        return list(generator("slack").rows(Spec(folder).app("slack")))

    return rows_of


def _table(rows: list[Row], name: str) -> list[Row]:
    return [row for row in rows if row["table"] == name]


@pytest.mark.parametrize("world", content.world_names())
def test_generating_again_gives_the_committed_bytes(world: str) -> None:
    made = generate(world)

    assert sorted(made) == content.world_apps(world)
    for app, rows in made.items():
        path = content.find_rows(world, app)
        assert path is not None
        assert as_lines(rows) == path.read_bytes(), f"run: farm world generate {world} ({app})"
        scheduled, stored = scheduled_rows_of(Spec.load(world).app(app)), content.find_scheduled_rows(world, app)
        assert as_scheduled_lines(scheduled) == (stored.read_bytes() if stored else b"")


@pytest.mark.parametrize("world", content.world_names())
def test_every_world_passes_its_check(world: str) -> None:
    found = check(world)

    assert set(found.counts) == set(content.world_apps(world))
    assert found.findings == []


def test_harbor_passes_its_check_and_has_the_promised_size() -> None:
    counts = check("harbor").counts

    # Issue «The main job», point 7.
    assert len(Spec.load("harbor").people) >= 40
    assert counts["lark"]["calendars"] >= 15
    assert counts["lark"]["events"] >= 150
    assert counts["lark"]["chats"] + counts["slack"]["channels"] >= 25
    assert counts["lark"]["messages"] + counts["slack"]["messages"] >= 800
    assert counts["rednote"]["notes"] >= 60
    assert min(counts["lark"][table] for table in ("documents", "base_records", "tasks", "wiki_nodes")) >= 9


def test_a_person_carries_one_name_mail_and_role_over_apps(harbor: Made) -> None:
    lark = {row["person"]: row for row in _table(harbor["lark"], "users")}
    slack = {row["person"]: row for row in _table(harbor["slack"], "users") if row.get("person")}

    both = lark.keys() & slack.keys()

    assert len(both) >= 35
    assert all(lark[key]["email"] == slack[key]["email"] for key in both)
    assert all(lark[key]["en_name"] == slack[key]["real_name"] for key in both)


def test_near_names_are_different_accounts(harbor: Made) -> None:
    names = Counter(row["real_name"] for row in _table(harbor["slack"], "users"))
    shown = [row["display_name"] for row in _table(harbor["slack"], "users") if row["real_name"] == "Xiang Li"]

    assert names["Xiang Li"] == 2
    assert len(set(shown)) == 2


@pytest.mark.parametrize(
    ("app", "kind", "table", "column"),
    [
        ("lark", "open", "users", "open_id"),
        ("lark", "calendar", "calendars", "calendar_id"),
        ("lark", "event", "events", "event_id"),
        ("lark", "chat", "chats", "chat_id"),
        ("lark", "message", "messages", "message_id"),
        ("lark", "file", "files", "token"),
        ("lark", "record", "base_records", "record_id"),
        ("lark", "reminder", "task_reminders", "reminder_id"),
        ("rednote", "user", "users", "user_id"),
        ("rednote", "note", "notes", "note_id"),
        ("rednote", "comment", "comments", "comment_id"),
        ("rednote", "notification", "notifications", "id"),
    ],
)
def test_ids_have_the_form_of_those_the_app_makes(harbor: Made, app: str, kind: str, table: str, column: str) -> None:
    field = {"hex": "[0-9a-f]", "alnum": "[0-9A-Za-z]", "digit": "[0-9]", "base36": "[0-9a-z]"}
    form = content.load_app(app).app.ids[kind]
    parts = re.split(r"\{(\w+)(?::(\d+))?\}", form)
    pattern = re.escape(parts[0])
    for name, length, after in zip(parts[1::3], parts[2::3], parts[3::3], strict=True):
        pattern += ("[0-9a-f-]{36}" if name == "uuid" else f"{field[name]}{{{length}}}") + re.escape(after)

    ids = [row[column] for row in _table(harbor[app], table)]

    assert ids
    assert all(re.fullmatch(pattern, each) for each in ids)
    assert len(set(ids)) == len(ids)


def test_emoji_in_slack_messages_are_names(harbor: Made) -> None:
    signs = re.compile("[\U0001f300-\U0001faff]")

    assert not [row["text"] for row in _table(harbor["slack"], "messages") if signs.search(row["text"])]


def test_every_address_in_a_slack_message_is_a_link(harbor: Made) -> None:
    linked = re.compile(r"(?<![<|])https?://")

    assert not [row["text"] for row in _table(harbor["slack"], "messages") if linked.search(row["text"])]


def test_every_reaction_is_an_emoji_slack_knows(harbor: Made) -> None:
    # Under its main name, as Slack keeps it: +1, not thumbsup.
    standard = json.loads((content.load_app("slack").folder / "emoji.json").read_text("utf-8"))["unicode"]
    own = {row["name"] for row in _table(harbor["slack"], "emoji")}

    used = {row["name"] for row in _table(harbor["slack"], "reactions")}

    assert used <= own | set(standard)


@pytest.mark.parametrize("app", ["slack", "telegram"])
def test_authors_seldom_react_to_their_own_messages(harbor: Made, app: str) -> None:
    # A reaction for the last reply that was not indented once more would stand on the author's own question.
    chat, message, author = {
        "slack": ("channel_id", "ts", "user_id"),
        "telegram": ("chat_id", "message_id", "sender_id"),
    }[app]
    wrote = {(row[chat], row[message]): row.get(author) for row in _table(harbor[app], "messages")}
    reactions = _table(harbor[app], "reactions")

    own = [row for row in reactions if wrote[row[chat], row[message]] == row["user_id"]]

    assert reactions
    assert len(own) <= len(reactions) / 100


def test_a_public_place_of_telegram_has_more_people_than_the_company(harbor: Made) -> None:
    chats = {row["chat_id"]: row for row in _table(harbor["telegram"], "chats") if row.get("username")}
    people = {row["user_id"] for row in _table(harbor["telegram"], "users") if row.get("person")}
    members = _table(harbor["telegram"], "members")

    for chat_id, chat in chats.items():
        others = {row["user_id"] for row in members if row["chat_id"] == chat_id} - people
        assert len(others) + chat.get("more_members", 0) > 20, chat["title"]


def test_nobody_speaks_after_the_clock_starts(harbor: Made) -> None:
    start_ms = int(load_world("harbor").starts_at.timestamp()) * 1000

    assert max(row["created_at"] for row in _table(harbor["lark"], "messages")) < start_ms
    assert max(float(row["ts"]) for row in _table(harbor["slack"], "messages")) * 1000 < start_ms
    assert max(row["time"] for row in _table(harbor["rednote"], "comments")) < start_ms


def test_an_account_of_rednote_is_older_than_all_that_it_wrote(harbor: Made) -> None:
    young = [
        row["user_id"]
        for table in ("notes", "comments", "follows")
        for row in _table(harbor["rednote"], table)
        if int(row["user_id"][:8], 16) * 1000 >= row["time"]
    ]

    assert young == []


def test_likes_of_the_small_hours_are_few(harbor: Made) -> None:
    zone = load_world("harbor").starts_at.tzinfo
    hours = [
        datetime.fromtimestamp(row["time"] // 1000, zone).hour
        for table in ("likes", "favorites", "comment_likes", "follows")
        for row in _table(harbor["rednote"], table)
    ]

    assert sum(1 <= hour < 7 for hour in hours) < 0.01 * len(hours)


def test_a_profile_of_slack_changed_after_its_owner_joined(harbor: Made) -> None:
    joined = {row["person"]: row["join_time"] for row in _table(harbor["lark"], "users") if row.get("person")}

    early = [
        row["person"]
        for row in _table(harbor["slack"], "users")
        if row.get("person") in joined and row["updated"] <= joined[row["person"]]
    ]

    assert early == []


def test_later_posts_of_instagram_have_later_shortcodes(harbor: Made) -> None:
    digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    posts = sorted(_table(harbor["instagram"], "media"), key=lambda row: row["created_ms"])

    numbers = [[digits.index(sign) for sign in row["shortcode"]] for row in posts]

    assert len(numbers) > 3
    assert numbers == sorted(numbers)


def test_a_channel_older_than_general_is_refused(small: Small) -> None:
    general = CHANNEL.replace("launch", "general").replace("-30", "-29")

    with pytest.raises(WorldError, match="'launch' is older than 'general'"):
        small(THREAD, CHANNEL + general)


def test_a_world_moved_by_four_weeks_says_other_dates_and_the_same_weekdays(harbor: Made) -> None:
    world = load_world("harbor")
    tree = schema("lark")
    rows = [row for row in harbor["lark"] if row["table"] in ("messages", "events")]

    here = list(shift_rows(tree, rows, world, 0))
    later = list(shift_rows(tree, rows, world, 28))

    launch = [row["content"] for row in (*here, *later) if "S2 发布日调整" in row.get("content", "")]
    assert "3月26日周四" in launch[0]
    assert "4月23日周四" in launch[1]
    assert all("{{" not in (row.get("content") or row.get("description") or "") for row in later)
    assert {b["start_at"] - a["start_at"] for a, b in zip(here, later, strict=True) if "start_at" in a} == {28 * 86_400}


def test_a_thread_keeps_its_order_and_its_readers(small: Small) -> None:
    rows = small(THREAD)

    said = _table(rows, "messages")
    assert [row["text"] for row in said] == ["one", "two", "three"]
    assert [row["thread_ts"] for row in said] == [None, said[0]["ts"], said[0]["ts"]]
    assert sorted(row["ts"] for row in said) == [row["ts"] for row in said]
    # Today's thread: who spoke last has read all, the other up to the own words.
    assert {row["last_read"] for row in _table(rows, "subscriptions")} == {said[1]["ts"], said[2]["ts"]}
    assert [row["name"] for row in _table(rows, "reactions")] == ["eyes"]


def test_mentions_and_signs_become_what_slack_stores(small: Small) -> None:
    rows = small("## #launch\n- -1 09:00 lin.wan: a < b & {{user:chen.mei}} in {{channel:launch}} on {{date:+3 zh}}\n")

    text = _table(rows, "messages")[0]["text"]
    assert re.fullmatch(r"a &lt; b &amp; <@U\w+> in <#C\w+\|launch> on \{\{date:\+3 zh\}\}", text)


@pytest.mark.parametrize(
    ("talk", "complaint"),
    [
        ("- -1 09:00 lin.wan: hi\n", "slack/talk/talk.md:1: no '## #channel' heading above this line"),
        ("## #launch\n- -1 09:00 lin.wam: hi\n", "slack/talk/talk.md:2: no person 'lin.wam'; nearest: lin.wan"),
        ("## #lunch\n- -1 09:00 lin.wan: hi\n", "slack/talk: '## #lunch': no channel 'lunch'; nearest: launch"),
        ("## #launch\n- -1 09:00 lin.wan: on 12 March\n", "slack/talk/talk.md:2: the date '12 March' is written out"),
        ("## #launch\n- -1 09:00 lin.wan: {{date:+1 zhh}}\n", "slack/talk/talk.md:2: no date format 'zhh'; have iso"),
        ("## #launch\n- -1 09:00 lin.wan: {{user:x}}\n", "slack/talk/talk.md:2: no person with Slack 'x'"),
        ("## #launch\n- -1 09:00 lin.wan: {{doc:x}}\n", "slack/talk/talk.md:2: no doc 'x'"),
        ("## #launch\n- -1 09:00 lin.wan {loud}: hi\n", "slack/talk/talk.md:2: no flag 'loud'; have edited"),
        ("## #launch\n- -1 09:00 lin.wan {sticker: cat}:\n", "slack/talk/talk.md:2: slack has no 'sticker'; have "),
        ("## #launch\n- -1 09:00 lin.wan {file: a.exe}:\n", "slack/talk/talk.md:2: no type of file 'exe'; nearest: "),
        ("## #launch\n- -1 25:00 lin.wan: hi\n", "slack/talk/talk.md:2: '-1 25:00' has no such time of day"),
        (
            "## #launch\n- +0 09:00 lin.wan: hi\n",
            "slack/talk/talk.md:2: at Mon 09:00, and the world starts on Mon 09:00",
        ),
        ("## #launch\n* hello\n", "slack/talk/talk.md:2: not a message; write '- -3 09:12 person: text'"),
        ("## #launch\n  - 09:00 lin.wan: hi\n", "slack/talk/talk.md:2: a reply with no message above it"),
        ("## #launch\n- -1 09:00 lin.wan: a\n  - 08:00 chen.mei: b\n", "slack/talk/talk.md:3: this reply is earlier"),
    ],
)
def test_a_mistake_in_a_talk_is_named_with_file_and_line(small: Small, talk: str, complaint: str) -> None:
    with pytest.raises(WorldError) as refused:
        small(talk)

    assert str(refused.value).startswith(complaint)
    assert "\n" not in str(refused.value)


def test_who_is_not_in_a_channel_says_nothing_there(small: Small) -> None:
    with pytest.raises(WorldError, match=r"'chen\.mei' is not in 'launch'"):
        small("## #launch\n- -1 09:00 chen.mei: hi\n", CHANNEL.replace(', "chen.mei"', ""))


@pytest.mark.parametrize(
    "text",
    [
        "on 2026-03-12",
        "March 12",
        "12 March",
        "Mar 3",
        "the 26th",
        "3月12日",
        "3 月 12",
        "26号见",
        "2026 年",
        "12th of May",
    ],
)
def test_a_date_in_a_text_is_found(text: str) -> None:
    assert find_literal_date(text)


@pytest.mark.parametrize(
    "text",
    [
        "{{date:+3 iso}}",
        "Thursday 15:00",
        "3 号楼",
        "8号线",
        "12 %",
        "the 2nd draft",
        "may 12 people",
        "SQ-0147",
        "96 台",
    ],
)
def test_what_is_no_date_passes(text: str) -> None:
    assert find_literal_date(text) is None


def test_a_broken_placeholder_is_no_text() -> None:
    with pytest.raises(ValueError, match="is no placeholder"):
        resolve("on {{date+3 zh}}", {})


# A world is moved by whole weeks: the name of a month or a season, or a bare offset, would be read on days that it
# doesn't fit. Festivals belong to harbor alone, whose offices could not be believed without them (its BIBLE.md).
_SEASONAL = re.compile(
    r"\b(?:January|February|April|June|July|August|September|October|November|December)\b"
    r"|\b(?:in|till|until|since|last|next|this|our) (?:spring|summer|autumn|winter)\b"
    r"|(?<!\d)\d{1,2}\s?月(?![\s\d活])"
    r"|\bQ[1-4]\b|[一二三四下]季度|(?:^|\s)[+-]\d{1,2} (?:is|it|works)\b|\}\}(?:st|nd|rd|th)\b"
)


_FESTIVE = re.compile(r"春节|过年|(?<!半)年[前后](?=[第再见上开])|节[前后]|元旦|中秋|端午|圣诞|🧧|🎄")


@pytest.mark.parametrize("world", ["harbor", "halfday", "mini"])
def test_no_text_of_a_world_names_a_month_or_a_season(world: str) -> None:
    folder = content.world_dir(world)
    told = [
        (path.stem, value)
        for path in [*folder.glob("*.jsonl"), *folder.glob("scheduled/*.jsonl")]
        for line in path.read_text("utf-8").splitlines()
        for value in json.loads(line).values()
        if isinstance(value, str)
    ]

    assert len(told) > 100
    assert [(app, text) for app, text in told if _SEASONAL.search(text)] == []
    assert world == "harbor" or [(app, text) for app, text in told if _FESTIVE.search(text)] == []


@pytest.mark.parametrize(
    "text",
    [
        "sold out until summer",
        "2月服务费发票",
        "So +17 it is.",
        "come down in June",
        "quarter: Q1",
        "the {{date:+12 day}}th",
    ],
)
def test_a_month_or_a_season_would_be_found(text: str) -> None:
    assert _SEASONAL.search(text)


def test_a_festival_would_be_found() -> None:
    assert _FESTIVE.search("年后第一条线")
    assert _FESTIVE.search("春节放假")
