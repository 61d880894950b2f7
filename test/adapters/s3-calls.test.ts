import { once } from "node:events";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
  UploadPartCommand,
} from "@aws-sdk/client-s3";
import { mockClient } from "aws-sdk-client-mock";
import "aws-sdk-client-mock-vitest/extend";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { s3Client, s3Signer } from "../../functions/adapters/clients.ts";
import { s3Files } from "../../functions/adapters/s3/files.ts";
import { sha256Hex } from "../../functions/domain/ids.ts";
import { NOW } from "../support/world/records.ts";

Object.assign(process.env, { AWS_REGION: "us-east-1", AWS_ACCESS_KEY_ID: "id", AWS_SECRET_ACCESS_KEY: "secret" });

const client = new S3Client({});
const calls = mockClient(client);
const files = s3Files({ client, signer: s3Signer(), name: "the-bucket", clock: () => NOW + 400 });
const CHECKSUM_OF_OTHERS = Buffer.from(sha256Hex("something else"), "hex").toString("base64");
let folder: string;

beforeEach(async () => {
  calls.reset();
  folder = await mkdtemp(join(tmpdir(), "s3-calls-"));
});
afterEach(() => rm(folder, { recursive: true }));

describe("a signed URL", () => {
  const sign = (milliseconds: number) =>
    files.signedUrl("results/job_1/1", { filename: "ä.webp", mediaType: "image/webp", expiresAt: NOW + milliseconds });

  it("sets the filename, media type and expiry", async () => {
    const { pathname, searchParams } = new URL(await sign(300_000));
    expect(pathname).toBe("/results/job_1/1");
    expect(searchParams.get("response-content-disposition")).toBe(
      `attachment; filename="_.webp"; filename*=UTF-8''%C3%A4.webp`,
    );
    expect(searchParams.get("response-content-type")).toBe("image/webp");
    expect(searchParams.get("X-Amz-Date")).toBe("20261120T120000Z");
    expect(searchParams.get("X-Amz-Expires")).toBe("300");
  });

  it("requires no header and no checksum from the downloader", async () => {
    const { searchParams } = new URL(await sign(300_000));
    expect(searchParams.get("X-Amz-SignedHeaders")).toBe("host");
    expect([...searchParams.keys()].filter((name) => /checksum/i.test(name))).toEqual([]);
  });

  it.each([
    [1_999, "1"],
    [2_000, "2"],
    [-5, "1"],
  ])("that expires in %i ms is valid for %s whole seconds", async (milliseconds, seconds) => {
    expect(new URL(await sign(milliseconds)).searchParams.get("X-Amz-Expires")).toBe(seconds);
  });
});

describe("storing", () => {
  it("sends a file with its length, media type, and the SHA-256 that S3 verifies", async () => {
    calls.on(PutObjectCommand).resolves({});
    const path = join(folder, "a.webp");
    await writeFile(path, "content");
    const sha256 = sha256Hex("content");
    expect(await files.storeFile("results/job_1/1", path, "image/webp")).toEqual({ bytes: 7, sha256 });
    expect(calls).toHaveReceivedCommandExactlyOnceWith(PutObjectCommand, {
      Bucket: "the-bucket",
      Key: "results/job_1/1",
      ContentLength: 7,
      ContentType: "image/webp",
      ChecksumSHA256: Buffer.from(sha256, "hex").toString("base64"),
    });
  });

  it("sends a long stream in parts with checksums, which the transfer announces and its completion repeats", async () => {
    calls.on(CreateMultipartUploadCommand).resolves({ UploadId: "transfer" });
    calls.on(UploadPartCommand).resolvesOnce({ ETag: '"1"' }).resolvesOnce({ ETag: '"2"' });
    calls.on(CompleteMultipartUploadCommand).resolves({});
    const stream = (async function* () {
      yield Buffer.alloc(8_388_608);
      yield Buffer.from("123456789");
    })();
    const { bytes } = await files.storeStream("uploads/upl_1", stream, 10_000_000);
    expect(bytes).toBe(8_388_617);
    expect(calls).toHaveReceivedCommandWith(CreateMultipartUploadCommand, { ChecksumAlgorithm: "CRC32" });
    // The check value of the CRC catalogue for "123456789" is cbf43926.
    const last = { PartNumber: 2, ChecksumCRC32: Buffer.from("cbf43926", "hex").toString("base64") };
    expect(calls).toHaveReceivedCommandWith(UploadPartCommand, { UploadId: "transfer", ...last });
    const [complete] = calls.commandCalls(CompleteMultipartUploadCommand);
    expect(complete?.args[0].input.MultipartUpload?.Parts).toEqual([
      { PartNumber: 1, ETag: '"1"', ChecksumCRC32: expect.stringMatching(/^[\w+/]{6}==$/) },
      { ...last, ETag: '"2"' },
    ]);
  });

  it("begins the transfer of a client without checksums, because its parts have none", async () => {
    calls.on(CreateMultipartUploadCommand).resolves({ UploadId: "transfer" });
    await files.beginParts("uploads/upl_1");
    const [begin] = calls.commandCalls(CreateMultipartUploadCommand);
    expect(begin?.args[0].input).toEqual({ Bucket: "the-bucket", Key: "uploads/upl_1" });
  });

  it("sends nothing of a stream that is too long", async () => {
    const stream = (async function* () {
      yield Buffer.alloc(6);
      yield Buffer.alloc(6);
    })();
    await expect(files.storeStream("uploads/upl_1", stream, 10)).rejects.toMatchObject({ code: "payload_too_large" });
    expect(calls.calls()).toHaveLength(0);
  });
});

describe("checking for a file", () => {
  it.each([
    [404, "NotFound"],
    [403, "403"],
  ])(
    "treats S3's %i as missing: without the list permission, which no function has, S3 returns 403",
    async (status, name) => {
      const $metadata = { httpStatusCode: status };
      calls.on(HeadObjectCommand).rejects(new S3ServiceException({ name, $fault: "client", $metadata }));
      expect(await files.bytesOf("uploads/upl_1")).toBeUndefined();
    },
  );

  it("fails if S3 fails", async () => {
    const $metadata = { httpStatusCode: 503 };
    calls.on(HeadObjectCommand).rejects(new S3ServiceException({ name: "SlowDown", $fault: "server", $metadata }));
    await expect(files.bytesOf("uploads/upl_1")).rejects.toThrow();
  });
});

describe("removing", () => {
  it("names at most 1,000 files per request, the maximum of S3", async () => {
    calls.on(DeleteObjectsCommand).resolves({});
    const keys = Array.from({ length: 2_001 }, (_, index) => `results/${index}`);
    await files.remove(keys);
    const sent = calls.commandCalls(DeleteObjectsCommand).map(({ args }) => args[0].input.Delete?.Objects ?? []);
    expect(sent.map(({ length }) => length)).toEqual([1_000, 1_000, 1]);
    expect(sent.flat().map(({ Key }) => Key)).toEqual(keys);
  });

  it("fails if S3 reports that it kept a file", async () => {
    calls.on(DeleteObjectsCommand).resolves({ Errors: [{ Key: "results/1", Code: "AccessDenied", Message: "No." }] });
    await expect(files.remove(["results/1"])).rejects.toThrow("results/1: AccessDenied");
  });
});

describe("fetching", () => {
  it.each([
    [404, "NoSuchKey"],
    [403, "AccessDenied"],
  ])("treats S3's %i as a missing file, completely or in part", async (status, name) => {
    const $metadata = { httpStatusCode: status };
    calls.on(GetObjectCommand).rejects(new S3ServiceException({ name, $fault: "client", $metadata }));
    expect(await files.fetch("uploads/upl_1", folder)).toBeUndefined();
    expect(await files.read("uploads/upl_1", 0, 10)).toBeUndefined();
  });

  it.each([
    [503, "SlowDown"],
    [403, "RequestTimeTooSkewed"],
    [403, "SignatureDoesNotMatch"],
  ])("fails if S3 fails with %i %s", async (status, name) => {
    const $metadata = { httpStatusCode: status };
    calls.on(GetObjectCommand).rejects(new S3ServiceException({ name, $fault: "client", $metadata }));
    await expect(files.fetch("uploads/upl_1", folder)).rejects.toThrow();
    await expect(files.read("uploads/upl_1", 0, 10)).rejects.toThrow();
  });

  it.each([
    [
      "content other than what was stored",
      { "content-length": "9", "x-amz-checksum-sha256": CHECKSUM_OF_OTHERS },
      "hecksum",
    ],
    ["fewer bytes than announced", { "content-length": "10" }, "aborted"],
  ])("fails and leaves no file if S3 returns %s", async (_what, headers, message) => {
    const server = createServer((_request, response) => {
      response.writeHead(200, headers).write("corrupted", () => response.socket?.end());
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    process.env.AWS_ENDPOINT_URL_S3 = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const real = s3Files({ client: s3Client(), signer: s3Signer(), name: "the-bucket", clock: Date.now });
    await expect(real.fetch("uploads/upl_1", folder)).rejects.toThrow(message);
    expect(await readdir(folder)).toEqual([]);
    server.close();
    delete process.env.AWS_ENDPOINT_URL_S3;
  });
});
