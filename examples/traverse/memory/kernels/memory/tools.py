"""Every tool of the server, in its order, with the tables a call may change."""

from farm.appkit import Beside, Tool

from . import graph

TOOLS = (
    Tool("create_entities", graph.create_entities, writes=("entities",), structured=Beside("entities")),
    Tool("create_relations", graph.create_relations, writes=("relations",), structured=Beside("relations")),
    Tool("add_observations", graph.add_observations, writes=("entities",), structured=Beside("results")),
    Tool(
        "delete_entities",
        graph.delete_entities,
        writes=("entities", "relations"),
        structured=Beside("message", {'success': True}),
    ),
    Tool(
        "delete_observations",
        graph.delete_observations,
        writes=("entities",),
        structured=Beside("message", {'success': True}),
    ),
    Tool(
        "delete_relations",
        graph.delete_relations,
        writes=("relations",),
        structured=Beside("message", {'success': True}),
    ),
    Tool("read_graph", graph.read_graph),
    Tool("search_nodes", graph.search_nodes),
    Tool("open_nodes", graph.open_nodes),
)
