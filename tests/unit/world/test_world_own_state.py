"""What the specification declares for people beside the protagonist: their own workspace, and what they were told."""

from __future__ import annotations

from pathlib import Path

import pytest

from farm.appkit.handler_api import Row
from farm.appkit.world_spec import WorldError
from farm.world import Spec
from farm.world.generators import generator
from tests.unit.world._mini_copy import copy_mini

HOME = """+++
title = "Home"
by = "ben"
created = "-9 10:00"
edited = "-8 10:00"
shared = true
+++
The oven is mine.
"""
OWN_WORKSPACE = {
    "accounts.toml": 'accounts = [{ person = "ada" }, { person = "ben", workspace = "ben" }, { person = "cleo" }]\n',
    "comments.toml": "",
    "workspaces/ben/workspace.toml": 'name = "Ben at home"\nintegration = "Oven mitt"\n',
    "workspaces/ben/pages/home.md": HOME,
    "workspaces/ben/comments.toml": (
        '[[comments]]\npage = "home"\nby = "ben"\nat = "-2 11:04"\ntext = "Still true."\non = "oven"\n'
    ),
}


def rows_of(tmp_path: Path, app: str, files: dict[str, str]) -> list[Row]:
    """Return an app's rows of mini with other files."""
    folder = copy_mini(tmp_path, {f"spec/{app}/{name}": text for name, text in files.items()})
    return list(generator(app).rows(Spec(folder).app(app)))


def test_a_second_person_has_a_notion_workspace_of_their_own(tmp_path: Path) -> None:
    files = OWN_WORKSPACE | {"databases.toml": ""}

    rows = rows_of(tmp_path, "notion", files)

    workspaces = {row["name"]: row["id"] for row in rows if row["table"] == "workspaces"}
    (ben,) = (row for row in rows if row.get("person") == "ben")
    (own,) = (row for row in rows if row["table"] == "pages" and row["workspace_id"] == workspaces["Ben at home"])
    (comment,) = (row for row in rows if row["table"] == "comments")
    assert ben["workspace_id"] == workspaces["Ben at home"] != workspaces["Plum Bakery"]
    assert (comment["page_id"], comment["created_by"]) == (own["id"], ben["id"])
    assert len({row["id"] for row in rows if row["table"] == "pages"}) == sum(row["table"] == "pages" for row in rows)


def test_nobody_of_another_workspace_is_named_in_one(tmp_path: Path) -> None:
    by_ada = HOME.replace('by = "ben"', 'by = "ada"')

    with pytest.raises(WorldError, match="'ada'"):
        rows_of(tmp_path, "notion", OWN_WORKSPACE | {"workspaces/ben/pages/home.md": by_ada, "databases.toml": ""})


NOTE = (Path(__file__).parents[3] / "contexts/worlds/mini/spec/rednote/posts.toml").read_text("utf-8")
TOLD = """
[[posts]]
key = "ledger"
author = "hana"
kind = "image"
at = "-3 12:00"
title = "Numbers"
text = "Count twice."
images = ["ledger 1080x1080"]
likes = 2
liked_by = ["ada"]

[[notifications]]
kind = "like"
by = "ada"
post = "ledger"
at = "-3 15:00"
unread = true

[[notifications]]
to = "hana"
kind = "mention post"
by = "sweet-tooth"
post = "rye"
at = "-2 15:00"
unread = true
"""


def test_another_account_has_notices_of_its_own_in_rednote(tmp_path: Path) -> None:
    rows = rows_of(tmp_path, "rednote", {"posts.toml": NOTE + TOLD})

    ids = {row["person"]: row["user_id"] for row in rows if row["table"] == "users" and row["person"]}
    notices = [row for row in rows if row["table"] == "notifications" and row["user_id"] == ids["hana"]]
    assert [(row["type"], row["unread"]) for row in notices] == [("liked/item", 1), ("mention/item", 1)]
    assert not [row for row in rows if row["table"] == "notifications" and row["from_id"] == row["user_id"]]


def test_a_notice_is_for_somebody_with_an_account(tmp_path: Path) -> None:
    with pytest.raises(WorldError, match="account of Rednote"):
        rows_of(tmp_path, "rednote", {"posts.toml": NOTE + TOLD.replace('to = "hana"', 'to = "sweet-tooth"')})
