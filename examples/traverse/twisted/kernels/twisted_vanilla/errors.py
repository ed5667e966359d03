"""What the server refuses with."""

from farm.appkit import VendorError


class NodeNotFound(VendorError):
    """Node with label {label} not found"""

    code = "node_not_found"
