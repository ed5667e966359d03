"""What the fixture offers beside plain tools: prompts, resources, completion, logging, tools that notify or ask back.

The server calls ``extend`` once and leaves every tool in ``TOOLS`` to the SDK.
"""

from collections.abc import Awaitable, Callable
from typing import Any

from mcp.server.caching import CacheHint
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.request_state import RequestStateBoundary, RequestStateSecurity
from mcp_types import (
    CallToolRequestParams,
    CompleteRequestParams,
    GetPromptRequestParams,
    PaginatedRequestParams,
    ReadResourceRequestParams,
    SetLevelRequestParams,
    SubscribeRequestParams,
    UnsubscribeRequestParams,
)

from . import prompts, resources, rounds, streams

RequestContext = ServerRequestContext[Any, Any]
Body = dict[str, Any]

TOOLS: dict[str, tuple[str, Callable[[RequestContext], Awaitable[Body]]]] = {
    "test_tool_with_logging": ("Sends three log messages, then answers.", streams.with_logging),
    "test_tool_with_progress": ("Reports progress three times, then answers.", streams.with_progress),
    "test_logging_tool": ("Sends a log message if the request asked for them.", streams.with_logging),
    "test_missing_capability": ("Needs a client that can sample.", rounds.missing_capability),
    "test_streaming_elicitation": ("Asks for a name.", rounds.ask_name),
    "test_input_required_result_elicitation": ("Asks for a name, then greets.", rounds.ask_name),
    "test_input_required_result_sampling": ("Asks the client's model a question.", rounds.ask_model),
    "test_input_required_result_list_roots": ("Asks for the client's roots.", rounds.ask_roots),
    "test_input_required_result_request_state": ("Asks for a yes and keeps a state.", rounds.keep_state),
    "test_input_required_result_multiple_inputs": ("Asks for three things at once.", rounds.ask_three),
    "test_input_required_result_multi_round": ("Asks twice, one after the other.", rounds.ask_twice),
    "test_input_required_result_tampered_state": ("Refuses a state it did not make.", rounds.keep_state),
    "test_input_required_result_capabilities": ("Asks only for what the client can do.", rounds.ask_what_is_possible),
}


def _complete(body: Body) -> Body:
    return {"resultType": "complete", **body}


def _page(name: str, items: list[Body]) -> Callable[[RequestContext, Any], Awaitable[Body]]:
    async def show(_: RequestContext, __: Any) -> Body:
        return _complete({name: items})

    return show


async def _nothing(_: RequestContext, __: Any) -> Body:
    # Subscriptions and log levels would have to outlive the request, and nothing does here.
    return {}


async def _suggest(_: RequestContext, params: CompleteRequestParams) -> Body:
    values = [word for word in ("paris", "park", "party") if word.startswith(params.argument.value)]
    return _complete({"completion": {"values": values, "total": len(values), "hasMore": False}})


async def _get_prompt(context: RequestContext, params: GetPromptRequestParams) -> Body:
    return _complete(prompts.get(params.name, params.arguments or {}, rounds.responses(context)))


async def _read_resource(_: RequestContext, params: ReadResourceRequestParams) -> Body:
    return _complete({"contents": [resources.read(params.uri)]})


def _extend_tools(server: Server[Any]) -> None:
    """List and call the tools of this module beside those of the contract."""
    plain_list = server.get_request_handler("tools/list")
    plain_call = server.get_request_handler("tools/call")
    assert plain_list is not None
    assert plain_call is not None
    anything = {"type": "object", "properties": {}}
    added = [{"name": name, "description": words, "inputSchema": anything} for name, (words, _) in TOOLS.items()]

    async def show(context: RequestContext, params: PaginatedRequestParams) -> Body:
        listed: Any = await plain_list.handler(context, params)
        return {**listed, "tools": [*listed["tools"], *added]}

    async def call(context: RequestContext, params: CallToolRequestParams) -> Body:
        if params.name in TOOLS:
            return _complete(await TOOLS[params.name][1](context))
        answer: Any = await plain_call.handler(context, params)
        return dict(answer)

    server.add_request_handler("tools/list", PaginatedRequestParams, show)
    server.add_request_handler("tools/call", CallToolRequestParams, call)


def extend(server: Server[Any]) -> None:
    """Give a server everything the conformance suite asks for beside plain tools."""
    _extend_tools(server)
    hint = CacheHint(ttl_ms=60_000, scope="private")
    for method, name, items in (
        ("prompts/list", "prompts", prompts.PROMPTS),
        ("resources/list", "resources", resources.RESOURCES),
        ("resources/templates/list", "resourceTemplates", resources.TEMPLATES),
    ):
        server.add_request_handler(method, PaginatedRequestParams, _page(name, items))
        server.cache_hints[method] = hint
    server.cache_hints["resources/read"] = hint
    server.add_request_handler("prompts/get", GetPromptRequestParams, _get_prompt)
    server.add_request_handler("resources/read", ReadResourceRequestParams, _read_resource)
    server.add_request_handler("resources/subscribe", SubscribeRequestParams, _nothing)
    server.add_request_handler("resources/unsubscribe", UnsubscribeRequestParams, _nothing)
    server.add_request_handler("logging/setLevel", SetLevelRequestParams, _nothing)
    server.add_request_handler("completion/complete", CompleteRequestParams, _suggest)
    # What a client sends back as state is not to be believed: it is sealed on the way out and opened on the way in.
    server.middleware.append(RequestStateBoundary(RequestStateSecurity.ephemeral(), default_audience=server.name))
