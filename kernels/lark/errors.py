"""Error codes of the Open Platform: the class is the vendor's wording shortened, the docstring its message.

An answer with HTTP status 400 or more reaches the agent as an error, whole. One with status 200 and a code is no
error to the MCP server: the agent sees the body, or ``{}`` where the API sends empty ``data`` along.
"""

from __future__ import annotations

from typing import Any, ClassVar

from farm.appkit import Answer, VendorError, compact_json


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


def answer(tool: str, error: VendorError) -> Answer:
    """Return what the MCP server makes of a refusal: it goes by the HTTP status, not by the code."""
    assert isinstance(error, LarkError)
    text = "{}" if error.has_data and error.status < 400 else compact_json(error.body())
    # A text, since the members of a refusal come in an order of their own and not in that of their keys.
    return Answer(text, is_error=True if error.status >= 400 else None)


# Every endpoint


class PageNotFound(LarkError):
    """404 page not found"""

    status = 404

    def body(self) -> Any:
        return self.message


class InvalidAccessToken(LarkError):
    """Invalid access token for authorization. Please make a test attempt."""

    code = 99991668


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
    kind: ClassVar[str] = "open_id"
    example: ClassVar[str] = "ou_da5****************dfe"

    def __init__(self, *ids: str) -> None:
        super().__init__(
            f"The request you send is not a valid {{{self.kind}}} or not exists, and the example value is "
            f"{{{self.example}}}. Invalid ids: [{' '.join(ids)}] . Please see field_violations for details and refer "
            "to API documentation to correct accordingly and resubmit"
        )


class MessageIdNotExist(IdNotExist):
    """The request you send is not a valid {open_message_id} or not exists"""

    code = 99992354
    kind = "open_message_id"
    example = "om_da5****************dfe"


class UserIdNotExist(LarkError):
    """Your request contains not existed id."""

    code = 99992360


class UnionIdNotExist(LarkError):
    """Your request contains not existed id."""

    code = 99992364


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


class OnlyOrganizerSetsHosts(LarkError):
    """only organizer(not bot) can set assign_hosts"""

    code = 193102


class InvalidAttachmentToken(LarkError):
    """invalid attachment file token"""

    code = 193105


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


class OperatorIsNotOwner(LarkError):
    """No Permission: If the operator is NOT owner or creator with the scope, the operator can NOT complete the request."""  # noqa: E501 - one line on the wire

    code = 232017


class PublicNameTooShort(LarkError):
    """Name can NOT be less than two characters for public chats."""

    code = 232020


class PublicNameEmpty(LarkError):
    """Public group chat's name should not be empty."""

    code = 232042


class UserResigned(LarkError):
    """User has already resigned."""

    code = 232022


class NoValidMembers(LarkError):
    """There are no valid members in the ID list specified in your request."""

    code = 232027


class InvalidUserId(LarkError):
    """Your request specifies a user_id which is invalid."""

    code = 232030


class AppUnavailable(LarkError):
    """The app is unavailable or inactivated by the tenant."""

    code = 232034


class ExternalMemberInInternalChat(LarkError):
    """External members can Not be added to an internal group chat."""

    code = 232028


class NoCandidateForOwner(LarkError):
    """There are no available candidates for chat owner."""

    code = 232029


class OwnerCannotBeKicked(LarkError):
    """Can't kick chat owner."""

    code = 232076


class OwnerInOtherTenant(LarkError):
    """The operator who will create the chat and the designated chat owner must be in the same tenant."""

    code = 232032


class UnavailableIds(LarkError):
    """Your request contains unavailable ids."""

    code = 232043

    def __init__(self, ids: list[str], what: str = "invalid user ids") -> None:
        super().__init__(f"{(type(self).__doc__ or '').removesuffix('.')}, ext={what}: [{' '.join(ids)}]")


# Messages


class InvalidMessageParameter(LarkError):
    """Your request contains an invalid request parameter."""

    code = 230001

    def __init__(self, ext: str) -> None:
        # The live service says what is wrong behind the documented sentence.
        super().__init__(f"{(type(self).__doc__ or '').removesuffix('.')}, ext={ext}")


class InvalidMessageContent(InvalidMessageParameter):
    """Your request contains an invalid request parameter."""

    def __init__(self, detail: str | None = None) -> None:
        # Live answers end in a full stop where they say no more.
        super().__init__("invalid message content." if detail is None else f"invalid message content, ext={detail}")


class SenderOutOfChat(LarkError):
    """Bot/User can NOT be out of the chat."""

    code = 230002


class RecallTooLate(LarkError):
    """Message has expired when recall message."""

    code = 230009


class MessageRecalled(LarkError):
    """The message was withdrawn."""

    code = 230011


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


class MessageDeleted(LarkError):
    """Action unavailable as the message has been deleted."""

    code = 230110


class NoPermissionToRecall(LarkError):
    """No permission to recall this message."""

    code = 230026


class RecipientResigned(LarkError):
    """User has resigned."""

    code = 230029


class InvalidReceiveId(LarkError):
    """The receive_id is invalid."""

    code = 230034


class CrossTenantChatForbidden(LarkError):
    """Cross tenant p2p chat operate forbid."""

    code = 230038


class NotOwnerOfResource(LarkError):
    """Bot is NOT the owner of the resource."""

    code = 230017


class ThreadInvisible(LarkError):
    """The thread is invisible to the operator."""

    code = 230073


class CardContentFailed(LarkError):
    """Failed to create card content."""

    code = 230099

    def __init__(self, sub_code: int, reason: str, value: str) -> None:
        super().__init__(
            f"{(type(self).__doc__ or '').removesuffix('.')}, "
            f"ext=ErrCode: {sub_code}; ErrMsg: {reason}; ErrorValue: {value}; "
        )


# Documents


class DocumentNotFound(LarkError):
    """not found"""

    code = 1770002
    status = 404


class DocumentDeleted(LarkError):
    """resource deleted"""

    code = 1770003


class DocumentForbidden(LarkError):
    """forBidden"""

    code = 1770032
    status = 403


class FolderNotFound(LarkError):
    """folder not found"""

    code = 1770039


class NoFolderPermission(LarkError):
    """no folder permission"""

    code = 1770040
    status = 403


class ImportFailed(LarkError):
    """Document import failed, please check the markdown file content"""

    def body(self) -> Any:
        # The MCP server's own words: the platform refused the upload.
        return {"msg": self.message}


# Permissions of files


class InvalidPermissionParameter(LarkError):
    """Invalid parameter"""

    code = 1063001


class PermissionDenied(LarkError):
    """Permission denied"""

    code = 1063002
    status = 403


class InvalidPermissionOperation(LarkError):
    """Invalid operation"""

    code = 1063003


class NoSharePermission(LarkError):
    """User has no share permission"""

    code = 1063004
    status = 403


class ResourceIsDeleted(LarkError):
    """Resource is deleted"""

    code = 1063005
    status = 404


# Bases


class BaseError(LarkError):
    """A refusal of a base. Most come with HTTP status 200, so to the MCP server they are no errors.

    The documentation knows only the name; the live service says beside it what is wrong.
    """

    status = 200

    def __init__(self, explanation: str | None = None) -> None:
        super().__init__()
        self.explanation = explanation

    def body(self) -> Any:
        """Return the name of the refusal, and the explanation beside the log id."""
        error = {} if self.explanation is None else {"message": self.explanation}
        return {"code": self.code, "msg": self.message, "error": {**error, "log_id": self.log_id}}


class WrongRequestBody(BaseError):
    """WrongRequestBody"""

    code = 1254001


class BaseCallFailed(BaseError):
    """Fail"""

    code = 1254002


class WrongBaseToken(BaseError):
    """WrongBaseToken"""

    code = 1254003


class WrongTableId(BaseError):
    """WrongTableId"""

    code = 1254004


class WrongViewId(BaseError):
    """WrongViewId"""

    code = 1254005


class WrongRecordId(BaseError):
    """WrongRecordId"""

    code = 1254006


class PageSizeTooSmall(BaseError):
    """Page size must greater than 0."""

    code = 1254011
    status = 400


class FieldTypeNotSupported(BaseError):
    """NotSupportFieldOrView"""

    code = 1254012
    status = 400


class TableNameDuplicated(BaseError):
    """TableNameDuplicated"""

    code = 1254013


class FieldNameDuplicated(BaseError):
    """FieldNameDuplicated"""

    code = 1254014
    status = 400


class FieldTypesDoNotMatch(BaseError):
    """Field types do not match."""

    code = 1254015
    status = 400


class InvalidSort(BaseError):
    """InvalidSort"""

    code = 1254016


class InvalidFilter(BaseError):
    """InvalidFilter"""

    code = 1254018


class EmptyViewName(BaseError):
    """EmptyViewName"""

    code = 1254021
    status = 400


class InvalidViewName(BaseError):
    """InvalidViewName"""

    code = 1254022
    status = 400


class InvalidFieldNames(BaseError):
    """InvalidFieldNames"""

    code = 1254024


class InvalidFieldName(BaseError):
    """InvalidFieldName"""

    code = 1254029
    status = 400


class InvalidAppName(BaseError):
    """InvalidAppName"""

    code = 1254031
    status = 400


class InvalidClientToken(BaseError):
    """Invalid client token, make sure that it complies with the specification."""

    code = 1254037
    status = 400


class BaseTokenNotFound(BaseError):
    """BaseTokenNotFound"""

    code = 1254040


class TableIdNotFound(BaseError):
    """TableIdNotFound"""

    code = 1254041


class ViewIdNotFound(BaseError):
    """ViewIdNotFound"""

    code = 1254042


class RecordIdNotFound(BaseError):
    """RecordIdNotFound"""

    code = 1254043


class FieldNameNotFound(BaseError):
    """FieldNameNotFound"""

    code = 1254045


class TextFieldConvFail(BaseError):
    """TextFieldConvFail"""

    code = 1254060


class NumberFieldConvFail(BaseError):
    """NumberFieldConvFail"""

    code = 1254061


class SingleSelectFieldConvFail(BaseError):
    """SingleSelectFieldConvFail"""

    code = 1254062


class MultiSelectFieldConvFail(BaseError):
    """MultiSelectFieldConvFail"""

    code = 1254063


class DatetimeFieldConvFail(BaseError):
    """DatetimeFieldConvFail"""

    code = 1254064


class CheckboxFieldConvFail(BaseError):
    """CheckboxFieldConvFail"""

    code = 1254065


class UserFieldConvFail(BaseError):
    """UserFieldConvFail"""

    code = 1254066


class LinkFieldConvFail(BaseError):
    """LinkFieldConvFail"""

    code = 1254067


class UrlFieldConvFail(BaseError):
    """URLFieldConvFail"""

    code = 1254068


class AttachFieldConvFail(BaseError):
    """AttachFieldConvFail"""

    code = 1254069


class PhoneFieldConvFail(BaseError):
    """Failed to convert phone field, please make sure it is correct."""

    code = 1254072


class DuplexLinkFieldConvFail(BaseError):
    """DuplexLinkFieldConvFail"""

    code = 1254074
    status = 400


class TableExceedLimit(BaseError):
    """TableExceedLimit"""

    code = 1254100


class RecordExceedLimit(BaseError):
    """RecordExceedLimit"""

    code = 1254103


class RecordAddOnceExceedLimit(BaseError):
    """RecordAddOnceExceedLimit"""

    code = 1254104


class AttachExceedLimit(BaseError):
    """AttachExceedLimit"""

    code = 1254106


class TooLargeCell(BaseError):
    """TooLargeCell"""

    code = 1254130


class BasePermissionDenied(BaseError):
    """Permission denied."""

    code = 1254302
    status = 403


class AttachmentNotAllowed(BaseError):
    """AttachPermNotAllow"""

    code = 1254303


class DriveNodeForbidden(BaseError):
    """DriveNodePermNotAllow"""

    code = 1254701
    status = 403


class DriveNodeNotExist(BaseError):
    """DriveNodeNotExist"""

    code = 1254702
    status = 404


class InvalidBaseParameter(BaseError):
    """InvalidParameter"""

    code = 1254800
    status = 400


class BaseForbidden(BaseError):
    """Forbidden"""

    code = 91403
    status = 403


# Tasks


class InvalidTaskParameter(LarkError):
    """invalid request parameters"""

    code = 1470400


class NoTaskPermission(LarkError):
    """no permission"""

    code = 1470403
    status = 403


class TaskResourceMissing(LarkError):
    """The resource cannot be found or has been deleted."""

    code = 1470404
    status = 404


class TaskServerError(LarkError):
    """internal error"""

    code = 1470500
    status = 500


class TooManyAssignees(LarkError):
    """too many assignees"""

    code = 1470610


class TooManyFollowers(LarkError):
    """too many followers"""

    code = 1470611


class ReminderExists(LarkError):
    """the task already has a reminder"""

    code = 1470613


# Wikis


class InvalidWikiParameter(LarkError):
    """param err"""

    code = 131002


class WikiNotFound(LarkError):
    """not found"""

    code = 131005


class WikiPermissionDenied(LarkError):
    """permission denied"""

    code = 131006


class InvalidWikiSearch(LarkError):
    """invalid param"""

    code = 10001
    status = 200
