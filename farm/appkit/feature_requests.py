"""Requests of prompts and resources, in the form of tool calls: the pipeline runs, limits and logs them alike.

``prompts/get``, ``resources/read`` and, if the list depends on the episode, ``resources/list`` are each bound to a row
like a tool's, with a check of the request's parameters and a renderer of its result.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
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
    if features.resources is not None:
        addresses = ResourceAddresses(app, features)
        bound["resources/read"] = Tool("resources/read", _read_resource), _resource_check(wording, addresses), renderer
        if addresses.lists:
            handler = _resource_lister(features.resources, addresses.lists)
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


@dataclass(frozen=True)
class FoundResource:
    """A resource of an app.

    Attributes:
        uri: its address as the server sees it.
        row: the app's row that reads it.
        entry: the description of the row.
        parts: the parts of the address that a template names.
    """

    uri: str
    row: Resource | ResourceTemplate
    entry: Mapping[str, Any]
    parts: Mapping[str, str]


class ResourceAddresses:
    """The addresses of an app's resources.

    Attributes:
        schemes: their schemes.
        lists: the functions that list more of them in an episode, each with the description of its template.
    """

    def __init__(self, app: App, features: ServerFeatures) -> None:
        self._wording = app.dialect.requests
        self._fixed = _rows(app.name, "resources", app.resources, features.resources or (), "uri")
        templates = _rows(app.name, "resourceTemplates", app.templates, features.templates or (), "uriTemplate")
        self._forms = [(_form(each.uri_template), each, entry) for each, entry in templates.values()]
        addresses = (*self._fixed, *templates)
        self.schemes = {address.partition(":")[0].lower() for address in addresses}
        self.lists = [(each.lists, entry) for each, entry in templates.values() if each.lists is not None]

    def find(self, given: str) -> FoundResource:
        """Return the resource at an address.

        Raises:
            InvalidArgumentsError: the address is malformed, or there is no such resource.
        """
        uri = self._wording.address(given)
        if uri in self._fixed:
            return FoundResource(uri, *self._fixed[uri], {})
        for form, template, entry in self._forms:
            if found := form.fullmatch(uri):
                return FoundResource(uri, template, entry, found.groupdict())
        raise self._wording.unknown_resource(given, uri)


def _form(uri_template: str) -> re.Pattern[str]:
    return re.compile(_PLACES.sub(r"(?P<\1>[^/,]+)", re.escape(uri_template)))


def _resource_check(wording: RequestWording, addresses: ResourceAddresses) -> Check:
    def check(params: Any) -> dict[str, Any]:
        if (refused := wording.malformed("resources/read", params)) is not None:
            raise refused
        return {"found": addresses.find(params["uri"])}

    return check


def _read_resource(ep: Episode, *, found: FoundResource) -> Result:
    told = found.row.handler(ep, **found.parts)
    if not isinstance(told, str):
        return {"contents": list(told)}
    kind = {"mimeType": found.entry["mimeType"]} if "mimeType" in found.entry else {}
    return {"contents": [{"uri": found.uri, **kind, "text": told}]}


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
