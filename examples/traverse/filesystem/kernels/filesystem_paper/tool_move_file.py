"""Moving files and directories."""

from farm.appkit import Episode, Result, VendorError

from . import context


class MoveFileRefused(VendorError):
    """{message}"""

    code = "move_file_refused"


class DestinationExists(VendorError):
    """Destination already exists: {destination}"""

    code = "destination_exists"


def move_file(ep: Episode, *, source: str, destination: str) -> Result:
    """Rename a file or directory to a path where nothing stands.

    Raises:
        MoveFileRefused: a path is refused, or the system refuses the move.
        DestinationExists: something stands at the destination.
    """
    origin, refusal = context.checked(ep, source)
    if refusal:
        raise MoveFileRefused(message=refusal)
    target, refusal = context.checked(ep, destination)
    if refusal:
        raise MoveFileRefused(message=refusal)
    if context.node_at(ep, target) is not None:
        raise DestinationExists(destination=destination)
    refusal = context.move_node(ep, origin, target)
    if refusal:
        raise MoveFileRefused(message=refusal)
    return f"Successfully moved {source} to {destination}"
