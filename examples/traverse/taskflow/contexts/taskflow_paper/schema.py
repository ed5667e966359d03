"""The server stores nothing: it has no tables."""

from farm.appkit.schema import MetaData

METADATA = MetaData()
