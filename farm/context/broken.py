"""What is said of a file of the farm that is not as it was left."""

from __future__ import annotations

from farm.errors import Failed

# What works whatever is broken; which snapshot can be restored is for the gateway to find out.
WAY_OUT = "put it back from a copy, or reset the episode"


class Broken(Failed):
    """A file is missing or not what was written; the message names it, so it is for operators only."""

    code = "broken"
