"""What the server refuses with: nothing."""

from farm.appkit import VendorError


class Refused(VendorError):
    """{message}"""

    code = "refused"
