"""HTTP for the servers: ASGI helpers, complete answers, the first checks of a request, uvicorn's private APIs."""
