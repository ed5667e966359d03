"""Dialects: how each family of real MCP servers checks arguments and words what is wrong with them.

An app names an instance, with what its real server's version does differently as parameters; the farm compiles one
check per tool from the tool's inputSchema. Families, real servers and parameters:

- ``Zod3(sdk, invalid, unknown, rules, unread, aliases)``: TypeScript servers on zod 3. Slack, medical, Gmail,
  deep research; older DeepSeek and Context7.
- ``Zod4(sdk, zod, patterns, …)``: the same on zod 4. Lark, Notion, Context7, DeepSeek.
- ``Pydantic(sdk, pydantic, invalid, unknown)``: the Python SDK's FastMCP. Amap, Tushare, Telegram.
- ``Jsonschema(sdk, invalid, unknown)``: the Python SDK's low-level server. Obsidian, Baidu Maps.
- ``Composio(body, is_error, unknown)``: Composio's hosted toolkits. Instagram, Reddit.
- ``GoSdk(sdk)``: the official Go SDK. Rednote.
- ``McpGo(sdk, asserts)``: mcp-go, which checks nothing. System monitor, WeCom.
- ``Unchecked(sdk, unknown, absent)``: hand-written servers that check nothing. 163 mail, Pollinations, Discord,
  Notion 1.x.
- ``Plain()``: our own wording, for apps whose model has no dialect of its own.

``Wording`` is a refusal as data: a text with places, and whether it goes out as a result or as a JSON-RPC error.
"""

from farm.dialects._base import ArgumentsRefused, Check, Dialect, Wording, fit_handler
from farm.dialects.composio import Composio
from farm.dialects.go_sdk import GoSdk
from farm.dialects.jsonschema import Jsonschema
from farm.dialects.mcp_go import McpGo, go_panic
from farm.dialects.plain import Plain
from farm.dialects.pydantic import Pydantic
from farm.dialects.unchecked import Unchecked
from farm.dialects.zod3 import Zod3
from farm.dialects.zod4 import Zod4

__all__ = [
    "ArgumentsRefused",
    "Check",
    "Composio",
    "Dialect",
    "GoSdk",
    "Jsonschema",
    "McpGo",
    "Plain",
    "Pydantic",
    "Unchecked",
    "Wording",
    "Zod3",
    "Zod4",
    "fit_handler",
    "go_panic",
]
