"""Detect private values in texts by their form: secrets, phone numbers, addresses, ids with check digits."""
