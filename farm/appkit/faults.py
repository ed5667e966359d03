"""What a vendor answers when a call fails for a reason outside of it: ``FAULTS`` in ``kernels/<app>/faults.py``.

Each of the five kinds is worded, or says why it cannot be.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from farm.appkit.handler_api import Episode, VendorError

KINDS = ("rate_limited", "token_expired", "no_permission", "server_error", "timeout")
Known = Literal["recorded", "documented", "inferred"]
"""How a wording is known: from the wire or the server's source, from the vendor's public pages, or by inference."""


@dataclass(frozen=True, slots=True)
class FaultAnswer:
    """The wording of one kind.

    Attributes:
        make: returns the refusal, given the episode, the tool's name, and the seconds until a retry may succeed.
        known: how the wording is known.
        source: where it is from.
    """

    make: Callable[[Episode, str, int], VendorError]
    known: Known
    source: str


@dataclass(frozen=True, slots=True)
class NoFaultAnswer:
    """A kind without a wording; ``reason`` is the message to somebody who plans it."""

    reason: str


Faults = Mapping[str, FaultAnswer | NoFaultAnswer]
