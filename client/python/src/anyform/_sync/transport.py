# Generated from _async/transport.py by client/generate/generate-python.ts. Do not edit.
"""Sends requests, with retries."""

from __future__ import annotations

import random
from typing import Any, Iterator, Callable, Optional, TypeVar

import httpx

from .._calls import Answer, Call, Settings, error_of, expected_hash, is_file, unexpected, unreachable
from .._retry import pause_before
from ..errors import AnyformError
from .tools import chunks_of, sleep

_CONNECT_SECONDS_MAX = 10.0

Result = TypeVar("Result")


class Transport:
    def __init__(
        self, settings: Settings, *, timeout: float, max_retries: int, http_client: Optional[httpx.Client]
    ) -> None:
        self.settings = settings
        self._retries_max = max_retries
        self._timeout = httpx.Timeout(timeout, connect=min(timeout, _CONNECT_SECONDS_MAX), pool=None)
        self._http = http_client or httpx.Client()
        self._is_owner = http_client is None

    def close(self) -> None:
        if self._is_owner:
            self._http.close()

    def json(self, call: Call) -> Any:
        """Sends the request and returns the JSON of the response."""
        answer = self.send(call)
        return answer.json()

    def send(self, call: Call) -> Answer:
        """Sends the request until it succeeds or cannot be retried. Raises ``AnyformError``."""
        return self._retried(lambda: self._attempt(call))

    def lines(self, call: Call) -> Iterator[str]:
        """Yields the lines of a response until it ends or is interrupted. Raises ``AnyformError``."""
        response = self._retried(lambda: self._open(call))
        try:
            for line in response.iter_lines():
                yield line.rstrip("\r\n")
        except httpx.RequestError:
            return
        finally:
            response.close()

    def _retried(self, attempt: Callable[[], Result]) -> Result:
        retries = 0
        while True:
            try:
                return attempt()
            except AnyformError as error:
                pause = pause_before(
                    error,
                    retries=retries,
                    retries_max=self._retries_max,
                    random=random.random(),
                    unreachable=isinstance(error.__cause__, httpx.ConnectError),
                )
                if pause is None:
                    raise
            retries += 1
            sleep(pause)

    def _attempt(self, call: Call) -> Answer:
        url = call.url(self.settings)
        try:
            response = self._begin(call, url)
            try:
                return self._answer(call, url, response)
            finally:
                response.close()
        except httpx.RequestError as cause:
            raise unreachable(url, cause) from cause

    def _open(self, call: Call) -> httpx.Response:
        url = call.url(self.settings)
        try:
            response = self._begin(call, url)
            if response.status_code not in (200, 204):
                try:
                    raise error_of(Answer(response.status_code, response.headers, response.read()), url)
                finally:
                    response.close()
        except httpx.RequestError as cause:
            raise unreachable(url, cause) from cause
        return response

    def _begin(self, call: Call, url: str) -> httpx.Response:
        """The key is only sent to the base URL, so redirects are not followed."""
        return self._http.send(self._request(call, url), stream=True, follow_redirects=False)

    def _request(self, call: Call, url: str) -> httpx.Request:
        return self._http.build_request(
            call.method,
            url,
            params=dict(call.params) or None,
            headers=call.all_headers(self.settings),
            json=call.json,
            data=None if call.form is None else dict(call.form.fields),
            files=None if call.form is None else call.form.parts(),
            content=None if call.body is None else chunks_of(call.body),
            timeout=self._timeout,
        )

    def _answer(self, call: Call, url: str, response: httpx.Response) -> Answer:
        if is_file(call, response):
            self._receive(call, response)
            return Answer(response.status_code, response.headers, b"")
        answer = Answer(response.status_code, response.headers, response.read())
        if answer.status >= 400:
            raise error_of(answer, url)
        if answer.status >= 300 and not (answer.status == 303 and call.sink is not None):
            raise unexpected(answer, url)
        if call.is_own and answer.status in (200, 201, 202):
            try:
                answer.json()
            except ValueError as cause:
                raise unexpected(answer, url) from cause
        return answer

    def _receive(self, call: Call, response: httpx.Response) -> None:
        sink = call.sink
        assert sink is not None
        if response.status_code == 200:
            sink.restart()
        for chunk in response.iter_bytes():
            sink.write(chunk)
        sink.check(expected_hash(call, response))
