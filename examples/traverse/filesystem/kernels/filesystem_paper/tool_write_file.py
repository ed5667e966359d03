"""Writing a file."""

from farm.appkit import Episode, Result, VendorError

from . import context


class WriteFileRefused(VendorError):
    """{message}"""

    code = "write_file_refused"


def write_file(ep: Episode, *, path: str, content: str) -> Result:
    """Make a file or replace its text.

    Raises:
        WriteFileRefused: the path is refused or is a directory.
    """
    valid, refusal = context.checked(ep, path)
    if refusal:
        raise WriteFileRefused(message=refusal)
    refusal = context.store_file(ep, valid, content)
    if refusal:
        raise WriteFileRefused(message=refusal)
    return f"Successfully wrote to {path}"
