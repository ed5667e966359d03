"""What is not recorded is refused."""

from farm.appkit import ProtocolError, VendorError


class NotRecorded(VendorError):
    """This call was not recorded."""

    code = "not_recorded"


class RecordedRefusal(VendorError):
    """The recorded refusal."""

    code = "recorded"


class RecordedError(ProtocolError):
    """The recorded JSON-RPC error."""
