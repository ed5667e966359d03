"""Listing, reading, writing and deleting files, by what becomes of paths on the way."""

from __future__ import annotations

import pytest

from tests.apps.obsidian.conftest import NOW_MS, MakeVault, refusal, text

TIMED_OUT = "Request failed: HTTPSConnectionPool(host='127.0.0.1', port=27124): Read timed out. (read timeout=6)"
NOT_FOUND = "Error 40400: Not Found"
ONLY_FILES = "Error 40510: Request method is valid only for file paths, not directories."


@pytest.mark.fact("listing")
def test_a_folder_lists_its_children_and_nothing_hidden(vault: MakeVault) -> None:
    app = vault(
        {"b.md": "", "Z.md": "", "读.md": "", "🎉.md": "", "A/x/y.md": "", "A/b.md": "", ".obsidian/app.json": ""}
    )

    assert app.call("obsidian_list_files_in_vault") == ["A/", "Z.md", "b.md", "读.md", "🎉.md"]
    assert app.call("obsidian_list_files_in_dir", dirpath="A") == ["b.md", "x/"]
    for absent in ("A/", "/", "", "a", "Z.md", ".obsidian", "A/x/y.md"):
        assert refusal(app, "obsidian_list_files_in_dir", dirpath=absent) == NOT_FOUND


@pytest.mark.fact("listing")
def test_an_empty_vault_has_no_list(vault: MakeVault) -> None:
    app = vault({})

    assert refusal(app, "obsidian_list_files_in_vault") == NOT_FOUND


@pytest.mark.fact("reading")
def test_a_file_s_text_comes_as_a_json_string(vault: MakeVault) -> None:
    app = vault({"读.md": "一\n", ".obsidian/app.json": "{}"})
    app.episode.db.insert("files", vault_id="v", path="a.png", base64="iVBO/w==", made_ms=1, changed_ms=1)

    told = app.result("obsidian_get_file_contents", filepath="读.md")

    assert told == {"content": [{"type": "text", "text": '"\\u4e00\\n"'}], "isError": False}
    assert app.call("obsidian_get_file_contents", filepath=".obsidian/app.json") == '"{}"'
    assert app.call("obsidian_get_file_contents", filepath="a.png") == '"\\ufffdPN\\ufffd"'
    assert refusal(app, "obsidian_get_file_contents", filepath="读") == NOT_FOUND


@pytest.mark.fact("batch")
def test_several_files_come_under_their_paths(vault: MakeVault) -> None:
    app = vault({"a.md": "A\n"})

    told = app.call("obsidian_batch_get_file_contents", filepaths=["a.md", "b.md"])

    assert told == f"# a.md\n\nA\n\n\n---\n\n# b.md\n\nError reading file: {NOT_FOUND}\n\n---\n\n"
    assert app.call("obsidian_batch_get_file_contents", filepaths=[]) == ""


@pytest.mark.fact("urls")
@pytest.mark.parametrize(
    ("asked", "read"),
    [("C# x.md", "C"), ("a.md?x", "a.md"), ("C%23 x.md", "C# x.md"), ("b/../a.md", "a.md"), ("/a.md", "a.md"),
     ("b//c.md", "b/c.md"), ("100%.md", "100%.md")],
)  # fmt: skip
def test_a_path_goes_into_a_url_as_it_is(vault: MakeVault, asked: str, read: str) -> None:
    names = ("C", "C# x.md", "a.md", "b/c.md", "100%.md")
    app = vault({name: name for name in names})

    assert app.call("obsidian_get_file_contents", filepath=asked) == f'"{read}"'


@pytest.mark.fact("urls")
def test_dots_lead_out_of_the_vault_s_routes(vault: MakeVault) -> None:
    app = vault({"a.md": "A"})

    assert refusal(app, "obsidian_get_file_contents", filepath="../a.md") == NOT_FOUND
    assert refusal(app, "obsidian_list_files_in_dir", dirpath="..") == "'files'"
    assert refusal(app, "obsidian_put_content", filepath="..", content="") == NOT_FOUND
    assert '\\"status\\": \\"OK\\"' in app.call("obsidian_get_file_contents", filepath="..")
    assert app.call("obsidian_get_frontmatter", filepath="x/../..") == {}
    assert refusal(app, "obsidian_get_file_contents", filepath="x%E4.md").endswith("Failed to decode param 'x%E4.md'")


@pytest.mark.fact("append")
def test_appending_adds_a_missing_line_end(vault: MakeVault) -> None:
    app = vault({"a.md": "one", "empty.md": ""})

    app.call("obsidian_append_content", filepath="a.md", content="two\n")
    app.call("obsidian_append_content", filepath="a.md", content="three")
    app.call("obsidian_append_content", filepath="empty.md", content="x")
    app.call("obsidian_append_content", filepath="new/b", content="x")

    assert [text(app, path) for path in ("a.md", "empty.md", "new/b")] == ["one\ntwo\nthree", "\nx", "x"]
    assert refusal(app, "obsidian_append_content", filepath="new/", content="x") == ONLY_FILES


@pytest.mark.fact("append")
def test_a_hidden_file_is_replaced(vault: MakeVault) -> None:
    app = vault({".log/a.md": "one\n"})

    app.call("obsidian_append_content", filepath=".log/a.md", content="two\n")

    assert text(app, ".log/a.md") == "two\n"


@pytest.mark.fact("put")
def test_putting_makes_and_replaces_and_keeps_when_it_was_made(vault: MakeVault) -> None:
    app = vault({"a.md": "one"})

    app.call("obsidian_put_content", filepath="a.md", content="\ufefftwo")
    told = app.call("obsidian_put_content", filepath="x/y/b.md", content="")

    assert told == "Successfully uploaded content to x/y/b.md"
    assert (text(app, "a.md"), text(app, "x/y/b.md")) == ("two", "")
    made = {row["path"]: row["made_ms"] for row in app.episode.db.all("SELECT path, made_ms FROM files")}
    assert made["a.md"] < NOW_MS <= made["x/y/b.md"]
    assert refusal(app, "obsidian_put_content", filepath="x/", content="") == ONLY_FILES


@pytest.mark.fact("hang")
def test_what_the_vault_throws_at_is_never_answered(vault: MakeVault) -> None:
    app = vault({"a/b.md": "", "c.json": ""})

    assert refusal(app, "obsidian_put_content", filepath="a", content="") == TIMED_OUT
    assert refusal(app, "obsidian_append_content", filepath="a/b.md/c.md", content="") == TIMED_OUT
    assert refusal(app, "obsidian_put_content", filepath="x" * 256, content="") == TIMED_OUT
    assert refusal(app, "obsidian_put_content", filepath="a/" * 2046 + "b.md", content="") == TIMED_OUT
    assert refusal(app, "obsidian_delete_file", filepath="a", confirm=True) == TIMED_OUT
    assert refusal(app, "obsidian_get_frontmatter", filepath="c.json") == TIMED_OUT


@pytest.mark.fact("delete")
def test_a_confirmed_file_is_deleted_and_its_folder_not_listed(vault: MakeVault) -> None:
    app = vault({"a/b.md": "", "c.md": ""})

    assert (
        refusal(app, "obsidian_delete_file", filepath="a/b.md", confirm=False)
        == "confirm must be set to true to delete a file"
    )
    assert refusal(app, "obsidian_delete_file", filepath="a/", confirm=True) == ONLY_FILES
    assert app.call("obsidian_delete_file", filepath="a/b.md", confirm=True) == "Successfully deleted a/b.md"
    assert app.call("obsidian_list_files_in_vault") == ["c.md"]
    assert refusal(app, "obsidian_delete_file", filepath="a/b.md", confirm=True) == NOT_FOUND
    # The folder is still on the disk.
    assert refusal(app, "obsidian_delete_file", filepath="a", confirm=True) == TIMED_OUT


@pytest.mark.fact("delete")
def test_what_is_written_and_deleted_again_leaves_no_trace_beside_other_files(vault: MakeVault) -> None:
    app = vault({"a/b/c.md": ""})
    app.call("obsidian_append_content", filepath="a/b/new.md", content="x")
    app.call("obsidian_append_content", filepath="d/e/new.md", content="x")

    app.call("obsidian_delete_file", filepath="a/b/new.md", confirm=True)
    assert [row["path"] for row in app.episode.db.all("SELECT path FROM folders")] == []

    app.call("obsidian_delete_file", filepath="d/e/new.md", confirm=True)
    assert [row["path"] for row in app.episode.db.all("SELECT path FROM folders ORDER BY path")] == ["d", "d/e"]


@pytest.mark.fact("closed")
def test_a_closed_or_locked_vault_refuses_everything(vault: MakeVault) -> None:
    app = vault({"a.md": ""})

    app.episode.db.update("vaults", {"vault_id": "v"}, is_key_right=0)
    assert refusal(app, "obsidian_get_file_contents", filepath="a.md").startswith(
        "Error 40101: Authorization required.  Find"
    )
    app.episode.db.update("vaults", {"vault_id": "v"}, is_running=0)
    said = refusal(app, "obsidian_simple_search", query="a b", context_length=5)
    assert "Max retries exceeded with url: /search/simple/?query=a+b&contextLength=5 (Caused by" in said
