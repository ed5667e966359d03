"""What the server refuses with."""

from farm.appkit import VendorError


class LabelTooLong(VendorError):
    """A label has at most 24 characters, this one has {length}"""

    code = "label_too_long"


class CannotTie(VendorError):
    """Cannot tie: no node is called {labels}"""

    code = "cannot_tie"


class NoSuchNode(VendorError):
    """No node is called {label}"""

    code = "no_such_node"


class NoRoom(VendorError):
    """{label} has room for {room} more"""

    code = "no_room"


class StillTied(VendorError):
    """{label} still has {ties}"""

    code = "still_tied"
