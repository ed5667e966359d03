"""Dialects: how each family of real MCP servers checks arguments and words what is wrong with them.

An app names its dialect; the farm compiles one check per tool from the tool's inputSchema. A new family is one module
here and one entry in the table below.
"""

from __future__ import annotations

from farm.dialects._base import ArgumentsRefused, Check, Dialect
from farm.dialects.go_sdk import GoSdk
from farm.dialects.plain import Plain
from farm.dialects.zod3 import Zod3
from farm.dialects.zod4 import Zod4
from farm.errors import NotFound

__all__ = ["DIALECTS", "ArgumentsRefused", "Check", "Dialect", "get_dialect"]

_ALL: tuple[Dialect, ...] = (GoSdk(), Plain(), Zod3(), Zod4())
DIALECTS: dict[str, Dialect] = {dialect.name: dialect for dialect in _ALL}


def get_dialect(name: str) -> Dialect:
    """Look a dialect up by the name an app gives.

    Raises:
        NotFound: no such dialect.
    """
    try:
        return DIALECTS[name]
    except KeyError:
        raise NotFound(f"no dialect {name!r}; have {', '.join(sorted(DIALECTS))}") from None
