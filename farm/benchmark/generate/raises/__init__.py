"""Raises that need words: code chooses rows and values, a writer words the harder task, and code checks the words."""
