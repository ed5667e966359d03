"""A small cluster: machines, what runs on them, and how it goes with them between one boot and the next.

Every machine boots once a week. All that moves is told in seconds since then, so that a machine is the same whatever
week the episode's clock stands in.
"""

from farm.appkit.schema import INTEGER, REAL, MetaData, column, parent, table

METADATA = MetaData()


def _host() -> object:
    return column("hostname", parent("hosts.hostname"), generation="authentic", primary_key=True)


hosts = table(
    "hosts",
    METADATA,
    column("hostname", generation="authentic", primary_key=True),
    # The first is what is shown to whoever has none.
    column("position", INTEGER, generation="random", nullable=False, unique=True),
    # The person of a world whose server runs here.
    column("watched_by", generation="authentic", unique=True),
    column("host_id", generation="random", nullable=False),
    column("platform", generation="enumerate", nullable=False),
    column("platform_family", generation="enumerate", nullable=False),
    column("platform_version", generation="authentic", nullable=False),
    column("kernel_version", generation="authentic", nullable=False),
    column("kernel_arch", generation="enumerate", nullable=False),
    column("virtualization_system", generation="enumerate", nullable=False),
    column("virtualization_role", generation="enumerate", nullable=False),
    # Seconds of the week, from Monday 00:00 UTC.
    column("boots_s", INTEGER, generation="random", nullable=False),
    # Who is signed in is told by systemd-logind, or else by utmp.
    column("has_logind", INTEGER, generation="enumerate", nullable=False),
    column("memory_bytes", INTEGER, generation="authentic", nullable=False),
    column("kernel_bytes", INTEGER, generation="random", nullable=False),
    column("cached_bytes", INTEGER, generation="random", nullable=False),
    column("swap_bytes", INTEGER, generation="authentic", nullable=False),
    column("swap_used_bytes", INTEGER, generation="random", nullable=False),
    column("connections", INTEGER, generation="random", nullable=False),
)

processors = table(
    "processors",
    METADATA,
    _host(),
    column("cores", INTEGER, generation="authentic", nullable=False),
    column("vendor", generation="authentic", nullable=False),
    column("family", generation="authentic", nullable=False),
    column("model", generation="authentic", nullable=False),
    column("stepping", INTEGER, generation="authentic", nullable=False),
    column("model_name", generation="authentic", nullable=False),
    column("mhz", REAL, generation="authentic", nullable=False),
    column("cache_kb", INTEGER, generation="authentic", nullable=False),
    column("microcode", generation="authentic", nullable=False),
    column("flags", generation="authentic", json=True, nullable=False),
)

logins = table(
    "logins",
    METADATA,
    _host(),
    column("terminal", generation="random", primary_key=True),
    column("name", generation="authentic", nullable=False),
    column("uid", INTEGER, generation="authentic", nullable=False),
    column("origin", generation="authentic", nullable=False),
    column("started_s", INTEGER, generation="random", nullable=False),
)

mounts = table(
    "mounts",
    METADATA,
    _host(),
    column("mountpoint", generation="authentic", primary_key=True),
    column("position", INTEGER, generation="random", nullable=False),
    column("device", generation="authentic", nullable=False),
    # As it was mounted; ``family`` is what the kernel's number for it stands for, the same for ext2, ext3 and ext4.
    column("fstype", generation="enumerate", nullable=False),
    column("family", generation="enumerate", nullable=False),
    column("options", generation="authentic", json=True, nullable=False),
    column("size_bytes", INTEGER, generation="authentic", nullable=False),
    column("reserved_bytes", INTEGER, generation="authentic", nullable=False),
    column("inodes", INTEGER, generation="authentic", nullable=False),
    column("inodes_used", INTEGER, generation="random", nullable=False),
)

# How full a mount is; between two points it fills or empties evenly, after the last it stays.
levels = table(
    "levels",
    METADATA,
    _host(),
    column("mountpoint", generation="authentic", primary_key=True),
    column("at_s", INTEGER, generation="random", primary_key=True),
    column("used_bytes", INTEGER, generation="random", nullable=False),
)

# Folders and files that a path may name, on every machine.
paths = table(
    "paths",
    METADATA,
    column("path", generation="authentic", primary_key=True),
    column("is_folder", INTEGER, generation="enumerate", nullable=False),
)

disks = table(
    "disks",
    METADATA,
    _host(),
    column("name", generation="authentic", primary_key=True),
    column("serial", generation="random", nullable=False),
    column("label", generation="authentic", nullable=False),
    column("reads_h", INTEGER, generation="random", nullable=False),
    column("writes_h", INTEGER, generation="random", nullable=False),
    # Of one operation; whole sectors of 512 bytes.
    column("read_bytes", INTEGER, generation="random", nullable=False),
    column("write_bytes", INTEGER, generation="random", nullable=False),
)

interfaces = table(
    "interfaces",
    METADATA,
    _host(),
    column("name", generation="authentic", primary_key=True),
    column("position", INTEGER, generation="random", nullable=False),
    column("mtu", INTEGER, generation="authentic", nullable=False),
    column("hardware_address", generation="random", nullable=False),
    column("flags", generation="authentic", json=True, nullable=False),
    column("addresses", generation="random", json=True, nullable=False),
    column("received_bytes_s", INTEGER, generation="random", nullable=False),
    column("sent_bytes_s", INTEGER, generation="random", nullable=False),
    column("packet_bytes", INTEGER, generation="random", nullable=False),
    # Of what comes in, an hour, from a moment on.
    column("errors_h", INTEGER, generation="random", nullable=False),
    column("drops_h", INTEGER, generation="random", nullable=False),
    column("drops_from_s", INTEGER, generation="random", nullable=False),
)

processes = table(
    "processes",
    METADATA,
    _host(),
    column("pid", INTEGER, generation="random", primary_key=True),
    column("name", generation="authentic", nullable=False),
    column("cmdline", generation="authentic", nullable=False),
    column("username", generation="authentic", nullable=False),
    column("status", generation="enumerate", nullable=False),
    column("threads", INTEGER, generation="random", nullable=False),
    column("started_s", INTEGER, generation="random", nullable=False),
    column("ended_s", INTEGER, generation="random"),
    # Hundredths of a second on a processor in each second, which is per cent of one.
    column("cpu_percent", REAL, generation="random", nullable=False),
    column("resident_bytes", INTEGER, generation="random", nullable=False),
    column("grows_bytes_h", INTEGER, generation="random", nullable=False),
    column("virtual_bytes", INTEGER, generation="random", nullable=False),
    column("reads_h", INTEGER, generation="random", nullable=False),
    column("writes_h", INTEGER, generation="random", nullable=False),
    column("read_bytes", INTEGER, generation="random", nullable=False),
    column("write_bytes", INTEGER, generation="random", nullable=False),
)
