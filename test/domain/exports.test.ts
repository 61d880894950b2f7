import { randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { GetObjectCommand, PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import { describe, expect, test } from "vitest";
import { exported, filledKey } from "../../functions/domain/exports/job-export.ts";
import { sealer } from "../../functions/domain/exports/sealer.ts";
import { signedS3Url } from "../../functions/domain/exports/sign-s3.ts";
import {
  locationIn,
  objectUrl,
  openStorage,
  type S3Place,
  sealCredentials,
} from "../../functions/domain/exports/storage.ts";

import { isSignedByOwner } from "../support/emulators/emulator-signature.ts";

const CREDENTIALS = { id: ["AKIA", "IOSFODNN7EXAMPLE"].join(""), secret: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY" };

describe("a signed S3 URL", () => {
  test("has the signature of the example in the S3 API reference", () => {
    const place: S3Place = {
      type: "s3",
      endpoint: "https://s3.amazonaws.com",
      region: "us-east-1",
      bucket: "examplebucket",
      virtualHost: true,
    };
    const now = Date.UTC(2013, 4, 24);
    const url = signedS3Url(place, CREDENTIALS, { method: "GET", key: "test.txt", now, seconds: 86_400 });
    expect(url.host).toBe("examplebucket.s3.amazonaws.com");
    expect(url.searchParams.get("X-Amz-Signature")).toBe(
      "aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404",
    );
  });

  test.each(["a.png", "2026/Müller & Söhne (1)!'*.webp", "a+b=c%20d/ü~_-.txt", "日本/語 .pdf"])(
    "encodes the key %s like the SDK, and has a valid signature",
    async (key) => {
      const place: S3Place = {
        type: "s3",
        endpoint: "https://objects.example.com:9000",
        region: "eu-central-1",
        bucket: "b",
      };
      const now = Date.UTC(2026, 10, 20, 12);
      const client = new S3Client({
        endpoint: place.endpoint,
        region: place.region,
        forcePathStyle: true,
        credentials: { accessKeyId: CREDENTIALS.id, secretAccessKey: CREDENTIALS.secret },
        requestChecksumCalculation: "WHEN_REQUIRED",
      });
      for (const [method, command] of [
        ["GET", new GetObjectCommand({ Bucket: "b", Key: key })],
        ["PUT", new PutObjectCommand({ Bucket: "b", Key: key })],
      ] as const) {
        const options = { expiresIn: 900, signingDate: new Date(now) };
        const theirs = new URL(await getSignedUrl(client, command, options));
        // The SDK also signs a parameter that names the operation, so signatures differ.
        const ours = signedS3Url(place, CREDENTIALS, { method, key, now, seconds: 900 });
        expect(ours.pathname).toBe(theirs.pathname);
        expect(ours.searchParams.get("X-Amz-Credential")).toBe(theirs.searchParams.get("X-Amz-Credential"));
        expect(ours.searchParams.get("X-Amz-Date")).toBe(theirs.searchParams.get("X-Amz-Date"));
        const request = { method, url: ours.pathname + ours.search, headers: { host: ours.host } } as IncomingMessage;
        expect(isSignedByOwner(request, CREDENTIALS)).toBe(true);
        expect(isSignedByOwner({ ...request, method: "DELETE" } as IncomingMessage, CREDENTIALS)).toBe(false);
      }
    },
  );
});

describe("an object", () => {
  test("is below the folder of a WebDAV endpoint, with or without a final slash", () => {
    for (const endpoint of ["https://dav.example.com/ada", "https://dav.example.com/ada/"]) {
      expect(objectUrl({ type: "webdav", endpoint }, "x/ä b.png").href).toBe(
        "https://dav.example.com/ada/x/%C3%A4%20b.png",
      );
    }
  });

  test("has a location without credentials", () => {
    const place: S3Place = { type: "s3", endpoint: "https://objects.example.com", region: "x", bucket: "results" };
    expect(locationIn(place, "2026/ä.png")).toBe("s3://results/2026/ä.png");
  });

  test("has a key with the filename and the job ID, each filled in once", () => {
    expect(filledKey("x/{id}/{name}", { name: "{id}.png", id: "job_1" })).toBe("x/job_1/{id}.png");
  });
});

describe("sealed credentials", () => {
  const storage = { accountId: "acc_1", name: "archive" };
  const record = (sealed: string, over = {}) => ({
    ...storage,
    place: { type: "webdav", endpoint: "https://dav.example.com" } as const,
    sealed,
    createdAt: 1,
    updatedAt: 1,
    ...over,
  });

  test("open for their storage only, and show nothing of the secret", () => {
    const box = sealer(randomBytes(32), randomBytes);
    const sealed = sealCredentials(box, storage, CREDENTIALS);
    expect(sealed).not.toContain(CREDENTIALS.secret);
    expect(Buffer.from(sealed.slice(3), "base64url").includes(CREDENTIALS.secret)).toBe(false);
    expect(sealCredentials(box, storage, CREDENTIALS)).not.toBe(sealed);
    expect(openStorage(box, record(sealed)).credentials).toEqual(CREDENTIALS);
    expect(() => openStorage(box, record(sealed, { accountId: "acc_2" }))).toThrow();
    expect(() => openStorage(box, record(sealed, { name: "other" }))).toThrow();
  });

  test("do not open with another key, without a key, or after a change", () => {
    const box = sealer(randomBytes(32), randomBytes);
    const sealed = sealCredentials(box, storage, CREDENTIALS);
    expect(() => openStorage(sealer(randomBytes(32), randomBytes), record(sealed))).toThrow();
    expect(() => openStorage(sealer(Buffer.alloc(0), randomBytes), record(sealed))).toThrow("secret");
    const bytes = Buffer.from(sealed.slice(3), "base64url");
    for (const index of [0, 12, bytes.length - 1]) {
      const changed = Buffer.from(bytes);
      changed[index] = (changed[index] ?? 0) ^ 1;
      expect(() => openStorage(box, record(`v1.${changed.toString("base64url")}`))).toThrow();
    }
    expect(() => openStorage(box, record("v2.abc"))).toThrow("format");
  });
});

describe("the export of a job", () => {
  const pending = { target: "sealed", location: "s3://b/a", status: "pending", attempts: 1 } as const;

  test("keeps its target while it is pending, and forgets it at the end", () => {
    expect(exported({ export: pending }, { status: "pending", error: "503" })).toEqual({
      export: { ...pending, attempts: 2, error: "503" },
    });
    expect(exported({ export: pending }, { status: "delivered", location: "s3://b/c" })).toEqual({
      export: { location: "s3://b/c", status: "delivered", attempts: 2 },
    });
  });

  test("does not change after its end", () => {
    expect(exported({ export: { ...pending, status: "delivered" } }, { status: "failed" })).toBeUndefined();
    expect(exported({}, { status: "delivered" })).toBeUndefined();
  });
});
