"""A small cluster: machines, what runs on them, and how it goes with them between one boot and the next.

Every machine boots once a week. All that moves is told in seconds since then, so that a machine is the same whatever
week the episode's clock stands in.
"""

from farm.context.schema import INTEGER, REAL, MetaData, column, parent, table

METADATA = MetaData()


def _host() -> object:
    return column("hostname", parent("hosts.hostname"), made="authentic", primary_key=True)


hosts = table(
    "hosts",
    METADATA,
    column("hostname", made="authentic", primary_key=True),
    # The first is what is shown to whoever has none.
    column("position", INTEGER, made="random", nullable=False, unique=True),
    # The person of a world whose server runs here.
    column("watched_by", made="authentic", unique=True),
    column("host_id", made="random", nullable=False),
    column("platform", made="enumerate", nullable=False),
    column("platform_family", made="enumerate", nullable=False),
    column("platform_version", made="authentic", nullable=False),
    column("kernel_version", made="authentic", nullable=False),
    column("kernel_arch", made="enumerate", nullable=False),
    column("virtualization_system", made="enumerate", nullable=False),
    column("virtualization_role", made="enumerate", nullable=False),
    # Seconds of the week, from Monday 00:00 UTC.
    column("boots_s", INTEGER, made="random", nullable=False),
    # Who is signed in is told by systemd-logind, or else by utmp.
    column("has_logind", INTEGER, made="enumerate", nullable=False),
    column("memory_bytes", INTEGER, made="authentic", nullable=False),
    column("kernel_bytes", INTEGER, made="random", nullable=False),
    column("cached_bytes", INTEGER, made="random", nullable=False),
    column("swap_bytes", INTEGER, made="authentic", nullable=False),
    column("swap_used_bytes", INTEGER, made="random", nullable=False),
    column("connections", INTEGER, made="random", nullable=False),
)

processors = table(
    "processors",
    METADATA,
    _host(),
    column("cores", INTEGER, made="authentic", nullable=False),
    column("vendor", made="authentic", nullable=False),
    column("family", made="authentic", nullable=False),
    column("model", made="authentic", nullable=False),
    column("stepping", INTEGER, made="authentic", nullable=False),
    column("model_name", made="authentic", nullable=False),
    column("mhz", REAL, made="authentic", nullable=False),
    column("cache_kb", INTEGER, made="authentic", nullable=False),
    column("microcode", made="authentic", nullable=False),
    column("flags", made="authentic", json=True, nullable=False),
)

logins = table(
    "logins",
    METADATA,
    _host(),
    column("terminal", made="random", primary_key=True),
    column("name", made="authentic", nullable=False),
    column("uid", INTEGER, made="authentic", nullable=False),
    column("origin", made="authentic", nullable=False),
    column("started_s", INTEGER, made="random", nullable=False),
)

mounts = table(
    "mounts",
    METADATA,
    _host(),
    column("mountpoint", made="authentic", primary_key=True),
    column("position", INTEGER, made="random", nullable=False),
    column("device", made="authentic", nullable=False),
    # As it was mounted; ``family`` is what the kernel's number for it stands for, the same for ext2, ext3 and ext4.
    column("fstype", made="enumerate", nullable=False),
    column("family", made="enumerate", nullable=False),
    column("options", made="authentic", json=True, nullable=False),
    column("size_bytes", INTEGER, made="authentic", nullable=False),
    column("reserved_bytes", INTEGER, made="authentic", nullable=False),
    column("inodes", INTEGER, made="authentic", nullable=False),
    column("inodes_used", INTEGER, made="random", nullable=False),
)

# How full a mount is; between two points it fills or empties evenly, after the last it stays.
levels = table(
    "levels",
    METADATA,
    _host(),
    column("mountpoint", made="authentic", primary_key=True),
    column("at_s", INTEGER, made="random", primary_key=True),
    column("used_bytes", INTEGER, made="random", nullable=False),
)

# Folders and files that a path may name, on every machine.
paths = table(
    "paths",
    METADATA,
    column("path", made="authentic", primary_key=True),
    column("is_folder", INTEGER, made="enumerate", nullable=False),
)

disks = table(
    "disks",
    METADATA,
    _host(),
    column("name", made="authentic", primary_key=True),
    column("serial", made="random", nullable=False),
    column("label", made="authentic", nullable=False),
    column("reads_h", INTEGER, made="random", nullable=False),
    column("writes_h", INTEGER, made="random", nullable=False),
    # Of one operation; whole sectors of 512 bytes.
    column("read_bytes", INTEGER, made="random", nullable=False),
    column("write_bytes", INTEGER, made="random", nullable=False),
)

interfaces = table(
    "interfaces",
    METADATA,
    _host(),
    column("name", made="authentic", primary_key=True),
    column("position", INTEGER, made="random", nullable=False),
    column("mtu", INTEGER, made="authentic", nullable=False),
    column("hardware_address", made="random", nullable=False),
    column("flags", made="authentic", json=True, nullable=False),
    column("addresses", made="random", json=True, nullable=False),
    column("received_bytes_s", INTEGER, made="random", nullable=False),
    column("sent_bytes_s", INTEGER, made="random", nullable=False),
    column("packet_bytes", INTEGER, made="random", nullable=False),
    # Of what comes in, an hour, from a moment on.
    column("errors_h", INTEGER, made="random", nullable=False),
    column("drops_h", INTEGER, made="random", nullable=False),
    column("drops_from_s", INTEGER, made="random", nullable=False),
)

processes = table(
    "processes",
    METADATA,
    _host(),
    column("pid", INTEGER, made="random", primary_key=True),
    column("name", made="authentic", nullable=False),
    column("cmdline", made="authentic", nullable=False),
    column("username", made="authentic", nullable=False),
    column("status", made="enumerate", nullable=False),
    column("threads", INTEGER, made="random", nullable=False),
    column("started_s", INTEGER, made="random", nullable=False),
    column("ended_s", INTEGER, made="random"),
    # Hundredths of a second on a processor in each second, which is per cent of one.
    column("cpu_percent", REAL, made="random", nullable=False),
    column("resident_bytes", INTEGER, made="random", nullable=False),
    column("grows_bytes_h", INTEGER, made="random", nullable=False),
    column("virtual_bytes", INTEGER, made="random", nullable=False),
    column("reads_h", INTEGER, made="random", nullable=False),
    column("writes_h", INTEGER, made="random", nullable=False),
    column("read_bytes", INTEGER, made="random", nullable=False),
    column("write_bytes", INTEGER, made="random", nullable=False),
)
