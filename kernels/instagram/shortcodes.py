"""The short name in a post's address: the post's number at Instagram, which begins with its time, in base 64."""

from farm.appkit import in_base

BASE64_URL = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
# Milliseconds count from here, above 23 bits that tell apart posts of one: so recorded shortcodes and times have it.
_EPOCH_MS = 1_314_220_021_721
_BITS = 23


def shortcode(created_ms: int, number: int) -> str:
    """Return the shortcode of a post: of two, the later one's sorts later.

    Args:
        created_ms: when it was published.
        number: any number of 0 or more that tells it apart from others of that time.
    """
    return in_base((created_ms - _EPOCH_MS << _BITS) | number & (1 << _BITS) - 1, BASE64_URL, 11)
