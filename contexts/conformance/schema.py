"""The fixture keeps nothing between calls, so its context has no tables."""

from farm.appkit.schema import MetaData

METADATA = MetaData()
