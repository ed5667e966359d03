"""What Tushare stores of a world: the token of whoever plays, and the server on their machine, which has it."""

from __future__ import annotations

from collections.abc import Iterator

from farm.appkit import Row
from farm.appkit.world_spec import AppSpec

from .files import SERVER


def rows(spec: AppSpec) -> Iterator[Row]:
    """Yield the token and the server."""
    facts = spec.read(SERVER)
    token = spec.id("{hex:56}", "token")
    yield {"table": "tokens", "token": token, "holder": facts["holder"]}
    yield {"table": "servers", "env_file": facts["env_file"], "token": token, "token_read": token}


def identities(made: list[Row]) -> dict[str, dict[str, str]]:
    """Nobody has an account here."""
    return {}
