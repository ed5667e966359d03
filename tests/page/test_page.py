"""The page in a headless Chromium, on a farm of its own: ``make page-test``."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from farm import content
from tests.page.browser import Browser
from tests.page.conftest import Page
from tests.page.hostile import HOSTILE

WEB = Path(__file__).resolve().parents[2] / "web"
CHANGED = "document.querySelectorAll('.message.changed.insert').length"


def text_of(selector: str) -> str:
    return f"[...document.querySelectorAll({selector!r})].map((each) => each.textContent)"


def click(selector: str, words: str = "") -> str:
    return f"[...document.querySelectorAll({selector!r})].find((each) => each.textContent.includes({words!r})).click()"


def test_a_message_of_the_agent_is_marked_where_people_look_for_it(page: Page) -> None:
    page.call("slack", "slack_post_message", {"channel_id": "#general", "text": "the lamps are here"})

    found = page.html("&app=slack")

    assert "the lamps are here" in found
    assert 'class="message changed insert"' in found
    assert ">Aisha Rahman<" in found


@pytest.mark.parametrize("app", content.app_names())
def test_every_app_has_its_page(page: Page, app: str) -> None:
    found = page.html(f"&app={app}")

    assert 'role="tab"' in found
    assert 'role="alert"' not in found


def test_a_call_appears_while_the_page_is_open(page: Page) -> None:
    async def wait(tab: Browser) -> Any:
        await asyncio.to_thread(
            page.call, "slack", "slack_post_message", {"channel_id": "#random", "text": "just now, said a lamp"}
        )
        await tab.until("document.body.textContent.includes('just now, said a lamp')", 5)
        return await tab.value(text_of(".lines .sentence"))

    first, *_ = page.use("&panel=story", wait)

    assert first.startswith("posted a message in #random")


def test_a_reader_who_follows_the_agent_is_where_it_acts(page: Page) -> None:
    async def follow(tab: Browser) -> Any:
        await tab.value(click(".timeline input[type=checkbox]"))
        await asyncio.sleep(2)  # calls that come with the page are no news
        await asyncio.to_thread(
            page.call, "slack", "slack_post_message", {"channel_id": "#random", "text": "follow me"}
        )
        await tab.until("document.querySelector('.message.changed')?.closest('.rows') != null", 5)
        return await tab.value(text_of(".name-bar")), await tab.value(text_of(".containers [aria-current=true]"))

    (app,), (channel,) = page.use("", follow)

    assert app == "Slack"
    assert channel.startswith("random")


def test_two_states_stand_side_by_side(page: Page) -> None:
    page.call("slack", "slack_post_message", {"channel_id": "#general", "text": "only on the right"})

    async def compare(tab: Browser) -> Any:
        await tab.value(
            "(() => { const s = document.querySelector('.compare select'); s.value = 'slack';"
            " s.dispatchEvent(new Event('change')); })()"
        )
        await tab.until("document.querySelectorAll('.pair .message').length > 2", 10)
        return [await tab.value(text_of(f".pair > section:nth-child({n})")) for n in (1, 2)]

    left, right = page.use("&panel=compare", compare)

    assert "only on the right" not in left[0]
    assert "only on the right" in right[0]
    assert "At the start" in left[0]


def test_another_episode_stands_beside_this_one(page: Page) -> None:
    other = page.control.request("POST", "/v1/episodes/default/fork", {})["episodes"][0]["id"]
    page.call("slack", "slack_post_message", {"channel_id": "#general", "text": "said in the copy"}, other)

    async def compare(tab: Browser) -> Any:
        await tab.until("!!document.querySelector('.pair select')", 10)
        await tab.value(
            "(() => { const a = document.querySelector('.compare select'); a.value = 'slack';"
            " a.dispatchEvent(new Event('change')); const s = document.querySelectorAll('.pair select')[1];"
            f" s.value = 'episode {other}'; s.dispatchEvent(new Event('change')); }})()"
        )
        await tab.until("document.body.textContent.includes('said in the copy')", 10)
        return [await tab.value(text_of(f".pair > section:nth-child({n}) .changed")) for n in (1, 2)]

    left, right = page.use("&panel=compare", compare)

    assert left == []
    assert [each for each in right if "said in the copy" in each]


def test_a_snapshot_stands_beside_the_present_under_its_name(page: Page) -> None:
    page.call("slack", "slack_post_message", {"channel_id": "#general", "text": "said before it"})
    page.control.snapshot("default", "before-lamps")
    page.call("slack", "slack_post_message", {"channel_id": "#general", "text": "said after it"})

    async def compare(tab: Browser) -> Any:
        await tab.until("document.querySelectorAll('.pair select').length == 2", 10)
        await tab.value(
            "(() => { const a = document.querySelector('.compare select'); a.value = 'slack';"
            " a.dispatchEvent(new Event('change')); const s = document.querySelector('.pair select');"
            " s.value = 'snapshot before-lamps'; s.dispatchEvent(new Event('change')); })()"
        )
        await tab.until("document.querySelector('.pair section')?.textContent.includes('said before it')", 10)
        return [await tab.value(text_of(f".pair > section:nth-child({n})")) for n in (1, 2)]

    (left,), (right,) = page.use("&panel=compare", compare)

    assert "Snapshot before-lamps" in left
    assert "said after it" not in left
    assert "said after it" in right


def test_a_tree_opens_at_a_page_that_has_a_text(page: Page) -> None:
    async def look(tab: Browser) -> Any:
        await tab.until("!!document.querySelector('.letter')", 10)
        return await tab.value(text_of(".letter .block"))

    assert page.use("&app=notion", look)


def test_the_bill_says_what_was_asked_for_and_who_was_told(page: Page) -> None:
    page.call("slack", "slack_post_message", {"channel_id": "#general", "text": "unasked words"})

    async def read(tab: Browser) -> Any:
        await tab.until("!!document.querySelector('.checks') && document.body.textContent.includes('Who was told')", 30)
        return await tab.value(text_of(".bill"))

    (bill,) = page.use("&panel=bill&task=demo/lark-new-room", read)

    asked, _, unasked = bill.partition("Nobody asked for")
    assert "expected an answer, found none" in asked
    assert "unasked words" in unasked
    assert 'posted a message in #general: "unasked words"' in asked.partition("Step by step")[2]
    assert "Slack: general" in unasked.partition("Who was told")[2]


def test_the_bill_counts_and_names_things_as_people_do(page: Page) -> None:
    id_ = page.control.create(world="harbor")["id"]
    page.call("gmail", "send_email", {"to": ["helen.zhou@harborlight.example"], "subject": "Banners", "body": "x"}, id_)

    def slack(tool: str, **arguments: Any) -> Any:
        return json.loads(page.call("slack", tool, arguments, id_)["content"][0]["text"])

    general = next(each["id"] for each in slack("slack_list_channels")["channels"] if each["name"] == "general")
    listed = slack("slack_get_channel_history", channel_id=general, limit=30)["messages"]
    first = next(each for each in listed if each.get("reply_count"))
    slack("slack_reply_to_thread", channel_id=general, thread_ts=first["ts"], text="answered here")
    slack("slack_add_reaction", channel_id=general, timestamp=first["ts"], reaction="eyes")

    async def read(tab: Browser) -> Any:
        await tab.until("document.querySelector('.bill')?.textContent.includes('answering')", 30)
        return await tab.value(text_of(".rail .count")), await tab.value(text_of(".bill"))

    url = page.address("&panel=bill", episode=id_)
    counts, (bill,) = page.use("", read, url=url)

    assert counts == ["1", "2"]  # of Gmail, one mail although it lies in two mailboxes; of Slack
    assert "3 things changed" in bill
    assert 'sent a message to helen.zhou@harborlight.example: "Banners"' in bill
    assert f"“{first['text'][:20]}" in bill.partition("answering")[2][:120]
    assert "reaction eyes" in bill


def test_the_slider_shows_each_state_and_an_undo_is_undoable(page: Page) -> None:
    page.call("slack", "slack_post_message", {"channel_id": "#general", "text": "to be undone"})
    calls = len(page.control.calls("default"))

    async def undo(tab: Browser) -> Any:
        await tab.until("document.body.textContent.includes('to be undone')", 10)
        await tab.value(
            "(() => { window.confirm = () => true; const s = document.querySelector('.timeline input');"
            " s.value = s.max - 1; s.dispatchEvent(new Event('input')); })()"
        )
        await tab.until("!!document.querySelector('.danger')", 5)
        seen = await tab.value("document.querySelector('main').textContent.includes('to be undone')")
        await tab.value(click(".danger"))
        await tab.until("!!document.querySelector('.problem')", 10)
        return seen, await tab.value(text_of(".problem"))

    seen, (said,) = page.use("&app=slack", undo)

    assert not seen
    assert len(page.control.calls("default")) == calls - 1
    page.control.request("POST", "/v1/episodes/default/restore", {"snapshot": said.split()[-2]})
    assert len(page.control.calls("default")) == calls


def test_no_hostile_text_runs(page: Page, tmp_path: Path) -> None:
    for text in HOSTILE:
        page.call("slack", "slack_post_message", {"channel_id": "#general", "text": text})
        mail = {"to": ["a@b.example"], "subject": text, "body": text, "htmlBody": text, "mimeType": "text/html"}
        page.call("gmail", "send_email", mail)
    saved = tmp_path / "saved.html"
    saved.write_bytes(page.control.page("default"))

    async def look(tab: Browser) -> Any:
        for app in ("slack", "gmail"):
            await tab.value(click(".rail button", app.capitalize()))
            await tab.until("!!document.querySelector('main .changed')", 10)
            if app == "gmail":  # every mail is opened once, in its frame
                for n in range(len(HOSTILE)):
                    await tab.value(f"document.querySelectorAll('.mails .line')[{n}]?.click()")
                    await asyncio.sleep(0.05)
        await tab.value(click(".rail button", "Bill"))
        await asyncio.sleep(0.5)
        frames = await tab.value("[...document.querySelectorAll('iframe')].map((each) => each.getAttribute('sandbox'))")
        return await tab.value("document.title"), frames, await tab.value("location.pathname")

    assert len(set(HOSTILE)) == 50
    for address in (None, f"file://{saved}"):
        title, frames, _ = page.use("", look, url=address)
        assert title == "mcp-farm"
        assert set(frames) <= {""}


def test_a_saved_file_shows_the_episode_without_a_farm(page: Page, tmp_path: Path) -> None:
    made = page.control.request("POST", "/v1/episodes/default/fork", {})["episodes"][0]
    page.call("slack", "slack_post_message", {"channel_id": "#general", "text": "kept in a file"}, made["id"])
    saved = tmp_path / "saved.html"
    saved.write_bytes(page.control.page(made["id"], task="demo/lark-new-room"))

    found = page.html("", url=f"file://{saved}#app=slack")
    bill = page.html("", url=f"file://{saved}#panel=bill")

    assert "kept in a file" in found
    assert ">Snapshot<" not in found
    assert "expected an answer, found none" in bill
    assert made["token"] not in saved.read_text()


def test_a_page_for_reading_has_no_button_that_changes_anything(page: Page) -> None:
    found = page.html("&app=slack", read_only=True)

    assert ">Snapshot<" not in found
    assert "read-only" in found


def test_the_page_is_small_and_no_text_becomes_html() -> None:
    files = [path for path in WEB.rglob("*") if path.is_file()]

    assert sum(path.stat().st_size for path in files) < 250_000
    assert [path.name for path in files if b"innerHTML" in path.read_bytes()] == []
