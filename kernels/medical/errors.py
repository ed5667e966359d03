"""Refusals: none of the newest server, which takes a failing source for one that found nothing; one of an older."""

from farm.appkit import VendorError


class NotFound(VendorError):
    """Not Found"""

    code = 404
