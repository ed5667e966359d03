"""The farm's own failures. What a simulated service says is a ``VendorError`` and lives in ``farm.kernel``."""


class FarmError(Exception):
    """Our fault or the operator's; the message is one line that names the thing and the way out."""


class NotFound(FarmError):
    """Something was named that does not exist; the message lists what does."""


class Conflict(FarmError):
    """The request is understood but does not fit the present state of things."""
