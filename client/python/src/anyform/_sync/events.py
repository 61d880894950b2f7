# Generated from _async/events.py by client/generate/generate-python.ts. Do not edit.
"""Follows a job by its server-sent events, or by status requests to a service that does not have them."""

from __future__ import annotations

import json
from typing import Iterator, Dict, List, Optional, cast
from urllib.parse import quote

from .._calls import Call, prefer_wait
from .._conversions import is_unfinished
from .._types import Job
from ..errors import NotFoundError
from .tools import sleep
from .transport import Transport

# Pause between streams, as the service requests with `retry`.
_RECONNECT_SECONDS = 1.0
# Streams for one job: at one second each, longer than any job.
_STREAMS_MAX = 10_000
# Seconds that a status request waits for the end of the job.
_POLL_SECONDS = 2


def job_events(transport: Transport, job_id: str) -> Iterator[Job]:
    """Yields the job now and at each change, until it ends. Interrupted streams are continued."""
    path = f"convert/{quote(job_id, safe='')}"
    job: Optional[Job] = None
    last = ""
    for _ in range(_STREAMS_MAX):
        headers = {"accept": "text/event-stream", **({"last-event-id": last} if last else {})}
        event: Dict[str, List[str]] = {}
        try:
            for line in transport.lines(Call("GET", f"{path}/events", headers=headers)):
                if line:
                    name, _, value = line.partition(":")
                    event.setdefault(name, []).append(value[1:] if value.startswith(" ") else value)
                    continue
                if "data" in event:
                    job = cast(Job, json.loads("\n".join(event["data"])))
                    last = event.get("id", [last])[-1]
                    yield job
                event = {}
        except NotFoundError:
            # Either the job or the operation does not exist; a status request reports which one.
            call = Call("GET", f"{path}/status", headers={} if job is None else prefer_wait(_POLL_SECONDS))
            current = cast(Job, transport.json(call))
            if current != job:
                job = current
                yield job
        if job is not None and not is_unfinished(job):
            return
        sleep(_RECONNECT_SECONDS)
