"""The farm command, as ``farm`` and as ``python -m farm``."""

from farm._util.sigint import ExitOnSigint


def main() -> None:
    """Run the command line; Ctrl-C while it is imported ends it as quietly as later."""
    with ExitOnSigint():
        from farm.cli import main as run
    run()


if __name__ == "__main__":
    main()
