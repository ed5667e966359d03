"""Every tool of the server, in its order. None of them changes anything."""

from farm.appkit import Tool

from . import documents, libraries

TOOLS = (
    Tool("resolve-library-id", libraries.resolve_library_id),
    Tool("query-docs", documents.query_docs),
)
