"""What the server itself refuses."""

from farm.appkit import VendorError


class KeyMissing(VendorError):
    """Please configure the `TAVILY_API_KEY` environment variable, get it from https://tavily.com/"""

    code = "key_missing"
