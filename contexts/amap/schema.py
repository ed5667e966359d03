"""Amap's context tree: what its tools look up is in the gazetteer, the same for all, unless an episode tells it."""

from farm.appkit.schema import MetaData, column, hidden, table

METADATA = MetaData()

# What the REST API behind the server answers in this episode, whatever the gazetteer has; no world tells any.
answers = table(
    "answers",
    METADATA,
    column("path", generation="authentic", primary_key=True),  # /v3/direction/walking
    # {"origin": "116.48,39.99"}: requests with these parameters, others may stand beside them; {}: every one.
    column("query", generation="authentic", json=True, primary_key=True),
    column("body", role="internal", generation="authentic", json=True, nullable=False),
    few=True,
    view=hidden("answers of the map service by query; the calls show those that were asked"),
)
