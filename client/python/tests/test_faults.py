"""Conversions over a connection that may lose, truncate, repeat or reject requests."""

from __future__ import annotations

import unittest

from anyform import Anyform

from .service import JPEG, PICTURE

CONVERSIONS = 40


class FaultTest(unittest.TestCase):
    def test_every_result_is_complete_and_created_and_counted_once(self) -> None:
        with Anyform() as client:
            used, known = client.account()["quota"]["used"], {job["id"] for job in client.jobs()}
            outcomes = list(client.convert_many([PICTURE] * CONVERSIONS, "jpg"))
            self.assertEqual([outcome.error for outcome in outcomes if outcome.file is None], [])
            files = [outcome.file for outcome in outcomes if outcome.file is not None]
            self.assertEqual([file.read()[:3] for file in files], [JPEG] * CONVERSIONS)
            self.assertEqual(len({job["id"] for job in client.jobs()} - known), CONVERSIONS)
            self.assertEqual(client.account()["quota"]["used"], used + CONVERSIONS)

    def test_uploads_and_downloads_are_complete(self) -> None:
        with Anyform() as client:
            upload = client.upload(PICTURE)
            outcomes = list(client.convert_many([upload] * CONVERSIONS, "jpg"))
            files = [outcome.file for outcome in outcomes if outcome.file is not None]
            self.assertEqual([file.read()[:3] for file in files], [JPEG] * CONVERSIONS)
