"""Every tool of the server, in its order, with the tables a call may change."""

from farm.appkit import Beside, Tool

from . import recorded

TOOLS = (
    Tool("read_file", recorded.read_file, structured=Beside("content")),
    Tool("read_text_file", recorded.read_text_file, structured=Beside("content")),
    Tool("read_media_file", recorded.read_media_file),
    Tool("read_multiple_files", recorded.read_multiple_files, structured=Beside("content")),
    Tool("write_file", recorded.write_file, structured=Beside("content")),
    Tool("edit_file", recorded.edit_file, structured=Beside("content")),
    Tool("create_directory", recorded.create_directory, structured=Beside("content")),
    Tool("list_directory", recorded.list_directory, structured=Beside("content")),
    Tool("list_directory_with_sizes", recorded.list_directory_with_sizes, structured=Beside("content")),
    Tool("directory_tree", recorded.directory_tree, structured=Beside("content")),
    Tool("move_file", recorded.move_file, structured=Beside("content")),
    Tool("search_files", recorded.search_files, structured=Beside("content")),
    Tool("get_file_info", recorded.get_file_info, structured=Beside("content")),
    Tool("list_allowed_directories", recorded.list_allowed_directories, structured=Beside("content")),
)
