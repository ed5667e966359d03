"""``xsec_token``: what the site gives out with a note or a user and wants back when one is opened.

A token is made from the seed, the viewer and the note, so a listing, the detail and a notification issue the same one,
another viewer's does not open the note, and none can be guessed. Nothing is stored.
"""

from __future__ import annotations

from base64 import urlsafe_b64encode
from hashlib import blake2b


def note_token(seed: int, viewer: str, note_id: str) -> str:
    """Return the token that opens a note for a viewer: ``AB``, 43 characters, ``=``."""
    return _token(f"{seed}:note:{viewer}:{note_id}")


def user_token(seed: int, viewer: str, user_id: str) -> str:
    """Return the token that opens a profile for a viewer; only notifications give it out."""
    return _token(f"{seed}:user:{viewer}:{user_id}")


def _token(source: str) -> str:
    return "AB" + urlsafe_b64encode(blake2b(source.encode(), digest_size=32).digest()).decode()
