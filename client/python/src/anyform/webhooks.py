"""Verification of webhook messages (Standard Webhooks, https://www.standardwebhooks.com)."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
from typing import Mapping, Sequence, Union, cast

from ._types import WebhookEvent
from .errors import WebhookVerificationError

TOLERANCE_SECONDS = 300
_PREFIX = "whsec_"


def verify(
    body: Union[bytes, str],
    headers: Mapping[str, str],
    secret: Union[str, Sequence[str]],
    *,
    tolerance: float = TOLERANCE_SECONDS,
) -> WebhookEvent:
    """Verifies a webhook message and returns its event.

    ``body`` is the body as received, before any parsing. ``secret`` starts with ``whsec_``; while a secret is rotated,
    pass both. ``tolerance`` is the largest difference of the clocks in seconds, which limits the replay of messages.

    Raises ``WebhookVerificationError``.
    """
    given = {name.lower(): value for name, value in headers.items()}
    message_id, timestamp = given.get("webhook-id"), given.get("webhook-timestamp")
    signatures = given.get("webhook-signature")
    if not message_id or not timestamp or not signatures:
        raise _invalid("A header is missing: webhook-id, webhook-timestamp or webhook-signature.")
    _check_time(timestamp, tolerance)
    content = body.encode() if isinstance(body, str) else body
    signed = f"{message_id}.{timestamp}.".encode() + content
    secrets = [secret] if isinstance(secret, str) else secret
    expected = [hmac.new(_key_of(each), signed, hashlib.sha256).digest() for each in secrets]
    received = [_decoded(text[3:]) for text in signatures.split() if text.startswith("v1,")]
    if not any(hmac.compare_digest(one, other) for one in expected for other in received):
        raise _invalid("No signature matches the body.")
    try:
        return cast(WebhookEvent, json.loads(content))
    except ValueError as cause:
        raise _invalid("The body is not JSON.") from cause


def _check_time(timestamp: str, tolerance: float) -> None:
    if not (timestamp.isascii() and timestamp.isdigit() and len(timestamp) <= 15):
        raise _invalid("webhook-timestamp is not a number of seconds.")
    if abs(time.time() - int(timestamp)) > tolerance:
        raise _invalid(f"webhook-timestamp differs from the current time by more than {tolerance:g} seconds.")


def _key_of(secret: str) -> bytes:
    key = _decoded(secret[len(_PREFIX) :] if secret.startswith(_PREFIX) else secret)
    if not key:
        raise ValueError("A webhook secret is `whsec_` and a key in base64.")
    return key


def _decoded(text: str) -> bytes:
    """Returns the bytes of base64; none for text that is not base64."""
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return b""


def _invalid(detail: str) -> WebhookVerificationError:
    return WebhookVerificationError(detail, code="invalid_signature")
