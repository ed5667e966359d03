"""Obsidian: a vault is one person's."""

from tests.contract.private_rows.rules import Rule

RULES = (Rule("files", "content", "SELECT r.vault_id"),)
