"""Monitor keeps nothing of its own: what it shows are the machines of ``contexts/references/cluster``."""

from farm.appkit.schema import MetaData

METADATA = MetaData()
