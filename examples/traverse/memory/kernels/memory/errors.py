"""What the server refuses with."""

from farm.appkit import VendorError


class EntityNotFound(VendorError):
    """Entity with name {name} not found"""

    code = "entity_not_found"
