"""Every tool of the server; all of them only read. Its SDK lists tools by name, so that is the order."""

from farm.appkit import Tool

from . import disks, hosts, memory, networks, processes, processors

TOOLS = (
    Tool("get_cpu_info", processors.get_cpu_info),
    Tool("get_disk_info", disks.get_disk_info),
    Tool("get_host_info", hosts.get_host_info),
    Tool("get_memory_info", memory.get_memory_info),
    Tool("get_network_info", networks.get_network_info),
    Tool("get_process_info", processes.get_process_info),
)
