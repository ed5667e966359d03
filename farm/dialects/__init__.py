"""Dialects: how each family of real MCP servers checks arguments and words what is wrong with them.

An app names an instance, with what its real server's version does differently as parameters; the farm compiles one
check per tool from the tool's inputSchema.
"""

from farm.dialects._base import ArgumentsRefused, Check, Dialect
from farm.dialects.go_sdk import GoSdk
from farm.dialects.plain import Plain
from farm.dialects.zod3 import Zod3
from farm.dialects.zod4 import Zod4

__all__ = ["ArgumentsRefused", "Check", "Dialect", "GoSdk", "Plain", "Zod3", "Zod4"]
