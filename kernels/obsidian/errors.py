"""Refusals: what the REST API plugin answers with an errorCode, and what the MCP server says by itself.

The plugin's classes are named by what its code means; the docstring is its message, to which a detail may be added.
"""

from __future__ import annotations

from farm.appkit import VendorError


class ApiError(VendorError):
    """The plugin refuses: ``Error 40400: Not Found``, and below it the detail where there is one."""

    def __init__(self, detail: str = "") -> None:
        said = f"Error {self.code}: {type(self).__doc__}"
        super().__init__(f"{said}\n{detail}" if detail else said)


PeriodIsNotEnabled = ApiError.define(40060, "Specified period is not enabled.")
InvalidFilterQuery = ApiError.define(40070, "The query you provided could not be processed.")
PatchFailed = ApiError.define(40080, "The patch you provided could not be applied to the target content.")
ApiKeyAuthorizationRequired = ApiError.define(
    40101, "Authorization required.  Find your API Key in the 'Local REST API' section of your Obsidian settings."
)
NotFound = ApiError.define(40400, "Not Found")
PeriodicNoteDoesNotExist = ApiError.define(40461, "Periodic note does not exist for the specified period.")
RequestMethodValidOnlyForFiles = ApiError.define(40510, "Request method is valid only for file paths, not directories.")
InternalServerError = ApiError.define(50000, "Internal Server Error")


class RequestFailed(VendorError):
    """No answer came: the client's own words follow."""

    def __init__(self, said: str) -> None:
        super().__init__(f"Request failed: {said}")


class ReadTimedOut(RequestFailed):
    """The vault's code threw, and the plugin never answers such a request. Nothing has changed."""

    code = "read_timed_out"

    def __init__(self) -> None:
        super().__init__("HTTPSConnectionPool(host='127.0.0.1', port=27124): Read timed out. (read timeout=6)")


class ConnectionRefused(RequestFailed):
    """Obsidian is not running, so nothing listens on the plugin's port."""

    code = "connection_refused"

    def __init__(self, target: str) -> None:
        super().__init__(
            f"HTTPSConnectionPool(host='127.0.0.1', port=27124): Max retries exceeded with url: {target} (Caused by "
            "NewConnectionError(\"HTTPSConnection(host='127.0.0.1', port=27124): Failed to establish a new connection: "
            '[Errno 111] Connection refused"))'
        )


ServerError = VendorError.define("server", "The MCP server itself refuses, in words of its own or of Python's.")
