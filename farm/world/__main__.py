"""``python -m farm.world harbor`` checks a world and writes its rows; for authors of worlds."""

from __future__ import annotations

import sys

from farm.errors import FarmError
from farm.world import check, write


def main(arguments: list[str]) -> int:
    """Check and write each world that is named; return the exit code."""
    try:
        for world in arguments or ["harbor"]:
            lines = [str(check(world)), *map(str, write(world).values())]
            sys.stdout.write("\n".join(lines) + "\n")
    except FarmError as problem:
        sys.stderr.write(f"{problem}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
