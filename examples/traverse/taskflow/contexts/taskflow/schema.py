"""The server stores nothing: its answers depend on the call alone."""

from farm.appkit.schema import MetaData

METADATA = MetaData()
