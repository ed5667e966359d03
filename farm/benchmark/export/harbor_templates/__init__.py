"""The files of an exported task that are the same for every task, or have ``%names`` to be filled in."""
