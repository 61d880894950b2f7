"""Errors of the client. All of them are an ``AnyformError``."""

from __future__ import annotations

from typing import Any, Mapping, Optional, Sequence


class AnyformError(Exception):
    """A failed call. ``code`` is for programs, ``detail`` for people."""

    def __init__(
        self,
        detail: str,
        *,
        code: str,
        status: int = 0,
        request_id: Optional[str] = None,
        retryable: bool = False,
        errors: Sequence[Mapping[str, str]] = (),
        supported_targets: Sequence[str] = (),
        retry_after: Optional[float] = None,
        job_id: Optional[str] = None,
    ) -> None:
        super().__init__(detail)
        self.detail = detail
        self.code = code
        self.status = status
        """HTTP status; 0 if there was no response."""
        self.request_id = request_id
        """ID of the request, for support requests."""
        self.retryable = retryable
        """Whether the same call may succeed later, unchanged."""
        self.errors = errors
        """The invalid fields of the request, each with ``pointer``, ``code`` and ``detail``."""
        self.supported_targets = supported_targets
        """Supported targets of the file, if the requested target is not supported."""
        self.retry_after = retry_after
        """Seconds to wait before a retry, from ``Retry-After``."""
        self.job_id = job_id
        """ID of the job, if there is one."""


class ServiceUnreachableError(AnyformError):
    """The service did not respond, or the connection was lost (``not_reachable``)."""


class ServiceError(AnyformError):
    """The service failed (5xx), or a response is not from Anyform (``unexpected_answer``)."""


class AuthenticationError(AnyformError):
    """The API key is missing, unknown, revoked or expired (401)."""


class PermissionDeniedError(AnyformError):
    """The API key does not have the scope of the operation (403)."""


class NotFoundError(AnyformError):
    """The job, upload or result does not exist (404), or has expired (410)."""


class ConflictError(AnyformError):
    """The upload is not ready, or a request with the same idempotency key is in progress (409)."""


class InvalidRequestError(AnyformError):
    """The service cannot process the request or the file (400, 413, 415, 422). ``errors`` lists invalid fields."""


class InvalidOptionsError(InvalidRequestError):
    """An option is unknown, not supported for this conversion, or out of range (``invalid_options``)."""


class UnsupportedConversionError(InvalidRequestError):
    """The service cannot convert the file to the target; see ``supported_targets`` (``unsupported_conversion``)."""


class QuotaExceededError(AnyformError):
    """The account has used its monthly quota (``quota_exceeded``), or the key its limit (``key_quota_exceeded``)."""


class RateLimitError(AnyformError):
    """Requests were sent faster than the limit of the account (``rate_limited``)."""


class UploadError(AnyformError):
    """The service could not receive or fetch the file, for example ``fetch_failed``."""


class ConversionError(AnyformError):
    """A job ended without a result. ``code`` is the error code of the job, for example ``source_corrupt``."""


class WaitTimeoutError(AnyformError):
    """The job did not end in time (``timed_out``). It continues: ``wait(error.job_id)`` waits again."""


class WebhookVerificationError(AnyformError):
    """A webhook message is not from the service, or is too old (``invalid_signature``)."""


_BY_CODE = {
    "invalid_options": InvalidOptionsError,
    "unsupported_conversion": UnsupportedConversionError,
    "quota_exceeded": QuotaExceededError,
    "key_quota_exceeded": QuotaExceededError,
    "unexpected_answer": ServiceError,
}

_BY_STATUS = {
    401: AuthenticationError,
    403: PermissionDeniedError,
    404: NotFoundError,
    409: ConflictError,
    410: NotFoundError,
    429: RateLimitError,
}


def error_for(detail: str, *, code: str, status: int, **fields: Any) -> AnyformError:
    """Returns the error of a response, in the class for its code and status."""
    kind = _BY_CODE.get(code) or _BY_STATUS.get(status)
    if fields.get("job_id") is not None:
        kind = ConversionError
    if kind is None:
        kind = ServiceError if status >= 500 else InvalidRequestError if status >= 400 else AnyformError
    return kind(detail, code=code, status=status, **fields)
