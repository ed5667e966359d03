"""Every tool of the server, in its order, with the tables a call may change."""

from farm.appkit import Beside, Tool

from . import recorded

TOOLS = (
    Tool("create_entities", recorded.create_entities, structured=Beside("entities")),
    Tool("create_relations", recorded.create_relations, structured=Beside("relations")),
    Tool("add_observations", recorded.add_observations, structured=Beside("results")),
    Tool("delete_entities", recorded.delete_entities, structured=Beside("message", {'success': True})),
    Tool("delete_observations", recorded.delete_observations, structured=Beside("message", {'success': True})),
    Tool("delete_relations", recorded.delete_relations, structured=Beside("message", {'success': True})),
    Tool("read_graph", recorded.read_graph),
    Tool("search_nodes", recorded.search_nodes),
    Tool("open_nodes", recorded.open_nodes),
)
