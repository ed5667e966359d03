"""The profile photo, as the server of December 2025 took it."""

from __future__ import annotations

from farm.appkit import Episode, Result

from .. import media
from ..errors import Failed
from ..peers import own_row


def set_profile_photo(ep: Episode, *, file_path: str) -> Result:
    """Give the account a photo of a file."""
    file = media.find_file(ep, file_path)
    if file is None or not file["is_readable"]:
        raise Failed
    media.require_picture(file)
    media.add_photo(ep, own_row(ep)["user_id"])
    return "Profile photo updated."
