import { readdirSync, statfsSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createUpload } from "../../../functions/api/uploads/create-upload.ts";
import { RETRY_AFTER_SECONDS_MAX } from "../../../functions/domain/limits.ts";
import type { Context } from "../../../functions/domain/ports.ts";
import type { UploadView } from "../../../functions/domain/uploads/upload-views.ts";
import { folderFiles } from "../../../local/files/folder-files.ts";
import { type AdmissionSettings, type LocalAdmission, localAdmission } from "../../../local/queue/admission.ts";
import { type Database, openDatabase } from "../../../local/sqlite/database.ts";
import { type LocalQueue, sqliteQueue } from "../../../local/sqlite/queue.ts";
import { addressOf } from "../../support/address.ts";
import { accountRecord, NOW, quotaRecord } from "../../support/world/records.ts";
import { requestOf } from "../../support/world/requests.ts";
import { makeWorld, type World } from "../../support/world/world.ts";

const WAITING_MAX = 8;

let world: World;
let database: Database;
let queue: LocalQueue;
beforeEach(() => {
  world = makeWorld(NOW);
  database = openDatabase(world.folder);
  queue = sqliteQueue(database, { receivesMax: 4 });
});
afterEach(async () => {
  database.close();
  await world.close();
});

const admissionWith = (settings: Partial<AdmissionSettings> = {}): LocalAdmission =>
  localAdmission({ queue, waitingMax: WAITING_MAX, folder: world.folder, clock: () => world.now, ...settings });
const contextWith = (admission: LocalAdmission): Context => ({ ...world.context, queue, admission });

/** An account and its request. */
const someone = () => {
  const { id: accountId } = accountRecord();
  const claim = quotaRecord(accountId, 1_000);
  return { accountId, claim, request: { ...requestOf(undefined), accountId, claim, now: NOW } };
};

const refused = {
  code: "temporarily_unavailable",
  extra: { headers: { "retry-after": expect.stringMatching(/^\d+$/) } },
};

describe("a nearly full disk", () => {
  /** More than the capacity of any disk. */
  const FREE_BYTES = 1e18;
  const frame = (content: string): string =>
    `--b\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\n${content}\r\n--b--\r\n`;
  const form = (content: string) => ({
    headers: { "content-type": "multipart/form-data; boundary=b", "content-length": String(frame(content).length) },
    stream: () => Readable.from([Buffer.from(frame(content))]),
  });
  const announcement = (body: object) => ({
    headers: { "content-type": "application/json" },
    stream: () => Readable.from([Buffer.from(JSON.stringify(body))]),
  });

  it("rejects a file, stores none of it and counts nothing", async () => {
    const context = contextWith(admissionWith({ freeBytesMin: FREE_BYTES }));
    const { request, accountId, claim } = someone();
    for (const sent of [form("hello"), announcement({ filename: "a.png", size: 10 })]) {
      await expect(createUpload.run(context)({ ...request, ...sent })).rejects.toMatchObject(refused);
    }
    expect(readdirSync(join(world.folder, "files/uploads"))).toEqual([]);
    expect(readdirSync(join(world.folder, "files/tmp"))).toEqual([]);
    expect(await context.quotas.used(accountId, claim.month)).toBe(0);
  });

  it("returns the first response for a repeated upload, and stores nothing, for every upload method", async () => {
    const { request, accountId, claim } = someone();
    const roomy = contextWith(admissionWith());
    const full = contextWith(admissionWith({ freeBytesMin: FREE_BYTES }));
    const asked = (context: Context, sent: ReturnType<typeof form> | ReturnType<typeof announcement>, key: string) => {
      const headers = { ...sent.headers, "idempotency-key": key };
      return createUpload.run(context)({ ...request, ...sent, headers });
    };
    const ways = [
      ["form", () => form("hello"), () => form("other")],
      [
        "announced",
        () => announcement({ filename: "a.png", size: 9 }),
        () => announcement({ filename: "a.png", size: 8 }),
      ],
      [
        "large",
        () => announcement({ filename: "a.png", size: 2e8 }),
        () => announcement({ filename: "a.png", size: 3e8 }),
      ],
      ["url", () => announcement({ url: "https://a.test/b.png" }), () => announcement({ url: "https://a.test/c.png" })],
    ] as const;
    for (const [key, sent, other] of ways) {
      const first = await asked(roomy, sent(), key);
      const before = readdirSync(world.folder, { recursive: true });
      const again = await asked(full, sent(), key);
      const { upload: _, ...view } = first.body as Record<string, unknown>;
      expect([again.status, again.headers]).toEqual([201, { "idempotent-replayed": "true" }]);
      expect(again.body).toMatchObject(view);
      await expect(asked(full, other(), key)).rejects.toMatchObject({ code: "idempotency_mismatch" });
      await expect(asked(full, sent(), `${key} that is new`)).rejects.toMatchObject(refused);
      expect(readdirSync(world.folder, { recursive: true })).toEqual(before);
    }
    expect(await full.quotas.used(accountId, claim.month)).toBe(ways.length);
  });

  it("returns the first response for a repeated upload if there is space for the request but not for the file", async () => {
    const { request } = someone();
    const asked = (context: Context) => {
      const sent = announcement({ filename: "a.png", size: 4e9 });
      const headers = { ...sent.headers, "idempotency-key": "k", "content-length": "40" };
      return createUpload.run(context)({ ...request, ...sent, headers });
    };
    const first = await asked(contextWith(admissionWith({ freeBytesMin: -FREE_BYTES })));
    const { bavail, bsize } = statfsSync(world.folder);
    const tight = contextWith(admissionWith({ freeBytesMin: bavail * bsize - 2e9 }));
    const again = await asked(tight);
    expect([again.status, again.headers]).toEqual([201, { "idempotent-replayed": "true" }]);
    expect(again.body).toMatchObject({ upload_id: (first.body as UploadView).upload_id });
  });

  it("rejects files that would fill the disk, alone or together, and accepts them when there is space", () => {
    const admission = admissionWith({ freeBytesMin: 0 });
    expect(() => admission.file("acc_a", FREE_BYTES)).toThrow(expect.objectContaining(refused));
    const roomy = admissionWith({ freeBytesMin: -FREE_BYTES });
    const release = roomy.file("acc_a", 0.7 * FREE_BYTES);
    expect(() => roomy.file("acc_a", 0.7 * FREE_BYTES)).toThrow(
      expect.objectContaining({ code: "temporarily_unavailable" }),
    );
    release();
    release();
    expect(() => roomy.file("acc_a", 0.7 * FREE_BYTES)).not.toThrow();
  });

  it("reserves at most half of the free space for the declared files of one account", () => {
    const admission = admissionWith({ freeBytesMin: -FREE_BYTES });
    const announce = (accountId: string) => admission.file(accountId, 0.2 * FREE_BYTES);
    announce("acc_a");
    announce("acc_a");
    expect(() => announce("acc_a")).not.toThrow();
    expect(() => announce("acc_a")).toThrow(expect.objectContaining(refused));
    expect(() => announce("acc_b")).not.toThrow();
  });

  it("returns the size limit, and no time to retry, for a file that is too large for the service", async () => {
    const context = { ...contextWith(admissionWith({ freeBytesMin: 0 })), uploadBytesMax: 10 };
    const { request } = someone();
    const { stream, headers } = form("hello");
    const huge = { stream, headers: { ...headers, "content-length": "9".repeat(30) } };
    const asked = createUpload.run(context)({ ...request, ...huge });
    await expect(asked).rejects.toMatchObject({ code: "payload_too_large" });
  });

  it("rejects a PUT to a signed URL before its body, and accepts it when there is space", async () => {
    let freeBytesMin = FREE_BYTES;
    const files = folderFiles({
      folder: join(world.folder, "signed"),
      baseUrl: () => "",
      secret: Buffer.alloc(32),
      clock: () => world.now,
      room: (party, bytes) => admissionWith({ freeBytesMin }).file(party, bytes),
    });
    const server = createServer((request, response) => files.serveSigned(request, response));
    const origin = await addressOf(server);
    const { url } = await files.signedPut("uploads/upl_1", { bytes: 5, expiresAt: NOW + 60_000 });
    const put = () => fetch(`${origin}${url}`, { method: "PUT", body: "hello" });
    const reply = await put();
    expect([reply.status, Number(reply.headers.get("retry-after"))]).toEqual([503, RETRY_AFTER_SECONDS_MAX]);
    expect(await reply.json()).toMatchObject({ code: "temporarily_unavailable" });
    expect(await files.bytesOf("uploads/upl_1")).toBeUndefined();
    freeBytesMin = 0;
    expect((await put()).status).toBe(200);
    expect(await files.bytesOf("uploads/upl_1")).toBe(5);
    server.closeAllConnections();
    server.close();
  });

  it("accepts files while there is space", async () => {
    const context = contextWith(admissionWith());
    const { request } = someone();
    expect(await createUpload.run(context)({ ...request, ...form("hello, world") })).toMatchObject({
      status: 201,
    });
  });
});
