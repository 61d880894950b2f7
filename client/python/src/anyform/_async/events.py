"""Follows jobs and pipelines by their server-sent events, or by status requests to a service that does not have them."""

from __future__ import annotations

import json
from typing import Any, AsyncIterator, Callable, Dict, List, Optional
from urllib.parse import quote

from .._calls import Call, prefer_wait
from .._conversions import is_unfinished
from .._types import Job, Pipeline
from ..errors import NotFoundError
from .tools import sleep
from .transport import AsyncTransport

# Pause between streams, as the service requests with `retry`.
_RECONNECT_SECONDS = 1.0
# Streams for one job or pipeline: at one second each, longer than any job.
_STREAMS_MAX = 10_000
# Seconds that a status request waits for the end.
_POLL_SECONDS = 2


def job_events(transport: AsyncTransport, job_id: str) -> AsyncIterator[Job]:
    """Yields the job now and at each change, until it ends. Interrupted streams are continued."""
    path = f"convert/{quote(job_id, safe='')}"
    return _follow(transport, f"{path}/events", f"{path}/status", lambda job: not is_unfinished(job))


def pipeline_events(transport: AsyncTransport, pipeline_id: str) -> AsyncIterator[Pipeline]:
    """Yields the pipeline now and at each change of its steps, until all have ended."""
    path = f"pipelines/{quote(pipeline_id, safe='')}"
    return _follow(transport, f"{path}/events", path, lambda pipeline: pipeline["finished_at"] is not None)


async def _follow(
    transport: AsyncTransport, events: str, status: str, has_ended: Callable[[Any], bool]
) -> AsyncIterator[Any]:
    """Yields each state once, to the last one."""
    state: Optional[Any] = None
    last = ""
    for _ in range(_STREAMS_MAX):
        headers = {"accept": "text/event-stream", **({"last-event-id": last} if last else {})}
        event: Dict[str, List[str]] = {}
        try:
            async for line in transport.lines(Call("GET", events, headers=headers)):
                if line:
                    name, _, value = line.partition(":")
                    event.setdefault(name, []).append(value[1:] if value.startswith(" ") else value)
                    continue
                if "data" in event:
                    state = json.loads("\n".join(event["data"]))
                    last = event.get("id", [last])[-1]
                    yield state
                event = {}
        except NotFoundError:
            # Either the record or the operation does not exist; a status request reports which one.
            call = Call("GET", status, headers={} if state is None else prefer_wait(_POLL_SECONDS))
            current = await transport.json(call)
            if current != state:
                state = current
                yield state
        if state is not None and has_ended(state):
            return
        await sleep(_RECONNECT_SECONDS)
