"""Details of a user."""

from farm.appkit import Episode, Result, VendorError

from . import context


class GetUserInfoRefused(VendorError):
    """{message}"""

    code = "get_user_info_refused"


def get_user_info(ep: Episode, *, user_id: str) -> Result:
    """Tell a user's details.

    Raises:
        GetUserInfoRefused: the id is no number or no user's.
    """
    user, refusal = context.fetch_user(ep, user_id)
    if refusal:
        raise GetUserInfoRefused(message=refusal)
    lines = [
        "User information:",
        f"Name: {user['name']}#{user['discriminator']}",
        f"ID: {user['user_id']}",
        f"Bot: {'True' if user['is_bot'] else 'False'}",
        f"Created: {context.created_at(user['user_id'])}",
    ]
    return "\n".join(lines)
