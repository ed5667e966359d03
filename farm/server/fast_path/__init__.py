"""Answers requests that match a cached profile at the connection, without ASGI; needs private APIs of uvicorn."""
