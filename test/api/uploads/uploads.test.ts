import { randomBytes } from "node:crypto";
import { createServer, type Server } from "node:http";
import { Readable } from "node:stream";
import { setTimeout } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Operation } from "../../../functions/api/operation.ts";
import type { Answer, ApiRequest } from "../../../functions/api/request.ts";
import { completeUpload } from "../../../functions/api/uploads/complete-upload.ts";
import { createUpload } from "../../../functions/api/uploads/create-upload.ts";
import { getUpload } from "../../../functions/api/uploads/get-upload.ts";
import { RequestError } from "../../../functions/domain/errors.ts";
import { sha256Hex } from "../../../functions/domain/ids.ts";
import { type UploadView, uploadSchema } from "../../../functions/domain/uploads/upload-views.ts";
import { importUpload } from "../../../functions/events/import-upload.ts";
import { addressOf } from "../../support/address.ts";
import { hugePng } from "../../support/png.ts";
import { accountRecord, NOW, quotaRecord } from "../../support/world/records.ts";
import { requestOf } from "../../support/world/requests.ts";
import { makeWorld, type World } from "../../support/world/world.ts";

const PNG = hugePng(8, 2, 2);

describe("an upload that is sent directly to the file store", () => {
  let world: World;
  let server: Server;
  let baseUrl: string;
  let accountId: string;
  beforeEach(async () => {
    world = makeWorld(NOW);
    accountId = accountRecord().id;
    // Hashing 100 MB blocks the event loop: a connection that times out meanwhile is closed under the next request.
    server = createServer(
      { keepAliveTimeout: 60_000 },
      (request, response) => void world.serveFiles(request, response),
    );
    baseUrl = await addressOf(server);
  });
  afterEach(async () => {
    server.closeAllConnections();
    server.close();
    await world.close();
  });

  const requestFor = (body: unknown, over: Partial<ApiRequest<undefined>> = {}): ApiRequest<undefined> => ({
    ...requestOf(undefined),
    headers: { "content-type": "application/json" },
    stream: () => Readable.from([Buffer.from(JSON.stringify(body))]),
    accountId,
    claim: quotaRecord(accountId, 100),
    baseUrl,
    now: NOW,
    ...over,
  });
  const call = async (operation: Operation, request: ApiRequest<undefined>) => {
    const answer: Answer = await operation.run(world.context)(request);
    return { ...answer, view: uploadSchema.parse(answer.body) satisfies UploadView };
  };
  const create = (body: unknown, headers: Record<string, string> = {}) =>
    call(createUpload, requestFor(body, { headers: { "content-type": "application/json", ...headers } }));
  const look = (id: string) => call(getUpload, requestFor(undefined, { params: { id } }));
  const complete = (id: string) => call(completeUpload, requestFor(undefined, { params: { id } }));
  const put = (
    target: { url?: string | undefined; headers?: Record<string, string> | undefined } | undefined,
    body: Uint8Array,
  ) => fetch(target?.url ?? "", { method: "PUT", headers: target?.headers ?? {}, body: Uint8Array.from(body) });
  const used = () => world.context.quotas.used(accountId, "2026-11");

  test("is sent with one PUT, completed, and then like any other", async () => {
    const { status, view } = await create({ filename: "a.png", size: PNG.length, sha256: sha256Hex(PNG) });
    expect([status, view.status, view.size, view.format]).toEqual([201, "pending", PNG.length, null]);
    expect((await put(view.upload, PNG)).status).toBe(200);
    expect((await complete(view.upload_id)).status).toBe(202);
    expect(world.asked).toEqual([view.upload_id]);
    await importUpload(world.context)(view.upload_id);
    const ready = (await look(view.upload_id)).view;
    expect(ready).toMatchObject({ status: "ready", format: "png", sha256: sha256Hex(PNG) });
    expect(ready.targets).toContain("jpg");
    expect((await complete(view.upload_id)).status).toBe(200);
    expect(await used()).toBe(1);
  });

  test("cannot be completed before all bytes are received, and the response reports what is missing", async () => {
    const { view } = await create({ filename: "a.png", size: PNG.length });
    await expect(complete(view.upload_id)).rejects.toMatchObject({ code: "upload_incomplete" });
    await expect(complete(view.upload_id)).rejects.toThrow(`0 of ${PNG.length} bytes`);
  });

  test("accepts only the declared bytes", async () => {
    const { view } = await create({ filename: "a.png", size: PNG.length, sha256: sha256Hex(PNG) });
    expect((await put(view.upload, randomBytes(PNG.length))).status).toBe(400);
    expect((await put(view.upload, Buffer.concat([PNG, PNG]))).status).toBe(400);
    await expect(complete(view.upload_id)).rejects.toMatchObject({ code: "upload_incomplete" });
  });

  test("is sent in parts above 100 MB, and can be resumed", async () => {
    const size = 100_000_001;
    const content = Buffer.concat([PNG, Buffer.alloc(size - PNG.length)]);
    const { view } = await create({ filename: "a.png", size, sha256: sha256Hex(content) });
    const parts = view.upload?.parts ?? [];
    expect(parts.map(({ number, offset, size: bytes }) => [number, offset, bytes])).toEqual([
      [1, 0, 50_000_000],
      [2, 50_000_000, 50_000_000],
      [3, 100_000_000, 1],
    ]);
    for (const part of [parts[2], parts[0]]) {
      const { offset = 0, size: bytes = 0 } = part ?? {};
      expect((await put(part, content.subarray(offset, offset + bytes))).status).toBe(200);
    }
    await expect(complete(view.upload_id)).rejects.toThrow("is incomplete: missing parts 2.");
    const left = ((await look(view.upload_id)).view.upload?.parts ?? []).filter(({ received }) => !received);
    expect(left.map(({ number }) => number)).toEqual([2]);
    await put(left[0], content.subarray(50_000_000, 100_000_000));
    await complete(view.upload_id);
    await importUpload(world.context)(view.upload_id);
    expect((await look(view.upload_id)).view).toMatchObject({ status: "ready", size, sha256: sha256Hex(content) });
  });

  test("is created once per idempotency key, and a key with another request is rejected", async () => {
    const body = { filename: "a.png", size: 10 };
    const first = await create(body, { "idempotency-key": "k" });
    const again = await create(body, { "idempotency-key": "k" });
    expect(again.view.upload_id).toBe(first.view.upload_id);
    expect(again.headers).toMatchObject({ "idempotent-replayed": "true" });
    await expect(create({ ...body, size: 11 }, { "idempotency-key": "k" })).rejects.toMatchObject({
      code: "idempotency_mismatch",
    });
    expect(await used()).toBe(1);
  });

  test("keeps its idempotency key for a day, after which it can be used for another request", async () => {
    const key = { "content-type": "application/json", "idempotency-key": "k" };
    const send = (size: number, hours: number) =>
      call(createUpload, requestFor({ filename: "a.png", size }, { headers: key, now: NOW + hours * 3_600_000 }));
    const first = await send(10, 0);
    expect((await send(10, 23)).view.upload_id).toBe(first.view.upload_id);
    expect((await send(11, 25)).view.upload_id).not.toBe(first.view.upload_id);
  });

  test("from a URL is queued again when its request is repeated", async () => {
    const body = { url: "https://example.com/a.png" };
    const first = await create(body, { "idempotency-key": "u" });
    await create(body, { "idempotency-key": "u" });
    expect(world.asked).toEqual([first.view.upload_id, first.view.upload_id]);
  });

  test("from a URL is pending, and is queued for a worker", async () => {
    const { view } = await create({
      url: "https://example.com/b%C3%A4r.png?x=1",
      headers: { Authorization: "secret" },
    });
    expect(view).toMatchObject({ status: "pending", filename: "bär.png", size: null });
    expect(JSON.stringify(view)).not.toContain("secret");
    expect(world.asked).toEqual([view.upload_id]);
    await expect(complete(view.upload_id)).rejects.toMatchObject({ code: "upload_incomplete" });
  });

  test.each([
    [{ url: "file:///etc/passwd" }],
    [{ url: "https://example.com/", headers: { Host: "x" } }],
    [{ url: "https://example.com/", headers: { a: "b\r\nc: d" } }],
    [{ filename: "a", size: 0 }],
    [{ filename: "a", size: 5_000_000_001 }],
    [{ filename: "", size: 1 }],
    [{}],
  ])("is rejected for %j", async (body) => {
    await expect(create(body)).rejects.toMatchObject({ code: "invalid_request" });
    expect(await used()).toBe(0);
  });

  test("is not found for another account", async () => {
    const { view } = await create({ filename: "a.png", size: 10 });
    const other = requestFor(undefined, { params: { id: view.upload_id }, accountId: "acc_other" });
    await expect(call(getUpload, other)).rejects.toMatchObject({ code: "not_found" });
    await expect(call(completeUpload, other)).rejects.toMatchObject({ code: "not_found" });
  });
});

/** A request with a form. */
const sentForm = (accountId: string, headers: Record<string, string> = {}): ApiRequest<undefined> => {
  const form = `--b\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\n\r\n${PNG.toString("latin1")}\r\n--b--\r\n`;
  return {
    ...requestOf(undefined),
    headers: { "content-type": "multipart/form-data; boundary=b", ...headers },
    stream: () => Readable.from([Buffer.from(form, "latin1")]),
    accountId,
    claim: quotaRecord(accountId, 100),
    now: NOW,
  };
};

describe("an upload whose record was written without confirmation", () => {
  test("keeps its file, so the repeated request returns a complete upload", async () => {
    const world = makeWorld(NOW);
    const { context } = world;
    const accountId = accountRecord().id;
    let lost = 1;
    const uploads = {
      ...context.uploads,
      createUpload: async (...args: Parameters<typeof context.uploads.createUpload>) => {
        const creation = await context.uploads.createUpload(...args);
        if (lost-- > 0) {
          throw new Error("The connection was closed.");
        }
        return creation;
      },
    };
    const request = () => sentForm(accountId, { "idempotency-key": "k" });
    const create = createUpload.run({ ...context, uploads });
    await expect(create(request())).rejects.toThrow("closed");
    const { body } = await create(request());
    const { upload_id: id, status } = uploadSchema.parse(body);
    expect([status, await context.files.bytesOf(`uploads/${id}`)]).toEqual(["ready", PNG.length]);
    expect(await context.quotas.used(accountId, "2026-11")).toBe(1);
    await world.close();
  });
});

describe("an upload whose file is being written to the disk", () => {
  let world: World;
  let accountId: string;
  let disk: PromiseWithResolvers<void>;
  beforeEach(() => {
    world = makeWorld(NOW);
    accountId = accountRecord().id;
    disk = Promise.withResolvers();
  });
  afterEach(() => world.close());

  /** Sends the form to a disk that waits. @returns the response, and the IDs of the uploads that were recorded */
  const send = (headers: Record<string, string> = {}) => {
    const recorded: string[] = [];
    const { context } = world;
    const uploads: typeof context.uploads = {
      ...context.uploads,
      createUpload: async (upload, ...rest) => {
        const creation = await context.uploads.createUpload(upload, ...rest);
        recorded.push(upload.id);
        return creation;
      },
    };
    const files: typeof context.files = {
      ...context.files,
      storeStreamSoon: async (...args) => {
        const { file, onDisk } = (await context.files.storeStreamSoon?.(...args)) ?? {};
        if (file === undefined || onDisk === undefined) {
          throw new TypeError("This store has a disk.");
        }
        return { file, onDisk: onDisk.then(() => disk.promise) };
      },
    };
    const answer = createUpload.run({ ...context, uploads, files })(sentForm(accountId, headers));
    let isAnswered = false;
    const ended = () => {
      isAnswered = true;
    };
    answer.then(ended, ended);
    return { answer, recorded, isAnswered: () => isAnswered };
  };
  const waited = () => setTimeout(100);

  test("is recorded meanwhile, and confirmed afterward", async () => {
    const { answer, recorded, isAnswered } = send();
    await expect.poll(() => recorded).toHaveLength(1);
    await waited();
    expect(isAnswered()).toBe(false);
    disk.resolve();
    expect(await answer).toMatchObject({ status: 201, body: { upload_id: recorded[0], status: "ready" } });
  });

  test("is recorded afterward if the request can be repeated, which would find it", async () => {
    const { answer, recorded, isAnswered } = send({ "idempotency-key": "k" });
    await waited();
    expect([isAnswered(), recorded]).toEqual([false, []]);
    disk.resolve();
    expect(await answer).toMatchObject({ status: 201 });
    expect(recorded).toHaveLength(1);
  });

  test("is not confirmed if the disk fails", async () => {
    const { answer, recorded } = send();
    await expect.poll(() => recorded).toHaveLength(1);
    disk.reject(new RequestError("temporarily_unavailable", "The server's disk reported an error."));
    await expect(answer).rejects.toMatchObject({ code: "temporarily_unavailable" });
  });
});
