"""Conversions on a real service."""

from __future__ import annotations

import io
import os
import tempfile
import threading
import time
import unittest
from pathlib import Path
from typing import Callable, Dict, List, Tuple

import anyform
from anyform import Anyform, AnyformError, ConversionError, FileInput, InvalidRequestError, NotFoundError

from .service import JPEG, PICTURE, Reply, bitmap, scripted


class ConvertTest(unittest.TestCase):
    def setUp(self) -> None:
        self.client = Anyform()
        self.addCleanup(self.client.close)

    def test_every_kind_of_input(self) -> None:
        data = PICTURE.read_bytes()
        offset = io.BytesIO(b"other" + data)
        offset.seek(5)
        inputs: Dict[str, Tuple[FileInput, str]] = {
            "a path": (str(PICTURE), "sample.jpg"),
            "a Path": (PICTURE, "sample.jpg"),
            "bytes": (data, "file.jpg"),
            "named bytes": (("ä ü.png", data), "ä ü.jpg"),
            "a file object": (self.opened(PICTURE), "sample.jpg"),
            "a file object from its position": (offset, "file.jpg"),
            "a named file object": (("b.png", io.BytesIO(data)), "b.jpg"),
            "a pipe": (("c.png", self.pipe(data)), "c.jpg"),
            "an upload": (self.client.upload(PICTURE), "sample.jpg"),
        }
        for kind, (file, name) in inputs.items():
            with self.subTest(kind):
                result = self.client.convert(file, "jpg")
                self.assertEqual((result.name, result.media_type), (name, "image/jpeg"))
                self.assertEqual(result.read()[:3], JPEG)
                self.assertEqual(len(result.read()), result.size)
                self.assertEqual(self.client.status(result.job_id)["status"], "completed")

    def test_a_pipeline_with_two_results_and_a_preset(self) -> None:
        self.client.save_preset("small", {"target_format": "webp", "options": {"width": 20}})
        self.addCleanup(self.client.delete_preset, "small")
        self.assertEqual([preset["name"] for preset in self.client.presets()["presets"]], ["small"])
        results = self.client.pipeline(
            {"photo": PICTURE},
            [
                {"name": "jpeg", "operation": "convert", "from": "photo", "target_format": "jpg"},
                {"name": "web", "operation": "convert", "from": "photo", "preset": "small"},
            ],
        )
        self.assertEqual(results["jpeg"].read()[:3], JPEG)
        self.assertEqual(results["web"].media_type, "image/webp")

        steps = [{"operation": "resize", "options": {"width": 10}}]
        small = self.client.convert(PICTURE, preset="small")
        smaller = self.client.convert(PICTURE, preset="small", steps=steps)
        self.assertEqual([small.media_type, smaller.media_type], ["image/webp", "image/webp"])
        uploaded = self.client.upload(PICTURE)
        again = self.client.convert(uploaded, "webp", steps=steps)
        # The width of an extended WebP file, less one, is at offset 24.
        widths = [int.from_bytes(file.read()[24:27], "little") + 1 for file in (small, smaller, again)]
        self.assertEqual(widths, [20, 10, 10])
        outcomes = list(self.client.convert_many([PICTURE, PICTURE], preset="small"))
        self.assertEqual([outcome.error for outcome in outcomes], [None, None])
        with self.assertRaises(InvalidRequestError):
            self.client.convert(PICTURE)

    def test_pipelines_are_listed_and_deleted(self) -> None:
        steps = [{"name": "web", "operation": "convert", "target_format": "webp"}]
        self.client.pipeline({"photo": PICTURE}, steps)
        newest = next(iter(self.client.pipelines()))
        events = list(self.client.pipeline_events(newest["id"]))
        self.assertEqual([event["status"] for event in events], ["completed"])
        self.assertEqual([step["name"] for step in newest["steps"]], ["web"])
        self.client.delete_pipeline(newest["id"])
        with self.assertRaises(NotFoundError):
            self.client.pipeline_status(newest["id"])

    def test_storages_and_webhooks_of_the_account(self) -> None:
        with scripted(*[Reply(201), Reply(204), Reply(body=PICTURE.read_bytes())]) as server:
            endpoint = f"{server.url}/files/"
            saved = self.client.save_storage(
                "cloud", {"type": "webdav", "endpoint": endpoint, "username": "ada", "password": "secret"}
            )
            self.addCleanup(self.client.delete_storage, "cloud")
            self.assertNotIn("secret", str(saved))
            self.assertEqual(self.client.test_storage("cloud"), {"succeeded": True, "error": None})
            self.assertEqual([storage["name"] for storage in self.client.storages()["storages"]], ["cloud"])
            result = self.client.convert({"storage": "cloud", "key": "a/photo.png"}, "jpg")
            self.assertEqual((result.name, result.read()[:3]), ("photo.jpg", JPEG))
        self.assertTrue(self.client.rotate_webhook_secret()["secrets"])
        self.assertEqual(list(self.client.webhook_messages()), [])

    def test_a_pipeline_that_fails(self) -> None:
        with self.assertRaises(AnyformError) as caught:
            self.client.pipeline(
                {"photo": ("broken.png", PICTURE.read_bytes()[:150])},
                [{"name": "jpeg", "operation": "convert", "target_format": "jpg"}],
            )
        self.assertEqual(caught.exception.code, "source_corrupt")

    def opened(self, path: Path) -> io.BufferedReader:
        file = open(path, "rb")
        self.addCleanup(file.close)
        return file

    def pipe(self, data: bytes) -> io.BufferedReader:
        """Returns the reading end of a pipe, which cannot be read twice."""
        reading, writing = os.pipe()

        def write() -> None:
            with os.fdopen(writing, "wb") as file:
                file.write(data)

        threading.Thread(target=write, daemon=True).start()
        file = os.fdopen(reading, "rb")
        self.addCleanup(file.close)
        return file

    def test_a_url_is_fetched_by_the_service(self) -> None:
        with scripted(Reply(body=PICTURE.read_bytes())) as server:
            self.assertEqual(self.client.convert(f"{server.url}/far.png", "webp").name, "far.webp")

    def test_a_web_page_is_loaded_in_a_browser(self) -> None:
        page = b"<!doctype html><title>Page</title><p>Text"
        with scripted(*[Reply(body=page, headers={"content-type": "text/html"})] * 5) as server:
            pages: FileInput = {"page": f"{server.url}/report"}
            if "url" not in [source["id"] for source in self.client.formats()["formats"]]:
                with self.assertRaises(anyform.UnsupportedConversionError):
                    self.client.convert(pages, "pdf")
                return
            self.assertEqual(self.client.convert(pages, "pdf", options={"page_size": "a4"}).read()[:5], b"%PDF-")
        with self.assertRaises(TypeError):
            self.client.merge([pages, pages], "pdf")

    def test_a_result_is_exported_to_a_url(self) -> None:
        with scripted(Reply(204, b"")) as server:
            result = self.client.convert(PICTURE, "webp", export={"url": f"{server.url}/put?signature=1"})
            job = self.client.status(result.job_id)
            self.assertEqual(job["export"] and job["export"]["location"], f"{server.url}/put")
            for _ in range(100):
                if server.received:
                    break
                time.sleep(0.1)
            self.assertEqual([(request.method, request.path) for request in server.received], [("PUT", "/put?signature=1")])

    def test_one_call_counts_once(self) -> None:
        used = self.client.account()["quota"]["used"]
        self.client.convert(PICTURE, "jpg").read()
        self.client.merge([PICTURE, PICTURE], "pdf").read()
        self.assertEqual(self.client.account()["quota"]["used"], used + 2)

    def test_settings_reach_the_service(self) -> None:
        result = self.client.convert(
            ("data.dat", b"a;b\n1;2\n"),
            "json",
            source_format="csv",
            options={"delimiter": ";"},
            filename="table.json",
            metadata={"order": "42"},
        )
        self.assertEqual(result.name, "table.json")
        self.assertIn(b'"a"', result.read())
        job = self.client.status(result.job_id)
        self.assertEqual((job["source_format"], job["options"]), ("csv", {"delimiter": ";"}))
        self.assertEqual(job["metadata"], {"order": "42"})

    def test_merge_of_uploads_and_local_files(self) -> None:
        upload = self.client.upload(PICTURE)
        self.assertEqual(self.client.merge([upload, PICTURE], "pdf").read()[:5], b"%PDF-")
        with self.assertRaises(ValueError):
            self.client.merge([], "pdf")

    def test_a_file_too_large_for_a_form_is_sent_directly(self) -> None:
        large = bitmap(1400)
        one_call = self.client.convert(("large.bmp", large), "png")
        self.client._form_bytes_max = 5_000_000
        used = self.client.account()["quota"]["used"]
        announced = self.client.convert(("large.bmp", large), "png")
        self.assertEqual(self.client.account()["quota"]["used"], used + 3)
        self.assertEqual(announced.read(), one_call.read())

    def test_a_large_result_of_one_call(self) -> None:
        used = self.client.account()["quota"]["used"]
        result = self.client.convert(("noise.bmp", bitmap(1200, noise=True)), "tiff")
        # Results above 4 MB are redirects on AWS.
        self.assertGreater(result.size, 4_000_000)
        self.assertEqual((result.name, result.media_type), ("noise.tiff", "image/tiff"))
        self.assertEqual(result.read(), self.client.download(result.job_id).read())
        self.assertEqual(self.client.account()["quota"]["used"], used + 2)

    def test_wait_and_download(self) -> None:
        upload = self.client.upload(PICTURE)
        [item] = self.client.batch([{"upload_id": upload["upload_id"], "target_format": "jpg"}])["items"]
        self.assertIsNotNone(item["job"])
        job = self.client.wait(item["job"]["id"] if item["job"] else "")
        self.assertEqual([event["status"] for event in self.client.events(job["id"])], ["completed"])
        self.assertEqual(self.client.download(job).read()[:3], JPEG)
        self.assertEqual(self.client.download(job["id"]).sha256, self.client.download(job).sha256)

    def test_convert_many_keeps_the_order_and_separates_failures(self) -> None:
        bad = ("bad.png", PICTURE.read_bytes()[:60])
        files: List[FileInput] = [PICTURE, bad, "/no/such.png", PICTURE]
        outcomes = list(self.client.convert_many(files, "webp", concurrency=2))
        self.assertEqual([outcome.input for outcome in outcomes], files)
        self.assertEqual([outcome.file is not None for outcome in outcomes], [True, False, False, True])
        self.assertIsInstance(outcomes[1].error, ConversionError)
        self.assertIsInstance(outcomes[2].error, FileNotFoundError)

    def test_convert_many_ends_when_the_key_is_rejected(self) -> None:
        with Anyform("af_live_wrong") as client, self.assertRaises(anyform.AuthenticationError):
            list(client.convert_many([PICTURE] * 3, "webp"))

    def test_save(self) -> None:
        with tempfile.TemporaryDirectory() as folder, self.client.convert(PICTURE, "jpg") as result:
            saved = result.save(folder)
            self.assertEqual(saved, Path(folder, "sample.jpg"))
            self.assertEqual(saved.read_bytes(), result.read())
            with self.assertRaises(FileExistsError):
                result.save(saved)
            saved.write_bytes(b"old")
            self.assertEqual(result.save(str(saved), overwrite=True).read_bytes(), result.read())
            with self.assertRaises(FileNotFoundError):
                result.save(Path(folder, "none", "a.jpg"))
            self.assertEqual(os.listdir(folder), ["sample.jpg"])


class ErrorTest(unittest.TestCase):
    def setUp(self) -> None:
        self.client = Anyform()
        self.addCleanup(self.client.close)

    def failure(self, call: Callable[[], object]) -> AnyformError:
        with self.assertRaises(AnyformError) as caught:
            call()
        return caught.exception

    def test_classes_and_fields(self) -> None:
        error = self.failure(lambda: self.client.convert(PICTURE, "mp3"))
        self.assertIsInstance(error, anyform.UnsupportedConversionError)
        self.assertIn("jpg", error.supported_targets)
        self.assertTrue(error.request_id)
        self.assertEqual((error.code, error.status, error.retryable), ("unsupported_conversion", 422, False))
        error = self.failure(lambda: self.client.convert(PICTURE, "jpg", options={"qualty": 80}))
        self.assertIsInstance(error, anyform.InvalidOptionsError)
        self.assertEqual(error.errors[0]["pointer"], "/options/qualty")

    def test_a_failed_conversion_names_its_job(self) -> None:
        bad = ("bad.png", PICTURE.read_bytes()[:60])
        inputs: List[FileInput] = [bad, self.client.upload(bad)]
        for file in inputs:
            error = self.failure(lambda: self.client.convert(file, "jpg"))
            self.assertIsInstance(error, ConversionError)
            self.assertEqual(error.code, "source_corrupt")
            self.assertEqual(self.client.status(error.job_id or "")["status"], "failed")

    def test_missing_things(self) -> None:
        self.assertIsInstance(self.failure(lambda: self.client.status("job_none")), anyform.NotFoundError)
        self.assertIsInstance(
            self.failure(lambda: self.client.convert({"upload_id": "upl_none"}, "jpg")),
            anyform.NotFoundError,
        )
        self.client.cancel("job_none")
        self.client.delete("job_none")
        self.client.delete_upload("upl_none")

    def test_a_rejected_key(self) -> None:
        with Anyform("af_live_wrong") as client:
            error = self.failure(client.account)
        self.assertIsInstance(error, anyform.AuthenticationError)
        self.assertEqual(error.code, "invalid_api_key")

    def test_invalid_arguments_send_nothing(self) -> None:
        used = self.client.account()["quota"]["used"]
        for file in (None, 7, io.StringIO("text")):
            with self.assertRaises(TypeError):
                self.client.convert(file, "jpg")  # type: ignore[arg-type]
        for error, path in ((FileNotFoundError, "/no/such.png"), (IsADirectoryError, "/")):
            with self.assertRaises(error):
                self.client.convert(path, "jpg")
        with self.assertRaises(ValueError):
            Anyform("af_live_key", "example.com")
        with Anyform(f"{os.environ['ANYFORM_API_KEY']}\n") as client:
            client.account()
        self.assertEqual(self.client.account()["quota"]["used"], used)


class JobTest(unittest.TestCase):
    def setUp(self) -> None:
        self.client = Anyform()
        self.addCleanup(self.client.close)

    def test_jobs_follow_all_pages(self) -> None:
        name = f"page {os.urandom(4).hex()}.png"
        upload = self.client.upload((name, PICTURE.read_bytes()))
        conversion: anyform.ConversionRequest = {"upload_id": upload["upload_id"], "target_format": "jpg"}
        batch = self.client.batch([conversion] * 60)
        self.assertEqual([item["status"] for item in batch["items"]], [202] * 60)
        listed = [job["id"] for job in self.client.jobs(filename=name)]
        self.assertEqual(set(listed), {item["job"]["id"] for item in batch["items"] if item["job"]})
        self.assertEqual(len(listed), 60)

    def test_cancel_and_delete(self) -> None:
        result = self.client.convert(PICTURE, "jpg")
        self.client.cancel(result.job_id)
        self.assertEqual(self.client.status(result.job_id)["status"], "completed")
        self.client.delete(result.job_id)
        with self.assertRaises(anyform.NotFoundError):
            self.client.status(result.job_id)
        upload = self.client.upload(PICTURE)
        self.client.delete_upload(upload["upload_id"])
        with self.assertRaises(anyform.NotFoundError):
            self.client.convert(upload, "jpg")

    def test_account_usage_and_formats(self) -> None:
        account, usage = self.client.account(), self.client.usage()
        self.assertEqual(usage["used"], account["quota"]["used"])
        self.assertEqual(self.client.usage("2026-01")["month"], "2026-01")
        self.assertEqual(self.client.usage_details("2026-01"), {"month": "2026-01", "rows": [], "truncated": False})
        with self.assertRaises(anyform.NotFoundError):
            self.client.status("job_none")
        refused = next(self.client.requests(error_code="not_found", status_class="4xx"))
        self.assertEqual((refused["status"], refused["path"]), (404, "/api/v1/convert/job_none/status"))
        self.assertIn("not_found", self.client.request(refused["id"])["body"] or "")
        with Anyform("af_live_wrong") as client:
            formats = {each["id"] for each in client.formats()["formats"]}
            self.assertLessEqual({"png", "jpg", "pdf"}, formats)
            self.assertIn("quality", client.conversion("png", "jpg")["options"]["properties"])
            merged = [client.conversion("png", "gif", merge_with=each)["options"]["properties"] for each in ((), ("png",))]
            self.assertEqual(["delay" in properties for properties in merged], [False, True])
