"""Dialects: how each family of real MCP servers validates arguments and words errors about them.

An app declares an instance; its parameters are the differences of its real server's version. The farm compiles one
check per tool from the tool's inputSchema. Families, real servers and parameters:

- ``Zod3(sdk, invalid, unknown, rules, unread, aliases)``: TypeScript servers on zod 3. Slack, medical, Gmail,
  deep research; older DeepSeek and Context7.
- ``Zod4(sdk, zod, patterns, …)``: the same on zod 4. Lark, Notion, Context7, DeepSeek.
- ``Pydantic(sdk, pydantic, invalid, unknown)``: the Python SDK's FastMCP. Amap, Tushare, Telegram.
- ``FastMcp(sdk, pydantic, invalid, unknown)``: the standalone FastMCP 4. Generated apps.
- ``Jsonschema(sdk, invalid, unknown)``: the Python SDK's low-level server. Obsidian, Baidu Maps.
- ``Composio(body, is_error, unknown)``: Composio's hosted toolkits. Instagram, Reddit.
- ``GoSdk(sdk)``: the official Go SDK. Rednote.
- ``McpGo(sdk, asserts)``: mcp-go, which does not validate. System monitor, WeCom.
- ``Unchecked(sdk, unknown, absent)``: hand-written servers that do not validate. 163 mail, Pollinations, Discord,
  Notion 1.x.
- ``GenericJsonSchema()``: JSON Schema 2020-12 with our own wording, for apps whose real server has no dialect here.

``Wording`` is a refusal as data: a template, and whether it is sent as a result or as a JSON-RPC error.
"""

from farm.appkit.dialects._base import Check, Dialect, InvalidArgumentsError, RequestWording, Wording, fit_handler
from farm.appkit.dialects.composio import Composio
from farm.appkit.dialects.fastmcp import FastMcp
from farm.appkit.dialects.generic_json_schema import GenericJsonSchema
from farm.appkit.dialects.go_sdk import GoSdk
from farm.appkit.dialects.jsonschema import Jsonschema
from farm.appkit.dialects.mcp_go import McpGo, go_panic
from farm.appkit.dialects.pydantic import Pydantic
from farm.appkit.dialects.unchecked import Unchecked
from farm.appkit.dialects.zod3 import Zod3
from farm.appkit.dialects.zod4 import Zod4

__all__ = [
    "Check",
    "Composio",
    "Dialect",
    "FastMcp",
    "GenericJsonSchema",
    "GoSdk",
    "InvalidArgumentsError",
    "Jsonschema",
    "McpGo",
    "Pydantic",
    "RequestWording",
    "Unchecked",
    "Wording",
    "Zod3",
    "Zod4",
    "fit_handler",
    "go_panic",
]
