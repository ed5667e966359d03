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


# The MCP server itself


class UserTokenInvalid(LarkError):
    """Current user_access_token is invalid or expired"""

    def body(self) -> Any:
        return {"errorMessage": self.message, "instruction": ""}


class RequestTimeout(LarkError):
    """timeout of 30000ms exceeded"""

    def body(self) -> Any:
        return self.message


# Every endpoint


class PageNotFound(LarkError):
    """404 page not found"""

    status = 404

    def body(self) -> Any:
        return self.message


InvalidAccessToken = LarkError.define(99991668, "Invalid access token for authorization. Please make a test attempt.")


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


MessageIdNotExist = IdNotExist.define(
    99992354,
    "The request you send is not a valid {open_message_id} or not exists",
    kind="open_message_id",
    example="om_da5****************dfe",
)
UserIdNotExist = LarkError.define(99992360, "Your request contains not existed id.")
UnionIdNotExist = LarkError.define(99992364, "Your request contains not existed id.")


# Calendar


InvalidCalendarParameters = LarkError.define(190002, "invalid parameters in request")
PageTokenExpired = LarkError.define(190008, "page_token or sync_token expired")
SyncTokenWithOtherRestrictions = LarkError.define(190009, "sync token cannot be used with other request restrictions")
InvalidRequestParameters = LarkError.define(190014, "invalid request parameters. check details for more info.")
CalendarNotFound = LarkError.define(191000, "calendar not found", status=404)
InvalidCalendarId = LarkError.define(191001, "invalid calendar_id")
NoCalendarAccessRole = LarkError.define(191002, "no calendar access_role", status=403)
CalendarIsDeleted = LarkError.define(191003, "calendar is deleted", status=403)
InvalidCalendarType = LarkError.define(191004, "invalid calendar type", status=403)
InvalidEventId = LarkError.define(193000, "invalid event_id")
EventNotFound = LarkError.define(193001, "event not found", status=404)
NoPermissionToOperateEvent = LarkError.define(193002, "no permission to operate event", status=403)
EventIsDeleted = LarkError.define(193003, "event is deleted", status=403)
OnlyOrganizerSetsHosts = LarkError.define(193102, "only organizer(not bot) can set assign_hosts")
InvalidAttachmentToken = LarkError.define(193105, "invalid attachment file token")
AttendeeNotFound = LarkError.define(194000, "attendee not found", status=404)
NoPermissionToListAttendees = LarkError.define(194001, "no permission to list event attendees", status=403)
NoPermissionToCreateAttendees = LarkError.define(194002, "no permission to create event attendees", status=403)
NoPermissionToDeleteAttendees = LarkError.define(194003, "no permission to delete event attendees", status=403)
InvalidAttendeeType = LarkError.define(194004, "invalid attendee type")
UserIsDismissed = LarkError.define(195100, "user is dismiss or not exist in the tenant", status=404)


# Contact


NoUserAuthority = LarkError.define(41050, "no user authority error")
UserIdInvalid = LarkError.define(41012, "user id invalid error")


# Groups


InvalidChatParameter = LarkError.define(232001, "Your request contains an invalid request parameter.")
InvalidChatId = LarkError.define(232006, "Your request specifies a chat_id which is invalid.")
ChatDissolved = LarkError.define(232009, "Your request specifies a chat which has already been dissolved.")
OperatorInOtherTenant = LarkError.define(232010, "Operator and chat can NOT be in different tenants.")
OperatorOutOfChat = LarkError.define(232011, "Operator can NOT be out of the chat.")


class OperatorIsNotOwner(LarkError):
    """No Permission: If the operator is NOT owner or creator with the scope, the operator can NOT complete the request."""  # noqa: E501 - one line on the wire

    code = 232017


PublicNameTooShort = LarkError.define(232020, "Name can NOT be less than two characters for public chats.")
PublicNameEmpty = LarkError.define(232042, "Public group chat's name should not be empty.")
UserResigned = LarkError.define(232022, "User has already resigned.")
NoValidMembers = LarkError.define(232027, "There are no valid members in the ID list specified in your request.")
InvalidUserId = LarkError.define(232030, "Your request specifies a user_id which is invalid.")
AppUnavailable = LarkError.define(232034, "The app is unavailable or inactivated by the tenant.")
ExternalMemberInInternalChat = LarkError.define(232028, "External members can Not be added to an internal group chat.")
NoCandidateForOwner = LarkError.define(232029, "There are no available candidates for chat owner.")
OwnerCannotBeKicked = LarkError.define(232076, "Can't kick chat owner.")
OwnerInOtherTenant = LarkError.define(
    232032, "The operator who will create the chat and the designated chat owner must be in the same tenant."
)


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


SenderOutOfChat = LarkError.define(230002, "Bot/User can NOT be out of the chat.")
RecallTooLate = LarkError.define(230009, "Message has expired when recall message.")
MessageRecalled = LarkError.define(230011, "The message was withdrawn.")
ChatCannotBeShared = LarkError.define(230015, "P2P chat can NOT be shared.")
NotAllowedByGroupSettings = LarkError.define(230018, "These operations are NOT allowed at current group settings.")
TopicDoesNotExist = LarkError.define(230019, "The topic does NOT exist.")
ContentTooLong = LarkError.define(230025, "The length of the message content reaches its limit.")
MessageDeleted = LarkError.define(230110, "Action unavailable as the message has been deleted.")
NoPermissionToRecall = LarkError.define(230026, "No permission to recall this message.")
RecipientResigned = LarkError.define(230029, "User has resigned.")
InvalidReceiveId = LarkError.define(230034, "The receive_id is invalid.")
CrossTenantChatForbidden = LarkError.define(230038, "Cross tenant p2p chat operate forbid.")
NotOwnerOfResource = LarkError.define(230017, "Bot is NOT the owner of the resource.")
ThreadInvisible = LarkError.define(230073, "The thread is invisible to the operator.")


class CardContentFailed(LarkError):
    """Failed to create card content."""

    code = 230099

    def __init__(self, sub_code: int, reason: str, value: str) -> None:
        super().__init__(
            f"{(type(self).__doc__ or '').removesuffix('.')}, "
            f"ext=ErrCode: {sub_code}; ErrMsg: {reason}; ErrorValue: {value}; "
        )


# Documents


DocumentNotFound = LarkError.define(1770002, "not found", status=404)
DocumentDeleted = LarkError.define(1770003, "resource deleted")
DocumentForbidden = LarkError.define(1770032, "forBidden", status=403)
FolderNotFound = LarkError.define(1770039, "folder not found")
NoFolderPermission = LarkError.define(1770040, "no folder permission", status=403)


class ImportFailed(LarkError):
    """Document import failed, please check the markdown file content"""

    def body(self) -> Any:
        # The MCP server's own words: the platform refused the upload.
        return {"msg": self.message}


# Permissions of files


InvalidPermissionParameter = LarkError.define(1063001, "Invalid parameter")
PermissionDenied = LarkError.define(1063002, "Permission denied", status=403)
InvalidPermissionOperation = LarkError.define(1063003, "Invalid operation")
NoSharePermission = LarkError.define(1063004, "User has no share permission", status=403)
ResourceIsDeleted = LarkError.define(1063005, "Resource is deleted", status=404)


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


WrongRequestBody = BaseError.define(1254001, "WrongRequestBody")
BaseCallFailed = BaseError.define(1254002, "Fail")
WrongBaseToken = BaseError.define(1254003, "WrongBaseToken")
WrongTableId = BaseError.define(1254004, "WrongTableId")
WrongViewId = BaseError.define(1254005, "WrongViewId")
WrongRecordId = BaseError.define(1254006, "WrongRecordId")
PageSizeTooSmall = BaseError.define(1254011, "Page size must greater than 0.", status=400)
FieldTypeNotSupported = BaseError.define(1254012, "NotSupportFieldOrView", status=400)
TableNameDuplicated = BaseError.define(1254013, "TableNameDuplicated")
FieldNameDuplicated = BaseError.define(1254014, "FieldNameDuplicated", status=400)
FieldTypesDoNotMatch = BaseError.define(1254015, "Field types do not match.", status=400)
InvalidSort = BaseError.define(1254016, "InvalidSort")
InvalidFilter = BaseError.define(1254018, "InvalidFilter")
EmptyViewName = BaseError.define(1254021, "EmptyViewName", status=400)
InvalidViewName = BaseError.define(1254022, "InvalidViewName", status=400)
InvalidFieldNames = BaseError.define(1254024, "InvalidFieldNames")
InvalidFieldName = BaseError.define(1254029, "InvalidFieldName", status=400)
InvalidAppName = BaseError.define(1254031, "InvalidAppName", status=400)
InvalidClientToken = BaseError.define(
    1254037, "Invalid client token, make sure that it complies with the specification.", status=400
)
BaseTokenNotFound = BaseError.define(1254040, "BaseTokenNotFound")
TableIdNotFound = BaseError.define(1254041, "TableIdNotFound")
ViewIdNotFound = BaseError.define(1254042, "ViewIdNotFound")
RecordIdNotFound = BaseError.define(1254043, "RecordIdNotFound")
FieldNameNotFound = BaseError.define(1254045, "FieldNameNotFound")
TextFieldConvFail = BaseError.define(1254060, "TextFieldConvFail")
NumberFieldConvFail = BaseError.define(1254061, "NumberFieldConvFail")
SingleSelectFieldConvFail = BaseError.define(1254062, "SingleSelectFieldConvFail")
MultiSelectFieldConvFail = BaseError.define(1254063, "MultiSelectFieldConvFail")
DatetimeFieldConvFail = BaseError.define(1254064, "DatetimeFieldConvFail")
CheckboxFieldConvFail = BaseError.define(1254065, "CheckboxFieldConvFail")
UserFieldConvFail = BaseError.define(1254066, "UserFieldConvFail")
LinkFieldConvFail = BaseError.define(1254067, "LinkFieldConvFail")
UrlFieldConvFail = BaseError.define(1254068, "URLFieldConvFail")
AttachFieldConvFail = BaseError.define(1254069, "AttachFieldConvFail")
PhoneFieldConvFail = BaseError.define(1254072, "Failed to convert phone field, please make sure it is correct.")
DuplexLinkFieldConvFail = BaseError.define(1254074, "DuplexLinkFieldConvFail", status=400)
TableExceedLimit = BaseError.define(1254100, "TableExceedLimit")
RecordExceedLimit = BaseError.define(1254103, "RecordExceedLimit")
RecordAddOnceExceedLimit = BaseError.define(1254104, "RecordAddOnceExceedLimit")
AttachExceedLimit = BaseError.define(1254106, "AttachExceedLimit")
TooLargeCell = BaseError.define(1254130, "TooLargeCell")
BasePermissionDenied = BaseError.define(1254302, "Permission denied.", status=403)
AttachmentNotAllowed = BaseError.define(1254303, "AttachPermNotAllow")
DriveNodeForbidden = BaseError.define(1254701, "DriveNodePermNotAllow", status=403)
DriveNodeNotExist = BaseError.define(1254702, "DriveNodeNotExist", status=404)
InvalidBaseParameter = BaseError.define(1254800, "InvalidParameter", status=400)
BaseForbidden = BaseError.define(91403, "Forbidden", status=403)


# Tasks


class InvalidTaskParameter(LarkError):
    """invalid request parameters"""

    code = 1470400


NoTaskPermission = LarkError.define(1470403, "no permission", status=403)
TaskResourceMissing = LarkError.define(1470404, "The resource cannot be found or has been deleted.", status=404)
TaskServerError = LarkError.define(1470500, "internal error", status=500)
TooManyAssignees = LarkError.define(1470610, "too many assignees")
TooManyFollowers = LarkError.define(1470611, "too many followers")
ReminderExists = LarkError.define(1470613, "the task already has a reminder")


# Wikis


InvalidWikiParameter = LarkError.define(131002, "param err")
WikiNotFound = LarkError.define(131005, "not found")
WikiPermissionDenied = LarkError.define(131006, "permission denied")
InvalidWikiSearch = LarkError.define(10001, "invalid param", status=200)
