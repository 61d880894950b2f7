"""Types of the API, generated from its OpenAPI document. Do not edit."""

from __future__ import annotations

from typing import Any, Dict, List, Literal, Optional, TypedDict, Union


class _UploadRequired(TypedDict):
    upload_id: str
    """Upload ID."""
    status: Literal["ready", "pending", "failed"]
    """`pending` while the file is being sent, fetched or checked."""
    filename: str
    """The filename, without directories and control characters."""
    size: Optional[int]
    sha256: Optional[str]
    format: Optional[str]
    media_type: Optional[str]
    targets: List[str]
    """IDs of the formats the file can be converted to."""
    created_at: str
    """When the upload was created."""
    expires_at: str
    """When the upload and its file are deleted."""
    error: Optional[UploadError]


class Upload(_UploadRequired, total=False):
    """An uploaded file, or one that is still being sent or fetched."""
    upload: Transfer


class _TransferRequired(TypedDict):
    method: Literal["PUT"]
    """The HTTP method of requests to the file store."""
    expires_at: str
    """When the URLs expire. `getUpload` returns new ones."""


class Transfer(_TransferRequired, total=False):
    """How to send the bytes of a pending upload: with one PUT, or one for each part."""
    url: str
    """The URL to PUT the file to. Needs no API key; keep it secret."""
    headers: Dict[str, str]
    """Headers to send, unchanged. Often empty."""
    parts: List[TransferPart]
    """Instead of `url`: the parts of a large file. Send them in any order, several at once."""


class TransferPart(TypedDict):
    """A part of a large file."""
    number: int
    """The number of the part, starting at 1."""
    offset: int
    """Byte offset of the part in the file."""
    size: int
    """Size of the part in bytes."""
    url: str
    """The URL to PUT the part to. Needs no API key; keep it secret."""
    headers: Dict[str, str]
    """Headers to send, unchanged. Often empty."""
    received: bool
    """Whether this part has been received. Resend missing or corrupt parts."""


class UploadError(TypedDict):
    """Why an upload failed."""
    code: Literal["empty", "size_mismatch", "hash_mismatch", "payload_too_large", "unrecognized_format", "source_format_mismatch", "address_refused", "fetch_failed"]
    """Error code. Stable: use it in programs. This document lists all codes."""
    title: str
    """The code in words."""
    detail: str
    """What is wrong with this file."""
    retryable: bool
    """Whether a retry can succeed."""


JobStepsItem = TypedDict(
    "JobStepsItem",
    {"engine": "str", "from": "str", "to": "str", "duration_ms": "Optional[int]"},
)


class JobWarningsItem(TypedDict):
    code: str
    """Warning code. Stable."""
    detail: str
    """A description of the problem."""


class Job(TypedDict):
    """A conversion."""
    id: str
    """Job ID."""
    status: Literal["queued", "processing", "completed", "failed", "cancelled", "expired"]
    """`queued`, `processing`, then `completed`, `failed` or `cancelled`. `expired` once the file of a completed job is deleted."""
    progress: int
    """Progress in percent."""
    upload_id: str
    """ID of the source upload. For a merge, the first one. The file of a small conversion in one call may not be kept as an upload."""
    upload_ids: List[str]
    """IDs of all source uploads, in the order of a merge."""
    source_filename: Optional[str]
    source_format: str
    """ID of the source format."""
    target_format: str
    """ID of the target format, even if the request used an alias."""
    options: Dict[str, Any]
    """The options of the request, without passwords."""
    steps: List[JobStepsItem]
    """The steps from source to target."""
    fidelity: Literal["lossless", "lossy", "content_only"]
    """What a conversion preserves: `lossless` everything, `lossy` everything except some quality, `content_only` the content without its layout."""
    metadata: Dict[str, str]
    """The metadata of the request."""
    key_id: Optional[str]
    pipeline_id: Optional[str]
    created_at: str
    """When the job was accepted."""
    started_at: Optional[str]
    finished_at: Optional[str]
    expires_at: Optional[str]
    result: Optional[JobResult]
    warnings: List[JobWarningsItem]
    """Problems with an otherwise usable result, and options without effect (`option_without_effect`)."""
    export: Optional[JobExport]
    error: Optional[JobError]


class JobResult(TypedDict):
    """The file that a job produced."""
    filename: str
    """The filename of the result."""
    size: int
    """Size in bytes."""
    media_type: str
    """The media type. `application/zip` when one file became several."""
    sha256: str
    """SHA-256 of the file, in hexadecimal."""
    download_token: str
    """The token for `downloadResult`. Keep it secret."""
    download_url: str
    """The URL of `downloadResult` with this token."""
    expires_at: str
    """When the file is deleted."""


class JobError(TypedDict):
    """Why a job failed."""
    code: Literal["page_unavailable", "page_refused", "source_corrupt", "source_mismatch", "password_required", "too_many_pages", "too_long", "archive_unsafe", "too_many_pixels", "output_too_large", "unsupported_feature", "cancelled", "timed_out", "out_of_memory", "engine_failed", "engine_crashed"]
    """Error code. Stable: use it in programs. This document lists all codes."""
    title: str
    """The code in words."""
    detail: str
    """What is wrong with this file."""
    retryable: bool
    """Whether a retry can succeed."""


class JobExport(TypedDict):
    """The export of a result."""
    status: Literal["pending", "delivered", "failed"]
    """`pending` until the result is delivered. `failed` after the last attempt; the result can still be downloaded until it expires."""
    location: str
    """Where the result goes, without credentials."""
    attempts: int
    """Attempts so far."""
    error: Optional[str]


class JobList(TypedDict):
    """A page of jobs."""
    jobs: List[Job]
    """Jobs, newest first."""
    next: Optional[str]
    """The value of `after` for the next page. Null on the last page."""


class BatchItemsItem(TypedDict):
    status: int
    """The HTTP status that `createJob` would have returned."""
    job: Optional[Job]
    problem: Optional[Problem]


class Batch(TypedDict):
    """The outcome of a batch."""
    items: List[BatchItemsItem]
    """The outcome of each conversion, in the order of the request."""


PipelineStepsItem = TypedDict(
    "PipelineStepsItem",
    {"name": "str", "operation": "Literal[\"convert\", \"merge\", \"archive\", \"compress\", \"watermark\", \"number_pages\", \"encrypt\", \"decrypt\", \"rotate\", \"crop\", \"resize\", \"thumbnail\", \"select_pages\", \"trim\", \"metadata\", \"fill_form\", \"flatten\", \"attach\"]", "from": "List[str]", "job_id": "str", "status": "Literal[\"waiting\", \"queued\", \"processing\", \"completed\", \"failed\", \"cancelled\", \"expired\"]", "progress": "int", "is_result": "bool", "target_format": "Optional[str]", "error": "Optional[JobError]"},
)


class PipelineResultsItem(TypedDict):
    filename: str
    """The filename of the result."""
    size: int
    """Size in bytes."""
    media_type: str
    """The media type. `application/zip` when one file became several."""
    sha256: str
    """SHA-256 of the file, in hexadecimal."""
    download_token: str
    """The token for `downloadResult`. Keep it secret."""
    download_url: str
    """The URL of `downloadResult` with this token."""
    expires_at: str
    """When the file is deleted."""
    step: str
    """The step that made the file."""


class Pipeline(TypedDict):
    """Conversions that read each other's results."""
    id: str
    """Pipeline ID."""
    status: Literal["queued", "processing", "completed", "failed", "cancelled", "expired"]
    """`queued`, `processing`, then `completed`, `failed` if any step failed, or `cancelled`. `expired` once the results of a completed pipeline are deleted."""
    progress: int
    """Progress of all steps in percent."""
    inputs: Dict[str, str]
    """Upload IDs by the names of the inputs."""
    steps: List[PipelineStepsItem]
    """The steps, each after the steps that it reads."""
    results: List[PipelineResultsItem]
    """The results that can be downloaded so far."""
    metadata: Dict[str, str]
    """The metadata of the request."""
    created_at: str
    """When the pipeline was accepted."""
    finished_at: Optional[str]


class PipelineList(TypedDict):
    """A page of pipelines."""
    pipelines: List[Pipeline]
    """Pipelines, newest first."""
    next: Optional[str]
    """The value of `after` for the next page. Null on the last page."""


class Preset(TypedDict):
    """Saved settings of conversions."""
    name: str
    """Name of the preset."""
    target_format: Optional[str]
    options: Dict[str, Any]
    """Options. Those of a request take precedence."""
    steps: Optional[List[Dict[str, Any]]]
    updated_at: str
    """When the preset was saved."""


class PresetList(TypedDict):
    """The presets of the account."""
    presets: List[Preset]
    """The presets, by name."""


class Download(TypedDict):
    """Where to download a result."""
    url: str
    """The URL of the file. Needs no API key; keep it secret."""
    expires_at: str
    """When the URL expires."""
    filename: str
    """The filename of the result."""
    size: int
    """Size in bytes."""
    sha256: str
    """SHA-256 of the file, in hexadecimal."""


class AccountQuota(TypedDict):
    """The limits of the account and their usage."""
    limit: Optional[int]
    used: int
    """Requests counted this month."""
    remaining: Optional[int]
    resets_at: str
    """When the next month starts."""
    requests_per_second: Optional[int]


class Account(TypedDict):
    """The plan, quota and usage of an account."""
    id: str
    """Account ID."""
    plan: Literal["free", "api", "enterprise", "unlimited"]
    """The plan of the account."""
    quota: AccountQuota
    """The limits of the account and their usage."""
    retention_hours: float
    """Hours that files are kept after their job. 0: until the first download."""


class Use(TypedDict):
    """The usage of an account in one month."""
    month: str
    """The UTC month: `2026-11`."""
    limit: Optional[int]
    used: int
    """Requests counted this month, minus refunds."""
    since: str
    """The UTC month in which the account was created: `2026-03`."""
    days: List[UseDay]
    """The days of the month, up to today."""


class UseDay(TypedDict):
    """The usage of one day."""
    date: str
    """The UTC day."""
    upload: int
    """Accepted uploads."""
    convert: int
    """Accepted conversions."""
    download: int
    """Accepted downloads."""
    completed: int
    """Jobs completed on this day."""
    failed: int
    """Jobs that failed on this day."""
    cancelled: int
    """Jobs cancelled on this day."""


class UseDetail(TypedDict):
    """Jobs that ended on a day, with the same key, formats and outcome."""
    date: str
    """The UTC day on which the jobs ended."""
    key_id: Optional[str]
    source_format: str
    """ID of the source format."""
    target_format: str
    """ID of the target format."""
    status: Literal["completed", "failed", "cancelled"]
    """How the jobs ended."""
    error_code: Optional[Literal["page_unavailable", "page_refused", "source_corrupt", "source_mismatch", "password_required", "too_many_pages", "too_long", "archive_unsafe", "too_many_pixels", "output_too_large", "unsupported_feature", "cancelled", "timed_out", "out_of_memory", "engine_failed", "engine_crashed"]]
    jobs: int
    """Number of jobs."""
    bytes_in: int
    """Bytes of their source files."""
    bytes_out: int
    """Bytes of their results."""


class UseDetails(TypedDict):
    """The jobs of a month by day, key, formats and outcome."""
    month: str
    """The UTC month: `2026-11`."""
    rows: List[UseDetail]
    """The jobs of the month, at most 20,000 rows."""
    truncated: bool
    """Whether there are more rows."""


class WebhookAttemptsItem(TypedDict):
    at: str
    """When the attempt was made."""
    duration_ms: int
    """Milliseconds until the response or timeout."""
    status: Optional[int]
    error: Optional[str]


class Webhook(TypedDict):
    """A webhook message."""
    id: str
    """Message ID, sent as `webhook-id` with every attempt."""
    job_id: str
    """ID of the job or pipeline; of the account, for `quota.warning` and `quota.reached`."""
    endpoint_id: Optional[str]
    type: Literal["job.completed", "job.failed", "job.cancelled", "pipeline.completed", "pipeline.failed", "pipeline.cancelled", "quota.warning", "quota.reached"]
    """The type of event."""
    url: str
    """The URL the message is sent to."""
    status: Literal["pending", "delivered", "failed"]
    """`failed` after the last attempt."""
    attempts: List[WebhookAttemptsItem]
    """All attempts so far, oldest first."""
    created_at: str
    """When the job or pipeline ended."""
    next_attempt_at: Optional[str]


class WebhookList(TypedDict):
    """A page of webhook messages."""
    messages: List[Webhook]
    """Messages, newest first."""
    next: Optional[str]
    """The value of `after` for the next page. Null on the last page."""


class WebhookSecretsSecretsItem(TypedDict):
    secret: str
    """`whsec_` and the base64 key, as Standard Webhooks libraries expect it."""
    created_at: str
    """When the secret was created."""
    expires_at: Optional[str]


class WebhookSecrets(TypedDict):
    """The signing secrets of webhooks."""
    secrets: List[WebhookSecretsSecretsItem]
    """Secrets, newest first. Each one signs every message."""


class WebhookEndpointSecretsItem(TypedDict):
    secret: str
    """`whsec_` and the base64 key, as Standard Webhooks libraries expect it."""
    created_at: str
    """When the secret was created."""
    expires_at: Optional[str]


class WebhookEndpoint(TypedDict):
    """A webhook endpoint."""
    id: str
    """Endpoint ID. `default` is the webhook URL of the account, which has all events of jobs and pipelines."""
    url: str
    """The URL that messages are sent to."""
    description: Optional[str]
    events: List[Literal["job.completed", "job.failed", "job.cancelled", "pipeline.completed", "pipeline.failed", "pipeline.cancelled", "quota.warning", "quota.reached"]]
    """The types of events that it receives."""
    enabled: bool
    """Whether it receives messages."""
    secrets: List[WebhookEndpointSecretsItem]
    """Secrets, newest first. Each one signs every message."""
    created_at: str
    """When the endpoint was created."""


class WebhookEndpointList(TypedDict):
    """The webhook endpoints of an account."""
    endpoints: List[WebhookEndpoint]
    """Endpoints, oldest first, after the default one."""


class WebhookTest(TypedDict):
    """The result of a test message."""
    delivered: bool
    """Whether the endpoint accepted the message with a 2xx status within 15 seconds."""
    message_id: str
    """The `webhook-id` of the message."""
    duration_ms: int
    """Milliseconds until the response or timeout."""
    status: Optional[int]
    error: Optional[str]


class WebhookEvent(TypedDict):
    """The body of a webhook message about a job."""
    type: Literal["job.completed", "job.failed", "job.cancelled"]
    """The type of event."""
    timestamp: str
    """When the job ended."""
    data: Job


class QuotaEventData(TypedDict):
    """The usage of the account."""
    month: str
    """The UTC month: `2026-11`."""
    percent: int
    """The threshold: 80 or 100."""
    limit: int
    """Requests per month."""
    used: int
    """Requests counted when the threshold was noticed."""
    resets_at: str
    """When the next month starts."""


class QuotaEvent(TypedDict):
    """The body of a webhook message about the quota. Sent once per month and threshold."""
    type: Literal["quota.warning", "quota.reached"]
    """`quota.warning` at 80 %, `quota.reached` at 100 %."""
    timestamp: str
    """When the threshold was reached."""
    data: QuotaEventData
    """The usage of the account."""


class WebhookTestEventData(TypedDict):
    """What was tested."""
    endpoint_id: str
    """The tested endpoint."""


class WebhookTestEvent(TypedDict):
    """The body of a test message."""
    type: Literal["webhook.test"]
    """The type of event."""
    timestamp: str
    """When the test was requested."""
    data: WebhookTestEventData
    """What was tested."""


class Storage(TypedDict):
    """A storage. Credentials are never returned."""
    name: str
    """The name, unique in the account."""
    type: Literal["s3", "webdav"]
    """The protocol."""
    endpoint: str
    """The URL of the service, or of the WebDAV folder."""
    region: Optional[str]
    bucket: Optional[str]
    virtual_host: bool
    """Whether the bucket is part of the host name."""
    created_at: str
    """When the storage was created."""
    updated_at: str
    """When the storage was last changed."""


class StorageList(TypedDict):
    """The storages of the account."""
    storages: List[Storage]
    """Storages by name."""


class StorageTest(TypedDict):
    """The result of a test."""
    succeeded: bool
    """Whether a small file could be written and deleted."""
    error: Optional[str]


class PipelineEvent(TypedDict):
    """The body of a webhook message about a pipeline."""
    type: Literal["pipeline.completed", "pipeline.failed", "pipeline.cancelled"]
    """The type of event."""
    timestamp: str
    """When the last step ended."""
    data: Pipeline


class LoggedRequest(TypedDict):
    """A request in the log."""
    id: str
    """ID of the log entry."""
    request_id: str
    """The request ID of the response: `X-Request-Id`."""
    created_at: str
    """When the request arrived."""
    key_id: Optional[str]
    operation: str
    """ID of the operation, such as `createJob`."""
    method: str
    """The HTTP method."""
    path: str
    """The path, without its query and download tokens."""
    status: int
    """The HTTP status of the response."""
    error_code: Optional[str]
    duration_ms: int
    """Milliseconds until the response was ready."""
    bytes_in: Optional[int]
    bytes_out: Optional[int]
    job_id: Optional[str]


class RequestList(TypedDict):
    """A page of requests."""
    requests: List[LoggedRequest]
    """Requests, newest first."""
    next: Optional[str]
    """The value of `after` for the next page. Null on the last page."""


class RequestDetail(TypedDict):
    """A request in the log, with the body of its response."""
    id: str
    """ID of the log entry."""
    request_id: str
    """The request ID of the response: `X-Request-Id`."""
    created_at: str
    """When the request arrived."""
    key_id: Optional[str]
    operation: str
    """ID of the operation, such as `createJob`."""
    method: str
    """The HTTP method."""
    path: str
    """The path, without its query and download tokens."""
    status: int
    """The HTTP status of the response."""
    error_code: Optional[str]
    duration_ms: int
    """Milliseconds until the response was ready."""
    bytes_in: Optional[int]
    bytes_out: Optional[int]
    job_id: Optional[str]
    body: Optional[str]
    body_truncated: bool
    """Whether parts of the body are missing."""


class _FormatRequired(TypedDict):
    id: str
    """Format ID."""
    name: str
    """Display name."""
    family: str
    """Family: image, document, audio, …"""
    extensions: List[str]
    """File extensions without the dot. Results get the first one."""
    writable: bool
    """Whether this server can convert files to this format."""
    targets: List[str]
    """IDs of the formats that it can be converted to; with a filter, only of the listed conversions."""


class Format(_FormatRequired, total=False):
    """A file format."""
    usual_targets: List[str]
    """IDs of the targets that people usually want, the likeliest first. Only of the format that `source` names."""
    media_types: List[str]
    """Media types. Results get the first one. Only with `conversions=true`."""
    readable: bool
    """Whether this server can convert files of this format. Only with `conversions=true`."""
    engines: List[str]
    """The engines that read or write the format, as `getHealth` names them. Only with `conversions=true`."""


ConversionStepsItem = TypedDict(
    "ConversionStepsItem",
    {"engine": "str", "from": "str", "to": "str"},
)


class Conversion(TypedDict):
    """A conversion that this server supports."""
    source: str
    """ID of the source format."""
    target: str
    """ID of the target format."""
    fidelity: Literal["lossless", "lossy", "content_only"]
    """What a conversion preserves: `lossless` everything, `lossy` everything except some quality, `content_only` the content without its layout."""
    steps: List[ConversionStepsItem]
    """The steps from source to target."""
    drops: List[str]
    """What the source can contain and the result loses."""
    options: Dict[str, Any]
    """JSON Schema (2020-12) of the supported `options`."""
    merges: bool
    """Whether several source files can be merged into one result."""
    max_bytes: int
    """Maximum size of the source in bytes; of all sources together for a merge."""


class _FormatListRequired(TypedDict):
    formats: List[Format]
    """The formats of the listed conversions."""


class FormatList(_FormatListRequired, total=False):
    """Formats and, on request, their conversions."""
    conversions: List[Conversion]
    """The listed conversions. Only with `conversions=true`."""


class ProblemErrorsItem(TypedDict):
    pointer: str
    """JSON pointer (RFC 6901) into the body, or `/` and the name of a parameter."""
    code: str
    """Code of the validation error."""
    detail: str
    """A description of the validation error."""


class _ProblemRequired(TypedDict):
    type: str
    """`urn:anyform:error:` and the code. Identifies the type of the error; it is not a link."""
    title: str
    """The code in words."""
    status: int
    """The HTTP status."""
    detail: str
    """What is wrong with this request, and how to fix it."""
    instance: str
    """The path of the request, without secrets."""
    code: Literal["malformed_json", "malformed_multipart", "invalid_request", "missing_api_key", "invalid_api_key", "expired_api_key", "missing_session", "forbidden_scope", "forbidden_origin", "forbidden_role", "cross_site", "not_found", "method_not_allowed", "not_acceptable", "upload_incomplete", "upload_failed", "idempotency_conflict", "email_taken", "owner_required", "subscription_active", "limit_reached", "expired", "payload_too_large", "unsupported_media_type", "unsupported_conversion", "invalid_options", "idempotency_mismatch", "unrecognized_format", "source_format_mismatch", "wrong_code", "invitation_refused", "identity_refused", "passkey_refused", "rate_limited", "quota_exceeded", "key_quota_exceeded", "internal_error", "not_offered", "temporarily_unavailable", "page_unavailable", "page_refused", "source_corrupt", "source_mismatch", "password_required", "too_many_pages", "too_long", "archive_unsafe", "too_many_pixels", "output_too_large", "unsupported_feature", "cancelled", "timed_out", "out_of_memory", "engine_failed", "engine_crashed"]
    """Error code. Stable: use it in programs. The code of a job error if a conversion in one call failed."""
    request_id: str
    """The request ID to include in support requests. Also in `X-Request-Id`."""
    retryable: bool
    """Whether the same request can succeed later."""


class Problem(_ProblemRequired, total=False):
    """Problem details (RFC 9457)."""
    errors: List[ProblemErrorsItem]
    """Validation errors of the request, at most 50."""
    job_id: str
    """The failed job, if a conversion in one call failed."""
    supported_targets: List[str]
    """Formats the file can be converted to instead."""


class _DirectUploadRequestRequired(TypedDict):
    filename: str
    """The filename. The format is detected from the content first, then from the extension."""
    size: int
    """Size of the file in bytes."""


class DirectUploadRequest(_DirectUploadRequestRequired, total=False):
    """A file that the client sends to the file store."""
    content_type: str
    """The media type of the file. It decides between text formats if neither the content nor the filename does."""
    source_format: str
    """The format of the file: an ID, an extension or a media type. Default: detected from the content, then from the filename, then from the media type. Set it if the content is ambiguous, such as a CSV file named `data.dat`. A file whose content has the signature of another format is rejected."""
    sha256: str
    """SHA-256 of the file, in hexadecimal. The upload fails if it does not match."""


class UrlUploadRequest(TypedDict, total=False):
    """A file that the service fetches: set `url`, or `storage` and `key`."""
    url: str
    """The URL of the file. Must be reachable from the internet; up to five redirects are followed."""
    storage: str
    """The name of a storage: 1 to 64 letters, digits, dots, underscores and hyphens."""
    key: str
    """The key of the object in the storage."""
    filename: str
    """The filename. Default: the last segment of the URL's path, or of the key."""
    source_format: str
    """The format of the file: an ID, an extension or a media type. Default: detected from the content, then from the filename, then from the media type. Set it if the content is ambiguous, such as a CSV file named `data.dat`. A file whose content has the signature of another format is rejected."""
    headers: Dict[str, str]
    """Headers of the request for the file, such as `Authorization`; not host, content-length, connection, transfer-encoding. Never returned."""


class ConversionRequestExport(TypedDict, total=False):
    """Delivers the result when the job has completed, with retries. Set one of `url` and `storage`."""
    url: str
    """The URL that receives the result, such as a presigned URL. Must be reachable from the internet; redirects are not followed. Its query is never returned."""
    method: Literal["PUT", "POST"]
    """The method of the request to `url`. Default: PUT."""
    headers: Dict[str, str]
    """Headers of the request to `url`, such as `Authorization`; not host, content-length, connection, transfer-encoding. Never returned."""
    storage: str
    """The name of a storage: 1 to 64 letters, digits, dots, underscores and hyphens."""
    key: str
    """The key of the object in the storage. `{name}` is the filename of the result, `{id}` the job ID. Default: `{name}`."""


class _ConversionRequestStepsItemRequired(TypedDict):
    operation: Literal["convert", "merge", "archive", "compress", "watermark", "number_pages", "encrypt", "decrypt", "rotate", "crop", "resize", "thumbnail", "select_pages", "trim", "metadata", "fill_form", "flatten", "attach"]
    """What the step does. All options of its conversion are allowed."""


class ConversionRequestStepsItem(_ConversionRequestStepsItemRequired, total=False):
    """A step that reads the result of the one before."""
    target_format: str
    """ID, extension or media type of the format of the result. `convert` requires it; `merge` defaults to pdf, `archive` to zip, `thumbnail` to jpg, and the other operations to the format of the input."""
    options: Dict[str, Any]
    """Options of the conversion, as `getConversion` describes them. An option whose value is the ID of an upload can also name an input."""
    preset: str
    """Name of a saved preset. Its settings apply unless the request sets them; options are merged."""
    filename: str
    """The filename of the result. Default: the name of the first input with the extension of the target format."""


class ConversionRequest(TypedDict, total=False):
    """A conversion of one upload, or a merge of several into one file. Set one of `upload_id`, `upload_ids` and `url`."""
    upload_id: str
    """The upload to convert."""
    upload_ids: List[str]
    """Instead of `upload_id`: the uploads to merge into one file, in this order. Images and PDFs can be merged into a PDF; images into an animated gif, webp or apng, or a multi-page tiff; any files into a zip, tar, tgz or tzst."""
    url: str
    """Instead of `upload_id`: the web page to load in a browser, for the targets pdf, png, jpg and webp. Must be reachable from the internet. To convert a file at a URL, create an upload with its `url` first."""
    target_format: str
    """ID, extension (with or without the dot) or media type of a format. Case-insensitive. Required unless `preset` or `steps` is set."""
    options: Dict[str, Any]
    """Options of the conversion, as described by the JSON Schema that `getConversion` returns. Unknown options are rejected."""
    filename: str
    """The filename of the result. Default: the name of the upload with the extension of the target format."""
    webhook_url: str
    """The URL that receives a webhook when the job ends. Must be reachable from the internet; redirects are not followed. Default: the account's webhook URL, if any."""
    webhook_body: Literal["job", "file"]
    """The body of the webhook. `file`: the result itself, up to 20000000 bytes, with the headers `anyform-job` and `anyform-event`; larger results and failed jobs are sent as `job`. Default: `job`."""
    export: ConversionRequestExport
    """Delivers the result when the job has completed, with retries. Set one of `url` and `storage`."""
    metadata: Dict[str, str]
    """Key-value pairs that are returned with the job."""
    preset: str
    """Name of a saved preset. Its settings apply unless the request sets them; options are merged."""
    steps: List[ConversionRequestStepsItem]
    """Steps after the conversion, each of which reads the result of the one before. The job of the response is the last step. Without `target_format`, the first step reads the upload. To read several results or offer several, use `createPipeline`."""


class BatchRequest(TypedDict):
    conversions: List[Any]
    """The bodies of `createJob` (`ConversionRequest`). Invalid items are rejected individually."""


PipelineRequestStepsItem = TypedDict(
    "PipelineRequestStepsItem",
    {"name": "str", "operation": "Literal[\"convert\", \"merge\", \"archive\", \"compress\", \"watermark\", \"number_pages\", \"encrypt\", \"decrypt\", \"rotate\", \"crop\", \"resize\", \"thumbnail\", \"select_pages\", \"trim\", \"metadata\", \"fill_form\", \"flatten\", \"attach\"]", "from": "Union[str, List[str]]", "target_format": "str", "options": "Dict[str, Any]", "preset": "str", "filename": "str", "result": "bool"},
)


class _PipelineRequestRequired(TypedDict):
    inputs: Dict[str, str]
    """Upload IDs by the names that steps read them under."""
    steps: List[PipelineRequestStepsItem]
    """The steps, at most 20, in any order."""


class PipelineRequest(_PipelineRequestRequired, total=False):
    """Conversions that read each other's results."""
    webhook_url: str
    """The URL that receives a webhook when the pipeline ends. Default: the account's webhook URL, if any."""
    metadata: Dict[str, str]
    """Key-value pairs that are returned with the job."""


class _PresetRequestStepsItemRequired(TypedDict):
    operation: Literal["convert", "merge", "archive", "compress", "watermark", "number_pages", "encrypt", "decrypt", "rotate", "crop", "resize", "thumbnail", "select_pages", "trim", "metadata", "fill_form", "flatten", "attach"]
    """What the step does. All options of its conversion are allowed."""


class PresetRequestStepsItem(_PresetRequestStepsItemRequired, total=False):
    """A step that reads the result of the one before."""
    target_format: str
    """ID, extension or media type of the format of the result. `convert` requires it; `merge` defaults to pdf, `archive` to zip, `thumbnail` to jpg, and the other operations to the format of the input."""
    options: Dict[str, Any]
    """Options of the conversion, as `getConversion` describes them. An option whose value is the ID of an upload can also name an input."""
    preset: str
    """Name of a saved preset. Its settings apply unless the request sets them; options are merged."""
    filename: str
    """The filename of the result. Default: the name of the first input with the extension of the target format."""


class PresetRequest(TypedDict, total=False):
    """Settings of conversions."""
    target_format: str
    """ID, extension or media type of a format."""
    options: Dict[str, Any]
    """Options of the conversion. They are checked when a request uses the preset, because they depend on the source format."""
    steps: List[PresetRequestStepsItem]
    """Steps of `createJob`. A preset with steps cannot be the preset of a step."""


class _NewWebhookEndpointRequired(TypedDict):
    url: str
    """The URL that receives the messages. Must be reachable from the internet; redirects are not followed."""


class NewWebhookEndpoint(_NewWebhookEndpointRequired, total=False):
    events: List[Literal["job.completed", "job.failed", "job.cancelled", "pipeline.completed", "pipeline.failed", "pipeline.cancelled", "quota.warning", "quota.reached"]]
    """The types of events that it receives. Default: all."""
    description: Optional[str]
    enabled: bool
    """Whether it receives messages. Default: true."""


class WebhookEndpointChanges(TypedDict, total=False):
    url: str
    """The URL that receives the messages. Must be reachable from the internet; redirects are not followed."""
    events: List[Literal["job.completed", "job.failed", "job.cancelled", "pipeline.completed", "pipeline.failed", "pipeline.cancelled", "quota.warning", "quota.reached"]]
    """The types of events that it receives. Default: all."""
    description: Optional[str]
    enabled: bool
    """Whether it receives messages. Default: true."""


class _StorageRequestRequired(TypedDict):
    type: Literal["s3", "webdav"]
    """The protocol."""


class StorageRequest(_StorageRequestRequired, total=False):
    """A storage with its credentials, which are encrypted and never returned."""
    endpoint: str
    """The URL of the service, without the bucket, or of the WebDAV folder. Must be reachable from the internet. Default: Amazon S3 in the region."""
    region: str
    """The region of the bucket. Default: `us-east-1`."""
    bucket: str
    """The bucket. Required for `s3`."""
    virtual_host: bool
    """Whether the bucket is part of the host name instead of the path. Default: false."""
    access_key_id: str
    """The ID of the access key. Required for `s3`."""
    secret_access_key: str
    """The secret access key. Required for `s3`. Never returned."""
    username: str
    """The user of WebDAV. Default: no authentication."""
    password: str
    """The password of WebDAV. Never returned."""


class ServiceStatusEnginesItemDaysItem(TypedDict):
    date: str
    """The UTC day, `YYYY-MM-DD`."""
    success: float
    """Share of conversions that the service did not fail. From 0 to 1."""
    median_ms: Optional[int]
    """Median duration of a step with the engine. `null` without conversions."""


class ServiceStatusEnginesItem(TypedDict):
    engine: str
    """The engine."""
    success: float
    """Share of conversions that the service did not fail. All days together. From 0 to 1."""
    median_ms: Optional[int]
    """Median duration of a step with the engine. `null` without conversions."""
    p95_ms: Optional[int]
    """Duration that 95% of the steps do not exceed. `null` without conversions."""
    days: List[ServiceStatusEnginesItemDaysItem]
    """The days with conversions, oldest first."""


ServiceStatus = TypedDict(
    "ServiceStatus",
    {"from": "str", "to": "str", "engines": "List[ServiceStatusEnginesItem]"},
)


class Health(TypedDict):
    """The health of the service."""
    status: Literal["ok"]
    """Always `ok`: an unhealthy service does not respond."""
    engines: Dict[str, str]
    """The conversion engines and their versions."""


class _OptionsBookmarksItemRequired(TypedDict):
    title: str
    page: int


class OptionsBookmarksItem(_OptionsBookmarksItemRequired, total=False):
    level: int


class Options(TypedDict, total=False):
    """The options of all conversions."""
    at: Union[float, str]
    """Time of the extracted frame: seconds, or `1:02:03.5`. Default: 10% of the duration."""
    attachment_upload_id: str
    """ID of an upload to attach to the PDF, in any format. A form can contain the file itself in a field with this name."""
    attachments: Literal["list", "embed"]
    """Attachments of a message: `list` shows their names and sizes, `embed` also puts the files into the result."""
    audio_bitrate: int
    """Audio bitrate in kbit/s. Default: by codec and channels, 192 for stereo MP3."""
    audio_codec: Literal["aac", "mp3", "ac3", "opus", "vorbis", "flac", "alac", "pcm", "copy"]
    """Audio codec; `copy` keeps the source's. Default: the source's codec if common players of the target support it, otherwise the target's default."""
    author: str
    """Author in the metadata of the PDF. An empty text removes it."""
    background: str
    """Background color of transparent pixels and padding: `#rgb`, `#rrggbb` or `#rrggbbaa`; a translucent color is used for padding only. Default: transparent, or white if the target does not support transparency."""
    blur: float
    """Blur the image: standard deviation of the Gaussian in pixels of the result."""
    bookmarks: List[OptionsBookmarksItem]
    """Bookmarks that replace those of the PDF, in order: `[{"title": "Chapter 1", "page": 1}, {"title": "Part", "page": 2, "level": 2}]`. Pages are numbered as in the result; `level` is 1 by default. An empty list removes them."""
    channels: int
    """Audio channels: 1 is mono, 2 is stereo. Default: as in the source, if the codec supports it."""
    colors: Literal["color", "black_white"]
    """Colors of a traced drawing: areas of `color`, or `black_white` lines and areas."""
    columns: int
    """Columns of a contact sheet of several images or frames. Default: as many as rows."""
    compress: Literal["print", "ebook", "screen"]
    """Recompress the images of a PDF: `print` to at most 220 dpi, `ebook` 150 dpi, `screen` 96 dpi. Text and drawings stay as they are."""
    cookies: str
    """Cookies for the host of the URL: `session=abc; theme=dark`. Never returned."""
    crf: int
    """Constant rate factor: lower values are better and larger. H.264 and HEVC: 0 to 51, default 23 and 26; VP9 and AV1: 0 to 63, default 32 and 35."""
    crop: str
    """Area of the image to keep: `left,top,width,height` in pixels or percent. Applies after `flip` and `rotate`, before `width` and `height`."""
    crop_margins: str
    """Millimeters to hide at the sides of each page: all sides, or top, right, bottom and left: `10,15,10,15`."""
    css_media: Literal["print", "screen"]
    """CSS media type."""
    css_page_size: bool
    """Prefer the page size of the page's own style sheets to the requested one. Default: true if no size is requested."""
    delay: int
    """Duration of each frame in milliseconds when images are merged into an animation; GIF has steps of 10. Default: 500; frames of an animation keep their duration."""
    delimiter: Literal[",", ";", "\t", "|"]
    """Column delimiter of the source CSV or, if the source is not CSV, of the target. Default: detected in the source; a comma in the target."""
    dpi: int
    """Resolution of rendered pages in dots per inch. Default for images in a PDF: that of the file, or 150."""
    encoding: str
    """Text encoding of the source, by its name in the WHATWG Encoding Standard. Default: detected from the content."""
    facturx_upload_id: str
    """ID of an upload with the XML of an invoice (Factur-X, ZUGFeRD 2), which is attached to the PDF as PDF/A-3b. A form can contain the file itself in a field with this name."""
    fit: Literal["inside", "outside", "cover", "contain", "fill"]
    """How the image fits `width` and `height`: `inside` and `outside` preserve the aspect ratio within or around them, `cover` crops, `contain` pads with `background`, `fill` stretches."""
    flatten: bool
    """Make form fields and annotations part of the page, so that they can no longer be changed. Default: false."""
    flip: Literal["horizontal", "vertical", "both"]
    """Mirror the image: `horizontal` exchanges left and right, `vertical` top and bottom. Applies before `rotate`."""
    footer_template: str
    """HTML of the footer of each page. The elements with the classes `pageNumber`, `totalPages`, `date`, `title` and `url` are filled in. Set a font size and a margin; images must be `data:` URLs."""
    form_data: Dict[str, Union[str, float, bool, List[str]]]
    """Values of form fields by name: `{"name": "Ada", "subscribe": true}`. The conversion of the PDF to JSON lists the fields; `flatten` makes the values part of the page. Never returned."""
    fps: float
    """Frames per second of the result. Default: as in the source; 12 for animations."""
    frames: int
    """Number of frames of the video, evenly spaced in time, on a contact sheet; `width` is that of each frame, 320 by default. Default: one frame."""
    full_page: bool
    """Draw the complete page, not only what a window of `width` and `height` shows. Default: true without `height`."""
    grayscale: bool
    """Convert the colors to shades of gray."""
    header: bool
    """Whether the first row of the source contains the column names."""
    header_template: str
    """HTML of the header of each page. The elements with the classes `pageNumber`, `totalPages`, `date`, `title` and `url` are filled in. Set a font size and a margin; images must be `data:` URLs."""
    height: int
    """Height of the result in pixels."""
    indent: int
    """Spaces per indentation level; 0 writes everything in one line."""
    javascript: bool
    """Run the scripts of the page. They have no network access unless the source is a URL. Default: true for a URL, otherwise false."""
    keywords: str
    """Keywords in the metadata of the PDF, separated by commas. An empty text removes them."""
    layout: Literal["flow", "exact", "text"]
    """Layout of a document made from PDF. `flow` is editable text that resembles the pages; `exact` has each line at its position on the page; `text` has paragraphs, lists and tables without the formatting of the pages."""
    level: int
    """Compression level: 1 is fastest, 9 is smallest. 7-Zip, XZ and bzip2: default 3, or 1 for large files."""
    linearize: bool
    """Order the PDF so that a viewer can show its first page before it has received the rest. Default: false."""
    lossless: bool
    """Lossless encoding; `quality` is ignored."""
    loudness: float
    """Normalize the loudness to this value in LUFS (EBU R128, in two passes): -23 is the level of broadcasts, -14 of streaming services. Peaks are limited to -1 dB."""
    margin_bottom: float
    """Bottom page margin in millimeters. Default: `page_margin`."""
    margin_left: float
    """Left page margin in millimeters. Default: `page_margin`."""
    margin_right: float
    """Right page margin in millimeters. Default: `page_margin`."""
    margin_top: float
    """Top page margin in millimeters. Default: `page_margin`."""
    markdown: Literal["gfm", "commonmark", "pandoc", "multimarkdown", "php_extra"]
    """Markdown dialect of the source or, if the source is not Markdown, of the target. `gfm` is GitHub's."""
    ocr: Literal["auto", "off", "force"]
    """Text recognition (OCR). `auto`: in images, and in pages without text; if the target is not PDF, also in pages whose fonts do not name their characters, and in scans with a digital number or header. `force`: in all pages, whose own text is left out. Default when the target is PDF: `off`, or `auto` with `ocr_language`; otherwise `auto`."""
    ocr_language: str
    """OCR languages, up to five: `de`, `en+fr`, `zh-Hant`, or Tesseract codes. Default: English."""
    owner_password: str
    """Encrypt the PDF (AES-256) with this password, which lifts the restrictions of `permissions`. Never returned."""
    page_height: float
    """Height of the page in millimeters, instead of `page_size`."""
    page_margin: float
    """Page margin in millimeters. Default: 0 for images, 20 for text."""
    page_number_format: str
    """Text of page numbers: `{page}` is the number of the page, `{pages}` the last number, as in `{page} / {pages}`. Default: `{page}`."""
    page_number_pages: str
    """Pages with a page number, as numbered in the result: `2-`. Default: all."""
    page_number_position: Literal["bottom", "bottom_left", "bottom_right", "top", "top_left", "top_right"]
    """Position of page numbers."""
    page_number_start: int
    """Number of the first page that has one."""
    page_numbers: bool
    """Print page numbers in the bottom margin."""
    page_orientation: Literal["auto", "portrait", "landscape"]
    """Page orientation. `auto` follows the image."""
    page_size: Literal["auto", "a3", "a4", "a5", "letter", "legal"]
    """Page size. `auto` is the size of the image, and A4 for text."""
    page_width: float
    """Width of the page in millimeters, instead of `page_size`."""
    pages: str
    """Pages to convert, starting at 1: `1-3,7,9-`; `!2` is all pages but the second. Default: all."""
    pages_per_sheet: Literal[2, 4, 6, 9]
    """Number of pages to arrange on each sheet, which has the size of the first page."""
    password: str
    """Password of the file. Never returned."""
    pdf_a: Literal["1b", "2b", "3b"]
    """Write PDF/A of this part and level. Default: a plain PDF."""
    permissions: str
    """What readers without the owner password may do: `none`, or of `print,copy,modify,annotate,fill,assemble`. The PDF is encrypted; without `user_password` it opens without a password. Default: everything."""
    print_background: bool
    """Print background colors and images."""
    quality: int
    """Quality of a lossy encoding, 1 to 100."""
    request_headers: str
    """Headers of requests to the origin of the URL, one a line: `Authorization: Bearer abc`. Never returned."""
    rotate: Literal[90, 180, 270]
    """Clockwise rotation of the image, of the video, or of the pages of a PDF, in degrees."""
    rotate_pages: str
    """Pages to rotate, as numbered in the result: `1-3,7,9-`. Default: all."""
    sample_rate: int
    """Sample rate in Hz. Default: the source's, or the nearest that the codec supports."""
    scale: float
    """Print scale: 0.5 is half the size. Default: 1, or less if the document is wider than the page."""
    sharpen: float
    """Sharpen the image: standard deviation of the Gaussian in pixels of the result."""
    sheet: Union[str, int]
    """Sheet to convert, by name or by number, starting at 1. Default: all, as separate files if the target supports only one."""
    sheet_fit: Literal["width", "page", "none"]
    """How each sheet fits the page: `width` is one page wide (landscape if the sheet is wide), `page` a single page, `none` the workbook's scale. Default: `width`, unless the workbook sets a scale, print areas or page breaks."""
    single_page: bool
    """Print everything on one page, as long as the content. Default: false."""
    sizes: str
    """Several sizes of the image, up to 10, in a ZIP: `64,320,1280x720` are widths, or widths and heights. Replaces `width` and `height`; `fit` applies to each. Of a video in a ZIP: the sizes among which a player chooses."""
    split: bool
    """Write each page, or each frame of a GIF or WebP, to a separate file."""
    strip_metadata: Literal["none", "gps", "private", "all"]
    """Remove metadata: `gps` the location, `private` everything except the author, the copyright and the color profile of an image, `all` EXIF, XMP, tags and location. With `all`, the color profile of an image is applied to the pixels, so colors are preserved."""
    style: Literal["default", "none"]
    """Style sheet of HTML made from Markdown that has none: `default` follows light and dark mode and has print rules."""
    subject: str
    """Subject in the metadata of the PDF. An empty text removes it."""
    subtitles: Literal["keep", "burn", "drop"]
    """Subtitles of the video: `keep` as a track if the target supports it, `burn` the first track into the frames, or `drop`."""
    subtitles_upload_id: str
    """ID of an upload with subtitles to burn into the frames. A form can contain the file itself in a field with this name."""
    table: str
    """Table or layer to convert, by name. Default: all, as separate files if the target supports only one."""
    tables: Literal["each", "page"]
    """Sheets of a PDF. `each`: one for each table; the text around tables is left out. `page`: one for each page, with its tables and the text around them from top to bottom. A PDF without tables is written as with `page`."""
    target_size: int
    """Maximum size of the result in bytes, with as little loss as possible: of an image by its `quality`, of a PDF by the images in it, of a video by its bit rate and frame size. If it cannot be reached, the result is the smallest possible, with a warning."""
    title: str
    """Title in the metadata of the PDF. An empty text removes it."""
    transparent: bool
    """Leave the background transparent where the page has none. Default: false."""
    trim_end: Union[float, str]
    """End time in the source: seconds, or `1:02:03.5`. Default: the end."""
    trim_start: Union[float, str]
    """Start time in the source: seconds, or `1:02:03.5`. Default: the beginning."""
    user_agent: str
    """The `User-Agent` of the browser."""
    user_password: str
    """Encrypt the PDF (AES-256) with this password, which opens it. Never returned."""
    values: Literal["raw", "shown"]
    """Cells of a workbook. `raw`: numbers in full and dates in ISO 8601. `shown`: the text that the number format of each cell displays in US English, such as percentages, currencies and dates."""
    video_bitrate: int
    """Video bitrate in kbit/s, instead of a constant rate factor."""
    video_codec: Literal["h264", "hevc", "vp9", "av1", "prores", "copy"]
    """Video codec; `copy` keeps the source's. Default: the source's codec if common players of the target support it, otherwise the target's default."""
    volume: float
    """Volume factor: 0.5 is half, 2 is twice."""
    wait_for_selector: str
    """A CSS selector. The page is complete when an element matches it."""
    wait_ms: int
    """Further milliseconds to wait after that. Default: 0."""
    wait_until: Literal["domcontentloaded", "load", "network_almost_idle", "network_idle"]
    """The event after which the page is complete. `network_idle` is half a second without requests."""
    watermark_color: str
    """Color of the watermark's text: `#rgb` or `#rrggbb`."""
    watermark_font_size: float
    """Font size of `watermark_text` in points, instead of `watermark_size`."""
    watermark_layer: Literal["above", "below"]
    """Whether the watermark is above or below the content of the pages."""
    watermark_opacity: float
    """Opacity of the watermark: 0.01 is almost invisible, 1 is opaque."""
    watermark_pages: str
    """Pages with the watermark, as numbered in the result: `1-3,7,9-`. Default: all."""
    watermark_position: Literal["center", "top", "bottom", "left", "right", "top_left", "top_right", "bottom_left", "bottom_right", "tile"]
    """Position of the watermark; `tile` repeats it over the whole area."""
    watermark_rotation: float
    """Clockwise rotation of the watermark in degrees."""
    watermark_size: float
    """Width of the watermark in percent of the width of the image or page."""
    watermark_text: str
    """Text to draw over the image or the pages as a watermark."""
    watermark_upload_id: str
    """ID of an upload to use as the watermark instead of a text: an image, or for PDF also the first page of a PDF. A form can contain the file itself in a field with this name."""
    width: int
    """Width of the result in pixels. If only one side is set, the aspect ratio is preserved."""
    zip_content: Literal["images", "hls"]
    """Content of the ZIP: `images` are the images in a PDF, as they are in the file where possible; `hls` is a video for streaming (HTTP Live Streaming), in one size or in the `sizes`."""


FormatId = Literal["3ds", "3g2", "3gp", "3mf", "7z", "aac", "ac3", "aiff", "amf", "amr", "ape", "apng", "arj", "arrow", "arw", "asciidoc", "asf", "ass", "au", "avi", "avif", "azw3", "bdf", "bmp", "br", "bson", "bz2", "cab", "caf", "cb7", "cbor", "cbr", "cbz", "cdr", "chm", "cpio", "cr2", "cr3", "csv", "cur", "dae", "dbf", "dds", "deb", "djvu", "dng", "doc", "docbook", "docx", "dokuwiki", "dpx", "dsf", "dts", "dv", "dxf", "eac3", "emf", "eml", "eot", "eps", "epub", "exr", "farbfeld", "fb2", "fbx", "fgb", "flac", "flv", "fods", "fodt", "geojson", "geojsonl", "gif", "glb", "gltf", "gml", "gpkg", "gpx", "gz", "hdr", "heic", "html", "icns", "ico", "ics", "iges", "ini", "ipynb", "iso", "it", "j2k", "jar", "jats", "jls", "jp2", "jpg", "json", "json5", "jxl", "jxr", "key", "kml", "kmz", "lit", "lrc", "lrf", "lz4", "lzh", "lzma", "m2ts", "m4a", "m4b", "m4v", "man", "mbox", "md", "mediawiki", "mhtml", "mid", "miff", "mka", "mkv", "mobi", "mod", "mov", "mp2", "mp3", "mp4", "mpg", "mpl", "msg", "msgpack", "mxf", "ndjson", "nef", "numbers", "obj", "odg", "odp", "ods", "odt", "off", "ogg", "ogv", "opml", "opus", "orf", "org", "otf", "pages", "pam", "parquet", "pbm", "pcx", "pdb", "pdf", "pef", "pgm", "pict", "plist", "ply", "png", "ppm", "ppt", "pptx", "properties", "psb", "psd", "pub", "qoi", "raf", "rar", "ras", "rm", "rpm", "rst", "rtf", "rw2", "s3m", "sbv", "sgi", "shn", "shp", "slk", "spx", "sqlite", "srt", "srw", "ssa", "step", "stl", "sub", "svg", "svgz", "sxc", "sxi", "sxw", "tak", "tar", "taz", "tbr", "tbz2", "tex", "textile", "tga", "tgz", "tiff", "tlz", "tlz4", "toml", "ts", "tsv", "tta", "ttc", "ttf", "ttml", "txt", "txz", "tzst", "url", "usdz", "vcf", "vob", "voc", "vsd", "vsdx", "vtt", "w64", "warc", "wav", "wb2", "wbmp", "webm", "webp", "wim", "wk1", "wma", "wmf", "wmv", "woff", "woff2", "wpd", "wps", "wri", "wv", "x3d", "xar", "xbm", "xcf", "xls", "xlsb", "xlsx", "xm", "xml", "xpm", "xps", "xz", "y4m", "yaml", "z", "zip", "zst"]
