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


class PeriodIsNotEnabled(ApiError):
    """Specified period is not enabled."""

    code = 40060


class InvalidFilterQuery(ApiError):
    """The query you provided could not be processed."""

    code = 40070


class PatchFailed(ApiError):
    """The patch you provided could not be applied to the target content."""

    code = 40080


class ApiKeyAuthorizationRequired(ApiError):
    """Authorization required.  Find your API Key in the 'Local REST API' section of your Obsidian settings."""

    code = 40101


class NotFound(ApiError):
    """Not Found"""

    code = 40400


class PeriodicNoteDoesNotExist(ApiError):
    """Periodic note does not exist for the specified period."""

    code = 40461


class RequestMethodValidOnlyForFiles(ApiError):
    """Request method is valid only for file paths, not directories."""

    code = 40510


class InternalServerError(ApiError):
    """Internal Server Error"""

    code = 50000


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


class ServerError(VendorError):
    """The MCP server itself refuses, in words of its own or of Python's."""

    code = "server"
