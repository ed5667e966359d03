"""Convert a world's servers for agent frameworks. Each function imports its framework when it is called."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any, Protocol

from pytest_mcp_farm.errors import McpFarmError

if TYPE_CHECKING:
    from agents.mcp import MCPServer
    from google.adk.tools.mcp_tool import McpToolset
    from langchain_core.tools import BaseTool
    from pydantic_ai.mcp import MCPToolset


# Some frameworks allow a server five seconds; on a busy machine, that would fail a correct agent.
_WAIT_S_MAX = 30.0


class Servers(Protocol):
    """A world as this module needs it: its apps, and the address of each app's server."""

    @property
    def apps(self) -> tuple[str, ...]: ...

    def url(self, app: str) -> str: ...

    def connection(self, app: str) -> dict[str, Any]: ...


async def langchain_tools(world: Servers) -> list[BaseTool]:
    """Return all tools of a world for LangChain and LangGraph; see ``World.langchain_tools``."""
    __tracebackhide__ = True
    client = _require(
        "langchain_tools", "langchain-mcp-adapters>=0.1", "langchain_mcp_adapters.client", "MultiServerMCPClient"
    )
    connections = {app: {"transport": "streamable_http", **world.connection(app)} for app in world.apps}
    tools: list[BaseTool] = await client(connections).get_tools()
    return tools


@asynccontextmanager
async def openai_agents_servers(world: Servers) -> AsyncIterator[list[MCPServer]]:
    """Connect the servers of a world for the OpenAI Agents SDK; see ``World.openai_agents_servers``."""
    __tracebackhide__ = True
    server = _require("openai_agents_servers", "openai-agents>=0.2", "agents.mcp", "MCPServerStreamableHttp")
    async with AsyncExitStack() as connected:
        servers: list[MCPServer] = []
        for app in world.apps:
            params = {**world.connection(app), "timeout": _WAIT_S_MAX}
            # A world's tools do not change, so they are listed once and not at every turn of the agent.
            made = server(params=params, name=app, cache_tools_list=True, client_session_timeout_seconds=_WAIT_S_MAX)
            servers.append(await connected.enter_async_context(made))
        yield servers


def pydantic_ai_toolsets(world: Servers) -> list[MCPToolset[Any]]:
    """Return a toolset for each app for pydantic-ai; see ``World.pydantic_ai_toolsets``."""
    __tracebackhide__ = True
    toolset = _require("pydantic_ai_toolsets", "pydantic-ai-slim[mcp]>=2.10", "pydantic_ai.mcp", "MCPToolset")
    return [toolset(world.url(app), id=app, headers=world.connection(app)["headers"]) for app in world.apps]


def adk_toolsets(world: Servers) -> list[McpToolset]:
    """Return a toolset for each app for Google's ADK; see ``World.adk_toolsets``."""
    __tracebackhide__ = True
    wanted = "adk_toolsets", "google-adk[mcp]>=2", "google.adk.tools.mcp_tool"
    toolset, params = _require(*wanted, "McpToolset"), _require(*wanted, "StreamableHTTPConnectionParams")
    return [toolset(connection_params=params(**world.connection(app), timeout=_WAIT_S_MAX)) for app in world.apps]


def _require(call: str, wanted: str, module: str, name: str) -> Any:
    """Return ``name`` from a framework's module, or raise an error that says what to install.

    Args:
        call: the method that was called, for the message.
        wanted: the distribution with its extra and the oldest version that was tried, as pip takes it.
    """
    __tracebackhide__ = True
    whole, _, oldest = wanted.partition(">=")
    try:
        installed = version(whole.partition("[")[0])
    except PackageNotFoundError:
        why = "is not installed"
    else:
        why = f"is installed as {installed}"
        if _numbers(installed) >= _numbers(oldest):
            try:
                return getattr(import_module(module), name)
            except (ImportError, AttributeError) as problem:
                why += f" and cannot be used ({' '.join(str(problem).split())})"
    raise McpFarmError(f"world.{call}() wants {wanted}, which {why}; pip install --upgrade '{wanted}'")


def _numbers(version: str) -> list[int]:
    return [int(each) for each in re.findall(r"\d+", version)[:2]]
