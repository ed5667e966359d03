"""The page of ``farm open``: its files, its sign-in, and the calls that it follows."""
