# Generated from _async/downloads.py by client/generate/generate-python.ts. Do not edit.
"""Downloads results."""

from __future__ import annotations

from typing import cast

from .._calls import Call
from .._conversions import completed, file_of_job
from .._results import ConvertedFile, Sink
from .._types import Download, Job
from ..errors import AnyformError
from .transport import Transport

# Statuses of an expired URL: 403 from S3, 410 and 404 from a single-machine service.
_EXPIRED_STATUSES = frozenset({403, 404, 410})
# URLs requested for one download.
_LINKS_MAX = 5


def result_of(transport: Transport, job: Job) -> ConvertedFile:
    """Returns the result of a job. An interrupted transfer continues at the last received byte."""
    result = completed(job)["result"]
    sink = Sink()
    links = 0
    while result is not None:
        links += 1
        call = Call("GET", f"download/{result['download_token']}", headers={"accept": "application/json"})
        link = cast(Download, transport.json(call))
        try:
            transport.send(Call("GET", link["url"], sink=sink, sha256=link["sha256"]))
            break
        except AnyformError as error:
            if error.status not in _EXPIRED_STATUSES or links >= _LINKS_MAX:
                raise
    return file_of_job(job, sink)
