"""Merging servers into a client's own file."""

from __future__ import annotations

import json
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

from farm.cli.connect import _environment
from farm.cli.options import NamedFarm
from farm.connect import clients
from farm.connect.clients import CLIENTS, Server, find_client
from farm.connect.files import is_ours, merge, our_servers, remove
from farm.connect.jsonc import strip_comments
from farm.errors import ConflictError, FarmError, NotFoundError
from farm.runtime.supervisor.state import FarmState

BRIDGE = ("/opt/farm/bin/farm", "bridge", "lark", "--data", "/srv/farm", "--up")
LARK = Server("lark", "http://127.0.0.1:8700/mcp/ep1/lark", "secret", BRIDGE, {})
OPEN = Server("lark", "http://127.0.0.1:8700/mcp/default/lark", None, BRIDGE, {})


@pytest.mark.parametrize("name", CLIENTS)
def test_a_new_file_holds_the_servers_and_nobody_else_can_read_it(name: str, tmp_path: Path) -> None:
    client, file = CLIENTS[name], tmp_path / "deep" / "config"

    written = merge(client, client.config([LARK]), file)

    assert our_servers(client, file) == {"lark": client.entry(LARK)}
    if client.form != "yaml":
        read = tomllib.loads(file.read_text()) if client.form == "toml" else json.loads(file.read_text())
        assert read == client.config([LARK])
    assert written.is_changed
    assert written.backup is None
    assert file.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("name", CLIENTS)
def test_merging_the_same_servers_again_changes_nothing(name: str, tmp_path: Path) -> None:
    client, file = CLIENTS[name], tmp_path / "config"
    merge(client, client.config([LARK]), file)
    before = file.read_bytes()

    written = merge(client, client.config([LARK]), file)

    assert not written.is_changed
    assert file.read_bytes() == before
    assert list(tmp_path.iterdir()) == [file]


def test_other_entries_stay_and_what_was_there_is_kept(tmp_path: Path) -> None:
    file = tmp_path / "claude_desktop_config.json"
    before = '{"theme": "dark", "mcpServers": {"notes": {"command": "notes-server"}}}'
    file.write_text(before)
    client = CLIENTS["claude-desktop"]

    written = merge(client, client.config([LARK]), file)

    assert json.loads(file.read_text()) == {
        "theme": "dark",
        "mcpServers": {
            "notes": {"command": "notes-server"},
            "lark": {"command": BRIDGE[0], "args": list(BRIDGE[1:])},
        },
    }
    assert written.backup is not None
    assert written.backup.read_text() == before


def test_an_older_entry_of_ours_is_replaced(tmp_path: Path) -> None:
    file = tmp_path / "mcp.json"
    client = CLIENTS["cursor"]
    merge(client, client.config([OPEN]), file)

    merge(client, client.config([LARK]), file)

    assert json.loads(file.read_text()) == client.config([LARK])


@pytest.mark.parametrize("name", CLIENTS)
def test_every_client_s_entry_is_known_again_as_ours(name: str) -> None:
    assert is_ours(CLIENTS[name].entry(LARK))


def test_a_server_of_that_name_that_is_not_ours_is_never_replaced(tmp_path: Path) -> None:
    file = tmp_path / "mcp.json"
    file.write_text('{"mcpServers": {"lark": {"command": "npx", "args": ["-y", "lark-mcp"]}}}')
    client, before = CLIENTS["cursor"], file.read_bytes()

    with pytest.raises(ConflictError, match="--prefix farm-"):
        merge(client, client.config([LARK]), file)

    assert file.read_bytes() == before


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("vscode", '{\n  // a comment\n  "servers": {}}}', "is not JSON"),
        ("vscode", '{\n  // a comment\n  "servers": []\n}', "not a table of servers"),
        ("cursor", '{"mcpServers": ', "is not JSON"),
        ("cursor", "[1, 2]", "no JSON object"),
        ("cursor", '{"mcpServers": []}', "not a table of servers"),
        ("codex", "[mcp_servers\n", "not valid TOML"),
        ("goose", "extensions: [a, b]\n", "cannot be edited"),
        ("goose", "extensions:\n  - a\n", "cannot be edited"),
        ("codex", 'mcp_servers = { other = { url = "http://127.0.0.1/x" } }\n', "by hand"),
    ],
)
def test_a_file_that_cannot_be_merged_is_left_as_it_is(name: str, text: str, told: str, tmp_path: Path) -> None:
    file = tmp_path / "config"
    file.write_text(text)
    client = CLIENTS[name]

    with pytest.raises(FarmError, match=told):
        merge(client, client.config([LARK]), file)

    assert file.read_text() == text
    assert list(tmp_path.iterdir()) == [file]


@pytest.mark.parametrize("name", CLIENTS)
def test_what_was_entered_is_removed_and_everything_else_stays(name: str, tmp_path: Path) -> None:
    client, file = CLIENTS[name], tmp_path / "config"
    other = Server("notes", "https://notes.example/mcp", None, ("/opt/notes", "serve"), {})
    merge(client, client.config([other]), file)
    before = file.read_text()
    merge(client, client.config([LARK]), file)

    removed = remove(client, our_servers(client, file), file)
    again = remove(client, our_servers(client, file), file)

    assert removed.backup is not None
    assert removed.is_changed
    assert not again.is_changed
    assert "lark" not in file.read_text()
    assert file.read_text() == before


def test_comments_stay_where_a_server_is_removed(tmp_path: Path) -> None:
    client, file = CLIENTS["zed"], tmp_path / "settings.json"
    file.write_text('{\n  // colours\n  "theme": "dark",\n  "context_servers": {},\n}\n')
    merge(client, client.config([LARK, OPEN]), file)

    remove(client, ["lark"], file)

    assert "// colours" in file.read_text()
    assert json.loads(strip_comments(file.read_text())) == {"theme": "dark", "context_servers": {}}


GOOSE = """\
GOOSE_PROVIDER: anthropic
extensions:
  # mine
  developer:
    bundled: true
    enabled: true
    name: developer
    type: builtin
  lark:
    type: streamable_http
    uri: http://127.0.0.1:8700/mcp/old/lark
GOOSE_MODEL: claude
"""


def test_a_yaml_file_keeps_its_other_entries_and_comments(tmp_path: Path) -> None:
    client, file = CLIENTS["goose"], tmp_path / "config.yaml"
    file.write_text(GOOSE)

    merge(client, client.config([LARK]), file)

    text = file.read_text()
    assert text.startswith(GOOSE.partition("  lark:")[0])
    assert text.endswith("GOOSE_MODEL: claude\n")
    assert "mcp/old" not in text
    assert our_servers(client, file) == {"lark": client.entry(LARK)}


@pytest.mark.parametrize(
    "url", ["https://api.example/mcp/lark", "http://127.0.0.1:8700/sse", "http://127.0.0.1/mcp/a/b/c"]
)
def test_somebody_elses_server_is_never_taken_for_ours(url: str, tmp_path: Path) -> None:
    client, file = CLIENTS["cursor"], tmp_path / "mcp.json"
    file.write_text(json.dumps({"mcpServers": {"lark": {"url": url}}}))

    assert our_servers(client, file) == {}
    with pytest.raises(ConflictError):
        merge(client, client.config([LARK]), file)


def test_the_server_of_a_farm_elsewhere_is_ours_where_that_farm_is_named() -> None:
    assert is_ours({"url": "https://farm.example/mcp/ep/lark"}, ("farm.example",))
    assert not is_ours({"url": "https://farm.example/mcp/ep/lark"})


COMMENTED = """\ufeff{
  // Servers of the team, see https://example.org
  "inputs": [{ "id": "a // b", /* asked once */ },],
  "servers": { // ours
    "notes": {
      "command": "notes, // not a comment", // started on demand
      "args": ["--all",],
    },
    "lark": { "type": "http", "url": "http://127.0.0.1:8700/mcp/old/lark" }, // by farm connect
  },
}
"""


def test_a_file_with_comments_keeps_them(tmp_path: Path) -> None:
    file = tmp_path / "mcp.json"
    file.write_text(COMMENTED, "utf-8")
    client = CLIENTS["vscode"]
    slack = replace(LARK, name="slack", url="http://127.0.0.1:8700/mcp/ep1/slack")

    written = merge(client, client.config([LARK, slack]), file)

    text = file.read_text("utf-8")
    for comment in (
        "// Servers of the team",
        "/* asked once */",
        "// ours",
        "// started on demand",
        "// by farm connect",
    ):
        assert comment in text
    assert json.loads(strip_comments(text.removeprefix("\ufeff"))) == {
        "inputs": [{"id": "a // b"}],
        "servers": {
            "notes": {"command": "notes, // not a comment", "args": ["--all"]},
            **client.config([LARK, slack])["servers"],
        },
    }
    assert written.backup is not None
    assert written.backup.read_text("utf-8") == COMMENTED
    assert not merge(client, client.config([LARK, slack]), file).is_changed


@pytest.mark.parametrize(
    "text", ["{} // nothing yet", "{ /* { */ }", '{"servers": {},}', '// {"servers": 1}\n{"other": {"x": 1,},\n}']
)
def test_servers_are_entered_into_whatever_an_editor_takes(text: str, tmp_path: Path) -> None:
    file = tmp_path / "mcp.json"
    file.write_text(text)
    client = CLIENTS["vscode"]

    merge(client, client.config([LARK]), file)

    assert json.loads(strip_comments(file.read_text())) == json.loads(strip_comments(text)) | client.config([LARK])
    assert file.read_text().count("/*") + file.read_text().count("// ") == text.count("/*") + text.count("// ")


@pytest.mark.parametrize(
    ("node", "line", "note"),
    [
        (
            (20, 20, 2),
            "npx --yes @modelcontextprotocol/inspector@1.0.3 --config f.json --server lark",
            "here is 20.20.2",
        ),
        (
            (22, 18, 0),
            "npx --yes @modelcontextprotocol/inspector@1.0.3 --config f.json --server lark",
            "here is 22.18.0",
        ),
        ((22, 19, 0), "npx --yes @modelcontextprotocol/inspector@2 --config f.json", "on an older one take @1.0.3"),
        (None, "npx --yes @modelcontextprotocol/inspector@2 --config f.json", "on an older one take @1.0.3"),
    ],
)
def test_the_inspector_is_one_that_runs_on_the_node_that_is_here(
    node: tuple[int, ...] | None, line: str, note: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clients, "node_version", lambda: node)
    inspector = CLIENTS["inspector"]
    assert inspector.command is not None
    assert not isinstance(inspector.after, str)

    assert inspector.after("f.json", LARK) == f"Start it with: {line}"
    assert inspector.command(LARK).startswith(" ".join(line.split()[:3]) + " --cli http://")
    assert note in inspector.advice([LARK])[0]


def test_comments_and_other_tables_of_a_toml_file_stay(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    before = (
        '# mine\nmodel = "gpt"\n\n'
        '[mcp_servers.lark]\nurl = "http://127.0.0.1:8700/mcp/default/lark"\n\n'
        '[mcp_servers.lark.http_headers]\nold = "1"\n\n'
        '[mcp_servers.notes] # keep\ncommand = "notes"\nargs = [\n  "[x]",\n]\n\n'
        '[tui]\ntheme = "dark"\n'
    )
    file.write_text(before)
    client = CLIENTS["codex"]

    written = merge(client, client.config([LARK]), file)

    text = file.read_text()
    assert "# mine" in text
    assert "# keep" in text
    read = tomllib.loads(text)
    assert read["mcp_servers"]["notes"] == {"command": "notes", "args": ["[x]"]}
    assert read["mcp_servers"]["lark"] == client.entry(LARK)
    assert read["tui"] == {"theme": "dark"}
    assert written.backup is not None
    assert written.backup.read_text() == before


def test_a_linked_file_stays_a_link(tmp_path: Path) -> None:
    real, link = tmp_path / "dotfiles.json", tmp_path / "mcp.json"
    real.write_text("{}")
    link.symlink_to(real)
    client = CLIENTS["cursor"]

    merge(client, client.config([LARK]), link)

    assert link.is_symlink()
    assert json.loads(real.read_text()) == client.config([LARK])


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("a file, not a folder")
    client = CLIENTS["cursor"]

    with pytest.raises(FarmError, match=r"taken.*cannot be written"):
        merge(client, client.config([LARK]), tmp_path / "taken" / "mcp.json")


def test_only_a_server_that_asks_for_a_bearer_gets_a_header() -> None:
    assert CLIENTS["claude-code"].entry(OPEN) == {"type": "http", "url": OPEN.url}
    assert CLIENTS["claude-code"].entry(LARK)["headers"] == {"Authorization": "Bearer secret"}
    # Codex reads no table named `headers`.
    assert CLIENTS["codex"].entry(LARK)["http_headers"] == {"Authorization": "Bearer secret"}


def test_an_unknown_client_names_those_there_are() -> None:
    with pytest.raises(NotFoundError, match="claude-desktop"):
        find_client("emacs")


@pytest.mark.parametrize(
    ("agents_url", "operators_url", "told"),
    [
        ("http://127.0.0.1:8700", "http://127.0.0.1:8701", {}),
        ("http://127.0.0.1:9700", "http://127.0.0.1:9701", {"FARM_PORT": "9700", "FARM_OPERATOR_PORT": "9701"}),
        # A public URL says nothing of the port that a farm started again is to take.
        ("https://farm.example", "http://127.0.0.1:9701", {"FARM_OPERATOR_PORT": "9701"}),
        ("https://farm.example:8443", "http://127.0.0.1:8701", {}),
    ],
)
def test_a_bridge_starts_the_farm_again_on_the_ports_it_had(
    agents_url: str, operators_url: str, told: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    state = FarmState(1, 2, "127.0.0.1", agents_url, operators_url, "/t", ())
    monkeypatch.setattr(FarmState, "load", lambda _: state)
    monkeypatch.delenv("FARM_CONTENT", raising=False)

    assert _environment(NamedFarm(Path("/nowhere"))) == told


def test_cline_has_the_file_of_its_command_line_where_there_is_one(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.delenv("CLINE_MCP_SETTINGS_PATH", raising=False)

    alone = CLIENTS["cline"].file()
    (tmp_path / ".cline" / "data" / "settings").mkdir(parents=True)
    shared = CLIENTS["cline"].file()
    monkeypatch.setenv("CLINE_MCP_SETTINGS_PATH", str(tmp_path / "own.json"))

    assert "saoudrizwan.claude-dev" in alone.parts
    assert shared == tmp_path / ".cline" / "data" / "settings" / "cline_mcp_settings.json"
    assert CLIENTS["cline"].file() == tmp_path / "own.json"
