"""Helpers without a domain: JSON, names in sentences, sockets, temporary folders, caches."""
