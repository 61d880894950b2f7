"""Sends files that do not fit into one request: announced, then in one PUT or in parts."""

from __future__ import annotations

import time
from typing import Any, Dict, List, Optional, cast
from urllib.parse import quote

from .._calls import Call, Form, idempotency, prefer_wait
from .._input import LocalFile, PageSource, RemoteFile, Source, UploadedFile, Window
from .._retry import pause_after_poll
from .._types import Transfer, TransferPart, Upload
from ..errors import AnyformError, UploadError
from .tools import sleep
from .transport import AsyncTransport

# Longest wait for an upload. The service aborts a fetch after ten minutes.
_READY_SECONDS_MAX = 1_500.0
# Rounds of sending the missing parts. Each gets new URLs, which are valid for an hour.
_ROUNDS_MAX = 10
# The URL has expired (403 from S3, 410 from one machine), or parts are missing (409).
_ROUND_STATUSES = frozenset({403, 409, 410})


async def send_source(
    transport: AsyncTransport, source: Source, *, as_form: bool, source_format: Optional[str] = None
) -> Upload:
    """Sends a file, or has the service fetch it. Returns the upload once it is ready."""
    if isinstance(source, PageSource):
        raise TypeError("A web page cannot be uploaded or merged: convert it by itself.")
    if isinstance(source, UploadedFile):
        upload = await _get(transport, source.upload_id)
    elif isinstance(source, RemoteFile):
        upload = await _announce(transport, dict(source.body), source_format)
    elif as_form:
        upload = await _send_form(transport, source, source_format)
    else:
        upload = await _send_directly(transport, source, source_format)
    return await _ready(transport, upload)


async def _get(transport: AsyncTransport, upload_id: str, **headers: str) -> Upload:
    return cast(Upload, await transport.json(Call("GET", f"upload/{quote(upload_id, safe='')}", headers=headers)))


async def _announce(transport: AsyncTransport, body: Dict[str, Any], source_format: Optional[str]) -> Upload:
    if source_format is not None:
        body["source_format"] = source_format
    return cast(Upload, await transport.json(Call("POST", "upload", json=body, headers=idempotency())))


async def _send_form(transport: AsyncTransport, file: LocalFile, source_format: Optional[str]) -> Upload:
    form = Form({} if source_format is None else {"source_format": source_format}, [file])
    return cast(Upload, await transport.json(Call("POST", "upload", form=form, headers=idempotency())))


async def _send_directly(transport: AsyncTransport, file: LocalFile, source_format: Optional[str]) -> Upload:
    """The hash is declared first, so that the service can verify the received bytes."""
    body = {"filename": file.name, "size": file.content.size, "sha256": file.content.hash()}
    upload = await _announce(transport, body, source_format)
    rounds = 0
    while True:
        rounds += 1
        try:
            return await _send_missing(transport, upload, file.content)
        except AnyformError as error:
            if error.status not in _ROUND_STATUSES or rounds >= _ROUNDS_MAX:
                raise
        upload = await _get(transport, upload["upload_id"])
        if upload["status"] != "pending":
            return upload


async def _send_missing(transport: AsyncTransport, upload: Upload, content: Window) -> Upload:
    transfer = upload.get("upload")
    for part in [] if transfer is None else _missing(transfer, content.size):
        headers = {name: value for name, value in part["headers"].items() if name.lower() != "content-length"}
        body = content.part(part["offset"], part["size"])
        await transport.send(Call("PUT", part["url"], headers=headers, body=body))
    complete = Call("POST", f"upload/{upload['upload_id']}/complete", headers=prefer_wait())
    return cast(Upload, await transport.json(complete))


def _missing(transfer: Transfer, size: int) -> List[TransferPart]:
    if "parts" in transfer:
        return [part for part in transfer["parts"] if not part["received"]]
    if "url" not in transfer:
        return []
    headers = transfer.get("headers", {})
    return [{"number": 1, "offset": 0, "size": size, "url": transfer["url"], "headers": headers, "received": False}]


async def _ready(transport: AsyncTransport, upload: Upload) -> Upload:
    end = time.monotonic() + _READY_SECONDS_MAX
    while upload["status"] == "pending" and time.monotonic() < end:
        started = time.monotonic()
        upload = await _get(transport, upload["upload_id"], **prefer_wait())
        if upload["status"] == "pending":
            await sleep(pause_after_poll(started))
    if upload["status"] == "ready":
        return upload
    error = upload["error"]
    if error is None:
        detail = f"Upload {upload['upload_id']} did not become ready in time."
        raise UploadError(detail, code="upload_failed", retryable=True)
    raise UploadError(error["detail"], code=error["code"], retryable=error["retryable"])
