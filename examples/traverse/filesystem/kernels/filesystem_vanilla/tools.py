"""Every tool of the server, in its order, with the tables a call may change."""

from farm.appkit import Tool

from . import directories, files

TOOLS = (
    Tool("read_file", files.read_file),
    Tool("read_text_file", files.read_text_file),
    Tool("read_media_file", files.read_media_file),
    Tool("read_multiple_files", files.read_multiple_files),
    Tool("write_file", files.write_file, writes=("nodes",)),
    Tool("edit_file", files.edit_file, writes=("nodes",)),
    Tool("create_directory", directories.create_directory, writes=("nodes",)),
    Tool("list_directory", directories.list_directory),
    Tool("list_directory_with_sizes", directories.list_directory_with_sizes),
    Tool("directory_tree", directories.directory_tree),
    Tool("move_file", directories.move_file, writes=("nodes",)),
    Tool("search_files", directories.search_files),
    Tool("get_file_info", directories.get_file_info),
    Tool("list_allowed_directories", directories.list_allowed_directories),
)
