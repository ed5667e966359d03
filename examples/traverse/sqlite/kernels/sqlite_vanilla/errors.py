"""What the server refuses with: nothing, as it answers failures as texts."""

from farm.appkit import VendorError


class Refused(VendorError):
    """{message}"""

    code = "refused"
