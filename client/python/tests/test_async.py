"""The asynchronous client on a real service. The synchronous client is generated from it."""

from __future__ import annotations

import asyncio
import unittest

import anyform
from anyform import AsyncAnyform

from .service import JPEG, PICTURE, bitmap


class AsyncTest(unittest.IsolatedAsyncioTestCase):
    async def test_convert_merge_and_many(self) -> None:
        async with AsyncAnyform() as client:
            one, pdf = await asyncio.gather(client.convert(PICTURE, "jpg"), client.merge([PICTURE, PICTURE], "pdf"))
            self.assertEqual((one.read()[:3], pdf.read()[:5]), (JPEG, b"%PDF-"))
            outcomes = [outcome async for outcome in client.convert_many([PICTURE, "/none", PICTURE], "gif")]
            self.assertEqual([outcome.error is None for outcome in outcomes], [True, False, True])
            jobs = [job["id"] async for job in client.jobs(target_format="jpg")]
            self.assertIn(one.job_id, jobs)
            self.assertEqual((await client.download(one.job_id)).sha256, one.sha256)

    async def test_a_file_too_large_for_a_form_is_sent_directly(self) -> None:
        async with AsyncAnyform() as client:
            client._form_bytes_max = 5_000_000
            self.assertEqual((await client.convert(("large.bmp", bitmap(1400)), "png")).name, "large.png")

    async def test_errors(self) -> None:
        async with AsyncAnyform() as client:
            with self.assertRaises(anyform.ConversionError):
                await client.convert(("bad.png", PICTURE.read_bytes()[:60]), "jpg")
            with self.assertRaises(anyform.NotFoundError):
                await client.status("job_none")

    async def test_convert_many_cancels_what_is_not_taken(self) -> None:
        async with AsyncAnyform() as client:
            outcomes = client.convert_many([PICTURE] * 20, "gif", concurrency=2)
            async for outcome in outcomes:
                self.assertIsNotNone(outcome.file)
                break
            await outcomes.aclose()  # type: ignore[attr-defined]
        self.assertEqual([task for task in asyncio.all_tasks() if task is not asyncio.current_task()], [])
