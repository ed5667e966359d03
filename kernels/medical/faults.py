"""What the medical sources and their MCP server answer when a call fails for a reason outside of it."""

from __future__ import annotations

from farm.appkit.faults import KINDS, Faults, NoFaultAnswer

_VANISHES = NoFaultAnswer("the server takes a source that fails for one that found nothing")

FAULTS: Faults = dict.fromkeys(KINDS, _VANISHES)
