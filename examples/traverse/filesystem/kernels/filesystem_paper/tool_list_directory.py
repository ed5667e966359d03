"""Listing a directory."""

from farm.appkit import Episode, Result, VendorError

from . import context


class ListDirectoryRefused(VendorError):
    """{message}"""

    code = "list_directory_refused"


def list_directory(ep: Episode, *, path: str) -> Result:
    """List the entries of a directory.

    Raises:
        ListDirectoryRefused: the path is refused or is no directory.
    """
    valid, refusal = context.checked(ep, path)
    if refusal:
        raise ListDirectoryRefused(message=refusal)
    nodes, refusal = context.scanned(ep, valid)
    if refusal:
        raise ListDirectoryRefused(message=refusal)
    return "\n".join(f"{'[DIR]' if context.is_directory(node) else '[FILE]'} {node['name']}" for node in nodes)
