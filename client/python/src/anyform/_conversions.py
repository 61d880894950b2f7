"""Conversions as values: requests, outcomes, and the state of jobs."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Dict, List, Mapping, Optional, Sequence, Union

from ._calls import Answer, Call, Form, idempotency, prefer_wait
from ._input import FileInput, LocalFile, Source
from ._results import ConvertedFile, Sink, filename_in
from ._types import Job, JobWarningsItem, Options, Pipeline
from .errors import AnyformError, ConversionError, WaitTimeoutError

FORM_BYTES_MIN = 4_500_000
"""Every service accepts this many bytes in a form: the request limit of a function on AWS."""

WAIT_TIMEOUT_DEFAULT = 7_200.0
"""Seconds to wait for a job. A conversion takes at most 15 minutes and may be attempted three times."""

CONCURRENCY_DEFAULT = 4


@dataclass(frozen=True)
class Outcome:
    """The result of one input of ``convert_many``: a file or an error."""

    input: FileInput
    file: Optional[ConvertedFile] = None
    error: Optional[Union[AnyformError, OSError]] = None


@dataclass(frozen=True)
class Conversion:
    """What ``convert`` and ``merge`` do with their files."""

    target_format: Optional[str]
    source_format: Optional[str]
    options: Optional[Union[Options, Mapping[str, Any]]]
    filename: Optional[str]
    webhook_url: Optional[str]
    webhook_body: Optional[str]
    export: Optional[Mapping[str, Any]]
    metadata: Optional[Mapping[str, str]]
    preset: Optional[str]
    steps: Optional[Sequence[Mapping[str, Any]]]

    def body(self, upload_ids: Sequence[str]) -> Dict[str, Any]:
        """Returns the JSON for files that are uploaded."""
        ids: Dict[str, Any] = {"upload_ids": list(upload_ids)} if len(upload_ids) > 1 else {"upload_id": upload_ids[0]}
        return {**ids, **self.settings()}

    def form(self, files: Sequence[LocalFile]) -> Form:
        settings = self.settings().items()
        fields = {key: value if isinstance(value, str) else json.dumps(value) for key, value in settings}
        if self.source_format is not None:
            fields["source_format"] = self.source_format
        return Form(fields, files)

    def settings(self) -> Dict[str, Any]:
        values = {
            "target_format": self.target_format,
            "options": None if not self.options else dict(self.options),
            "filename": self.filename,
            "webhook_url": self.webhook_url,
            "webhook_body": self.webhook_body,
            "export": None if not self.export else dict(self.export),
            "metadata": None if not self.metadata else dict(self.metadata),
            "preset": self.preset,
            "steps": None if not self.steps else [dict(step) for step in self.steps],
        }
        return {key: value for key, value in values.items() if value is not None}


def one_call(conversion: Conversion, files: Sequence[LocalFile], sink: Sink, wait_seconds: float) -> Call:
    """Returns the request that contains the files, and whose response is the result."""
    headers = {**idempotency(), **prefer_wait(wait_seconds)}
    return Call("POST", "convert", form=conversion.form(files), sink=sink, headers=headers)


def convert_uploads(conversion: Conversion, upload_ids: Sequence[str], wait_seconds: float) -> Call:
    headers = {**idempotency(), **prefer_wait(wait_seconds)}
    return Call("POST", "convert", json=conversion.body(upload_ids), headers=headers)


def convert_page(conversion: Conversion, url: str, wait_seconds: float) -> Call:
    headers = {**idempotency(), **prefer_wait(wait_seconds)}
    return Call("POST", "convert", json={"url": url, **conversion.settings()}, headers=headers)


def local_files(sources: Sequence[Source]) -> Optional[List[LocalFile]]:
    """Returns the files if all of them are on this machine."""
    files = [source for source in sources if isinstance(source, LocalFile)]
    return files if len(files) == len(sources) else None


def is_unfinished(job: Job) -> bool:
    return job["status"] in ("queued", "processing")


def completed(job: Job) -> Job:
    """Returns the job. Raises ``ConversionError`` if it ended without a result."""
    if job["status"] == "completed":
        return job
    error = job["error"]
    if error is None:
        raise ConversionError(f"Job {job['id']} is {job['status']}.", code=job["status"], job_id=job["id"])
    raise ConversionError(error["detail"], code=error["code"], retryable=error["retryable"], job_id=job["id"])


def ended_pipeline(pipeline: Pipeline) -> None:
    """Raises ``AnyformError`` with the error of the first failed step, unless the pipeline is completed."""
    if pipeline["status"] == "completed":
        return
    for step in pipeline["steps"]:
        error = step["error"]
        if error is not None:
            detail = f"Step {step['name']}: {error['detail']}"
            raise AnyformError(detail, code=error["code"], retryable=error["retryable"], job_id=step["job_id"])
    raise AnyformError(f"Pipeline {pipeline['id']} is {pipeline['status']}.", code=pipeline["status"])


def late(job: Job) -> WaitTimeoutError:
    detail = f"Job {job['id']} did not end in time. It is {job['status']}."
    return WaitTimeoutError(detail, code="timed_out", retryable=True, job_id=job["id"])


def file_of_answer(answer: Answer, stored: Answer, sink: Sink) -> ConvertedFile:
    """Returns the file of a conversion in one call. ``stored`` is the response with the bytes, which can be another."""
    headers = stored.headers
    return ConvertedFile(
        sink,
        name=filename_in(headers.get("content-disposition", "")) or "result",
        media_type=headers.get("content-type", "application/octet-stream"),
        warnings=_warnings_in(answer.headers.get("x-job-warnings", "[]")),
        job_id=answer.headers.get("x-job-id", ""),
    )


def _warnings_in(header: str) -> List[JobWarningsItem]:
    try:
        value = json.loads(header)
    except ValueError:
        return []
    return value if isinstance(value, list) else []


def file_of_job(job: Job, sink: Sink) -> ConvertedFile:
    result = job["result"]
    if result is None:
        raise ValueError(f"Job {job['id']} has no result.")
    return ConvertedFile(
        sink,
        name=result["filename"],
        media_type=result["media_type"],
        warnings=job["warnings"],
        job_id=job["id"],
    )


def query(**values: Optional[Union[str, int]]) -> Dict[str, str]:
    """Returns the values that are set, as text."""
    return {key: str(value) for key, value in values.items() if value is not None}
