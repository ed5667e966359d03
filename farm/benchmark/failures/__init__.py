"""Why agents fail: each missed trial's reasons, decided by code, each with its evidence."""
