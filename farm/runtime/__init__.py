"""The operation of a farm: the supervisor of its processes, its containers, and the maintenance of its data folder."""
