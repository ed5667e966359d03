"""Files and rows that a start has in addition to the world's."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

import pytest

from farm.appkit.formats.pictures import Picture, read_picture
from farm.errors import FarmError
from farm.testing import LocalWorld

# One white pixel each, written by other programs.
PNG = base64.b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC")
GIF = base64.b64decode("R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs=")
WEBP = base64.b64decode("UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==")
# The start of a JPEG of 640 by 480 pixels: an APP0 segment, then the frame.
JPEG = bytes.fromhex("ffd8 ffe0 0010 4a46494600010100000100010000 ffc0 0011 08 01e0 0280 03012200021101031101")


@pytest.mark.parametrize(
    ("content", "picture"),
    [
        (PNG, Picture("png", 1, 1)),
        (GIF, Picture("gif", 1, 1)),
        (WEBP, Picture("webp", 1, 1)),
        (JPEG, Picture("jpeg", 640, 480)),
        (JPEG[:12], None),
        (b"%PDF-1.7", None),
        (b"", None),
    ],
)
def test_a_picture_is_known_by_its_bytes(content: bytes, picture: Picture | None) -> None:
    assert read_picture(content) == picture


def _base64(content: bytes) -> dict[str, str]:
    return {"base64": base64.b64encode(content).decode()}


def _world(data: Path, *apps: str, **files: Any) -> LocalWorld:
    return LocalWorld("mini", apps, data=data, files=files)


def test_a_mail_takes_a_given_file_along(tmp_path: Path) -> None:
    with _world(tmp_path, "gmail", gmail={"/tmp/offer.pdf": {"text": "twelve"}, "plan.txt": {"text": "x"}}) as world:
        world.call(
            "gmail", "send_email", to=["ben@plum.example"], subject="Offer", body="Here.",
            attachments=["/tmp/offer.pdf", "plan.txt"],
        )  # fmt: skip

        sent = {row["new"]["filename"]: row["new"]["size_bytes"] for row in world.diff()["gmail"]["attachments"]}
        assert sent == {"offer.pdf": 6, "plan.txt": 1}
        assert "files" not in world.diff()["gmail"]


def test_a_vault_has_a_given_note_and_a_given_picture(tmp_path: Path) -> None:
    given = {"Notes/Oven.md": {"text": "# Oven\n"}, "Notes/oven.png": _base64(PNG)}
    with _world(tmp_path, "obsidian", obsidian=given) as world:
        assert world.call("obsidian", "obsidian_get_file_contents", filepath="Notes/Oven.md").strip('"') == "# Oven\\n"
        assert "Oven.md" in str(world.call("obsidian", "obsidian_list_files_in_dir", dirpath="Notes"))
        (picture,) = (row for row in world.rows("obsidian", "files") if row["path"] == "Notes/oven.png")
        assert (picture["content"], base64.b64decode(picture["base64"])) == ("", PNG)


def test_telegram_sends_a_given_file_from_its_folder(tmp_path: Path) -> None:
    with _world(tmp_path, "telegram", telegram={"/tmp/a/oven.png": _base64(PNG)}) as world:
        chat = next(row["user_id"] for row in world.rows("telegram", "users") if row["person"] == "ben")
        said = world.call("telegram", "send_file", chat_id=chat, file_path="/tmp/a/oven.png")

        assert "sent" in str(said).lower()
        assert [row["new"]["width"] for row in world.diff()["telegram"]["media"]] == [1]


def test_the_drive_has_a_given_file_whose_token_depends_on_its_name(tmp_path: Path) -> None:
    with _world(tmp_path, "lark", lark={"Offer.pdf": {"text": "x"}}) as world:
        (row,) = (row for row in world.rows("lark", "files") if row["type"] == "file")

    with _world(tmp_path, "lark", lark={"Offer.pdf": {"text": "another"}}) as world:
        assert row["token"] in {each["token"] for each in world.rows("lark", "files")}
    assert (row["title"], len(row["token"])) == ("Offer.pdf", 27)


def test_a_file_for_no_app_in_particular_is_on_the_machine_of_each_server(tmp_path: Path) -> None:
    apps = ("gmail", "instagram", "obsidian", "rednote", "wecom")
    given = {"*": {"/tmp/menu.pdf": {"text": "menu"}, "/tmp/oven.png": _base64(PNG)}}
    with LocalWorld("mini", apps, data=tmp_path, files=given) as world:
        paths = {app: {row["path"] for row in world.rows(app, "files")} for app in ("gmail", "obsidian", "wecom")}
        roll = {row["path"] for row in world.rows("rednote", "media")}

    both = {"/tmp/menu.pdf", "/tmp/oven.png"}
    assert [both & paths[app] for app in ("gmail", "obsidian", "wecom")] == [both, set(), both]
    assert both & roll == {"/tmp/oven.png"}


def test_files_and_rows_survive_a_reset(tmp_path: Path) -> None:
    with _world(tmp_path, "gmail", gmail={"/tmp/offer.pdf": {"text": "x"}}) as world:
        store = world._session.store("gmail")
        store.reset(world.id)

        assert "/tmp/offer.pdf" in {row["path"] for row in world.rows("gmail", "files")}


@pytest.mark.parametrize(
    ("apps", "files", "said"),
    [
        (["slack"], {"slack": {"a.txt": {"text": "x"}}}, "slack keeps no files; no app of this episode does"),
        (
            ["slack", "gmail"],
            {"slack": {"a": {"text": "x"}}},
            "slack keeps no files; of this episode's apps, gmail keep",
        ),
        (["gmail"], {"obsidian": {"a.md": {"text": "x"}}}, "there are files for 'obsidian', and no such app here"),
        (
            ["obsidian"],
            {"*": {"/a.md": {"text": "x"}}},
            "no app here reads the file '/a.md' of its machine; .* name the",
        ),
        (["obsidian"], {"obsidian": {"/a.md": {"text": "x"}}}, "'/a.md' needs a path inside the vault"),
        (["lark"], {"lark": {"a/b.pdf": {"text": "x"}}}, "'a/b.pdf' lies in the root of the drive; give its bare name"),
        (
            ["telegram"],
            {"telegram": {"a.pdf": {"text": "x"}}},
            "'a.pdf' needs an absolute path, such as '/files/a.pdf'",
        ),
        (["rednote"], {"rednote": {"/a.pdf": {"text": "x"}}}, "'/a.pdf' is no PNG, JPEG, GIF or WebP picture"),
        (["instagram"], {"instagram": {"/a.png": _base64(PNG)}}, "'/a.png' is no .* picture at an address such as"),
        (["obsidian"], {"obsidian": {"Dock Road.md": {"text": "x"}}}, "obsidian has a file 'Dock Road.md' already"),
        (["obsidian"], {"obsidian": {"Notes/": {"text": "x"}}}, "'Notes/' names no file: .* as in 'Notes/note.md'"),
        (["gmail"], {"gmail": {"a": "x"}}, "the file 'a' has a wrong form; 'files' are listed by app"),
        (["gmail"], {"gmail": {"a": {"base64": "%"}}}, "the file 'a' is not base64"),
        (["gmail"], {"gmail": ["a"]}, "'files' are listed by app"),
        (["gmail"], ["a"], "'files' are listed by app"),
    ],
)
def test_a_file_that_cannot_be_had_is_refused_in_one_line(
    apps: list[str], files: Any, said: str, tmp_path: Path
) -> None:
    with pytest.raises(FarmError, match=said) as refused:
        LocalWorld("mini", apps, data=tmp_path, files=files)

    assert "\n" not in str(refused.value)
