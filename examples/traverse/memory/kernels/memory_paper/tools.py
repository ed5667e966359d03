"""Every tool of the server, in its order, with the tables a call may change."""

from farm.appkit import Beside, Tool

from . import tool_add_observations, tool_create_entities, tool_create_relations, tool_delete_entities, tool_delete_observations, tool_delete_relations, tool_open_nodes, tool_read_graph, tool_search_nodes

TOOLS = (
    Tool("create_entities", tool_create_entities.create_entities, writes=("entities",), structured=Beside("entities")),
    Tool(
        "create_relations",
        tool_create_relations.create_relations,
        writes=("relations",),
        structured=Beside("relations"),
    ),
    Tool(
        "add_observations",
        tool_add_observations.add_observations,
        writes=("entities",),
        structured=Beside("results"),
    ),
    Tool(
        "delete_entities",
        tool_delete_entities.delete_entities,
        writes=("entities", "relations"),
        structured=Beside("message", {'success': True}),
    ),
    Tool(
        "delete_observations",
        tool_delete_observations.delete_observations,
        writes=("entities",),
        structured=Beside("message", {'success': True}),
    ),
    Tool(
        "delete_relations",
        tool_delete_relations.delete_relations,
        writes=("relations",),
        structured=Beside("message", {'success': True}),
    ),
    Tool("read_graph", tool_read_graph.read_graph),
    Tool("search_nodes", tool_search_nodes.search_nodes),
    Tool("open_nodes", tool_open_nodes.open_nodes),
)
