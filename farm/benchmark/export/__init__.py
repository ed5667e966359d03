"""Tasks for other harnesses: folders of the Harbor framework, and the server of one task in a container."""
