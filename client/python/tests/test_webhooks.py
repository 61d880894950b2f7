"""Webhook messages of a real service, and changed ones."""

from __future__ import annotations

import os
import time
import unittest
from typing import Dict, List, Tuple

import httpx

from anyform import Anyform, WebhookVerificationError, webhooks

from .service import PICTURE, Reply, scripted

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
OTHER = "whsec_b3RoZXIgb3RoZXIgb3RoZXIgb3RoZXI="
SECONDS_MAX = 30


class EndpointTest(unittest.TestCase):
    def test_an_endpoint_is_tested_changed_and_deleted(self) -> None:
        with scripted(Reply()) as receiver, Anyform() as client:
            endpoints = client.webhook_endpoints
            endpoint = endpoints.create({"url": f"{receiver.url}/hook", "events": ["job.failed"]})
            result = endpoints.test(endpoint["id"])
            self.assertEqual((result["delivered"], result["status"]), (True, 200))
            message = receiver.received[0]
            event = webhooks.verify(message.body, message.headers, endpoint["secrets"][0]["secret"])
            self.assertEqual(event["type"], "webhook.test")
            self.assertEqual(len(endpoints.rotate_secret(endpoint["id"])["secrets"]), 2)
            self.assertFalse(endpoints.update(endpoint["id"], {"enabled": False})["enabled"])
            endpoints.delete(endpoint["id"])
            self.assertNotIn(endpoint["id"], [each["id"] for each in endpoints.list()["endpoints"]])


class WebhookTest(unittest.TestCase):
    def test_a_message_of_the_service_is_verified(self) -> None:
        headers = {"authorization": f"Bearer {os.environ['ANYFORM_API_KEY']}"}
        url = f"{os.environ['ANYFORM_URL']}/api/v1/webhooks/secret"
        answer = httpx.get(url, headers=headers).json()
        if not answer["secrets"]:
            answer = httpx.post(url, headers=headers).json()
        secret = answer["secrets"][0]["secret"]
        with scripted(Reply()) as receiver, Anyform() as client:
            job_id = client.convert(PICTURE, "jpg", webhook_url=f"{receiver.url}/hook").job_id
            end = time.monotonic() + SECONDS_MAX
            while not receiver.received and time.monotonic() < end:
                time.sleep(0.05)
            [message] = receiver.received
        event = webhooks.verify(message.body, message.headers, secret)
        self.assertEqual((event["type"], event["data"]["id"]), ("job.completed", job_id))
        self.assertEqual(webhooks.verify(message.body.decode(), message.headers, [OTHER, secret]), event)
        changed: List[Tuple[bytes, Dict[str, str], str]] = [
            (message.body + b" ", message.headers, secret),
            (message.body, message.headers, OTHER),
            (message.body, {**message.headers, "webhook-id": "msg_other"}, secret),
            (message.body, {**message.headers, "webhook-signature": "v1,"}, secret),
            (message.body, {**message.headers, "webhook-signature": "v2,AAAA v1,§§"}, secret),
            (message.body, {}, secret),
        ]
        for body, headers, key in changed:
            with self.assertRaises(WebhookVerificationError):
                webhooks.verify(body, headers, key)

    def test_the_published_example_of_standard_webhooks(self) -> None:
        body = b'{"test": 2432232314}'
        headers = {
            "Webhook-Id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
            "Webhook-Timestamp": "1614265330",
            "Webhook-Signature": "v1,AAAA v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
        }
        self.assertEqual(webhooks.verify(body, headers, SECRET, tolerance=1e12), {"test": 2432232314})
        for timestamp in ("1614265330", "now", str(int(time.time()) + 400)):
            with self.assertRaises(WebhookVerificationError):
                webhooks.verify(body, {**headers, "Webhook-Timestamp": timestamp}, SECRET)
        for secret in ("", "whsec_", "whsec_§"):
            with self.assertRaises(ValueError):
                webhooks.verify(body, headers, secret, tolerance=1e12)
