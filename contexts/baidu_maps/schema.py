"""Baidu Maps' context tree: nothing. What its tools look up is in the gazetteer, the same for everyone."""

from farm.appkit.schema import MetaData

METADATA = MetaData()
