"""Error codes of the Open Platform: the class is the vendor's wording shortened, the docstring its message.

An answer with HTTP status 400 or more reaches the agent as an error, whole. One with status 200 and a code is no
error to the MCP server: the agent sees the body, or ``{}`` where the API sends empty ``data`` along.
"""

from __future__ import annotations

from typing import Any, ClassVar

from farm.kernel import VendorError
from farm.render import compact_json, text_result


class LarkError(VendorError):
    """A refusal of the Open Platform.

    Attributes:
        status: the HTTP status it comes with.
        has_data: whether the body carries an empty ``data`` (only matters below status 400).
        log_id: names the request at the vendor's; ``endpoint`` fills it in.
    """

    status: ClassVar[int] = 400
    has_data: ClassVar[bool] = False

    def __init__(self, message: str | None = None, **details: Any) -> None:
        super().__init__(message, **details)
        self.log_id = ""

    def body(self) -> Any:
        """Return what the API answers."""
        return {"code": self.code, "msg": self.message, "error": {"log_id": self.log_id}}


def render_refusal(error: VendorError) -> bytes:
    """Render a refusal as the MCP server does: by the HTTP status, not by the code."""
    if not isinstance(error, LarkError):
        return text_result(error.message, is_error=True)
    if error.status >= 400:
        return text_result(compact_json(error.body()), is_error=True)
    return text_result("{}" if error.has_data else compact_json(error.body()))


# Every endpoint


class PageNotFound(LarkError):
    """404 page not found"""

    status = 404

    def body(self) -> Any:
        return self.message


class FieldValidationFailed(LarkError):
    """field validation failed"""

    code = 99992402

    def __init__(self, field: str, description: str, *, value: str | None = None) -> None:
        super().__init__()
        violation = {"field": field, "value": value, "description": description}
        self.violation = {key: text for key, text in violation.items() if text is not None}

    def body(self) -> Any:
        error = {"field_violations": [self.violation], "log_id": self.log_id}
        return {"code": self.code, "msg": self.message, "error": error}


class IdNotExist(LarkError):
    """The request you send is not a valid {open_id} or not exists"""

    code = 99992351

    def __init__(self, id_type: str = "open_id") -> None:
        super().__init__(f"The request you send is not a valid {{{id_type}}} or not exists")


# Calendar


class InvalidCalendarParameters(LarkError):
    """invalid parameters in request"""

    code = 190002


class PageTokenExpired(LarkError):
    """page_token or sync_token expired"""

    code = 190008


class SyncTokenWithOtherRestrictions(LarkError):
    """sync token cannot be used with other request restrictions"""

    code = 190009


class InvalidRequestParameters(LarkError):
    """invalid request parameters. check details for more info."""

    code = 190014


class CalendarNotFound(LarkError):
    """calendar not found"""

    code = 191000
    status = 404


class InvalidCalendarId(LarkError):
    """invalid calendar_id"""

    code = 191001


class NoCalendarAccessRole(LarkError):
    """no calendar access_role"""

    code = 191002
    status = 403


class CalendarIsDeleted(LarkError):
    """calendar is deleted"""

    code = 191003
    status = 403


class InvalidCalendarType(LarkError):
    """invalid calendar type"""

    code = 191004
    status = 403


class InvalidEventId(LarkError):
    """invalid event_id"""

    code = 193000


class EventNotFound(LarkError):
    """event not found"""

    code = 193001
    status = 404


class NoPermissionToOperateEvent(LarkError):
    """no permission to operate event"""

    code = 193002
    status = 403


class EventIsDeleted(LarkError):
    """event is deleted"""

    code = 193003
    status = 403


class AttendeeNotFound(LarkError):
    """attendee not found"""

    code = 194000
    status = 404


class NoPermissionToListAttendees(LarkError):
    """no permission to list event attendees"""

    code = 194001
    status = 403


class NoPermissionToCreateAttendees(LarkError):
    """no permission to create event attendees"""

    code = 194002
    status = 403


class NoPermissionToDeleteAttendees(LarkError):
    """no permission to delete event attendees"""

    code = 194003
    status = 403


class InvalidAttendeeType(LarkError):
    """invalid attendee type"""

    code = 194004


class UserIsDismissed(LarkError):
    """user is dismiss or not exist in the tenant"""

    code = 195100
    status = 404


# Contact


class InvalidContactParameter(LarkError):
    """invalid parameter"""

    code = 40001


class NoUserAuthority(LarkError):
    """no user authority error"""

    code = 41050


class UserIdInvalid(LarkError):
    """user id invalid error"""

    code = 41012


# Groups


class InvalidChatParameter(LarkError):
    """Your request contains an invalid request parameter."""

    code = 232001


class OnlyManagersMayEdit(LarkError):
    """Only the group owner or administrators can edit the group."""

    code = 232002


class NoSuchApp(LarkError):
    """Such an app does NOT exist."""

    code = 232004


class InvalidChatId(LarkError):
    """Your request specifies a chat_id which is invalid."""

    code = 232006


class ChatDissolved(LarkError):
    """Your request specifies a chat which has already been dissolved."""

    code = 232009


class OperatorInOtherTenant(LarkError):
    """Operator and chat can NOT be in different tenants."""

    code = 232010


class OperatorOutOfChat(LarkError):
    """Operator can NOT be out of the chat."""

    code = 232011


class UnsupportedMemberIdType(LarkError):
    """Your request specifies a member_id_type which is NOT supported."""

    code = 232015


class OperatorIsNotOwner(LarkError):
    """No Permission: If the operator is NOT owner or creator with the scope, the operator can NOT complete the request."""  # noqa: E501 - one line on the wire

    code = 232017


class PublicNameTooShort(LarkError):
    """Name can NOT be less than two characters for public chats."""

    code = 232020


class PublicNameEmpty(LarkError):
    """Public group chat's name should not be empty."""

    code = 232042


class BotNotFound(LarkError):
    """Bot can NOT be found."""

    code = 232021


class UserResigned(LarkError):
    """User has already resigned."""

    code = 232022


class NotVisibleToOperator(LarkError):
    """Users do not have the visibility of the app, or the operator does not have collaboration permissions with the target users."""  # noqa: E501 - one line on the wire

    code = 232024


class NoValidMembers(LarkError):
    """There are no valid members in the ID list specified in your request."""

    code = 232027


class InvalidUserId(LarkError):
    """Your request specifies a user_id which is invalid."""

    code = 232030


class AppUnavailable(LarkError):
    """The app is unavailable or inactivated by the tenant."""

    code = 232034


class UnavailableIds(LarkError):
    """Your request contains unavailable ids."""

    code = 232043


# Messages


class InvalidMessageParameter(LarkError):
    """Your request contains an invalid request parameter."""

    code = 230001

    def __init__(self, ext: str) -> None:
        # The live service says what is wrong behind the documented sentence.
        super().__init__(f"{(type(self).__doc__ or '').removesuffix('.')}, ext={ext}")


class SenderOutOfChat(LarkError):
    """Bot/User can NOT be out of the chat."""

    code = 230002


class RecallTooLate(LarkError):
    """Message can only be recalled within one days."""

    code = 230009


class MessageRecalled(LarkError):
    """The message is recalled."""

    code = 230011


class NoAvailabilityToUser(LarkError):
    """Bot has NO availability to this user."""

    code = 230013


class ChatCannotBeShared(LarkError):
    """P2P chat can NOT be shared."""

    code = 230015


class NotAllowedByGroupSettings(LarkError):
    """These operations are NOT allowed at current group settings."""

    code = 230018


class TopicDoesNotExist(LarkError):
    """The topic does NOT exist."""

    code = 230019


class ContentTooLong(LarkError):
    """The length of the message content reaches its limit."""

    code = 230025


class NoPermissionToRecall(LarkError):
    """No permission to recall this message."""

    code = 230026


class RecipientResigned(LarkError):
    """User has resigned."""

    code = 230029


class InvalidReceiveId(LarkError):
    """The receive_id is invalid."""

    code = 230034


class MessageDeleted(LarkError):
    """Action unavailable as the message has been deleted."""

    code = 230110


class MessageInvisible(LarkError):
    """The message is invisible to the operator."""

    code = 230050


class ThreadInvisible(LarkError):
    """The thread is invisible to the operator."""

    code = 230073


class CardContentFailed(LarkError):
    """Failed to create card content."""

    code = 230099


ALL = tuple(LarkError.__subclasses__())
