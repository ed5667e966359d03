"""The maintenance of a data folder: its checks, the removal of expired things, and episodes for another farm."""
