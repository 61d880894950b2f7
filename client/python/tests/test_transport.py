"""Retries, redirects and interrupted transfers, with scripted responses."""

from __future__ import annotations

import json
import unittest
from hashlib import sha256
from typing import Any, Dict

import anyform
from anyform import Anyform

from .service import PICTURE, Reply, scripted

KEY = "af_live_secret"


def problem(status: int, code: str, headers: Dict[str, str] = {}, **fields: Any) -> Reply:
    body = {"code": code, "detail": "Why.", "retryable": status >= 500, **fields}
    return Reply(status, json.dumps(body).encode(), {"content-type": "application/problem+json", **headers})


def result(body: bytes = b"bytes", **fields: Any) -> Reply:
    headers = {"content-type": "image/jpeg", "x-job-id": "job_1", "content-disposition": 'attachment; filename="a.jpg"'}
    return Reply(200, body, headers, **fields)


class RetryTest(unittest.TestCase):
    def test_all_attempts_have_one_idempotency_key(self) -> None:
        unavailable = problem(503, "temporarily_unavailable", {"retry-after": "0"})
        replies = [unavailable, Reply(502, b"<h1>"), result(cut=2), result()]
        with scripted(*replies) as server, Anyform(KEY, server.url) as client:
            self.assertEqual(client.convert(PICTURE, "jpg").read(), b"bytes")
            self.assertEqual(len({request.headers["idempotency-key"] for request in server.received}), 1)
            self.assertEqual([PICTURE.read_bytes() in request.body for request in server.received], [True] * 4)
            first = server.received[0].headers["idempotency-key"]
        with scripted(result()) as server, Anyform(KEY, server.url) as client:
            client.convert(PICTURE, "jpg")
            self.assertNotEqual(server.received[0].headers["idempotency-key"], first)

    def test_what_is_not_retried(self) -> None:
        replies = {
            anyform.QuotaExceededError: problem(429, "quota_exceeded", {"retry-after": "1"}),
            anyform.RateLimitError: problem(429, "rate_limited", {"retry-after": "61"}),
            anyform.ConversionError: problem(503, "engine_failed", job_id="job_1"),
            anyform.PermissionDeniedError: problem(403, "forbidden_scope"),
        }
        for kind, reply in replies.items():
            with self.subTest(kind.__name__), scripted(reply) as server, Anyform(KEY, server.url) as client:
                with self.assertRaises(kind):
                    client.convert(PICTURE, "jpg")
                self.assertEqual(len(server.received), 1)

    def test_the_number_of_retries_is_limited(self) -> None:
        with scripted() as server, Anyform(KEY, server.url, max_retries=2) as client:
            with self.assertRaises(anyform.ServiceError) as caught:
                client.account()
            self.assertEqual((caught.exception.code, len(server.received)), ("unexpected_answer", 3))
        with Anyform(KEY, server.url, max_retries=1) as client, self.assertRaises(anyform.ServiceUnreachableError):
            client.account()


class KeyTest(unittest.TestCase):
    def test_the_key_is_only_sent_to_the_base_url(self) -> None:
        with scripted(Reply(body=b"stored", headers={"content-type": "image/jpeg"})) as store:
            redirect = Reply(303, b"", {"location": f"{store.url}/a?signature=1", "x-job-id": "job_1"})
            with scripted(redirect) as server, Anyform(KEY, server.url) as client:
                file = client.convert(PICTURE, "jpg")
                self.assertEqual((file.read(), file.job_id), (b"stored", "job_1"))
                self.assertEqual(server.received[0].headers["authorization"], f"Bearer {KEY}")
            self.assertEqual(store.received[0].path, "/a?signature=1")
            self.assertNotIn("authorization", store.received[0].headers)

    def test_other_redirects_are_errors(self) -> None:
        with scripted() as other, scripted(Reply(301, b"", {"location": f"{other.url}/x"})) as server:
            with Anyform(KEY, server.url) as client, self.assertRaises(anyform.AnyformError) as caught:
                client.account()
            self.assertEqual(caught.exception.code, "http_301")
            self.assertIn(other.url, caught.exception.detail)
            self.assertEqual(other.received, [])


class TransferTest(unittest.TestCase):
    def test_an_interrupted_download_continues(self) -> None:
        body = bytes(range(256)) * 4_000
        part = Reply(206, body[1_000:], {"content-range": "bytes 1000-"})
        with scripted(Reply(200, body, cut=1_000), part) as store:
            link = {"url": f"{store.url}/a", "sha256": sha256(body).hexdigest()}
            with scripted(Reply(body=json.dumps(link).encode())) as server, Anyform(KEY, server.url) as client:
                self.assertEqual(client.download(job()).read(), body)
            self.assertEqual(store.received[1].headers["range"], "bytes=1000-")

    def test_corrupt_bytes_are_downloaded_again(self) -> None:
        with scripted(Reply(body=b"bad"), Reply(body=b"good"), *[Reply(body=b"bad")] * 2) as store:
            link = Reply(body=json.dumps({"url": f"{store.url}/a", "sha256": sha256(b"good").hexdigest()}).encode())
            with scripted(link, link) as server, Anyform(KEY, server.url, max_retries=1) as client:
                self.assertEqual(client.download(job()).read(), b"good")
                with self.assertRaises(anyform.AnyformError) as caught:
                    client.download(job())
                self.assertEqual(caught.exception.code, "checksum_mismatch")

    def test_an_expired_url_is_requested_again(self) -> None:
        with scripted(Reply(403, b"<Error/>"), Reply(body=b"good")) as store:
            link = Reply(body=json.dumps({"url": f"{store.url}/a", "sha256": sha256(b"good").hexdigest()}).encode())
            with scripted(link, link) as server, Anyform(KEY, server.url) as client:
                self.assertEqual(client.download(job()).read(), b"good")

    def test_only_missing_parts_are_sent(self) -> None:
        with scripted(Reply(403, b"<Error/>"), Reply(200), Reply(200)) as store:
            content = bytes(range(256)) * 20_000
            any_part: Dict[str, Any] = {"url": store.url, "headers": {}, "received": False}
            first = {**any_part, "number": 1, "offset": 0, "size": 3_000_000}
            second = {**any_part, "number": 2, "offset": 3_000_000, "size": 2_120_000}
            parts = [first, second, {**first, "number": 3, "received": True}]
            ready = {"upload_id": "upl_1", "status": "ready", "upload": {"parts": parts}, "error": None}
            pending = Reply(body=json.dumps({**ready, "status": "pending"}).encode())
            with scripted(pending, pending, Reply(body=json.dumps(ready).encode())) as server:
                with Anyform(KEY, server.url) as client:
                    client._form_bytes_max = 1
                    self.assertEqual(client.upload(("a.bin", content))["status"], "ready")
            halves = [content[:3_000_000], content[3_000_000:]]
            self.assertEqual([request.body for request in store.received], [halves[0], *halves])
            self.assertEqual([request.headers.get("transfer-encoding") for request in store.received], [None] * 3)
            self.assertEqual(json.loads(server.received[0].body)["sha256"], sha256(content).hexdigest())

    def test_events_continue_after_an_interruption(self) -> None:
        def event(number: int, **fields: Any) -> bytes:
            return f"id: {number}\nevent: job\ndata: {json.dumps({**job(), **fields})}\n\n".encode()

        queued = b"retry: 1000\n\n: waiting\n\n" + event(1, status="queued", progress=0)
        processing = event(2, status="processing", progress=50)
        cut = Reply(body=queued + processing, cut=len(queued) + 40)
        with scripted(cut, Reply(body=processing + event(3))) as server:
            with Anyform(KEY, server.url) as client:
                states = [each["status"] for each in client.events("job_1")]
            self.assertEqual(states, ["queued", "processing", "completed"])
            self.assertEqual(server.received[1].headers["last-event-id"], "1")
        missing = problem(404, "not_found")
        with scripted(missing, missing) as server, Anyform(KEY, server.url) as client:
            with self.assertRaises(anyform.NotFoundError):
                list(client.events("job_1"))

    def test_waiting_ends(self) -> None:
        queued = Reply(202, json.dumps({**job(), "status": "queued"}).encode())
        with scripted(queued, queued) as server, Anyform(KEY, server.url) as client:
            with self.assertRaises(anyform.WaitTimeoutError) as caught:
                client.convert(PICTURE, "jpg", wait_timeout=0)
            self.assertEqual(caught.exception.job_id, "job_1")
            self.assertEqual(server.received[0].headers["prefer"], "wait=0")


def job() -> Any:
    fields = {"filename": "a.jpg", "media_type": "image/jpeg", "download_token": "dl_1"}
    return {"id": "job_1", "status": "completed", "result": fields, "warnings": [], "error": None}
