"""The tables of a clock: it keeps nothing."""

from farm.appkit.schema import MetaData

METADATA = MetaData()
