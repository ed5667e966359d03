"""Services whose address ends in what a caller gives: kinds of routes and of questions about traffic."""

from __future__ import annotations

from . import errors

_HOST = "https://api.map.baidu.com"


def read_kind(path: str, kind: str) -> str:
    """Return the kind that the service is asked for: what stands behind ``?`` or ``#`` is no part of the path.

    Raises:
        InvalidAddress: a control character, which the server's client puts into no address.
    """
    address = f"{_HOST}{path}{kind}"
    for position, character in enumerate(address):
        if character.isascii() and not character.isprintable():
            raise errors.InvalidAddress(character=character, position=position)
    return kind.partition("#")[0].partition("?")[0]
