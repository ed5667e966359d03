"""Every tool of the server, in its order, with the tables a call may change."""

from farm.appkit import Beside, Tool

from . import tool_drop_nodes, tool_find_nodes, tool_jot_remarks, tool_plant_nodes, tool_show_nodes, tool_strike_remarks, tool_tie_nodes, tool_untie_nodes, tool_whole_garden

TOOLS = (
    Tool("plant_nodes", tool_plant_nodes.plant_nodes, writes=("plants",), structured=Beside("nodes")),
    Tool("tie_nodes", tool_tie_nodes.tie_nodes, writes=("ties",), structured=Beside("ties")),
    Tool("jot_remarks", tool_jot_remarks.jot_remarks, writes=("plants",), structured=Beside("results")),
    Tool(
        "drop_nodes",
        tool_drop_nodes.drop_nodes,
        writes=("plants", "ties"),
        structured=Beside("message", {'success': True}),
    ),
    Tool(
        "strike_remarks",
        tool_strike_remarks.strike_remarks,
        writes=("plants",),
        structured=Beside("message", {'success': True}),
    ),
    Tool(
        "untie_nodes",
        tool_untie_nodes.untie_nodes,
        writes=("ties",),
        structured=Beside("message", {'success': True}),
    ),
    Tool("whole_garden", tool_whole_garden.whole_garden),
    Tool("find_nodes", tool_find_nodes.find_nodes),
    Tool("show_nodes", tool_show_nodes.show_nodes),
)
