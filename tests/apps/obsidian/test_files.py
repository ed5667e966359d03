"""Listing, reading, writing and deleting files, by what becomes of paths on the way."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from farm.testing import LocalApp
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


PATCH = {"operation": "append", "target_type": "heading", "target": "A", "content": "x"}


@pytest.mark.fact("closed", "urls")
@pytest.mark.parametrize(
    ("tool", "arguments", "url"),
    [
        ("list_files_in_vault", {}, "/vault/"),
        ("list_files_in_dir", {"dirpath": "A b"}, "/vault/A%20b/"),
        ("list_files_in_dir", {"dirpath": ".."}, "/"),
        ("get_file_contents", {"filepath": "a.md"}, "/vault/a.md"),
        ("get_file_contents", {"filepath": ".."}, "/"),
        ("get_file_contents", {"filepath": "读.md"}, "/vault/%E8%AF%BB.md"),
        ("get_frontmatter", {"filepath": "x/../.."}, "/"),
        ("get_frontmatter", {"filepath": "a.md"}, "/vault/a.md"),
        ("put_content", {"filepath": "n.md", "content": "x"}, "/vault/n.md"),
        ("append_content", {"filepath": "n.md", "content": "x"}, "/vault/n.md"),
        ("delete_file", {"filepath": "n.md", "confirm": True}, "/vault/n.md"),
        ("patch_content", {"filepath": "n.md", **PATCH}, "/vault/n.md"),
        ("simple_search", {"query": "读 &"}, "/search/simple/?query=%E8%AF%BB+%26&contextLength=100"),
        ("complex_search", {"query": {"!": []}}, "/search/"),
        ("search_by_tag", {"tag": "x"}, "/search/"),
        ("get_periodic_note", {"period": "weekly"}, "/periodic/weekly/"),
        (
            "get_recent_periodic_notes",
            {"period": "daily", "limit": 2, "include_content": True},
            "/periodic/daily/recent?limit=2&includeContent=True",
        ),
        ("get_recent_periodic_notes", {"period": "daily"}, "/periodic/daily/recent?limit=5&includeContent=False"),
        ("get_recent_changes", {}, "/search/"),
    ],
)
def test_where_obsidian_is_closed_every_tool_names_what_it_asked_for(
    vault: MakeVault, tool: str, arguments: dict[str, object], url: str
) -> None:
    app = vault({"a.md": ""}, {"daily": ("", "")})

    app.episode.db.update("vaults", {"vault_id": "v"}, is_running=0)
    assert refusal(app, f"obsidian_{tool}", **arguments) == (
        f"Request failed: HTTPSConnectionPool(host='127.0.0.1', port=27124): Max retries exceeded with url: {url} "
        "(Caused by NewConnectionError(\"HTTPSConnection(host='127.0.0.1', port=27124): Failed to establish a new "
        'connection: [Errno 111] Connection refused"))'
    )
    app.episode.db.update("vaults", {"vault_id": "v"}, is_running=1, is_key_right=0)
    assert refusal(app, f"obsidian_{tool}", **arguments) == (
        "Error 40101: Authorization required.  Find your API Key in the 'Local REST API' section of your Obsidian "
        "settings."
    )


@pytest.mark.fact("closed")
def test_nobody_s_obsidian_is_closed(start: Callable[..., LocalApp]) -> None:
    nobody = start("obsidian")

    assert "Max retries exceeded with url: /vault/ " in refusal(nobody, "obsidian_list_files_in_vault")


@pytest.mark.fact("listing")
def test_a_long_folder_is_listed_whole_and_folders_of_hidden_files_are_not(vault: MakeVault) -> None:
    files = {f"F/{number:03}.md": "" for number in range(130)} | {f"F/{number:03}/x.md": "" for number in range(60)}
    app = vault(
        {**files, "F/h/.x.md": "", "F/.h/x.md": "", "F/g/.x/y.md": "", "F/g/z.md": "", "F/é.md": "", "G.md": ""}
    )

    listed = app.call("obsidian_list_files_in_dir", dirpath="F")

    names = [*(f"{number:03}.md" for number in range(130)), *(f"{number:03}/" for number in range(60))]
    assert listed == [*sorted(names), "g/", "é.md"]
    assert app.call("obsidian_list_files_in_vault") == ["F/", "G.md"]
    assert app.call("obsidian_list_files_in_dir", dirpath="F/g") == ["z.md"]
    assert refusal(app, "obsidian_list_files_in_dir", dirpath="F/h") == NOT_FOUND


@pytest.mark.fact("hang", "put")
@pytest.mark.parametrize(
    ("path", "is_written"),
    [
        ("x" * 255, True),
        ("x" * 256, False),
        ("é" * 127, True),
        ("é" * 128, False),
        ("a/" + "x" * 256 + "/b.md", False),
        (("x" * 250 + "/") * 16 + "x" * 79, True),
        (("x" * 250 + "/") * 16 + "x" * 80, False),
        ("a%00b.md", False),
        ("a..md", True),
        ("b/c.md/d.md", False),
        ("b", False),
        ("b//new.md", True),
        ("f/g", False),
        ("f", False),
    ],
)
def test_a_path_that_a_disk_does_not_take_is_never_answered(vault: MakeVault, path: str, is_written: bool) -> None:
    app = vault({"b/c.md": "", "f/g/h.md": ""})

    if is_written:
        assert (
            app.call("obsidian_put_content", filepath=path, content="x") == f"Successfully uploaded content to {path}"
        )
        assert len(app.changes()["files"]) == 1
    else:
        assert refusal(app, "obsidian_put_content", filepath=path, content="x") == TIMED_OUT
        assert app.changes() == {}


@pytest.mark.fact("put", "append")
def test_a_file_that_is_made_comes_last_and_one_that_is_written_keeps_its_place(vault: MakeVault) -> None:
    app = vault({"z.md": "old", "a.md": ""})
    app.episode.db.insert("files", vault_id="v", path="b.bin", seq=3, base64="AAE=", made_ms=1, changed_ms=1)

    app.call("obsidian_put_content", filepath="new/n.md", content="x")
    app.call("obsidian_append_content", filepath="z.md", content="more")
    app.call("obsidian_put_content", filepath="b.bin", content="text")

    # Every call takes a millisecond of the episode's time.
    rows = app.episode.db.all("SELECT * FROM files WHERE path IN ('new/n.md', 'z.md', 'b.bin') ORDER BY seq")
    assert rows == [
        {"vault_id": "v", "path": "z.md", "seq": 1, "content": "old\nmore", "base64": None,
         "made_ms": NOW_MS - 2 * 86_400_000, "changed_ms": NOW_MS + 1},
        {"vault_id": "v", "path": "b.bin", "seq": 3, "content": "text", "base64": None, "made_ms": 1,
         "changed_ms": NOW_MS + 2},
        {"vault_id": "v", "path": "new/n.md", "seq": 4, "content": "x", "base64": None, "made_ms": NOW_MS,
         "changed_ms": NOW_MS},
    ]  # fmt: skip


@pytest.mark.fact("put", "append")
def test_half_a_character_cannot_be_sent(vault: MakeVault) -> None:
    app = vault({"a.md": "# A"})

    for tool, arguments in (("put_content", {}), ("append_content", {}), ("patch_content", PATCH)):
        said = refusal(app, f"obsidian_{tool}", filepath="a.md", **{**arguments, "content": "x\ud83d"})
        assert said == "'utf-8' codec can't encode character '\\ud83d' in position 1: surrogates not allowed"


@pytest.mark.fact("delete")
def test_a_path_is_deleted_as_the_disk_has_it(vault: MakeVault) -> None:
    app = vault({"a/b.md": "", ".h/x.md": "", "c.md": ""})

    assert app.call("obsidian_delete_file", filepath="a//b.md", confirm=True) == "Successfully deleted a//b.md"
    assert app.call("obsidian_delete_file", filepath=".h/x.md", confirm=True) == "Successfully deleted .h/x.md"
    assert [row["path"] for row in app.episode.db.all("SELECT path FROM files ORDER BY path")] == ["c.md"]
    assert refusal(app, "obsidian_delete_file", filepath="", confirm=True) == ONLY_FILES
    assert refusal(app, "obsidian_delete_file", filepath="none", confirm=True) == NOT_FOUND
