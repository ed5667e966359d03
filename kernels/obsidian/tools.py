"""Every tool of the server, in its order, with the tables a call may change."""

from farm.appkit import Tool

from . import changes, files, frontmatters, patches, periods, searches

TOOLS = (
    Tool("obsidian_list_files_in_dir", files.list_files_in_dir),
    Tool("obsidian_list_files_in_vault", files.list_files_in_vault),
    Tool("obsidian_get_file_contents", files.get_file_contents),
    Tool("obsidian_simple_search", searches.simple_search),
    Tool("obsidian_patch_content", patches.patch_content, writes=("files",)),
    Tool("obsidian_append_content", files.append_content, writes=("files",)),
    Tool("obsidian_put_content", files.put_content, writes=("files",)),
    Tool("obsidian_delete_file", files.delete_file, writes=("files", "folders")),
    Tool("obsidian_complex_search", searches.complex_search),
    Tool("obsidian_search_by_tag", searches.search_by_tag),
    Tool("obsidian_get_frontmatter", frontmatters.get_frontmatter),
    Tool("obsidian_batch_get_file_contents", files.batch_get_file_contents),
    Tool("obsidian_get_periodic_note", periods.get_periodic_note),
    Tool("obsidian_get_recent_periodic_notes", periods.get_recent_periodic_notes),
    Tool("obsidian_get_recent_changes", changes.get_recent_changes),
)
