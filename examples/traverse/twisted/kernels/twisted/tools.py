"""Every tool of the server, in its order, with the tables a call may change."""

from farm.appkit import Beside, Tool

from . import garden

TOOLS = (
    Tool("plant_nodes", garden.plant_nodes, writes=("nodes",), structured=Beside("nodes")),
    Tool("tie_nodes", garden.tie_nodes, writes=("ties",), structured=Beside("ties")),
    Tool("jot_remarks", garden.jot_remarks, writes=("nodes",), structured=Beside("results")),
    Tool("drop_nodes", garden.drop_nodes, writes=("nodes",), structured=Beside("message", {'success': True})),
    Tool("strike_remarks", garden.strike_remarks, writes=("nodes",), structured=Beside("message", {'success': True})),
    Tool("untie_nodes", garden.untie_nodes, writes=("ties",), structured=Beside("message", {'success': True})),
    Tool("whole_garden", garden.whole_garden),
    Tool("find_nodes", garden.find_nodes),
    Tool("show_nodes", garden.show_nodes),
)
