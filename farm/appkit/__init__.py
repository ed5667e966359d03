"""The API for authors of apps.

This package exports the names that nearly every kernel needs. Its modules hold the rest: ``dialects`` (validates
arguments), ``formats`` (prints values as other languages do), ``geography`` (map data), ``schema`` (declares the tables
of ``contexts/<app>/schema.py``) and ``world_spec`` (parses specifications for ``contexts/<app>/generate.py``).
"""

from __future__ import annotations

from farm.appkit.app import App, Profile, Prompt, Resource, ResourceTemplate, Tool
from farm.appkit.envelope import (
    Beside,
    Envelope,
    GoJson,
    JavaScriptJson,
    Json,
    PythonJson,
    Worded,
    by_output_schema,
    compact_json,
    composio_refusal,
    composio_success,
    object_or_value,
)
from farm.appkit.handler_api import (
    Answer,
    Content,
    Episode,
    Handler,
    Image,
    ProtocolError,
    Result,
    Row,
    Value,
    VendorError,
    best_match,
    parse_json,
)
from farm.appkit.ids import CAPS_36, LOWER_36, in_base
from farm.appkit.row_cache import CachedRow, memoised_row
from farm.appkit.start_files import GivenFile, StartFiles

__all__ = [
    "CAPS_36",
    "LOWER_36",
    "Answer",
    "App",
    "Beside",
    "CachedRow",
    "Content",
    "Envelope",
    "Episode",
    "GivenFile",
    "GoJson",
    "Handler",
    "Image",
    "JavaScriptJson",
    "Json",
    "Profile",
    "Prompt",
    "ProtocolError",
    "PythonJson",
    "Resource",
    "ResourceTemplate",
    "Result",
    "Row",
    "StartFiles",
    "Tool",
    "Value",
    "VendorError",
    "Worded",
    "best_match",
    "by_output_schema",
    "compact_json",
    "composio_refusal",
    "composio_success",
    "in_base",
    "memoised_row",
    "object_or_value",
    "parse_json",
]
