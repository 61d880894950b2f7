"""Client for Anyform, the open-source file conversion service."""

from . import webhooks
from ._async.client import AsyncAnyform
from ._conversions import Outcome
from ._input import FileInput, StoredObject, WebPage
from ._results import ConvertedFile
from ._sync.client import Anyform
from ._types import Account, Conversion, ConversionRequest, Format, FormatList, Job, Options, Upload, WebhookEvent
from .errors import (
    AnyformError,
    AuthenticationError,
    ConflictError,
    ConversionError,
    InvalidOptionsError,
    InvalidRequestError,
    NotFoundError,
    PermissionDeniedError,
    QuotaExceededError,
    RateLimitError,
    ServiceError,
    ServiceUnreachableError,
    UnsupportedConversionError,
    UploadError,
    WaitTimeoutError,
    WebhookVerificationError,
)

__version__ = "0.1.0"

__all__ = [
    "Account",
    "Anyform",
    "AnyformError",
    "AsyncAnyform",
    "AuthenticationError",
    "ConflictError",
    "Conversion",
    "ConversionError",
    "ConversionRequest",
    "ConvertedFile",
    "FileInput",
    "Format",
    "FormatList",
    "InvalidOptionsError",
    "InvalidRequestError",
    "Job",
    "NotFoundError",
    "Options",
    "Outcome",
    "PermissionDeniedError",
    "QuotaExceededError",
    "RateLimitError",
    "ServiceError",
    "ServiceUnreachableError",
    "StoredObject",
    "UnsupportedConversionError",
    "Upload",
    "UploadError",
    "WaitTimeoutError",
    "WebPage",
    "WebhookEvent",
    "WebhookVerificationError",
    "webhooks",
]
