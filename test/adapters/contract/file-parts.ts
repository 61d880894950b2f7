import { randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import type { FileStore, SignedPut } from "../../../functions/domain/file-ports.ts";
import { newId, sha256Hex } from "../../../functions/domain/ids.ts";
import { uploadKey } from "../../../functions/domain/uploads/upload.ts";
import { NOW } from "../../support/world/records.ts";
import type { FileStoreHarness } from "./file-store.ts";

/** The minimum size in S3 for every part except the last: 5 MiB. */
const PART_BYTES = 5_242_880;

/** The part of the FileStore contract about direct uploads and ranged reads. */
export const describeDirectTransfers = (fixture: () => FileStoreHarness & { readonly folder: string }): void => {
  describePuts(fixture);
  describeParts(fixture);
  describeReads(fixture);
};

const describePuts = (fixture: () => FileStoreHarness): void => {
  it("accepts a file through a signed request, without a key", async () => {
    const { files, now } = fixture();
    const [key, content] = [newKey(), randomBytes(100_000)];
    const sha256 = sha256Hex(content);
    const signed = await files.signedPut(key, { bytes: content.length, sha256, expiresAt: now() + 60_000 });
    expect((await put(signed, content)).status).toBe(200);
    expect(await files.bytesOf(key)).toBe(content.length);
    expect(await contentOf(files, key)).toEqual(content);
  });

  it("rejects content other than what was signed, where the store checks it", async (context) => {
    const { files, now, heeds } = fixture();
    context.skip(!heeds.signatures, "The store does not check signatures.");
    const [key, content] = [newKey(), randomBytes(1_000)];
    const sha256 = sha256Hex(content);
    const signed = await files.signedPut(key, { bytes: content.length, sha256, expiresAt: now() + 60_000 });
    for (const wrong of [content.subarray(1), Buffer.concat([content, content]), randomBytes(1_000)]) {
      expect((await put(signed, wrong)).ok).toBe(false);
    }
    expect(await files.bytesOf(key)).toBeUndefined();
  });

  it("returns no size for a missing file", async () => {
    expect(await fixture().files.bytesOf(newKey())).toBeUndefined();
  });
};

const describeParts = (fixture: () => FileStoreHarness): void => {
  it("assembles a file from parts sent in any order, including a duplicate", async () => {
    const { files, now } = fixture();
    const key = newKey();
    const parts = [randomBytes(PART_BYTES), randomBytes(PART_BYTES), randomBytes(1_234)];
    const transfer = await files.beginParts(key);
    const send = async (number: number, content: Buffer) => {
      const part = { transfer, number, bytes: content.length, expiresAt: now() + 60_000 };
      expect((await put(await files.signedPart(key, part), content)).status).toBe(200);
    };
    await send(3, parts[2] ?? Buffer.alloc(0));
    await send(1, randomBytes(PART_BYTES));
    await send(2, parts[1] ?? Buffer.alloc(0));
    await send(1, parts[0] ?? Buffer.alloc(0));
    const stored = (await files.partsOf(key, transfer)) ?? [];
    expect(stored.map(({ number, bytes }) => [number, bytes])).toEqual([
      [1, PART_BYTES],
      [2, PART_BYTES],
      [3, 1_234],
    ]);
    expect(await files.bytesOf(key)).toBeUndefined();
    await files.joinParts(key, transfer, stored);
    expect((await contentOf(files, key)).equals(Buffer.concat(parts))).toBe(true);
    expect(await files.partsOf(key, transfer)).toBeUndefined();
  });

  it("aborts a transfer and deletes its parts; aborting it again is not an error", async () => {
    const { files, now } = fixture();
    const key = newKey();
    const transfer = await files.beginParts(key);
    const part = { transfer, number: 1, bytes: 10, expiresAt: now() + 60_000 };
    await put(await files.signedPart(key, part), randomBytes(10));
    await files.abortParts(key, transfer);
    await files.abortParts(key, transfer);
    expect(await files.partsOf(key, transfer)).toBeUndefined();
    expect(await files.bytesOf(key)).toBeUndefined();
  });

  it("lists no parts before one is sent", async () => {
    const { files } = fixture();
    const key = newKey();
    expect(await files.partsOf(key, await files.beginParts(key))).toEqual([]);
  });
};

const describeReads = (fixture: () => FileStoreHarness): void => {
  it("reads a range of bytes, truncated at the end of the file", async () => {
    const { files } = fixture();
    const [key, content] = [newKey(), randomBytes(100_000)];
    await files.storeStream(key, stream(content), 1_000_000);
    expect(await contentOf(files, key, 10, 20)).toEqual(content.subarray(10, 20));
    expect(await contentOf(files, key, 99_990, 200_000)).toEqual(content.subarray(99_990));
    expect(await contentOf(files, key, 0, 100_000)).toEqual(content);
  });

  it("reads nothing from a missing file", async () => {
    expect(await fixture().files.read(newKey(), 0, 10)).toBeUndefined();
  });
};

const newKey = (): string => uploadKey(newId("upload", NOW, randomBytes));

const put = ({ url, headers }: SignedPut, body: Uint8Array): Promise<Response> =>
  fetch(url, { method: "PUT", headers, body: Uint8Array.from(body) });

const stream = async function* (content: Uint8Array): AsyncGenerator<Uint8Array> {
  yield content;
};

const contentOf = async (files: FileStore, key: string, start = 0, end = 100_000_000): Promise<Buffer> => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of (await files.read(key, start, end)) ?? []) {
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};
