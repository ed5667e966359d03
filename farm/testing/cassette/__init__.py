"""Cassettes: what an MCP server or a model answered in a real session, recorded once and replayed in tests.

``tape`` holds the interactions and finds the answer to a request, ``requests`` says what is compared, ``upstream`` asks
the real server, and ``proxy`` stands in its place over HTTP.
"""

from farm.testing.cassette.proxy import CassetteProxy
from farm.testing.cassette.tape import MODES, Tape

__all__ = ["MODES", "CassetteProxy", "Tape"]
