"""Vendors' codes for failures that the call did not cause (``codes.toml``): whole words, in their own spelling."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from importlib.resources import files
from typing import cast

from farm.traverse.discriminate.verdict import Cause

# codes.toml: vendor or protocol → cause → codes, as their references list them. Here: prefixes of code families.
_PREFIXES: Mapping[Cause, str] = {
    "network": r"UND_ERR_(?!\w*TIMEOUT)\w+|ERR_SSL_\w+|ERR_TLS_\w+|NS_ERROR_(?:CONNECTION|NET|UNKNOWN_HOST|PROXY)\w*",
    "time": r"UND_ERR_\w*TIMEOUT|NS_ERROR_NET_TIMEOUT",
    "rate": r"FLOOD_(?:PREMIUM_)?WAIT_\w+",
    "login": r"AADSTS\d{5,}|CUSTOMER_KEY_\w+|INVALID_USER_KEY\w*",
}


def _compiled() -> dict[Cause, re.Pattern[str]]:
    found: dict[Cause, set[str]] = {}
    for causes in tomllib.loads(files(__package__).joinpath("codes.toml").read_text("utf-8")).values():
        for cause, codes in causes.items():
            found.setdefault(cast(Cause, cause), set()).update(codes)
    return {
        cause: re.compile(
            r"(?<![\w./-])(?:"
            + "|".join(
                [*map(re.escape, sorted(codes, key=lambda each: (-len(each), each))), _PREFIXES.get(cause) or "(?!)"]
            )
            + r")(?![\w/-])(?!\.\w)"
        )
        for cause, codes in found.items()
    }


# Cause → its codes.
CODE_WORDS = _compiled()
