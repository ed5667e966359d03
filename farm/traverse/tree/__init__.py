"""The hierarchy behind recorded calls: what kinds of things a server keeps, their keys, fields and owners."""
