"""What the server refuses with: the words of discord.py and of Python."""

from farm.appkit import VendorError

COMMITS_ON_ERROR = ("add_multiple_reactions",)


class HttpFailed(VendorError):
    """{status} (error code: {number}): {text}"""

    code = "http_failed"


class PythonFailed(VendorError):
    """{message}"""

    code = "python_failed"
