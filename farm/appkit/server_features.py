"""What a real server declares at initialization and offers besides tools, as the file of its tool list tells it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from farm.errors import FarmError

# The revisions with a handshake, oldest first.
HANDSHAKE_REVISIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
_DEFAULT_CAPABILITIES: Mapping[str, Any] = {"tools": {"listChanged": False}}
# The key of each list in the file, the field by which its entries are known.
_LISTS = {"prompts": "name", "resources": "uri", "resourceTemplates": "uriTemplate"}

Entries = tuple[dict[str, Any], ...]


@dataclass(frozen=True)
class ServerFeatures:
    """The features of a server besides its tools.

    Attributes:
        protocol: the newest revision that it speaks.
        other_protocol: the revision that it offers a client that asks for an unknown one.
        capabilities: its capabilities, as it declares them at initialization.
        prompts: its prompts, as it lists them; None if it does not have their methods.
        resources: its resources with a fixed address; None if it does not have their methods.
        templates: its resource templates; None if it does not have their methods.
        methods: further methods that it answers with an empty result.
    """

    protocol: str = HANDSHAKE_REVISIONS[-1]
    other_protocol: str = HANDSHAKE_REVISIONS[-1]
    capabilities: Mapping[str, Any] = field(default_factory=lambda: _DEFAULT_CAPABILITIES)
    prompts: Entries | None = None
    resources: Entries | None = None
    templates: Entries | None = None
    methods: tuple[str, ...] = ()

    def agreed_protocol(self, asked: str) -> str:
        """Return the revision that the server answers to a client that asks for one in the handshake."""
        known = HANDSHAKE_REVISIONS[: HANDSHAKE_REVISIONS.index(self.protocol) + 1]
        return asked if asked in known else self.other_protocol

    def with_handshake(self, told: Mapping[str, Any]) -> ServerFeatures:
        """Return the features with another handshake: ``protocol`` and ``capabilities`` as in a tools.json."""
        protocol = told.get("protocol", self.protocol)
        capabilities = told.get("capabilities", self.capabilities)
        return replace(self, protocol=protocol, other_protocol=protocol, capabilities=capabilities)

    @property
    def served_methods(self) -> frozenset[str]:
        """The methods that the server has besides those of every server with tools."""
        found = set(self.methods)
        if self.prompts is not None:
            found |= {"prompts/list", "prompts/get"}
        if self.resources is not None:
            found |= {"resources/list", "resources/templates/list", "resources/read"}
        return frozenset(found)


def read_server_features(wire: Mapping[str, Any], where: str) -> ServerFeatures:
    """Return the features that the content of a tools.json tells.

    Args:
        wire: the content.
        where: the file, for messages.

    Raises:
        FarmError: the content is not valid.
    """
    protocol = wire.get("protocol") or HANDSHAKE_REVISIONS[-1]
    other = wire.get("other_protocol") or min(protocol, HANDSHAKE_REVISIONS[-1])
    # A server without a handshake is offered to older clients, too.
    protocol = min(protocol, HANDSHAKE_REVISIONS[-1])
    if protocol not in HANDSHAKE_REVISIONS or other not in HANDSHAKE_REVISIONS:
        raise FarmError(f"{where}: 'protocol' is a revision of MCP: {', '.join(HANDSHAKE_REVISIONS)}")
    lists = {key: _entries(wire, key, name, where) for key, name in _LISTS.items()}
    resources, templates = lists["resources"], lists["resourceTemplates"]
    if resources is not None or templates is not None:
        resources, templates = resources or (), templates or ()
    has = {"prompts": lists["prompts"] is not None, "resources": resources is not None}
    offered = {kind: {"listChanged": False} for kind, is_served in has.items() if is_served}
    capabilities = wire.get("capabilities", {**_DEFAULT_CAPABILITIES, **offered})
    if not isinstance(capabilities, dict):
        raise FarmError(f"{where}: 'capabilities' must be an object")
    methods = tuple(wire.get("methods", ()))
    return ServerFeatures(protocol, other, capabilities, lists["prompts"], resources, templates, methods)


def _entries(wire: Mapping[str, Any], key: str, name: str, where: str) -> Entries | None:
    entries = wire.get(key)
    if entries is None:
        return None
    if not isinstance(entries, Sequence) or not all(
        isinstance(e, dict) and isinstance(e.get(name), str) for e in entries
    ):
        raise FarmError(f"{where}: each of '{key}' needs a '{name}'")
    return tuple(entries)
