"""What the server refuses with."""

from farm.appkit import VendorError


class Refused(VendorError):
    """{message}"""

    code = "refused"
