"""Every tool of the server, in its order, with the tables a call may change."""

from farm.appkit import Beside, Tool

from . import listing, reading, writing

TOOLS = (
    Tool("read_file", reading.read_file, writes=("nodes",), structured=Beside("content")),
    Tool("read_text_file", reading.read_text_file, writes=("nodes",), structured=Beside("content")),
    Tool("read_media_file", reading.read_media_file, writes=("nodes",)),
    Tool("read_multiple_files", reading.read_multiple_files, writes=("nodes",), structured=Beside("content")),
    Tool("write_file", writing.write_file, writes=("nodes",), structured=Beside("content")),
    Tool("edit_file", writing.edit_file, writes=("nodes",), structured=Beside("content")),
    Tool(
        "create_directory",
        writing.create_directory,
        writes=("nodes",),
        commits_on_error=True,
        structured=Beside("content"),
    ),
    Tool("list_directory", listing.list_directory, writes=("nodes",), structured=Beside("content")),
    Tool(
        "list_directory_with_sizes",
        listing.list_directory_with_sizes,
        writes=("nodes",),
        structured=Beside("content"),
    ),
    Tool("directory_tree", listing.directory_tree, writes=("nodes",), structured=Beside("content")),
    Tool("move_file", writing.move_file, writes=("nodes",), structured=Beside("content")),
    Tool("search_files", listing.search_files, writes=("nodes",), structured=Beside("content")),
    Tool("get_file_info", listing.get_file_info, writes=("nodes",), structured=Beside("content")),
    Tool("list_allowed_directories", listing.list_allowed_directories, structured=Beside("content")),
)
