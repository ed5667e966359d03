"""The server's resources: two texts for a model, and the pages of its two interactive apps."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from farm.appkit import Episode, Resource

_PAGES = Path(__file__).parent / "pages"
# What a host must allow such a page, and no more.
_CSP = {
    "default-src": ["'none'"],
    "script-src": ["'unsafe-inline'"],
    "style-src": ["'unsafe-inline'"],
    "connect-src": ["'none'"],
    "img-src": ["data:"],
}


def _text(name: str) -> str:
    return (_PAGES / name).read_text("utf-8").rstrip("\n")


def _page(name: str) -> str:
    """Return a page with its style and script inside: it may load nothing."""
    return _text(f"{name}.html").replace("/*STYLE*/", _text("_style.css")).replace("//BRIDGE", _text("_bridge.js"))


_GUIDE, _TOOL_MAP = _text("guide.md"), _text("tools.md")


def guide(ep: Episode) -> str:
    """Return which tools suit which work."""
    return _GUIDE


def tool_map(ep: Episode) -> str:
    """Return every tool in a line."""
    return _TOOL_MAP


def _app(name: str) -> Callable[[Episode], Sequence[Mapping[str, Any]]]:
    content = {"uri": f"ui://notion/{name}", "mimeType": "text/html;profile=mcp-app", "text": _page(name)}

    def show(ep: Episode) -> Sequence[Mapping[str, Any]]:
        """Return the page of an interactive app."""
        return [{**content, "_meta": {"ui": {"csp": _CSP}}}]

    return show


RESOURCES = (
    Resource("notion://server/guide", guide),
    Resource("notion://server/tools", tool_map),
    Resource("ui://notion/data-source-explorer", _app("data-source-explorer")),
    Resource("ui://notion/page-workbench", _app("page-workbench")),
)
