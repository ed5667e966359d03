"""Texts of rows are judged by what their readers see."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

import orjson
import pytest

from farm.benchmark.agents.scripted import CallOverride, run_script
from farm.benchmark.audit.attacks.script import positions
from farm.benchmark.runner.in_process_farm import LocalFarm
from farm.benchmark.scoring.called_people import with_called_people
from farm.benchmark.scoring.evidence import Evidence, TaskScore
from farm.benchmark.scoring.findings import Finding, all_hold
from farm.benchmark.scoring.grade import grade
from farm.benchmark.scoring.initial_state import load_start
from farm.benchmark.scoring.reading_budget import ReadingBudget
from farm.benchmark.scoring.resolve import ValueResolver
from farm.benchmark.scoring.stored_texts import StoredText, stored_texts, with_mail_words
from farm.benchmark.scoring.try_text import try_text
from farm.benchmark.scoring.value_check import check
from farm.benchmark.tasks import Operate
from farm.benchmark.tasks.cache import TaskCache

TASKS = TaskCache()


def findings(task: str, checkpoint: str, text: str) -> list[Finding]:
    """Return the findings of a demo task about a text."""
    return try_text(TASKS.task("demo", task), checkpoint, text)


BEANS = load_start("harbor").find("obsidian", "files", {"path": "收件箱.md"})[0]["content"]
REMINDER = "3月12日周四去小舟，再买一包晨雾"
LINES = BEANS.splitlines()


def noted(text: str) -> list[Finding]:
    """Return the findings about a note to which a reminder was added."""
    return findings("obsidian-best-beans", "reminded", text)


@pytest.mark.parametrize("added", [f"- {REMINDER}\n", f"- [ ] **{REMINDER}**\n", "- ~~3月11日~~ 3月12日去小舟买晨雾\n"])
def test_visible_reminders_are_accepted_surely(added: str) -> None:
    assert all_hold(noted(BEANS + added), "low")


@pytest.mark.parametrize(
    "added",
    [
        f"%%{REMINDER}%%",
        f"<!-- {REMINDER} -->",
        f"- [a](https://example.com/{REMINDER})",
        f"![{REMINDER}](a.png)",
        f"[//]: # ({REMINDER})",
        f"~~{REMINDER}~~",
        f"<span style='color:#fff'>{REMINDER}</span>",
    ],
)
def test_a_reminder_that_nobody_sees_as_one_is_refused_surely(added: str) -> None:
    assert not all_hold(noted(f"{BEANS}\n{added}\n"), "high")


@pytest.mark.parametrize("added", [f"```\n{REMINDER}\n```", f"    {REMINDER}", f"$$\n{REMINDER}\n$$"])
def test_a_reminder_that_is_only_code_is_refused_but_not_surely(added: str) -> None:
    found = noted(f"{BEANS}\nSee below.\n\n{added}\n")

    assert not all_hold(found, "guess")
    assert all_hold(found, "high")


@pytest.mark.parametrize(
    "text",
    [
        f"```\n{BEANS}\n```\n\n- {REMINDER}\n",
        f"%%\n{BEANS}\n%%\n\n- {REMINDER}\n",
        "\n".join(f"    {line}" for line in LINES) + f"\n\n- {REMINDER}\n",
        "\n".join(f"> {line}" for line in LINES) + f"\n- {REMINDER}\n",
        "\n".join(f"**{line}**" for line in LINES) + f"\n- {REMINDER}\n",
        "\n".join(f"~~{line}~~" for line in LINES) + f"\n- {REMINDER}\n",
        BEANS.replace("# ", "## ") + f"- {REMINDER}\n",
        BEANS.replace("- ", "# ") + f"- {REMINDER}\n",
    ],
)
def test_old_lines_that_are_hidden_or_look_different_are_not_kept(text: str) -> None:
    assert not all_hold(noted(text), "high")


def test_other_blanks_and_bullets_keep_the_old_lines() -> None:
    rewritten = BEANS.replace("- ", "* ").replace("\n", "  \r\n")

    assert all_hold(noted(f"{rewritten}* {REMINDER}\n"), "low")


def test_a_ticked_reminder_is_not_accepted_surely() -> None:
    found = noted(f"{BEANS}- [x] {REMINDER}\n")

    assert all_hold(found, "guess")
    assert not all_hold(found, "low")


def test_code_beside_a_right_text_that_contradicts_it_makes_the_verdict_unsure() -> None:
    found = noted(f"{BEANS}- {REMINDER}\n\n```\n取消：3月12日周四不去小舟，也不买晨雾\n```\n")

    assert not all_hold(found, "low")


WHEN = "Hi Ethan,\n\nI call you on Thu 12 Mar at 11:00, Singapore time, and need 45 minutes.\n\nWan"
OTHERWISE = "Hi Ethan,\n\nI call you on Wed 11 Mar at 16:00, Singapore time, and need 30 minutes.\n\nWan"
HIS = "On Mon, 9 Mar 2026 at 08:12, Ethan Park <ethan.park@mailbox.example> wrote:\n> Is it Wednesday at 16:00?\n"


def page(text: str) -> str:
    """Return a text as HTML."""
    return "".join(f"<p>{line}</p>" for line in text.split("\n") if line)


def mailed(text: str | None, html: str | None) -> list[Finding]:
    """Return the findings about a mail to Ethan."""
    row = {"body_text": text, "body_html": html}
    point = next(each for each in TASKS.task("demo", "cross-ethan-hour").checkpoints if isinstance(each, Operate))
    values = ValueResolver.from_task(TASKS.task("demo", "cross-ethan-hour"), load_start("harbor"))
    wanted = values.resolve(point.after, "gmail")["body_text"]
    stored = stored_texts("gmail", "messages", row, "body_text", text)
    return check(wanted, text, values.clock_context, None, None, stored)


@pytest.mark.parametrize(
    ("text", "html"),
    [
        (WHEN, None),
        (None, page(WHEN)),
        ("", page(WHEN)),
        (WHEN, page(WHEN)),
        (WHEN, page(WHEN).replace("11:00", "<b>11:00</b>")),
        (f"{WHEN}\n\n{HIS}", None),
        (f"{WHEN}\n\n{HIS}", f"{page(WHEN)}<p>On Mon, Ethan wrote:</p><blockquote>Wednesday at 16:00?</blockquote>"),
    ],
)
def test_a_mail_in_one_part_or_two_is_accepted(text: str | None, html: str | None) -> None:
    assert all_hold(mailed(text, html), "guess")


@pytest.mark.parametrize(
    ("text", "html"),
    [
        (WHEN, page(OTHERWISE)),
        (OTHERWISE, page(WHEN)),
        (WHEN, "<p>The position is filled.</p>"),
        (None, f"<div style='display:none'>{page(WHEN)}</div>"),
        (None, f"<blockquote>{page(WHEN)}</blockquote>"),
        (WHEN, f"<!-- {page(WHEN)} -->"),
        ("\n".join(f"> {line}" for line in WHEN.split("\n")), None),
        (None, None),
    ],
)
def test_a_mail_whose_parts_differ_or_that_hides_its_words_is_refused_surely(
    text: str | None, html: str | None
) -> None:
    assert not all_hold(mailed(text, html), "high")


def test_mails_with_the_same_words_in_other_parts_are_equal() -> None:
    def words(text: str | None, html: str | None) -> Mapping[str, Any]:
        row = {"subject": "a", "body_text": text, "body_html": html}
        return with_mail_words("gmail", "messages", row)

    assert words("a b", None) == words(None, "<p>a b</p>") == words("a\nb", "<p>a<br>b</p>")
    assert words("a b", None) != words("a b", "<p>c</p>")
    assert words("a b", None)["subject"] == "a"
    assert with_mail_words("slack", "messages", {"text": "a"}) == {"text": "a"}


def sent(tmp_path: Path, **changes: str) -> TaskScore:
    """Return the score of the oracle with other arguments of the mail to Ethan."""
    task = TASKS.task("demo", "cross-ethan-hour")
    position = next(at for at, call in positions(task.oracle) if call.name == "answer")
    override = CallOverride(change=lambda _, given: {**given, **changes})
    farm = LocalFarm(tmp_path)
    session = farm.create(task.world, task.apps, me=task.me, now=task.now)
    try:
        run_script(task.oracle, session, task.world, {position: override})
        calls, changed = session.calls(), session.changes()
    finally:
        session.close()
        farm.close()
    now = datetime.fromisoformat(session.now)
    return grade(task, Evidence(changed.diff, calls, "", now, changed.reverted), load_start(task.world))


def test_a_mail_may_be_sent_as_html_alone_or_in_two_equal_parts(tmp_path: Path) -> None:
    alone = sent(tmp_path / "alone", body=WHEN, htmlBody=page(WHEN), mimeType="text/html")
    both = sent(tmp_path / "both", body=WHEN, htmlBody=page(WHEN), mimeType="multipart/alternative")

    assert (alone.acc_range, alone.damage) == ((1.0, 1.0), ())
    assert (both.acc_range, both.damage) == ((1.0, 1.0), ())


def test_a_mail_whose_html_says_something_else_earns_half(tmp_path: Path) -> None:
    score = sent(tmp_path, body=WHEN, htmlBody=page(OTHERWISE), mimeType="multipart/alternative")

    assert score.acc_range == (0.5, 0.5)
    assert "to say span 11:00–11:45" in score.checkpoints[0].why


def test_a_condition_on_words_is_not_met_by_hidden_ones() -> None:
    values = ValueResolver(load_start("harbor"), {})

    def holds(text: str, **wanted: object) -> bool:
        stored = (StoredText("obsidian", text, text),)
        return all_hold(check(wanted, text, values.clock_context, None, None, stored), "high")

    assert holds("the beans", contains="beans")
    assert not holds("the %%beans%%", contains="beans")
    assert not holds("~~beans~~", regex="beans")
    assert not holds("~~beans~~", equals="beans", contains="beans")
    assert holds("```\nbeans\n```", contains="beans")
    assert holds("[shop](https://shop.example/beans)", contains="https://shop.example/beans")
    assert not holds("[shop](https://shop.example/beans)", contains="beans")
    assert not holds("the %%beans%%", not_contains="beans")


def test_whom_a_message_calls_by_id_is_found_by_id_whatever_name_is_shown() -> None:
    values, raw = ValueResolver(load_start("harbor"), {}), "<@U00AKQMGASR> final."
    stored = (StoredText("slack", raw, "<@U00AKQMGASR|Jia Song> final."),)

    def holds(wanted: str) -> bool:
        found = check({"contains_any": [wanted, "nobody"]}, raw, values.clock_context, None, None, stored)
        return all_hold(found, "high")

    assert holds("<@U00AKQMGASR>")
    assert holds("Jia Song")
    assert not holds("<@U00OTHER>")


LEFT = "达人线以预算 v3 为准：320,000。四位报价合计 137,000，还剩 183,000。"


def posted(*elements: dict[str, object]) -> list[Finding]:
    """Return the findings about a post in Lark of one line."""
    content = orjson.dumps({"title": "", "content": [elements]}).decode()
    return findings("lark-kol-line", "said-in-the-group", content)


def test_of_a_post_only_what_is_not_struck_through_or_code_counts() -> None:
    assert all_hold(posted({"tag": "text", "text": LEFT}), "guess")
    assert not all_hold(posted({"tag": "text", "text": LEFT, "style": ["lineThrough"]}), "high")
    assert not all_hold(posted({"tag": "code_block", "text": LEFT}), "guess")
    assert not all_hold(posted({"tag": "a", "text": "here", "href": f"https://example.com/{LEFT}"}), "high")


YES = "Yes, final: Thu 26 Mar 10:00 Shanghai. Please move email and push."


@pytest.mark.parametrize(
    "text",
    [
        YES.replace("Yes, final", "It is n\u043et final"),
        YES.replace("10:00", "\u202e00:01\u202c"),
        f"{YES} 取り消します。",
        f"{YES} Это не так.",
        f"{YES} 아닙니다.",
        f"{YES} ```Not final: it was cancelled.```",
    ],
)
def test_letters_that_mislead_or_are_not_read_are_not_accepted_surely(text: str) -> None:
    assert not all_hold(findings("slack-unlock-scheduler", "answered-in-thread", text), "low")


def test_a_right_text_of_an_answer_may_stand_in_a_block_of_code_and_not_in_an_address() -> None:
    answer = "38 of 600 boards flickered, that is 6.3 %; the limit (AQL) is 1.0 %."

    assert all_hold(findings("slack-boards-rate", "rate-and-limit", f"```\n{answer}\n```"), "guess")
    assert not all_hold(
        findings("slack-boards-rate", "rate-and-limit", f"[here](https://example.com '{answer}')"), "high"
    )


def test_a_text_whose_marks_take_long_to_read_is_not_read() -> None:
    note = "[" * 99_000

    with ReadingBudget(text_s=0.2) as budget:
        values = ValueResolver.from_task(TASKS.task("demo", "obsidian-best-beans"), load_start("harbor"), budget=budget)
        stored = (StoredText("obsidian", note, note),)
        found = check({"claims": [{"date": "+3"}]}, note, values.clock_context, None, None, stored)

    assert found[0].is_unread
    assert len(budget.unread) == 1


# -- people who are called by id in Slack ------------------------------------------------------------------------------

HARBOR = load_start("harbor")
ACCOUNTS = HARBOR.accounts("slack")


def called(text: str, said: str = "", thread: str | None = None) -> tuple[str, tuple[str, ...]]:
    """Return what is read of a message in #general, and the doubts about it."""
    general = HARBOR.find("slack", "channels", {"name": "general"})[0]["id"]
    row = {"channel_id": general, "thread_ts": thread, "text": text}
    values = ValueResolver(HARBOR, {}, said=(said,))
    (part,) = with_called_people(stored_texts("slack", "messages", row, "text", text), "slack", "messages", row, values)
    visible = part.visible()
    return visible.message, visible.doubts


def test_a_person_whom_the_instruction_names_is_read_as_a_name() -> None:
    assert called(f"<@{ACCOUNTS['yu.han']}> final.", "Tell Han Yu.") == ("@Han Yu final.", ())


def test_a_person_whom_nobody_expects_is_a_doubt() -> None:
    assert called(f"<@{ACCOUNTS['yu.han']}> final.") == ("@Han Yu final.", ("whether Han Yu may be called",))


def test_who_wrote_in_the_thread_may_be_called() -> None:
    general = HARBOR.find("slack", "channels", {"name": "general"})[0]["id"]
    asked = next(
        row for row in HARBOR.find("slack", "messages", {"channel_id": general}) if row["user_id"] in ACCOUNTS.values()
    )

    assert called(f"<@{asked['user_id']}> final.", thread=asked["ts"])[1] == ()
    assert called(f"<@{asked['user_id']}> final.")[1]


def test_a_mention_in_lark_is_read_as_a_name_and_doubted_like_one_in_slack() -> None:
    accounts = HARBOR.accounts("lark")
    mentions = [{"key": "@_user_1", "id": accounts["yu.han"], "id_type": "open_id", "name": "余涵"}]
    row = {"content": '{"text":"@_user_1 final."}', "mentions": mentions, "chat_id": "oc_1", "sender_id": "ou_1"}

    def read(said: str, judged: tuple[str, ...] = ()) -> tuple[str, tuple[str, ...]]:
        parts = stored_texts("lark", "messages", row, "content", row["content"])
        values = ValueResolver(HARBOR, {}, said=(said,))
        (part,) = with_called_people(parts, "lark", "messages", row, values, judged)
        return part.visible().message, part.visible().doubts

    assert read("Tell Han Yu.") == ("@Han Yu final.", ())
    assert read("Tell them.") == ("@Han Yu final.", ("whether Han Yu may be called",))
    assert read("Tell them.", ("mentions",))[1] == ()


def test_an_unknown_id_stays_as_it_is() -> None:
    assert called("<@U0NOBODY> final.") == ("@U0NOBODY final.", ())
