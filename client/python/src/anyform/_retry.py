"""Decides whether a request is retried, and after which pause."""

from __future__ import annotations

import time
from typing import Optional

from .errors import AnyformError

RETRIES_DEFAULT = 9
# Retries of an unreachable host: they wait for at most 3 s in total, the duration of a restart.
_UNREACHABLE_RETRIES_MAX = 4
# The pause doubles from the first to the longest; all nine take at most 41 s in total.
_PAUSE_SECONDS_FIRST = 0.2
_PAUSE_SECONDS_MAX = 10.0
# Longer pauses requested by the service are not waited for.
_RETRY_AFTER_SECONDS_MAX = 60.0

# Nothing changes until the next month.
_QUOTA_CODES = ("quota_exceeded", "key_quota_exceeded")
_RETRIED_STATUSES = frozenset({408, 425, 429, 500, 502, 503, 504})
# Errors about malformed bodies are retried because the client sends well-formed ones: they were truncated or changed
# in transit. A conflict of idempotency keys means that the first attempt is still running.
_RETRIED_CODES = frozenset(
    {
        "checksum_mismatch",
        "idempotency_conflict",
        "malformed_json",
        "malformed_multipart",
        "not_reachable",
        "unexpected_answer",
    }
)


def pause_before(
    error: AnyformError, *, retries: int, retries_max: int, random: float, unreachable: bool
) -> Optional[float]:
    """Returns the seconds to wait before the next attempt; None if the request is not retried.

    ``retries`` is the number of earlier retries. ``random`` is from 0 to 1, so that clients that failed together do not
    retry together. ``unreachable`` is whether no connection could be opened.
    """
    limit = min(retries_max, _UNREACHABLE_RETRIES_MAX) if unreachable else retries_max
    if retries >= limit or not _is_retried(error):
        return None
    retry_after = error.retry_after or 0.0
    if retry_after > _RETRY_AFTER_SECONDS_MAX:
        return None
    pause = min(_PAUSE_SECONDS_MAX, _PAUSE_SECONDS_FIRST * 2.0**retries)
    return retry_after + pause * (0.5 + random / 2)


def _is_retried(error: AnyformError) -> bool:
    # The idempotency key returns the same failed job again.
    if error.job_id is not None:
        return False
    is_temporary = error.status in _RETRIED_STATUSES and error.code not in _QUOTA_CODES
    return error.code in _RETRIED_CODES or is_temporary


_POLL_SECONDS_MIN = 1.0


def pause_after_poll(started: float) -> float:
    """Returns the seconds to pause after an unchanged state: with too many waiting requests, the service responds at once."""
    return max(0.0, started + _POLL_SECONDS_MIN - time.monotonic())
