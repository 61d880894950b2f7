# Generated from _async/transport.py by client/generate-python.ts. Do not edit.
"""Sends requests, with retries."""

from __future__ import annotations

import random
from typing import Any, Optional

import httpx

from .._calls import Answer, Call, Settings, error_of, expected_hash, is_file, unexpected, unreachable
from .._retry import pause_before
from ..errors import AnyformError
from .tools import chunks_of, sleep

_CONNECT_SECONDS_MAX = 10.0


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
        retries = 0
        while True:
            try:
                return self._attempt(call)
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
            # The key is only sent to the base URL, so redirects are not followed.
            response = self._http.send(self._request(call, url), stream=True, follow_redirects=False)
            try:
                return self._answer(call, url, response)
            finally:
                response.close()
        except httpx.RequestError as cause:
            raise unreachable(url, cause) from cause

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
