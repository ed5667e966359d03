"""Reading a file as text."""

from farm.appkit import Episode, Result, VendorError

from . import context


class ReadTextFileRefused(VendorError):
    """{message}"""

    code = "read_text_file_refused"


def read_text_file(ep: Episode, *, path: str, tail: float | None = None, head: float | None = None) -> Result:
    """Return the text of a file, its first or its last lines.

    Raises:
        ReadTextFileRefused: the path is refused or cannot be read.
    """
    valid, refusal = context.checked(ep, path)
    if refusal:
        raise ReadTextFileRefused(message=refusal)
    text, refusal = context.read_part(ep, valid, tail, head)
    if refusal:
        raise ReadTextFileRefused(message=refusal)
    return text
