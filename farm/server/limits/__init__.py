"""The limits of one client at a server: sizes of requests, connections, memory and log lines."""
