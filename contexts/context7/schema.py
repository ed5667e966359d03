"""Context7 keeps nothing of anybody's: what it knows is the reference of libraries."""

from farm.appkit.schema import MetaData

METADATA = MetaData()
