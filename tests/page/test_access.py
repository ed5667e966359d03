"""Everybody can use the page: by keyboard and screen reader, enlarged, in the dark, in Chinese."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from typing import Any

import pytest

from tests.page.browser import Browser
from tests.page.conftest import Page
from tests.page.test_page import click, text_of

AXE = Path(__file__).parent / "node_modules" / "axe-core" / "axe.min.js"
FINDINGS = (
    "axe.run(document, {resultTypes: ['violations']}).then((found) => found.violations"
    ".filter((each) => ['serious', 'critical'].includes(each.impact))"
    ".map((each) => `${each.id}: ${each.nodes[0].html.slice(0, 120)}`))"
)
NAMES = "[...document.querySelectorAll('.rail button .name')].map((each) => each.textContent)"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious_on_any_app_or_panel(page: Page, scheme: str) -> None:
    page.call("slack", "slack_post_message", {"channel_id": "#general", "text": "a change to be marked"})

    async def look(tab: Browser) -> Any:
        await tab.ask("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        assert await tab.value(f"{AXE.read_text()}; typeof axe.run") == "function"
        found = {}
        for name in await tab.value(NAMES):
            await tab.value(click(".rail button", name))
            await tab.until("!document.querySelector('main .pad:only-child.quiet')", 10)
            await asyncio.sleep(0.2)
            found[name] = await tab.value(FINDINGS)
        return found

    found = page.use("", look)

    assert len(found) >= 25
    assert {name: each for name, each in found.items() if each != []} == {}


def test_a_message_is_reached_opened_and_closed_by_keys_alone(page: Page) -> None:
    async def type_keys(tab: Browser) -> Any:
        await tab.until("document.querySelectorAll('main .message').length > 1", 10)
        for key in ("j", "j"):
            await tab.press(key)
        focused = await tab.value("document.activeElement.closest('main') && document.activeElement.tagName")
        await tab.value("document.querySelector('main .message').focus()")
        await tab.press("Enter")
        await tab.until("!!document.querySelector('[role=dialog]')", 5)
        inside = await tab.value("!!document.activeElement.closest('[role=dialog]')")
        await tab.press("Escape")
        await tab.until("!document.querySelector('[role=dialog]')", 5)
        return focused, inside, await tab.value("document.activeElement.className")

    focused, is_inside, after = page.use("&app=slack", type_keys)

    assert focused == "BUTTON"
    assert is_inside
    assert after.startswith("message")


def test_tabs_follow_the_arrow_keys(page: Page) -> None:
    async def type_keys(tab: Browser) -> Any:
        await tab.until("document.querySelectorAll('[role=tab]').length > 2", 10)
        await tab.value("document.querySelector('[role=tab]').focus()")
        await tab.press("ArrowRight")
        await asyncio.sleep(0.2)
        return await tab.value(text_of("[role=tab][aria-selected=true]"))

    assert page.use("&app=lark", type_keys) == ["Events"]


@pytest.mark.parametrize("app", ["slack", "gmail", "lark", "notion", "rednote"])
def test_at_twice_the_size_nothing_is_cut_off_sideways(page: Page, app: str) -> None:
    async def enlarge(tab: Browser) -> Any:
        await tab.size(640, 400, 2.0)
        await tab.until("!!document.querySelector('main .tabs')", 10)
        await asyncio.sleep(0.3)
        return await tab.value("document.documentElement.scrollWidth - document.documentElement.clientWidth")

    assert page.use(f"&app={app}", enlarge) <= 0


def test_the_page_speaks_chinese(page: Page) -> None:
    async def switch(tab: Browser) -> Any:
        await tab.value(click(".rail button", "中文"))
        await asyncio.sleep(0.3)
        return await tab.value("document.documentElement.lang"), await tab.value(text_of(".rail .name"))

    language, names = page.use("", switch)

    assert language == "zh"
    assert names[:4] == ["首页", "经过", "对比", "账单"]


def test_every_word_of_the_page_is_in_both_languages() -> None:
    web = Path(__file__).resolve().parents[2] / "web"
    words = (web / "words.js").read_text()

    for file in web.glob("*.js"):
        text = file.read_text()
        used = set(re.findall(r'\bt\("(\w+)"\)', text))
        assert {each for each in used if f"{each}: [" not in words} == set()
