import { randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import type { FileStore, SignedPut } from "../../../functions/domain/file-ports.ts";
import { newId, sha256Hex } from "../../../functions/domain/ids.ts";
import { uploadKey } from "../../../functions/domain/uploads/upload.ts";
import { NOW } from "../../support/records.ts";
import type { FileStoreHarness } from "./file-store.ts";

/** S3 takes no part below 5 MiB but the last. */
const PART_BYTES = 5_242_880;

/** What every FileStore promises of files that clients put straight into it, and of reading parts of files. */
export const describeDirectTransfers = (fixture: () => FileStoreHarness & { readonly folder: string }): void => {
  describePuts(fixture);
  describeParts(fixture);
  describeReads(fixture);
};

const describePuts = (fixture: () => FileStoreHarness): void => {
  it("takes a file by a signed request, without a key", async () => {
    const { files, now } = fixture();
    const [key, content] = [newKey(), randomBytes(100_000)];
    const sha256 = sha256Hex(content);
    const signed = await files.signedPut(key, { bytes: content.length, sha256, expiresAt: now() + 60_000 });
    expect((await put(signed, content)).status).toBe(200);
    expect(await files.bytesOf(key)).toBe(content.length);
    expect(await contentOf(files, key)).toEqual(content);
  });

  it("takes no file that has other bytes than were signed, where the store checks it", async (context) => {
    const { files, now, heeds } = fixture();
    context.skip(!heeds.signatures, "The store behind the adapter does not check signatures.");
    const [key, content] = [newKey(), randomBytes(1_000)];
    const sha256 = sha256Hex(content);
    const signed = await files.signedPut(key, { bytes: content.length, sha256, expiresAt: now() + 60_000 });
    for (const wrong of [content.subarray(1), Buffer.concat([content, content]), randomBytes(1_000)]) {
      expect((await put(signed, wrong)).ok).toBe(false);
    }
    expect(await files.bytesOf(key)).toBeUndefined();
  });

  it("knows no size of what was never stored", async () => {
    expect(await fixture().files.bytesOf(newKey())).toBeUndefined();
  });
};

const describeParts = (fixture: () => FileStoreHarness): void => {
  it("makes a file of parts, sent in any order, one of them twice", async () => {
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

  it("ends a transfer that is given up, with its parts, and ending it again is no error", async () => {
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

  it("has no parts before one was sent", async () => {
    const { files } = fixture();
    const key = newKey();
    expect(await files.partsOf(key, await files.beginParts(key))).toEqual([]);
  });
};

const describeReads = (fixture: () => FileStoreHarness): void => {
  it("reads the bytes from one place to another, and fewer where the file ends before", async () => {
    const { files } = fixture();
    const [key, content] = [newKey(), randomBytes(100_000)];
    await files.storeStream(key, stream(content), 1_000_000);
    expect(await contentOf(files, key, 10, 20)).toEqual(content.subarray(10, 20));
    expect(await contentOf(files, key, 99_990, 200_000)).toEqual(content.subarray(99_990));
    expect(await contentOf(files, key, 0, 100_000)).toEqual(content);
  });

  it("reads nothing of what was never stored", async () => {
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
