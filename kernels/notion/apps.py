"""The two interactive apps that the server offers: it only says where they are."""

from __future__ import annotations

from farm.appkit import Episode, Result

_SOURCES = (
    "Use notion_inspect_data_source, notion_query_data_source_by_values, and "
    "notion_create_data_source_item_from_values when the host does not support MCP Apps."
)
_PAGES = (
    "Use notion_read_page, notion_update_content, notion_update_content_batch, and notion_append_markdown when the "
    "host does not support MCP Apps."
)


def open_data_source_app(ep: Episode, *, data_source_id: str | None = None) -> Result:
    """Say where the explorer of data sources is; nothing is asked of the API."""
    given = {} if data_source_id is None else {"data_source_id": data_source_id}
    return _app("data_source_explorer", "data-source-explorer", given, _SOURCES)


def open_page_workbench(ep: Episode, *, page_id: str | None = None) -> Result:
    """Say where the workbench for pages is; nothing is asked of the API."""
    return _app("page_workbench", "page-workbench", {} if page_id is None else {"page_id": page_id}, _PAGES)


def _app(name: str, address: str, given: dict[str, str], fallback: str) -> Result:
    uri = f"ui://notion/{address}"
    return {"object": "notion_mcp_app", "app": name, "resource_uri": uri, **given, "fallback": fallback}
