"""Every tool of the server, in its order, with the tables a call may change."""

from farm.appkit import Beside, Tool

from . import tool_create_directory, tool_directory_tree, tool_edit_file, tool_get_file_info, tool_list_allowed_directories, tool_list_directory, tool_list_directory_with_sizes, tool_move_file, tool_read_file, tool_read_media_file, tool_read_multiple_files, tool_read_text_file, tool_search_files, tool_write_file

TOOLS = (
    Tool("read_file", tool_read_file.read_file, structured=Beside("content")),
    Tool("read_text_file", tool_read_text_file.read_text_file, structured=Beside("content")),
    Tool("read_media_file", tool_read_media_file.read_media_file),
    Tool("read_multiple_files", tool_read_multiple_files.read_multiple_files, structured=Beside("content")),
    Tool("write_file", tool_write_file.write_file, writes=("nodes",), structured=Beside("content")),
    Tool("edit_file", tool_edit_file.edit_file, writes=("nodes",), structured=Beside("content")),
    Tool("create_directory", tool_create_directory.create_directory, writes=("nodes",), structured=Beside("content")),
    Tool("list_directory", tool_list_directory.list_directory, structured=Beside("content")),
    Tool(
        "list_directory_with_sizes",
        tool_list_directory_with_sizes.list_directory_with_sizes,
        structured=Beside("content"),
    ),
    Tool("directory_tree", tool_directory_tree.directory_tree, structured=Beside("content")),
    Tool("move_file", tool_move_file.move_file, writes=("nodes",), structured=Beside("content")),
    Tool("search_files", tool_search_files.search_files, structured=Beside("content")),
    Tool("get_file_info", tool_get_file_info.get_file_info, structured=Beside("content")),
    Tool(
        "list_allowed_directories",
        tool_list_allowed_directories.list_allowed_directories,
        structured=Beside("content"),
    ),
)
