"""A server over stdio that answers the n-th line it gets with the n-th piece of a file, and keeps what it got.

``python raw_server.py GOT PIECES``: it knows no protocol, so whatever bytes are in either file pass.
"""

from __future__ import annotations

import sys
from pathlib import Path

SEPARATOR = b"\n--next--\n"
STATUS = 7


def main() -> None:
    """Answer until stdin ends."""
    pieces = iter(Path(sys.argv[2]).read_bytes().split(SEPARATOR))
    with open(sys.argv[1], "wb") as got:
        while line := sys.stdin.buffer.readline():
            got.write(line)
            got.flush()
            sys.stdout.buffer.write(next(pieces, b""))
            sys.stdout.buffer.flush()
    sys.stderr.write("good bye\n")
    sys.exit(STATUS)


if __name__ == "__main__":
    main()
