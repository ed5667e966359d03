"""What the real system monitor does."""

from farm.testing import Fact

_CODE = "https://github.com/seekrays/mcp-monitor at 003a328, with gopsutil 4.25.2"
_RUN = "that commit, built and run over files of /proc that were written for it"
_PROC = "https://man7.org/linux/man-pages/man5/proc.5.html"

FACTS = {
    "envelope": Fact(_RUN, "A success is indented JSON with its keys sorted at the top, without isError; a refusal is one sentence."),
    "unknown": Fact(_RUN, "A name that is no tool's is -32602 'Tool not found: …'; unknown arguments are ignored."),
    "cpu": Fact(_RUN, "One usage for all cores, or one for each; what is no boolean counts as false.",
                differs="Of the last minute, not since the last call: a clock that stands still would make that nothing."),
    "memory": Fact(_PROC, "used_percent is used of total; free <= available <= total; what processes hold is in used."),
    "disk-default": Fact(_RUN, "The path that the schema calls the default is never put in: no path, or no string, names nothing."),
    "disk-percent": Fact(_CODE, "usedPercent is of used and free, without what is reserved for root."),
    "disk-path": Fact(_RUN, "Any path that is there gets the usage of the mount it is on; others are refused in the system's words.",
                      differs="Only the usual folders and a few files are there."),
    "disk-partitions": Fact(_RUN, "all_partitions adds every mount, those of the kernel too."),
    "host": Fact(_RUN, "Boot as seconds and as RFC 3339 in local time, uptime in seconds and in words that are never singular.",
                 differs="Every machine boots once a week, at the same hour."),
    "users": Fact(_CODE, "Users are systemd-logind's, with UID, Name and Path, or else utmp's, with user, terminal, host and started."),
    "network": Fact(_RUN, "All interfaces and counters, or one of each in the singular; an empty name is all; an unknown one is refused."),
    "pid": Fact(_RUN, "A pid that is no number, null as well, is refused; fractions are cut; ids that none has, or can have, are told apart."),
    "process": Fact(_RUN, "One process: since when, what it takes, whose it is, what it read and wrote."),
    "list": Fact(_RUN, "Ten processes unless told otherwise; a limit of 0, less, or no number is ten, and a fraction is cut."),
    "sort": Fact(_RUN, "cpu and memory downwards, pid and name upwards; any other word sorts by cpu and is told back.",
                 differs="Equals come by id; there Go's sort leaves them in any order."),
    "panic": Fact(_RUN, "A limit beyond 64 bits kills the server.", differs="Ours answers -32603 with the panic's text."),
}  # fmt: skip
