"""Answers as a whole: their annotations, the account, and what is taken out of texts."""

from __future__ import annotations

import pytest

from farm.testing import LocalApp
from tests.apps.telegram.conftest import After, Says, Told
from tests.apps.telegram.rows import BO, FOLDER, LUNCH, WITH_BO


@pytest.mark.fact("wire")
@pytest.mark.parametrize(("tool", "arguments"), [("get_chat", {}), ("no_such_tool", {})])
def test_refusals_before_the_server_are_annotated_too(telegram: LocalApp, tool: str, arguments: dict[str, int]) -> None:
    result = telegram.result(tool, **arguments)

    assert result["isError"] is True
    assert result["content"][0]["annotations"] == {"audience": ["user"]}


@pytest.mark.fact("account")
@pytest.mark.parametrize("named", [{}, {"account": "default"}, {"account": "Default"}])
def test_the_only_account_is_called_default(says: Says, named: dict[str, str]) -> None:
    assert says("list_accounts") == "default: Ada Ames (+447000000001) — unknown"

    assert says("mute_chat", chat_id=BO, **named) == f"Chat {BO} muted."


@pytest.mark.fact("account")
def test_another_account_ends_in_the_code_after_the_ids_were_checked(says: Says) -> None:
    refused = says("mute_chat", chat_id=BO, account="work")
    unknown = says("mute_chat", chat_id="two words", account="work")

    assert refused.startswith("An error occurred (code: CHAT-ERR-")
    assert '"error": "unknown_contact"' in unknown


@pytest.mark.fact("codes")
def test_tools_of_folders_have_a_category_of_theirs(says: Says) -> None:
    text = says("create_folder", title="Work")

    assert text.startswith("An error occurred (code: FOLDER-ERR-")


@pytest.mark.fact("clean")
def test_invisible_characters_and_empty_lines_are_taken_out(told: Told) -> None:
    album = [each for each in told("get_history", chat_id=BO)["results"] if each["id"] == 18]
    bread = [each for each in told("get_history", chat_id=LUNCH)["results"] if each["id"] == 20]

    assert album[0]["text"] == "The pier\n\nat night"
    assert bread[0]["text"] == "Bread is on me !"


@pytest.mark.fact("clean")
def test_what_is_stored_stays_as_it_was_sent(after: After, says: Says) -> None:
    says("send_message", chat_id=BO, message="a\u200bb")

    (row,) = after("messages")
    assert (row["chat_id"], row["text"]) == (WITH_BO, "a\u200bb")


@pytest.mark.fact("roots")
@pytest.mark.parametrize(
    ("path", "refusal"),
    [
        ("", "Path must not be empty."),
        ("~/x", "Path contains disallowed wildcard/shell patterns."),
        ("../x", "Path traversal is not allowed."),
        ("none.txt", "File not found: none.txt"),
        ("locked", f"Path is not a file: {FOLDER}/locked"),
    ],
)
def test_a_path_outside_the_roots_or_to_nothing_is_refused(
    telegram: LocalApp, says: Says, path: str, refusal: str
) -> None:
    assert says("upload_file", file_path=path) == refusal
    assert says("send_file", chat_id=BO, file_path=path) == refusal
    assert telegram.changes() == {}


@pytest.mark.fact("roots")
def test_a_relative_path_lies_in_the_first_root(told: Told) -> None:
    uploaded = told("upload_file", file_path="list.txt")

    assert (uploaded["path"], uploaded["name"], uploaded["size"]) == (f"{FOLDER}/list.txt", "list.txt", 10)
    assert len(uploaded["md5_checksum"]) == 32


@pytest.mark.fact("roots")
@pytest.mark.parametrize(("tool", "endings"), [("send_voice", ".ogg, .opus"), ("send_sticker", ".webp")])
def test_a_file_with_another_ending_is_refused(telegram: LocalApp, says: Says, tool: str, endings: str) -> None:
    text = says(tool, chat_id=BO, file_path="cake.png")

    assert text == f"File extension is not allowed for {tool}. Allowed: {endings}."
    assert telegram.changes() == {}


@pytest.mark.fact("downloads")
def test_a_download_without_a_path_gets_one(after: After, says: Says) -> None:
    text = says("download_media", chat_id=BO, message_id=5)

    assert text == f"Media downloaded to {FOLDER}/downloads/telegram_{BO}_5_1773018000.jpg."
    assert {row["path"] for row in after("files")} == {
        f"{FOLDER}/downloads",
        f"{FOLDER}/downloads/telegram_{BO}_5_1773018000.jpg",
    }


@pytest.mark.fact("downloads")
def test_a_download_takes_the_ending_that_fits_and_overwrites_nothing(says: Says) -> None:
    first = says("download_media", chat_id=BO, message_id=8, file_path="new.jpg")
    second = says("download_media", chat_id=BO, message_id=8, file_path="new.txt")

    assert first == f"Media downloaded to {FOLDER}/new.pdf."
    assert second == f"Media downloaded to {FOLDER}/new (1).pdf."


@pytest.mark.fact("downloads")
def test_a_folder_that_cannot_be_written_to_takes_no_download(telegram: LocalApp, says: Says) -> None:
    text = says("download_media", chat_id=BO, message_id=5, file_path="locked/new")

    assert text == f"Directory not writable: {FOLDER}/locked"
    assert telegram.changes() == {}
