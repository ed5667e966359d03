"""The server keeps no state: it has no tables."""

from farm.appkit.schema import MetaData

METADATA = MetaData()
