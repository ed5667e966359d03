"""The codes by which vendors say that it is not the call: read as whole words, in their own spelling."""

from __future__ import annotations

import re
from collections.abc import Mapping

from farm.traverse.discriminate.verdict import Cause

# Vendor or protocol → cause → codes, as their references list them.
CODES: Mapping[str, Mapping[Cause, str]] = {
    "gRPC and Google Cloud": {
        "rate": "RESOURCE_EXHAUSTED rateLimitExceeded userRateLimitExceeded quotaExceeded dailyLimitExceeded "
        "RATE_LIMIT_EXCEEDED",
        "login": "UNAUTHENTICATED API_KEY_INVALID API_KEY_EXPIRED ACCESS_TOKEN_EXPIRED ACCESS_TOKEN_SCOPE_INSUFFICIENT "
        "API_KEY_SERVICE_BLOCKED SERVICE_DISABLED CREDENTIALS_MISSING authError keyInvalid accessNotConfigured",
        "time": "DEADLINE_EXCEEDED",
        "server": "UNAVAILABLE backendError DATA_LOSS",
    },
    "Google Maps": {
        "rate": "OVER_QUERY_LIMIT OVER_DAILY_LIMIT",
        "login": "REQUEST_DENIED ApiNotActivatedMapError InvalidKeyMapError",
        "server": "UNKNOWN_ERROR",
    },
    "AMap": {
        "rate": "DAILY_QUERY_OVER_LIMIT ACCESS_TOO_FREQUENT IP_QUERY_OVER_LIMIT QPS_HAS_EXCEEDED_THE_LIMIT "
        "CUQPS_HAS_EXCEEDED_THE_LIMIT CKQPS_HAS_EXCEEDED_THE_LIMIT CIQPS_HAS_EXCEEDED_THE_LIMIT "
        "CQPS_HAS_EXCEEDED_THE_LIMIT "
        "USER_DAILY_QUERY_OVER_LIMIT USER_ABROAD_DAILY_QUERY_OVER_LIMIT ABROAD_DAILY_QUERY_OVER_LIMIT "
        "QUOTA_PLAN_RUN_OUT SERVICE_EXPIRED",
        "login": "INVALID_USER_KEY INVALID_USER_IP INVALID_USER_DOMAIN INVALID_USER_SIGNATURE INVALID_USER_SCODE "
        "USERKEY_PLAT_NOMATCH NOT_SUPPORT_HTTPS USER_KEY_RECYCLED INSUFFICIENT_PRIVILEGES SERVICE_NOT_AVAILABLE "
        "INSUFFICIENT_ABROAD_PRIVILEGES USER_PERMIT_EXPIRED",
        "time": "GATEWAY_TIMEOUT",
        "server": "SERVER_IS_BUSY RESOURCE_UNAVAILABLE ENGINE_RESPONSE_DATA_ERROR ABROAD_PERMIT_EXPIRED "
        "SERVICE_MAINTENANCE",
    },
    "AWS": {
        "rate": "Throttling ThrottlingException ThrottledException RequestLimitExceeded TooManyRequestsException "
        "SlowDown "
        "ProvisionedThroughputExceededException RequestThrottled RequestThrottledException BandwidthLimitExceeded "
        "LimitExceededException PriorRequestNotComplete TransactionInProgressException EC2ThrottledException",
        "login": "ExpiredToken ExpiredTokenException InvalidClientTokenId UnrecognizedClientException "
        "InvalidAccessKeyId "
        "SignatureDoesNotMatch MissingAuthenticationToken MissingAuthenticationTokenException IncompleteSignature "
        "AuthFailure InvalidSignatureException RequestExpired RequestTimeTooSkewed CredentialsProviderError "
        "NoCredentialProviders NoCredentialsError OptInRequired TokenRefreshRequired",
        "time": "RequestTimeoutException GatewayTimeout",
        "server": "InternalFailure InternalServerException ServiceUnavailableException ServiceUnavailable "
        "InternalServerError "
        "ServiceException InternalServiceError",
    },
    "Azure and Microsoft Graph": {
        "rate": "TooManyRequests ServerBusy activityLimitReached quotaLimitReached ApplicationThrottled",
        "login": "AuthenticationFailed ExpiredAuthenticationToken InvalidAuthenticationToken "
        "InvalidAuthenticationTokenTenant AuthenticationError CompactToken",
        "time": "OperationTimedOut",
        "server": "serviceNotAvailable generalException",
    },
    "Slack": {
        "rate": "ratelimited rate_limited message_limit_exceeded",
        "login": "not_authed invalid_auth account_inactive token_revoked token_expired org_login_required "
        "team_access_not_granted",
        "server": "internal_error fatal_error service_unavailable request_timeout team_added_to_org",
    },
    "Notion, Linear, Airtable": {
        "rate": "RATELIMITED RATE_LIMIT_REACHED TOO_MANY_REQUESTS PUBLIC_API_BILLING_LIMIT_EXCEEDED",
        "login": "unauthorized restricted_token AUTHENTICATION_REQUIRED AUTHENTICATION_ERROR",
        "time": "gateway_timeout",
        "server": "internal_server_error service_unavailable database_connection_unavailable INTERNAL_SERVER_ERROR "
        "SERVICE_UNAVAILABLE",
    },
    "model vendors and Stripe": {
        "rate": "rate_limit_error rate_limit_exceeded rate_limit insufficient_quota tokens_usage_based "
        "billing_hard_limit_reached "
        "too_many_requests usage_limit_reached",
        "login": "invalid_api_key authentication_error authentication_failed invalid_authentication "
        "api_key_expired platform_account_required invalid_api_token missing_api_key secret_key_required",
        "server": "overloaded_error engine_overloaded server_error api_connection_error api_error server_overloaded",
        "time": "timeout_error",
    },
    "OAuth 2 and JWT": {
        "login": "invalid_client invalid_grant invalid_token token_not_valid unauthorized_client login_required "
        "interaction_required consent_required TokenExpiredError JsonWebTokenError NotBeforeError "
        "ExpiredSignatureError "
        "InvalidSignatureError OAuthException RefreshError",
        "server": "temporarily_unavailable",
    },
    "Telegram": {
        "rate": "FLOOD_WAIT SLOWMODE_WAIT FloodWaitError PEER_FLOOD",
        "login": "AUTH_KEY_UNREGISTERED AUTH_KEY_INVALID AUTH_KEY_DUPLICATED SESSION_REVOKED SESSION_EXPIRED "
        "USER_DEACTIVATED "
        "SESSION_PASSWORD_NEEDED AuthKeyUnregisteredError",
        "server": "RPC_CALL_FAIL RPC_MCGET_FAIL WORKER_BUSY_TOO_LONG_RETRY",
    },
    "search and weather vendors": {
        "rate": "RATE_LIMITED QUOTA_LIMITED USAGE_LIMIT_EXCEEDED OPTION_NOT_IN_PLAN_QUOTA",
        "login": "SUBSCRIPTION_TOKEN_INVALID INVALID_API_KEY INVALID_KEY MISSING_API_KEY",
    },
    "mail": {
        "login": "AUTHENTICATIONFAILED AUTHORIZATIONFAILED EAUTH",
        "server": "SERVERBUG INUSE",
        "rate": "OVERQUOTA",
    },
    "Redis": {"login": "NOAUTH WRONGPASS", "server": "LOADING MISCONF BUSY CLUSTERDOWN MASTERDOWN TRYAGAIN"},
    "Elasticsearch, MongoDB, Kafka": {
        "rate": "es_rejected_execution_exception circuit_breaking_exception",
        "login": "security_exception",
        "network": "MongoNetworkError MongoServerSelectionError NoNodeAvailableException LEADER_NOT_AVAILABLE",
        "time": "MongoNetworkTimeoutError process_cluster_event_timeout_exception",
        "server": "cluster_block_exception no_shard_available_action_exception",
    },
    "Node.js and undici": {
        "network": "ECONNREFUSED ECONNRESET ECONNABORTED EHOSTUNREACH EHOSTDOWN ENETUNREACH ENETDOWN EAI_AGAIN "
        "EAI_FAIL ENOTFOUND "
        "EPIPE EPROTO ERR_NETWORK ERR_SOCKET_CLOSED ERR_STREAM_PREMATURE_CLOSE ERR_TLS_CERT_ALTNAME_INVALID "
        "CERT_HAS_EXPIRED DEPTH_ZERO_SELF_SIGNED_CERT SELF_SIGNED_CERT_IN_CHAIN UNABLE_TO_VERIFY_LEAF_SIGNATURE "
        "UNABLE_TO_GET_ISSUER_CERT_LOCALLY ERR_HTTP2_STREAM_ERROR ERR_HTTP2_GOAWAY_SESSION HPE_INVALID_CONSTANT "
        "HPE_HEADER_OVERFLOW ConnectionRefused FailedToOpenSocket",
        "time": "ETIMEDOUT ESOCKETTIMEDOUT ETIME",
        "server": "EIO ENOSPC EMFILE ENFILE ENOMEM EDQUOT",
    },
    "Vercel, Cloudflare, Heroku": {
        "time": "FUNCTION_INVOCATION_TIMEOUT GATEWAY_TIMEOUT",
        "server": "FUNCTION_INVOCATION_FAILED DEPLOYMENT_NOT_READY_REDIRECTING INTERNAL_FUNCTION_INVOCATION_FAILED "
        "MIDDLEWARE_INVOCATION_FAILED ROUTER_CANNOT_MATCH NO_RESPONSE_FROM_FUNCTION",
        "rate": "FUNCTION_THROTTLED",
    },
}
# Families of codes: their beginnings.
_PREFIXES: Mapping[Cause, str] = {
    "network": r"UND_ERR_(?!\w*TIMEOUT)\w+|ERR_SSL_\w+|ERR_TLS_\w+|NS_ERROR_(?:CONNECTION|NET|UNKNOWN_HOST|PROXY)\w*",
    "time": r"UND_ERR_\w*TIMEOUT|NS_ERROR_NET_TIMEOUT",
    "rate": r"FLOOD_(?:PREMIUM_)?WAIT_\w+",
    "login": r"AADSTS\d{5,}|CUSTOMER_KEY_\w+|INVALID_USER_KEY\w*",
}


def _compiled() -> dict[Cause, re.Pattern[str]]:
    found: dict[Cause, set[str]] = {}
    for causes in CODES.values():
        for cause, codes in causes.items():
            found.setdefault(cause, set()).update(codes.split())
    return {
        cause: re.compile(
            r"(?<![\w./-])(?:"
            + "|".join(
                [*map(re.escape, sorted(codes, key=lambda each: (-len(each), each))), _PREFIXES.get(cause) or "(?!)"]
            )
            + r")(?![\w/-])(?!\.\w)"
        )
        for cause, codes in found.items()
    }


# Cause → its codes.
CODE_WORDS = _compiled()
