"""What the server refuses with."""

from farm.appkit import VendorError


class DatabaseFailed(VendorError):
    """Database error: {reason}"""

    code = "database_error"


class OnlySelect(VendorError):
    """Error: Only SELECT queries are allowed for read_query"""

    code = "only_select"


class NoSelect(VendorError):
    """Error: SELECT queries are not allowed for write_query"""

    code = "no_select"


class OnlyCreateTable(VendorError):
    """Error: Only CREATE TABLE statements are allowed"""

    code = "only_create_table"
