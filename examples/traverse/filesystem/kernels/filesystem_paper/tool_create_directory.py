"""Making a directory."""

from farm.appkit import Episode, Result, VendorError

from . import context


class CreateDirectoryRefused(VendorError):
    """{message}"""

    code = "create_directory_refused"


def create_directory(ep: Episode, *, path: str) -> Result:
    """Make a directory, if there is none.

    Raises:
        CreateDirectoryRefused: the path is refused, or a file stands there.
    """
    valid, refusal = context.checked(ep, path)
    if refusal:
        raise CreateDirectoryRefused(message=refusal)
    refusal = context.store_directory(ep, valid)
    if refusal:
        raise CreateDirectoryRefused(message=refusal)
    return f"Successfully created directory {path}"
