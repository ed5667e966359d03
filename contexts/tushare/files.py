"""The files of a world's Tushare: the server on the machine of whoever plays."""

from farm.appkit.world_spec import SpecFile, own

SERVER = SpecFile(
    "server.toml",
    "the MCP server, and whose token it has",
    {
        "": own(
            """
            holder: text — who the token belongs to
            env_file: text — the file with the token, as an absolute path
            """
        )
    },
    is_required=True,
)

FILES = (SERVER,)
