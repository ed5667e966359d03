"""Tools that need something from the client first: they answer with what they ask for and are called again with it."""

from collections.abc import Mapping
from typing import Any

from mcp.server.context import ServerRequestContext
from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS, MISSING_REQUIRED_CLIENT_CAPABILITY

from .contents import text

RequestContext = ServerRequestContext[Any, Any]
Body = dict[str, Any]
_CAPABILITIES_KEY = "io.modelcontextprotocol/clientCapabilities"


def responses(context: RequestContext) -> Mapping[str, Any]:
    """Return what the client answered to what it was asked, by the keys it was asked with."""
    found: Mapping[str, Any] = (context.params or {}).get("inputResponses") or {}
    return found


def _state(context: RequestContext) -> str | None:
    found: str | None = (context.params or {}).get("requestState")
    return found


def ask(state: str | None = None, /, **requests: Body) -> Body:
    """Return the result that asks for these things."""
    body = {"resultType": "input_required", "inputRequests": requests}
    return body if state is None else {**body, "requestState": state}


def elicit(message: str, field: str, kind: str = "string") -> Body:
    """Return a request for one value from the user."""
    schema = {"type": "object", "properties": {field: {"type": kind}}, "required": [field]}
    return {"method": "elicitation/create", "params": {"mode": "form", "message": message, "requestedSchema": schema}}


def sample(words: str, tokens_max: int = 100) -> Body:
    """Return a request to the client's model."""
    message = {"role": "user", "content": text(words)}
    return {"method": "sampling/createMessage", "params": {"messages": [message], "maxTokens": tokens_max}}


def list_roots() -> Body:
    """Return a request for the client's roots."""
    return {"method": "roots/list", "params": {}}


def elicited(response: Any, field: str) -> Any:
    """Return the value a user gave, or None when there is none."""
    content = response.get("content") if isinstance(response, Mapping) else None
    return content.get(field) if isinstance(content, Mapping) else None


def _done(words: str) -> Body:
    return {"content": [text(words)]}


async def ask_name(context: RequestContext) -> Body:
    """Ask for a name until one was given, then greet."""
    name = elicited(responses(context).get("user_name"), "name")
    return ask(user_name=elicit("What is your name?", "name")) if name is None else _done(f"Hello, {name}!")


async def ask_model(context: RequestContext) -> Body:
    """Ask the client's model for a capital."""
    answer = responses(context).get("capital_question")
    if answer is None:
        return ask(capital_question=sample("What is the capital of France?"))
    return _done(str(answer["content"]["text"]))


async def ask_roots(context: RequestContext) -> Body:
    """Ask for the client's roots and name them."""
    answer = responses(context).get("client_roots")
    if answer is None:
        return ask(client_roots=list_roots())
    return _done("Roots: " + ", ".join(root["uri"] for root in answer["roots"]))


async def keep_state(context: RequestContext) -> Body:
    """Ask for a yes and want the state back that went out with the question."""
    if responses(context).get("confirm") is None:
        return ask("confirming", confirm=elicit("Please confirm", "ok", "boolean"))
    if _state(context) != "confirming":
        raise MCPError(code=INVALID_PARAMS, message="requestState is missing or of another request")
    return _done("state-ok")


async def ask_three(context: RequestContext) -> Body:
    """Ask for a name, a greeting and the roots at once."""
    wanted = {
        "user_name": elicit("What is your name?", "name"),
        "greeting": sample("Generate a greeting", 50),
        "client_roots": list_roots(),
    }
    if not wanted.keys() <= responses(context).keys():
        return ask("three", **wanted)
    return _done(f"Thank you, {elicited(responses(context)['user_name'], 'name')}.")


async def ask_twice(context: RequestContext) -> Body:
    """Ask for a name, then for a color; the state says how far it got."""
    given, state = responses(context), _state(context)
    if state is None:
        return ask("1", step1=elicit("Step 1: What is your name?", "name"))
    if state == "1":
        name = elicited(given.get("step1"), "name")
        return ask(f"2 {name}", step2=elicit("Step 2: What is your favorite color?", "color"))
    return _done(f"{state[2:]} likes {elicited(given.get('step2'), 'color')}.")


def _capabilities(context: RequestContext) -> Mapping[str, Any]:
    meta = (context.params or {}).get("_meta") or {}
    found: Mapping[str, Any] = meta.get(_CAPABILITIES_KEY) or {}
    return found


async def ask_what_is_possible(context: RequestContext) -> Body:
    """Ask for a name, a greeting and the roots, each only of a client that says it can."""
    possible = {
        "elicitation": ("user_name", elicit("What is your name?", "name")),
        "sampling": ("greeting", sample("Generate a greeting")),
        "roots": ("client_roots", list_roots()),
    }
    wanted = dict(request for capability, request in possible.items() if capability in _capabilities(context))
    if not wanted or wanted.keys() <= responses(context).keys():
        return _done("There is nothing to ask for.")
    return ask(**wanted)


async def missing_capability(context: RequestContext) -> Body:
    """Refuse clients that do not say they can sample."""
    if "sampling" in _capabilities(context):
        return _done("The client can sample.")
    raise MCPError(
        code=MISSING_REQUIRED_CLIENT_CAPABILITY,
        message="this tool needs a client that can sample",
        data={"requiredCapabilities": {"sampling": {}}},
    )
