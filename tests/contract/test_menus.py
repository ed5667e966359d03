"""What of its tools an app shows where there is no room for all, and what to ask it first.

A reader's own apps may show the first tools of their lists, and have nothing to ask.
"""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from farm import content
from farm.connect import menus
from farm.connect.welcome import make_card
from farm.context.template import load_world
from farm.server.tool_menu import DESKTOP
from tests.contract._own import OWN

# So few of each are left when all apps share a client: an app with no more tools has nothing to choose.
_LEFT = menus.TOOLS_MAX // len(content.app_names()) + 1


@pytest.mark.parametrize("app", OWN)
def test_an_app_says_what_an_assistant_needs_most(app: str) -> None:
    loaded = content.load_app(app)
    tools = [entry["name"] for entry in loaded.tool_schemas]
    if len(tools) <= _LEFT:
        return

    chosen = loaded.app.menus[DESKTOP]

    assert len(set(chosen)) == len(chosen) > _LEFT
    # Else it is the vendor's list cut off, which need not hold what anybody wants.
    assert list(chosen) != tools[: len(chosen)]


def test_of_all_apps_together_each_shows_what_is_needed_most_and_no_other() -> None:
    names = content.app_names()

    shown = menus.choose(names, "menu")

    for app in names:
        declared = content.load_app(app).app.menus.get(DESKTOP)
        if declared is not None:
            assert set(shown[app]) == set(declared[: len(shown[app])])


@pytest.mark.parametrize("app", OWN)
def test_whoever_connects_one_app_is_told_what_to_try(app: str) -> None:
    world, now = load_world("harbor"), datetime(2026, 3, 9, 1, tzinfo=UTC)

    tools = [entry["name"] for entry in content.load_app(app).tool_schemas]
    shown = {app: menus.choose([app], "menu").get(app, tools)}

    card = make_card(world, world.protagonist, shown, now=now, created_at=now, is_live=False)

    assert card.prompts
