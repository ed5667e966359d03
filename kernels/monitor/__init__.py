"""System monitor, as mcp-monitor shows it: six tools over the one machine that the server runs on."""

from farm.appkit import App, Envelope, GoJson
from farm.appkit.dialects import McpGo

from .tools import TOOLS

APP = App(
    name="monitor",
    title="System Monitor",
    category="operations",
    dialect=McpGo(sdk="0.14.1"),
    tools=TOOLS,
    envelope=Envelope(json=GoJson()),
    reference="cluster",
    menus={
        # What an assistant beside a person needs most, most needed first.
        "desktop": (
            "get_process_info",
            "get_disk_info",
            "get_memory_info",
            "get_cpu_info",
            "get_host_info",
            "get_network_info",
        ),
    },
)
