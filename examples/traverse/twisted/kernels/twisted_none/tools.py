"""Every tool of the server, in its order, with the tables a call may change."""

from farm.appkit import Beside, Tool

from . import recorded

TOOLS = (
    Tool("plant_nodes", recorded.plant_nodes, structured=Beside("nodes")),
    Tool("tie_nodes", recorded.tie_nodes, structured=Beside("ties")),
    Tool("jot_remarks", recorded.jot_remarks, structured=Beside("results")),
    Tool("drop_nodes", recorded.drop_nodes, structured=Beside("message", {'success': True})),
    Tool("strike_remarks", recorded.strike_remarks, structured=Beside("message", {'success': True})),
    Tool("untie_nodes", recorded.untie_nodes, structured=Beside("message", {'success': True})),
    Tool("whole_garden", recorded.whole_garden),
    Tool("find_nodes", recorded.find_nodes),
    Tool("show_nodes", recorded.show_nodes),
)
