"""The client."""

from __future__ import annotations

import time
from contextlib import ExitStack
from types import TracebackType
from typing import Any, AsyncIterator, Dict, Iterable, List, Literal, Mapping, Optional, Sequence, Type, Union, cast
from urllib.parse import quote

import httpx

from .. import _types as types
from .._calls import TIMEOUT_DEFAULT, Call, Settings, idempotency, prefer_wait
from .._conversions import (
    CONCURRENCY_DEFAULT,
    FORM_BYTES_MIN,
    WAIT_TIMEOUT_DEFAULT,
    Conversion,
    Outcome,
    completed,
    convert_page,
    convert_uploads,
    ended_pipeline,
    file_of_answer,
    is_unfinished,
    late,
    local_files,
    one_call,
    query,
)
from .._input import FileInput, LocalFile, PageSource, Source, UploadedFile, opened
from .._results import ConvertedFile, Sink
from .._retry import RETRIES_DEFAULT, pause_after_poll
from ..errors import AnyformError, AuthenticationError
from .downloads import result_of
from .events import job_events
from .jobs import AsyncJobCalls
from .tools import concurrently, sleep
from .transport import AsyncTransport
from .uploads import send_source
from .webhook_endpoints import AsyncWebhookEndpoints

FormatName = Union[types.FormatId, str]
OptionValues = Union[types.Options, Mapping[str, Any]]


class AsyncAnyform(AsyncJobCalls):
    """A client of one service with one API key. All methods raise ``AnyformError``."""

    def __init__(
        self,
        api_key: Optional[str] = None,
        base_url: Optional[str] = None,
        *,
        timeout: float = TIMEOUT_DEFAULT,
        max_retries: int = RETRIES_DEFAULT,
        http_client: Optional[httpx.AsyncClient] = None,
    ) -> None:
        """``api_key`` and ``base_url`` default to ``ANYFORM_API_KEY`` and ``ANYFORM_URL``.

        ``timeout`` is the number of seconds without a byte after which an attempt fails. ``http_client`` sends the
        requests, for example through a proxy; the caller closes it.
        """
        settings = Settings.of(base_url, api_key)
        self._transport = AsyncTransport(settings, timeout=timeout, max_retries=max_retries, http_client=http_client)
        self._form_bytes_max: Optional[int] = None
        self.webhook_endpoints = AsyncWebhookEndpoints(self._transport)

    async def __aenter__(self) -> AsyncAnyform:
        return self

    async def __aexit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Closes the connections."""
        await self._transport.close()

    async def convert(
        self,
        file: FileInput,
        target_format: Optional[FormatName] = None,
        *,
        options: Optional[OptionValues] = None,
        source_format: Optional[FormatName] = None,
        filename: Optional[str] = None,
        webhook_url: Optional[str] = None,
        webhook_body: Optional[Literal["job", "file"]] = None,
        export: Optional[Mapping[str, Any]] = None,
        metadata: Optional[Mapping[str, str]] = None,
        preset: Optional[str] = None,
        steps: Optional[Sequence[Mapping[str, Any]]] = None,
        wait_timeout: float = WAIT_TIMEOUT_DEFAULT,
    ) -> ConvertedFile:
        """Converts a file and returns the result.

        ``file`` is a path, bytes, a file object in binary mode, ``(filename, content)``, a URL that the service
        fetches, a result of ``upload``, ``{"storage": name, "key": key}`` for an object of a storage, or
        ``{"page": url}`` for a web page. ``target_format`` is an ID, an extension or a media type; it can be missing with
        ``preset`` or ``steps``. ``filename`` is the name of the result. ``preset`` is the name of a saved preset, and
        ``steps`` follow the conversion one after another. ``wait_timeout`` is the number of seconds to wait for the job.
        ``export`` sends the result to a URL or a storage, and ``webhook_body="file"`` to the webhook.

        Raises ``ConversionError`` if the job fails.
        """
        conversion = Conversion(target_format, source_format, options, filename, webhook_url, webhook_body, export, metadata, preset, steps)
        return await self._convert([file], conversion, wait_timeout)

    async def merge(
        self,
        files: Sequence[FileInput],
        target_format: Optional[FormatName] = None,
        *,
        options: Optional[OptionValues] = None,
        source_format: Optional[FormatName] = None,
        filename: Optional[str] = None,
        webhook_url: Optional[str] = None,
        webhook_body: Optional[Literal["job", "file"]] = None,
        export: Optional[Mapping[str, Any]] = None,
        metadata: Optional[Mapping[str, str]] = None,
        preset: Optional[str] = None,
        steps: Optional[Sequence[Mapping[str, Any]]] = None,
        wait_timeout: float = WAIT_TIMEOUT_DEFAULT,
    ) -> ConvertedFile:
        """Merges several files into one, for example images into a PDF. The arguments are those of ``convert``."""
        conversion = Conversion(target_format, source_format, options, filename, webhook_url, webhook_body, export, metadata, preset, steps)
        return await self._convert(files, conversion, wait_timeout)

    def convert_many(
        self,
        files: Iterable[FileInput],
        target_format: Optional[FormatName] = None,
        *,
        concurrency: int = CONCURRENCY_DEFAULT,
        options: Optional[OptionValues] = None,
        source_format: Optional[FormatName] = None,
        webhook_url: Optional[str] = None,
        webhook_body: Optional[Literal["job", "file"]] = None,
        export: Optional[Mapping[str, Any]] = None,
        metadata: Optional[Mapping[str, str]] = None,
        preset: Optional[str] = None,
        steps: Optional[Sequence[Mapping[str, Any]]] = None,
        wait_timeout: float = WAIT_TIMEOUT_DEFAULT,
    ) -> AsyncIterator[Outcome]:
        """Converts several files concurrently and yields their outcomes in the order of the files.

        A failed file does not affect the others; a rejected API key ends all conversions.
        """
        conversion = Conversion(target_format, source_format, options, None, webhook_url, webhook_body, export, metadata, preset, steps)

        async def outcome(file: FileInput) -> Outcome:
            try:
                return Outcome(file, file=await self._convert([file], conversion, wait_timeout))
            except AuthenticationError:
                raise
            except (AnyformError, OSError) as error:
                return Outcome(file, error=error)

        return concurrently(outcome, files, max(1, concurrency))

    async def upload(self, file: FileInput, *, source_format: Optional[str] = None) -> types.Upload:
        """Uploads a file, to convert it to several formats. Returns the upload once it is ready."""
        with ExitStack() as stack:
            sent = await self._send(opened(file, stack), source_format)
        return sent

    async def delete_upload(self, upload_id: str) -> None:
        """Deletes an upload with its file, before it expires. One that no longer exists is not an error."""
        await self._unless_gone(Call("DELETE", f"upload/{quote(upload_id, safe='')}"))

    async def status(self, job_id: str) -> types.Job:
        """Returns the current state of a job."""
        return cast(types.Job, await self._transport.json(_status(job_id)))

    async def wait(self, job_id: str, *, timeout: float = WAIT_TIMEOUT_DEFAULT) -> types.Job:
        """Waits until a job is completed, at most ``timeout`` seconds. Raises ``ConversionError`` if it fails."""
        return await self._wait(await self.status(job_id), time.monotonic() + timeout)

    def events(self, job_id: str) -> AsyncIterator[types.Job]:
        """Yields the job now, and at each change of its status or progress, until it ends."""
        return job_events(self._transport, job_id)

    async def download(self, job: Union[str, types.Job]) -> ConvertedFile:
        """Downloads the result of a completed job."""
        return await result_of(self._transport, await self.status(job) if isinstance(job, str) else job)

    async def batch(self, conversions: Sequence[types.ConversionRequest]) -> types.Batch:
        """Starts up to 100 conversions of uploads. Invalid ones are rejected individually."""
        call = Call("POST", "convert/batch", json={"conversions": list(conversions)}, headers=idempotency())
        return cast(types.Batch, await self._transport.json(call))

    async def pipeline(
        self,
        inputs: Mapping[str, FileInput],
        steps: Sequence[Mapping[str, Any]],
        *,
        webhook_url: Optional[str] = None,
        metadata: Optional[Mapping[str, str]] = None,
        wait_timeout: float = WAIT_TIMEOUT_DEFAULT,
    ) -> Dict[str, ConvertedFile]:
        """Runs conversions that read each other's results, and returns the results by the names of their steps.

        ``inputs`` are files by the names that the steps read them under. Raises ``AnyformError`` with the error of the
        first step that failed.
        """
        end = time.monotonic() + wait_timeout
        ids: Dict[str, str] = {}
        with ExitStack() as stack:
            for name, file in inputs.items():
                ids[name] = await self._upload_id(opened(file, stack), None)
        body: Dict[str, Any] = {"inputs": ids, "steps": list(steps), **query(webhook_url=webhook_url)}
        if metadata is not None:
            body["metadata"] = dict(metadata)
        call = Call("POST", "pipelines", json=body, headers=idempotency())
        pipeline = cast(types.Pipeline, await self._transport.json(call))
        while pipeline["finished_at"] is None:
            left = end - time.monotonic()
            if left <= 0:
                raise AnyformError(f"Pipeline {pipeline['id']} did not end in time.", code="timed_out")
            started = time.monotonic()
            pipeline = await self.pipeline_status(pipeline["id"], wait=left + 1)
            if pipeline["finished_at"] is None:
                await sleep(min(left, pause_after_poll(started)))
        ended_pipeline(pipeline)
        return {step["name"]: await self.download(step["job_id"]) for step in pipeline["steps"] if step["is_result"]}

    async def _convert(self, files: Sequence[FileInput], conversion: Conversion, wait_timeout: float) -> ConvertedFile:
        if not files:
            raise ValueError("There is nothing to convert: `files` is empty.")
        end = time.monotonic() + wait_timeout
        with ExitStack() as stack:
            sources = [opened(file, stack) for file in files]
            local = local_files(sources)
            if len(sources) == 1 and isinstance(sources[0], PageSource):
                job = await self._transport.json(convert_page(conversion, sources[0].url, wait_timeout))
            elif local is not None and await self._fits(sum(file.content.size for file in local)):
                sink = Sink()
                answer = await self._transport.send(one_call(conversion, local, sink, wait_timeout))
                if answer.status == 200:
                    return file_of_answer(answer, answer, sink)
                if answer.status == 303:
                    url = self._absolute(answer.headers["location"])
                    stored = await self._transport.send(Call("GET", url, sink=sink))
                    return file_of_answer(answer, stored, sink)
                job = cast(types.Job, answer.json())
            else:
                ids = [await self._upload_id(source, conversion.source_format) for source in sources]
                job = await self._transport.json(convert_uploads(conversion, ids, wait_timeout))
        return await self.download(await self._wait(job, end))

    async def _wait(self, job: types.Job, end: float) -> types.Job:
        while is_unfinished(job):
            left = end - time.monotonic()
            if left <= 0:
                raise late(job)
            started, status = time.monotonic(), job["status"]
            job = cast(types.Job, await self._transport.json(_status(job["id"], **prefer_wait(left + 1))))
            if job["status"] == status:
                await sleep(min(left, pause_after_poll(started)))
        return completed(job)

    async def _upload_id(self, source: Source, source_format: Optional[str]) -> str:
        """An input that is already uploaded does not need another request."""
        if isinstance(source, UploadedFile):
            return source.upload_id
        return (await self._send(source, source_format))["upload_id"]

    async def _send(self, source: Source, source_format: Optional[str]) -> types.Upload:
        as_form = isinstance(source, LocalFile) and await self._fits(source.content.size)
        return await send_source(self._transport, source, as_form=as_form, source_format=source_format)

    async def _fits(self, size: int) -> bool:
        """Returns whether a form can have this many bytes: 4.5 MB on AWS, gigabytes on one machine."""
        if size <= FORM_BYTES_MIN:
            return True
        if self._form_bytes_max is None:
            session = await self._transport.json(Call("GET", "session"))
            self._form_bytes_max = int(session["offers"]["upload_bytes_max"])
        return size <= self._form_bytes_max

    def _absolute(self, location: str) -> str:
        return str(httpx.URL(self._transport.settings.base_url).join(location))



def _status(job_id: str, **headers: str) -> Call:
    return Call("GET", f"convert/{quote(job_id, safe='')}/status", headers=headers)
