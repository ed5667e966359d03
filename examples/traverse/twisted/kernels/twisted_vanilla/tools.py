"""Every tool of the server, in its order, with the tables a call may change."""

from farm.appkit import Tool

from . import garden

TOOLS = (
    Tool("plant_nodes", garden.plant_nodes, writes=("plants",)),
    Tool("tie_nodes", garden.tie_nodes, writes=("ties",)),
    Tool("jot_remarks", garden.jot_remarks, writes=("plants",)),
    Tool("drop_nodes", garden.drop_nodes, writes=("plants", "ties")),
    Tool("strike_remarks", garden.strike_remarks, writes=("plants",)),
    Tool("untie_nodes", garden.untie_nodes, writes=("ties",)),
    Tool("whole_garden", garden.whole_garden),
    Tool("find_nodes", garden.find_nodes),
    Tool("show_nodes", garden.show_nodes),
)
