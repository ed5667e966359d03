"""Answers requests with a cached header template at the connection, without ASGI; needs private APIs of uvicorn."""
