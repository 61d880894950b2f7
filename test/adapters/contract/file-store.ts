import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Delivery, FileStore } from "../../../functions/domain/file-ports.ts";
import { newId, sha256Hex } from "../../../functions/domain/ids.ts";
import { resultKey } from "../../../functions/domain/jobs/job.ts";
import { uploadKey } from "../../../functions/domain/uploads/upload.ts";
import { NOW } from "../../support/world/records.ts";
import { describeDirectTransfers } from "./file-parts.ts";

export interface FileStoreHarness {
  readonly files: FileStore;
  /** Where the test may create local files, on the disk that a converter would use. Undefined: a temporary folder. */
  readonly scratch?: string;
  /** The current time of the store that serves signed URLs. */
  readonly now: () => number;
  /**
   * Lets this many milliseconds pass for the store: advances its clock, or waits. Absent: the store does not check the
   * expiry of a signed URL, like some S3 emulators.
   */
  readonly lapse?: (milliseconds: number) => Promise<void>;
  /** Whether the store honors what a URL is signed for; some S3 emulators do not. */
  readonly heeds: {
    /** `Content-Disposition` and `Content-Type` of the response. */
    readonly deliveryHeaders: boolean;
    /** A signed URL is only valid for its own key. */
    readonly signatures: boolean;
  };
  close(): Promise<void>;
}

interface Fixture extends FileStoreHarness {
  readonly folder: string;
}

/** The contract of every FileStore. `make` returns an empty store; it is called before each test. */
export const fileStoreContract = (name: string, make: () => Promise<FileStoreHarness>): void => {
  describe(`${name} as FileStore`, () => {
    let fixture: Fixture;
    beforeEach(async () => {
      const harness = await make();
      await mkdir(harness.scratch ?? tmpdir(), { recursive: true });
      fixture = { ...harness, folder: await mkdtemp(join(harness.scratch ?? tmpdir(), "file-store-")) };
    });
    afterEach(async () => {
      await rm(fixture.folder, { recursive: true, force: true });
      await fixture.close();
    });

    describeStreams(() => fixture);
    describeFailures(() => fixture);
    describeLocalFiles(() => fixture);
    describeSignedUrls(() => fixture);
    describeSignatures(() => fixture);
    describeDirectTransfers(() => fixture);
  });
};

const describeStreams = (fixture: () => Fixture): void => {
  it.each([0, 1, 65_536, 9_000_000])("stores a stream of %i bytes with its size and SHA-256", async (length) => {
    const { files, folder } = fixture();
    const bytes = randomBytes(length);
    const key = newUploadKey();
    const stored = await files.storeStream(key, inChunks(bytes), 10_000_000);
    expect(stored).toEqual({ bytes: length, sha256: sha256Hex(bytes) });
    expect(await contentOf(files, key, folder)).toEqual(bytes);
  });

  it("stores a stream of exactly the maximum size", async () => {
    const { files, folder } = fixture();
    const key = newUploadKey();
    expect(await files.storeStream(key, inChunks(randomBytes(1_000)), 1_000)).toMatchObject({ bytes: 1_000 });
    expect(await contentOf(files, key, folder)).toHaveLength(1_000);
  });

  it("stores files under separate keys, also those of two attempts", async () => {
    const { files, folder } = fixture();
    const jobId = newId("job", NOW, randomBytes);
    const keys = [newUploadKey(), resultKey(jobId, 1), resultKey(jobId, 2)];
    await Promise.all(keys.map((key) => files.storeStream(key, inChunks(Buffer.from(key)), 1_000)));
    for (const key of keys) {
      expect(await contentOf(files, key, folder)).toEqual(Buffer.from(key));
    }
  });
};

const describeFailures = (fixture: () => Fixture): void => {
  it.each([999, 8_999_999])("rejects a stream of one byte more than %i and stores nothing", async (bytesMax) => {
    const { files, folder } = fixture();
    const key = newUploadKey();
    const storing = files.storeStream(key, inChunks(randomBytes(bytesMax + 1)), bytesMax);
    await expect(storing).rejects.toMatchObject({ name: "RequestError", code: "payload_too_large" });
    expect(await files.fetch(key, folder)).toBeUndefined();
  });

  it("stops reading an endless stream once it exceeds the limit", async () => {
    const { files } = fixture();
    let given = 0;
    let ended = false;
    const endless = async function* () {
      try {
        for (; given < 1_000_000_000; given += 1_000) {
          yield Buffer.alloc(1_000);
        }
      } finally {
        ended = true;
      }
    };
    const storing = files.storeStream(newUploadKey(), endless(), 500_000);
    await expect(storing).rejects.toMatchObject({ code: "payload_too_large" });
    expect(given).toBeLessThan(100_000_000);
    expect(ended).toBe(true);
  });

  it.each([0, 100_000, 7_000_000])("stores nothing if the stream fails after %i bytes", async (length) => {
    const { files, folder } = fixture();
    const key = newUploadKey();
    const failing = async function* () {
      yield* inChunks(randomBytes(length));
      throw new Error("The client hung up.");
    };
    await expect(files.storeStream(key, failing(), 10_000_000)).rejects.toThrow("The client hung up.");
    expect(await files.fetch(key, folder)).toBeUndefined();
  });
};

const describeLocalFiles = (fixture: () => Fixture): void => {
  it.each([0, 5, 7_000_000])("stores a local file of %i bytes with its size and SHA-256", async (length) => {
    const { files, folder } = fixture();
    const bytes = randomBytes(length);
    const [key, path] = [newResultKey(), join(folder, "out.webp")];
    await writeFile(path, bytes);
    expect(await files.storeFile(key, path, "image/webp")).toEqual({ bytes: length, sha256: sha256Hex(bytes) });
    expect(await contentOf(files, key, folder)).toEqual(bytes);
  });

  it("stores nothing if the local file is missing", async () => {
    const { files, folder } = fixture();
    const key = newResultKey();
    await expect(files.storeFile(key, join(folder, "missing"), "image/webp")).rejects.toThrow();
    expect(await files.fetch(key, folder)).toBeUndefined();
  });

  it.each([
    ["a link to a file", (path: string, other: string) => symlink(other, path)],
    ["a link to nothing", (path: string, other: string) => symlink(`${other}-missing`, path)],
    ["a folder", (path: string) => mkdir(path)],
    ["a pipe that nobody writes to", async (path: string) => void spawnSync("mkfifo", [path])],
  ])("stores and removes nothing if the local file is %s", async (_, make) => {
    const { files, folder } = fixture();
    const [key, path, other] = [newResultKey(), join(folder, "out.webp"), join(folder, "other")];
    await writeFile(other, "what nobody gave");
    await make(path, other);
    await expect(files.storeFile(key, path, "image/webp")).rejects.toMatchObject({ code: "engine_failed" });
    expect(await files.fetch(key, folder)).toBeUndefined();
    expect(await readFile(other, "utf8")).toBe("what nobody gave");
  });

  it("returns undefined for a missing key", async () => {
    const { files, folder } = fixture();
    expect(await files.fetch(newUploadKey(), folder)).toBeUndefined();
    expect(await files.fetch(newResultKey(), folder)).toBeUndefined();
  });

  it("removes existing files; removing a missing one is not an error", async () => {
    const { files, folder } = fixture();
    const [kept, gone, never] = [newUploadKey(), newResultKey(), newUploadKey()];
    await files.storeStream(kept, inChunks(Buffer.from("kept")), 100);
    await files.storeStream(gone, inChunks(Buffer.from("gone")), 100);
    await files.remove([gone, never]);
    await files.remove([gone]);
    await files.remove([]);
    expect(await files.fetch(gone, folder)).toBeUndefined();
    expect(await contentOf(files, kept, folder)).toEqual(Buffer.from("kept"));
  });
};

const describeSignedUrls = (fixture: () => Fixture): void => {
  it.each([0, 100_000])(
    "signs a URL that returns a file of %i bytes without a key, with an entity tag",
    async (length) => {
      const { files, now } = fixture();
      const bytes = randomBytes(length);
      const key = newResultKey();
      await files.storeStream(key, inChunks(bytes), 1_000_000);
      const response = await fetch(await files.signedUrl(key, deliveryAt(now())));
      expect(response.status).toBe(200);
      expect(response.headers.get("content-length")).toBe(String(length));
      expect(response.headers.get("etag")).toMatch(/^"[^"]+"$/);
      expect(Buffer.from(await response.arrayBuffer())).toEqual(bytes);
    },
  );

  it.each([
    ["bytes=0-9", 0, 10],
    ["bytes=99990-", 99_990, 100_000],
    ["bytes=-5", 99_995, 100_000],
  ])("returns the range %s of a file", async (range, start, end) => {
    const { files, now } = fixture();
    const bytes = randomBytes(100_000);
    const key = newResultKey();
    await files.storeStream(key, inChunks(bytes), 1_000_000);
    const response = await fetch(await files.signedUrl(key, deliveryAt(now())), { headers: { range } });
    expect(response.status).toBe(206);
    expect(response.headers.get("content-range")).toBe(`bytes ${start}-${end - 1}/100000`);
    expect(Buffer.from(await response.arrayBuffer())).toEqual(bytes.subarray(start, end));
  });

  it("delivers the filename, its media type, and an ASCII fallback name for old clients", async (context) => {
    const { files, now, heeds } = fixture();
    context.skip(!heeds.deliveryHeaders, "The store ignores the headers of a signed URL.");
    const key = newResultKey();
    await files.storeStream(key, inChunks(Buffer.from("content")), 100);
    const response = await fetch(await files.signedUrl(key, deliveryAt(now())));
    expect(await response.text()).toBe("content");
    expect(response.headers.get("content-type")).toBe("image/webp");
    const disposition = response.headers.get("content-disposition") ?? "";
    expect(disposition).toMatch(/^attachment; filename="[ -~]+\.webp"; filename\*=UTF-8''/);
    expect(disposition).toContain("filename*=UTF-8''Z%C3%BCrich%20%E2%80%9E1%E2%80%9C%20%2850%25%29.webp");
  });
};

const describeSignatures = (fixture: () => Fixture): void => {
  it("rejects a signed URL after it expires", async (context) => {
    const { files, now, lapse } = fixture();
    context.skip(lapse === undefined, "The store does not check the expiry of a signed URL.");
    const key = newResultKey();
    await files.storeStream(key, inChunks(Buffer.from("content")), 100);
    const url = await files.signedUrl(key, deliveryAt(now(), 2_000));
    expect(await (await fetch(url)).text()).toBe("content");
    await lapse?.(3_000);
    const response = await fetch(url);
    expect(response.ok).toBe(false);
    expect(await response.text()).not.toBe("content");
  });

  it("rejects a signed URL that was changed to another key", async (context) => {
    const { files, now, heeds } = fixture();
    context.skip(!heeds.signatures, "The store does not check signatures.");
    const [mine, other] = [newResultKey(), newResultKey()];
    await files.storeStream(mine, inChunks(Buffer.from("mine")), 100);
    await files.storeStream(other, inChunks(Buffer.from("other")), 100);
    const url = await files.signedUrl(mine, deliveryAt(now()));
    expect(url).toContain(mine);
    const response = await fetch(url.replace(mine, other));
    expect(response.ok).toBe(false);
  });
};

const newUploadKey = (): string => uploadKey(newId("upload", NOW, randomBytes));
const newResultKey = (): string => resultKey(newId("job", NOW, randomBytes), 1);

const deliveryAt = (now: number, milliseconds = 60_000): Delivery => ({
  filename: "Zürich „1“ (50%).webp",
  mediaType: "image/webp",
  expiresAt: now + milliseconds,
});

/** The bytes in uneven chunks, as a network delivers them. */
const inChunks = async function* (bytes: Buffer): AsyncGenerator<Uint8Array> {
  for (let start = 0, size = 1; start < bytes.length; start += size, size = Math.min(size * 3 + 1, 60_000)) {
    yield bytes.subarray(start, start + size);
  }
};

const contentOf = async (files: FileStore, key: string, folder: string): Promise<Buffer> => {
  const path = await files.fetch(key, folder);
  if (path === undefined) {
    throw new Error(`Nothing is stored under ${key}.`);
  }
  return readFile(path);
};
