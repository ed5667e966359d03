"""The app keeps nothing between calls."""

from farm.appkit.schema import MetaData

METADATA = MetaData()
