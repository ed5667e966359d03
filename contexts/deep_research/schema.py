"""Deep research keeps nothing; what it finds is a reference."""

from farm.context.schema import MetaData

METADATA = MetaData()
