"""Obsidian, as mcp-obsidian shows it: a vault of Markdown files behind the Local REST API plugin."""

from farm.appkit import App, Envelope, PythonJson, StartFiles, Worded
from farm.appkit.dialects import Jsonschema

from . import vaults
from .tools import TOOLS

APP = App(
    name="obsidian",
    title="Obsidian",
    category="notes",
    dialect=Jsonschema(sdk="1.30.0"),
    tools=TOOLS,
    files=StartFiles(vaults.rows_of_file),
    envelope=Envelope(json=PythonJson(indent=2), is_error=False, refusal=Worded("Caught Exception. Error: {message}")),
    menus={
        # What an assistant beside a person needs most, most needed first.
        "desktop": (
            "obsidian_simple_search",
            "obsidian_get_file_contents",
            "obsidian_append_content",
            "obsidian_patch_content",
            "obsidian_list_files_in_dir",
            "obsidian_get_periodic_note",
            "obsidian_search_by_tag",
            "obsidian_list_files_in_vault",
            "obsidian_get_recent_changes",
            "obsidian_put_content",
        ),
    },
)
