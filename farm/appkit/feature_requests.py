"""Requests of prompts and resources, in the form of tool calls: the pipeline runs, limits and logs them alike.

``prompts/get``, ``resources/read`` and, if the list depends on the episode, ``resources/list`` are each bound to a row
like a tool's, with a check of the request's parameters and a renderer of its result.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import orjson

from farm._util.json_io import dumps_lossy
from farm.appkit.app import App, Prompt, Resource, ResourceTemplate, Tool
from farm.appkit.dialects import Check, RequestWording
from farm.appkit.envelope import protocol_error
from farm.appkit.handler_api import Episode, ProtocolError, Result, VendorError
from farm.appkit.server_features import Entries, ServerFeatures
from farm.errors import FarmError

Bound = tuple[Tool, Check, "ResultRenderer"]
_PLACES = re.compile(r"\\\{(\w+)\\\}")


class ResultRenderer:
    """Renders results of requests, and refusals as JSON-RPC errors."""

    def __init__(self, wording: RequestWording) -> None:
        self._code = wording.handler_error_code

    def success(self, result: Result) -> bytes:
        """Return a result as bytes."""
        try:
            return orjson.dumps(result)
        except orjson.JSONEncodeError:
            return dumps_lossy(result)

    def refusal(self, name: str, error: VendorError) -> tuple[bytes, bool]:
        """Return the bytes of a JSON-RPC error object; an SDK makes one of whatever a handler raises."""
        if isinstance(error, ProtocolError):
            return protocol_error(error.code, error.message, error.data), True
        return protocol_error(self._code, error.message), True


def bind_requests(app: App, features: ServerFeatures) -> dict[str, Bound]:
    """Return method → tool row, check and renderer.

    Raises:
        FarmError: the app's rows and the descriptions in its file differ.
    """
    bound: dict[str, Bound] = {}
    wording = app.dialect.requests
    renderer = ResultRenderer(wording)
    if features.prompts is not None:
        prompts = _rows(app.name, "prompts", app.prompts, features.prompts, "name")
        bound["prompts/get"] = Tool("prompts/get", _get_prompt), _prompt_check(wording, prompts), renderer
    if features.resources is not None and features.templates is not None:
        resources = _rows(app.name, "resources", app.resources, features.resources, "uri")
        templates = _rows(app.name, "resourceTemplates", app.templates, features.templates, "uriTemplate")
        check = _resource_check(wording, resources, templates)
        bound["resources/read"] = Tool("resources/read", _read_resource), check, renderer
        listing = [(each.lists, entry) for each, entry in templates.values() if each.lists is not None]
        if listing:
            handler = _resource_lister(features.resources, listing)
            bound["resources/list"] = Tool("resources/list", handler), _list_check(wording), renderer
    return bound


def _rows(
    app: str, kind: str, rows: Sequence[Any], entries: Entries, key: str
) -> dict[str, tuple[Any, dict[str, Any]]]:
    """Return name or address → its row and its description."""
    named: dict[str, Any] = {}
    for row in rows:
        named.setdefault(_key(row), row)
    listed = [str(entry[key]) for entry in entries]
    missing = [name for name in listed if name not in named]
    if missing:
        raise FarmError(f"app '{app}': '{kind}' of its tool list and the rows of its App differ in {missing}")
    return {name: (named[name], entry) for name, entry in zip(listed, entries, strict=True)}


def _key(row: Prompt | Resource | ResourceTemplate) -> str:
    match row:
        case Prompt():
            return row.name
        case Resource():
            return row.uri
        case _:
            return row.uri_template


def _prompt_check(wording: RequestWording, prompts: Mapping[str, tuple[Prompt, dict[str, Any]]]) -> Check:
    def check(params: Any) -> dict[str, Any]:
        if (refused := wording.malformed("prompts/get", params)) is not None:
            raise refused
        name, given = params["name"], params.get("arguments")
        if name not in prompts:
            raise wording.unknown_prompt(name)
        prompt, entry = prompts[name]
        declared = entry.get("arguments", ())
        arguments = {each["name"]: given[each["name"]] for each in declared if given and each["name"] in given}
        missing = [each["name"] for each in declared if each.get("required") and each["name"] not in arguments]
        if missing:
            raise wording.missing_arguments(name, given, missing)
        others = {key: value for key, value in (given or {}).items() if key not in arguments}
        if others and (refused := wording.unexpected_arguments(name, others)) is not None:
            raise refused
        described = wording.describes_prompts and "description" in entry
        return {
            "prompt": prompt,
            "arguments": arguments,
            "described": {"description": entry["description"]} if described else {},
        }

    return check


def _get_prompt(ep: Episode, *, prompt: Prompt, arguments: Mapping[str, str], described: Mapping[str, str]) -> Result:
    told = prompt.handler(ep, **arguments)
    if not isinstance(told, str):
        return told
    return {**described, "messages": [{"role": "user", "content": {"type": "text", "text": told}}]}


def _resource_check(
    wording: RequestWording,
    resources: Mapping[str, tuple[Resource, dict[str, Any]]],
    templates: Mapping[str, tuple[ResourceTemplate, dict[str, Any]]],
) -> Check:
    forms = [(_form(each.uri_template), each, entry) for each, entry in templates.values()]

    def check(params: Any) -> dict[str, Any]:
        if (refused := wording.malformed("resources/read", params)) is not None:
            raise refused
        uri = wording.address(params["uri"])
        if uri in resources:
            resource, entry = resources[uri]
            return {"uri": uri, "entry": entry, "row": resource, "parts": {}}
        for form, template, entry in forms:
            if found := form.fullmatch(uri):
                return {"uri": uri, "entry": entry, "row": template, "parts": found.groupdict()}
        raise wording.unknown_resource(params["uri"], uri)

    return check


def _form(uri_template: str) -> re.Pattern[str]:
    return re.compile(_PLACES.sub(r"(?P<\1>[^/,]+)", re.escape(uri_template)))


def _read_resource(
    ep: Episode, *, uri: str, entry: Mapping[str, Any], row: Resource | ResourceTemplate, parts: Mapping[str, str]
) -> Result:
    told = row.handler(ep, **parts)
    if not isinstance(told, str):
        return {"contents": list(told)}
    kind = {"mimeType": entry["mimeType"]} if "mimeType" in entry else {}
    return {"contents": [{"uri": uri, **kind, "text": told}]}


def _list_check(wording: RequestWording) -> Check:
    def check(params: Any) -> dict[str, Any]:
        if (refused := wording.malformed("resources/list", params)) is not None:
            raise refused
        return {}

    return check


def _resource_lister(
    fixed: Entries, listing: Iterable[tuple[Callable[[Episode], Sequence[Mapping[str, Any]]], Mapping[str, Any]]]
) -> Callable[[Episode], Result]:
    def list_resources(ep: Episode) -> Result:
        """Return all resources: the list has no pages."""
        common = ("title", "description", "mimeType")
        found = [
            {**{key: entry[key] for key in common if key in entry}, **each}
            for lists, entry in listing
            for each in lists(ep)
        ]
        return {"resources": [*fixed, *found]}

    return list_resources
