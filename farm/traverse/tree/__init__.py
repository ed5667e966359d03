"""The tree behind recorded calls: the entities that a server stores, with their keys, fields and owners."""
