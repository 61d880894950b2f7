# Generated from _async/jobs.py by client/generate/generate-python.ts. Do not edit.
"""Requests about jobs and pipelines."""

from __future__ import annotations

from typing import Iterator, Optional, cast
from urllib.parse import quote

from .. import _types as types
from .._calls import Call, prefer_wait
from .._conversions import query
from .account import AccountCalls
from .events import pipeline_events


class JobCalls(AccountCalls):
    """Methods of the client that read, cancel and delete jobs and pipelines."""

    def cancel(self, job_id: str) -> None:
        """Cancels a job that has not ended. A job that has ended keeps its result."""
        self._unless_gone(Call("POST", f"convert/{quote(job_id, safe='')}/cancel"))

    def delete(self, job_id: str) -> None:
        """Deletes a job with its result. One that no longer exists is not an error."""
        self._unless_gone(Call("DELETE", f"convert/{quote(job_id, safe='')}"))

    def jobs(
        self,
        *,
        job_id: Optional[str] = None,
        status: Optional[str] = None,
        source_format: Optional[str] = None,
        target_format: Optional[str] = None,
        key_id: Optional[str] = None,
        filename: Optional[str] = None,
        created_after: Optional[str] = None,
        created_before: Optional[str] = None,
    ) -> Iterator[types.Job]:
        """Yields the jobs of the last 30 days, newest first. Times are `2026-11-22T09:30:00Z` or `2026-11-22`."""
        params = query(
            job_id=job_id,
            status=status,
            source_format=source_format,
            target_format=target_format,
            key_id=key_id,
            filename=filename,
            created_after=created_after,
            created_before=created_before,
        )
        return self._items("convert", "jobs", params)

    def pipeline_status(self, pipeline_id: str, *, wait: float = 0) -> types.Pipeline:
        """Returns the current state of a pipeline, or waits up to ``wait`` seconds for its end."""
        headers = prefer_wait(wait) if wait > 0 else {}
        call = Call("GET", f"pipelines/{quote(pipeline_id, safe='')}", headers=headers)
        return cast(types.Pipeline, self._transport.json(call))

    def cancel_pipeline(self, pipeline_id: str) -> None:
        """Cancels all steps of a pipeline that have not ended."""
        self._unless_gone(Call("POST", f"pipelines/{quote(pipeline_id, safe='')}/cancel"))

    def pipeline_events(self, pipeline_id: str) -> Iterator[types.Pipeline]:
        """Yields the pipeline now, and at each change of its steps, until all have ended."""
        return pipeline_events(self._transport, pipeline_id)

    def pipelines(self) -> Iterator[types.Pipeline]:
        """Yields the pipelines of the account, newest first."""
        return self._items("pipelines", "pipelines", {})

    def delete_pipeline(self, pipeline_id: str) -> None:
        """Deletes a pipeline that has ended, with its results. One that no longer exists is not an error."""
        self._unless_gone(Call("DELETE", f"pipelines/{quote(pipeline_id, safe='')}"))
