"""Requests as values, and the errors of responses. Nothing here sends anything."""

from __future__ import annotations

import json
import os
import re
import secrets
import time
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple

import httpx

from ._input import LocalFile, Window
from ._results import Sink
from .errors import AnyformError, ServiceUnreachableError, error_for

URL_DEFAULT = "http://127.0.0.1:8080"
"""The address that ``npm start`` listens on."""

WAIT_SECONDS = 25
"""Seconds that the service waits for a change."""

TIMEOUT_DEFAULT = 60.0
"""Seconds without a byte. The service responds within 30 seconds."""

# Characters shown of a response that is not from Anyform, such as the error page of a proxy.
_SHOWN_CHARACTERS_MAX = 200


@dataclass(frozen=True)
class Settings:
    base_url: str
    api_key: Optional[str]

    @staticmethod
    def of(base_url: Optional[str], api_key: Optional[str]) -> Settings:
        """Returns the settings; those that are None come from the environment.

        Raises ``ValueError`` for an invalid URL.
        """
        url = (base_url or os.environ.get("ANYFORM_URL") or URL_DEFAULT).strip().rstrip("/")
        if not re.match(r"https?://[^/\s]+", url, re.IGNORECASE):
            raise ValueError(f"Invalid service URL {url!r}. It must start with https:// or http://.")
        # A key that was read from a file ends with a line break.
        key = (api_key or os.environ.get("ANYFORM_API_KEY") or "").strip()
        return Settings(url, key or None)


@dataclass(frozen=True)
class Call:
    """A request. It may be sent several times, so it must be safe to repeat."""

    method: str
    to: str
    """A path below ``/api/v1/``, sent with the API key, or a URL of the file store, which never receives the key."""
    params: Mapping[str, str] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    json: Optional[object] = None
    form: Optional[Form] = None
    body: Optional[Window] = None
    sink: Optional[Sink] = None
    """Receives the file, if the response is one."""
    sha256: Optional[str] = None
    """The expected hash of the file."""

    @property
    def is_own(self) -> bool:
        return "://" not in self.to

    def url(self, settings: Settings) -> str:
        return f"{settings.base_url}/api/v1/{self.to}" if self.is_own else self.to

    def all_headers(self, settings: Settings) -> Dict[str, str]:
        headers = dict(self.headers)
        if self.is_own and settings.api_key is not None:
            headers["authorization"] = f"Bearer {settings.api_key}"
        if self.body is not None:
            headers["content-length"] = str(self.body.size)
        if self.sink is not None:
            # The length of a compressed file would not be the length of the file.
            headers["accept-encoding"] = "identity"
            if self.method == "GET" and self.sink.size > 0:
                headers["range"] = f"bytes={self.sink.size}-"
        return headers


@dataclass(frozen=True)
class Form:
    fields: Mapping[str, str]
    files: Sequence[LocalFile]

    def parts(self) -> List[Tuple[str, Tuple[str, Any]]]:
        return [("file", (file.name, file.content)) for file in self.files]


@dataclass(frozen=True)
class Answer:
    """A response. ``content`` is empty if the file went to the sink."""

    status: int
    headers: httpx.Headers
    content: bytes

    def json(self) -> Any:
        return json.loads(self.content)


def is_file(call: Call, response: httpx.Response) -> bool:
    """Returns whether the body goes to the sink. Jobs are JSON, and so are results: only results have a job ID."""
    return call.sink is not None and (
        response.status_code in (200, 206) and (not call.is_own or "x-job-id" in response.headers)
    )


def expected_hash(call: Call, response: httpx.Response) -> Optional[str]:
    """Returns the SHA-256 of the file. The service sends it as ``ETag``; the file store of AWS does not."""
    etag = re.fullmatch(r'"([0-9a-f]{64})"', response.headers.get("etag", ""))
    return call.sha256 or (etag[1] if etag is not None and call.is_own else None)


def idempotency() -> Dict[str, str]:
    """Returns the header for all attempts of one request: however often it arrives, it is counted once."""
    return {"idempotency-key": secrets.token_hex(16)}


def prefer_wait(seconds: float = WAIT_SECONDS) -> Dict[str, str]:
    return {"prefer": f"wait={int(max(0, min(WAIT_SECONDS, seconds)))}"}


def unreachable(url: str, cause: Exception) -> ServiceUnreachableError:
    host = httpx.URL(url).netloc.decode("ascii", "replace")
    reason = str(cause) or type(cause).__name__
    return ServiceUnreachableError(f"Cannot reach {host}: {reason}.", code="not_reachable", retryable=True)


def error_of(answer: Answer, url: str) -> AnyformError:
    """Returns the error that a response describes."""
    retry_after = _seconds_of(answer.headers.get("retry-after"))
    problem = _problem_in(answer.content)
    if problem is None:
        return unexpected(answer, url, retry_after)
    return error_for(
        str(problem["detail"]),
        code=str(problem["code"]),
        status=answer.status,
        request_id=problem.get("request_id"),
        retryable=bool(problem.get("retryable")),
        errors=problem.get("errors") or (),
        supported_targets=problem.get("supported_targets") or (),
        retry_after=retry_after,
        job_id=problem.get("job_id"),
    )


def unexpected(answer: Answer, url: str, retry_after: Optional[float] = None) -> AnyformError:
    """Returns the error for a response that is not from Anyform."""
    host = httpx.URL(url).netloc.decode("ascii", "replace")
    text = answer.content[: 4 * _SHOWN_CHARACTERS_MAX].decode("utf-8", "replace")[:_SHOWN_CHARACTERS_MAX]
    failed = answer.status < 300 or answer.status >= 500
    location = answer.headers.get("location")
    redirect = f" It redirects to {location}: set `base_url` to that host." if location is not None else ""
    return error_for(
        f"Unexpected response from {host} (status {answer.status}): {text}{redirect}",
        code="unexpected_answer" if failed else f"http_{answer.status}",
        status=answer.status,
        request_id=answer.headers.get("x-request-id"),
        retryable=failed,
        retry_after=retry_after,
    )


def _problem_in(content: bytes) -> Optional[Mapping[str, Any]]:
    try:
        value = json.loads(content)
    except ValueError:
        return None
    return value if isinstance(value, dict) and "code" in value and "detail" in value else None


def _seconds_of(text: Optional[str]) -> Optional[float]:
    if text is None:
        return None
    if re.fullmatch(r"[0-9]{1,9}", text):
        return float(text)
    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - time.time())
    except (TypeError, ValueError):
        return None
