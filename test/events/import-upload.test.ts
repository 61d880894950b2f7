import { randomBytes } from "node:crypto";
import { createServer, type Server } from "node:http";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { sha256Hex } from "../../functions/domain/ids.ts";
import type { PendingUpload, SentSource } from "../../functions/domain/uploads/upload.ts";
import { importUpload } from "../../functions/events/import-upload.ts";
import { addressOf } from "../support/address.ts";
import { hugePng } from "../support/png.ts";
import { fetchedRecord, NOW, sentRecord } from "../support/world/records.ts";
import { makeWorld, type World } from "../support/world/world.ts";

const PNG = hugePng(8, 2, 2);

describe("the worker that ends pending uploads", () => {
  let world: World;
  let server: Server;
  let origin: string;
  beforeEach(async () => {
    world = makeWorld(NOW);
    server = createServer((request, response) => {
      const bodies: Record<string, Buffer> = { "/a.png": PNG, "/noise": randomBytes(1_000), "/empty": Buffer.alloc(0) };
      const body = bodies[request.url ?? ""];
      response.writeHead(body === undefined ? 404 : 200).end(body);
    });
    origin = await addressOf(server);
  });
  afterEach(async () => {
    server.close();
    await world.close();
  });

  const run = (id: string) => importUpload({ ...world.context, importAllowed: ["127.0.0.1"] })(id);
  const added = async <Upload extends PendingUpload>(upload: Upload): Promise<Upload> => {
    await world.context.uploads.createUpload(upload, undefined);
    return upload;
  };
  const fetching = (path: string) => {
    const upload = fetchedRecord();
    return added({ ...upload, source: { ...upload.source, url: `${origin}${path}` } });
  };
  const sending = async (content: Buffer, over: Partial<SentSource> = {}) => {
    const { parts: _, sha256: __, ...source } = sentRecord().source;
    const upload = await added({
      ...sentRecord(),
      source: { ...source, bytes: content.length, completedAt: NOW, ...over },
    });
    await world.context.files.storeStream(upload.key, one(content), 1e6);
    return upload;
  };

  test("downloads a file and detects its format", async () => {
    const { id, key } = await fetching("/a.png");
    expect(await run(id)).toBe("done");
    const file = { status: "ready", bytes: PNG.length, sha256: sha256Hex(PNG), format: "png" };
    expect(await world.context.uploads.getUpload(id)).toMatchObject(file);
    expect(await world.context.files.bytesOf(key)).toBe(PNG.length);
  });

  test.each([
    ["/missing", "fetch_failed"],
    ["/noise", "unrecognized_format"],
    ["/empty", "empty"],
  ])("ends the upload of %s with %s, and keeps no file", async (path, code) => {
    const { id, key } = await fetching(path);
    expect(await run(id)).toBe("done");
    expect(await world.context.uploads.getUpload(id)).toMatchObject({ status: "failed", error: { code } });
    expect(await world.context.files.bytesOf(key)).toBeUndefined();
  });

  test("downloads nothing from an address that the operator does not allow", async () => {
    const { id } = await fetching("/a.png");
    await importUpload(world.context)(id);
    expect(await world.context.uploads.getUpload(id)).toMatchObject({ error: { code: "address_refused" } });
  });

  test("accepts a client's file with the declared size and SHA-256", async () => {
    const { id } = await sending(PNG, { sha256: sha256Hex(PNG) });
    await run(id);
    expect(await world.context.uploads.getUpload(id)).toMatchObject({ status: "ready", format: "png" });
  });

  test("rejects a file that differs from the declared SHA-256 or size", async () => {
    const [hash, size] = [await sending(PNG, { sha256: sha256Hex("else") }), await sending(PNG, { bytes: 7 })];
    await run(hash.id);
    await run(size.id);
    expect(await world.context.uploads.getUpload(hash.id)).toMatchObject({ error: { code: "hash_mismatch" } });
    expect(await world.context.uploads.getUpload(size.id)).toMatchObject({ error: { code: "size_mismatch" } });
    expect(await world.context.files.bytesOf(hash.key)).toBeUndefined();
  });

  test("keeps the file if it fails after another attempt has ended the upload", async () => {
    const upload = await fetching("/a.png");
    await run(upload.id);
    // The state that the slower of two attempts read; the server no longer responds.
    const pending = { ...upload, source: { ...upload.source, url: `${origin}/missing` } };
    const uploads = { ...world.context.uploads, getUpload: async () => pending };
    await importUpload({ ...world.context, uploads, importAllowed: ["127.0.0.1"] })(upload.id);
    expect(await world.context.uploads.getUpload(upload.id)).toMatchObject({ status: "ready", bytes: PNG.length });
    expect(await world.context.files.bytesOf(upload.key)).toBe(PNG.length);
  });

  test("retries an upload without a record, and does not change an ended one", async () => {
    expect(await run(fetchedRecord().id)).toBe("retry");
    const { id } = await fetching("/a.png");
    await run(id);
    const ended = await world.context.uploads.getUpload(id);
    expect(await run(id)).toBe("done");
    expect(await world.context.uploads.getUpload(id)).toEqual(ended);
  });
});

const one = async function* (content: Buffer): AsyncGenerator<Uint8Array> {
  yield content;
};
