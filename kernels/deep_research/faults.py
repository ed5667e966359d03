"""What Tavily and the MCP server answer when a call fails for a reason outside of it."""

from __future__ import annotations

from farm.appkit.faults import KINDS, Faults, NoFaultAnswer

_VANISHES = NoFaultAnswer("searches that fail vanish: the server answers as if they had found nothing")

FAULTS: Faults = dict.fromkeys(KINDS, _VANISHES)
