"""``xsec_token``: what the site gives out with a note or a user and wants back when one is opened.

A token is made from the seed, the viewer and the note, so a listing, the detail and a notification issue the same one,
another viewer's does not open the note, and none can be guessed. Nothing is stored.
"""

from __future__ import annotations

from base64 import urlsafe_b64encode
from functools import lru_cache
from hashlib import blake2b

from farm.kernel import Episode


def note_token(ep: Episode, viewer: str, note_id: str) -> str:
    """Return the token that opens a note for a viewer: ``AB``, 43 characters, ``=``."""
    return _token(f"{ep.seed}:note:{viewer}:{note_id}")


def user_token(ep: Episode, viewer: str, user_id: str) -> str:
    """Return the token that opens a profile for a viewer; only notifications give it out."""
    return _token(f"{ep.seed}:user:{viewer}:{user_id}")


# A list gives out dozens of them, the same ones each time.
@lru_cache(maxsize=4096)
def _token(source: str) -> str:
    return "AB" + urlsafe_b64encode(blake2b(source.encode(), digest_size=32).digest()).decode()
