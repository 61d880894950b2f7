import { randomBytes } from "node:crypto";
import { mkdirSync, readdirSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Readable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { serveOn } from "../../functions/api/http.ts";
import { type BatchRequest, createBatch } from "../../functions/api/jobs/create-batch.ts";
import { createJob } from "../../functions/api/jobs/create-job.ts";
import { getJob } from "../../functions/api/jobs/get-job.ts";
import type { ApiEvent, ApiResult } from "../../functions/api/request.ts";
import { createUpload } from "../../functions/api/uploads/create-upload.ts";
import { hashApiKey, newApiKey } from "../../functions/domain/accounts/keys.ts";
import { type OutageId, outages } from "../../functions/domain/errors/resource-errors.ts";
import type { Measurement } from "../../functions/domain/metrics.ts";
import type { Context } from "../../functions/domain/ports.ts";
import { logger } from "../../functions/logger.ts";
import { type FolderFiles, folderFiles } from "../../local/files/folder-files.ts";
import { type Database, openDatabase } from "../../local/sqlite/database.ts";
import { sqliteJobs } from "../../local/sqlite/jobs.ts";
import { sqliteKeyUses } from "../../local/sqlite/key-uses.ts";
import { sqliteQuotas } from "../../local/sqlite/quotas.ts";
import { sqliteUploads } from "../../local/sqlite/uploads.ts";
import { type SmallDisk, smallDisk } from "../chaos/small-disk.ts";
import { addressOf } from "../support/address.ts";
import { accountRecord, jobRecord, keyRecord, NOW, uploadRecord } from "../support/world/records.ts";
import { makeWorld, type World } from "../support/world/world.ts";

/** Outages through the complete request stack: a full database, a lock, a full disk, all of them real. */

const BUSY_MS_MAX = 50;
const account = accountRecord({ plan: "enterprise", quota: 1_000 });
const key = newApiKey(randomBytes);

let world: World;
let database: Database;
let context: Context;
let lines: string[];
beforeEach(async () => {
  world = makeWorld(NOW);
  await world.context.accounts.createAccount(account);
  await world.context.accounts.addKey(keyRecord({ accountId: account.id, ...hashApiKey(key) }));
  database = openDatabase(world.folder, { busyMsMax: BUSY_MS_MAX });
  context = {
    ...world.context,
    jobs: sqliteJobs(database),
    keyUses: sqliteKeyUses(database),
    quotas: sqliteQuotas(database),
    uploads: sqliteUploads(database),
  };
  lines = [];
  logger.setLogLevel("INFO");
  for (const stream of [process.stdout, process.stderr]) {
    vi.spyOn(stream, "write").mockImplementation((chunk) => lines.push(String(chunk)) > 0);
  }
});
afterEach(async () => {
  vi.restoreAllMocks();
  logger.setLogLevel("SILENT");
  database.close();
  await world.close();
});

const event = (path: string, body: string | Buffer, type = "application/json", id = ""): ApiEvent =>
  ({
    rawPath: path,
    headers: { authorization: `Bearer ${key}`, "content-type": type, "content-length": String(body.length) },
    pathParameters: { id },
    queryStringParameters: {},
    requestContext: {
      requestId: "request-1",
      domainName: "anyform.test",
      http: { method: "POST", path, sourceIp: "192.0.2.1" },
    },
    stream: Readable.from([Buffer.from(body)]),
    isBase64Encoded: false,
  }) as unknown as ApiEvent;

const on = () => {
  const serve = serveOn(() => context);
  return {
    upload: (content = "hello, world") => {
      const head = '--b\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\n';
      const form = `${head}${content}\r\n--b--\r\n`;
      const type = "multipart/form-data; boundary=b";
      return serve(createUpload)(event("/api/v1/upload", form, type), {} as never);
    },
    convert: (uploadId: string) => {
      const body = JSON.stringify({ upload_id: uploadId, target_format: "jpg" });
      return serve(createJob)(event("/api/v1/convert", body), {} as never);
    },
    batch: (conversions: BatchRequest["conversions"]) => {
      const body = JSON.stringify({ conversions });
      return serve(createBatch)(event("/api/v1/convert/batch", body), {} as never);
    },
    status: (id: string) => serve(getJob)(event("/api/v1/convert/x/status", "", undefined, id), {} as never),
  };
};

const unavailableFor = (outage: OutageId) => ({
  statusCode: 503,
  headers: expect.objectContaining({ "retry-after": String(outages[outage].retryAfterSeconds) }),
  body: expect.stringContaining('"code":"temporarily_unavailable"'),
});

const logged = (): { level: string; error?: { code?: string } }[] =>
  lines.map((line) => JSON.parse(line)).filter(({ message }) => message === "request");

const countOf = (wanted: Measurement["metric"]): Measurement[] =>
  world.measured.filter(({ metric }) => metric === wanted);

/** @returns the ID of a ready upload */
const readyUpload = async (): Promise<string> => {
  const upload = uploadRecord({ accountId: account.id });
  await world.context.uploads.createUpload(upload, undefined);
  return upload.id;
};

const usedNow = (): Promise<number> => world.context.quotas.used(account.id, "2026-11");

describe.each<[OutageId, () => () => void]>([
  [
    "disk_full",
    () => {
      database.prepare(`PRAGMA max_page_count = ${database.prepare("PRAGMA page_count").get()?.page_count}`).get();
      return () => void database.prepare("PRAGMA max_page_count = 1000000").get();
    },
  ],
  [
    "read_only",
    () => {
      database.prepare("PRAGMA query_only = ON").run();
      return () => void database.prepare("PRAGMA query_only = OFF").run();
    },
  ],
  [
    "database_busy",
    () => {
      const other = new DatabaseSync(join(world.folder, "anyform.db"));
      other.exec("BEGIN IMMEDIATE");
      return () => other.close();
    },
  ],
])("a database with %s", (outage, begin) => {
  /** A database that cannot grow still accepts what fits in its pages. */
  const untilRefused = async (ask: () => Promise<ApiResult>): Promise<{ last: ApiResult; accepted: number }> => {
    for (let accepted = 0; accepted < 100; accepted += 1) {
      const last = await ask();
      if (last.statusCode !== 201 && last.statusCode !== 202) {
        return { last, accepted };
      }
    }
    throw new Error("Nothing was rejected.");
  };

  it("returns 503 with Retry-After, logs the cause once, counts it, and changes nothing", async () => {
    const id = await readyUpload();
    const end = begin();
    const { last, accepted } = await untilRefused(() => on().convert(id));
    expect(last).toMatchObject(unavailableFor(outage));
    const errors = logged().filter(({ level }) => level === "ERROR");
    expect(errors).toHaveLength(1);
    expect(errors[0]?.error).toMatchObject({ code: "ERR_SQLITE_ERROR" });
    expect(countOf("outages")).toEqual([{ metric: "outages", labels: { outage }, value: 1 }]);
    end();
    expect(await usedNow()).toBe(accepted);
    expect((await world.context.jobs.listJobs({ accountId: account.id, limit: 100, now: 0 })).items).toHaveLength(
      accepted,
    );
    expect(world.sent).toHaveLength(accepted);
    expect(await on().convert(id)).toMatchObject({ statusCode: 202 });
  });

  it("keeps no bytes of an upload that cannot be recorded", async () => {
    const end = begin();
    const { last, accepted } = await untilRefused(() => on().upload());
    expect(last).toMatchObject(unavailableFor(outage));
    end();
    expect(readdirSync(join(world.folder, "files/uploads"))).toHaveLength(accepted);
    expect(readdirSync(join(world.folder, "files/tmp"))).toEqual([]);
    expect(await usedNow()).toBe(accepted);
    expect(await on().upload()).toMatchObject({ statusCode: 201 });
  });

  it("still returns job status", async () => {
    const job = jobRecord({ accountId: account.id });
    await world.context.jobs.createJob(job, undefined);
    const end = begin();
    expect(await on().status(job.id)).toMatchObject({ statusCode: 200 });
    end();
  });

  it("accepts the items of a batch that it can, and reports each of the others", async () => {
    const id = await readyUpload();
    const conversion = { upload_id: id, target_format: "jpg", metadata: { note: "x".repeat(400) } };
    const end = begin();
    const { body = "" } = await on().batch(Array.from({ length: 20 }, () => conversion));
    end();
    const { items } = JSON.parse(body) as { items: { status: number; problem: { code: string } | null }[] };
    const codes = items.map(({ status, problem }) => problem?.code ?? status);
    expect(new Set(codes)).toContain("temporarily_unavailable");
    expect(codes.filter((code) => code === 202)).toHaveLength(await usedNow());
    expect(countOf("outages").length).toBe(20 - (await usedNow()));
  });
});

describe("a locked database", () => {
  it("is awaited without blocking, and the work is then done", async () => {
    const patient = openDatabase(world.folder);
    const other = new DatabaseSync(join(world.folder, "anyform.db"));
    other.exec("BEGIN IMMEDIATE");
    const written = sqliteQuotas(patient).take({
      accountId: account.id,
      month: "2026-11",
      day: 20,
      kind: "upload",
      limit: 9,
    });
    // Waiting for the lock must not block this process, because only this process can release it.
    await pause(20);
    other.exec("COMMIT");
    expect(await written).toBe(true);
    expect(await usedNow()).toBe(1);
    other.close();
    patient.close();
  });
});

describe("a separate disk", () => {
  const DISK_MEGABYTES = 8;
  let disk: SmallDisk | undefined;
  let files: FolderFiles;
  beforeAll(async () => {
    disk = await smallDisk(DISK_MEGABYTES);
  });
  afterAll(() => disk?.remove());
  beforeEach(({ skip }) => {
    if (disk === undefined) {
      skip("The system provides no disk for tests.");
      return;
    }
    mkdirSync(join(disk.path, "files"), { recursive: true });
    files = folderFiles({
      folder: join(disk.path, "files"),
      baseUrl: () => "",
      secret: Buffer.alloc(32),
      clock: () => world.now,
      metrics: world.context.metrics,
    });
    context = { ...context, files };
  });

  /** Starts an outage of this kind. @returns ends it */
  const begin = async (outage: "disk_full" | "read_only"): Promise<() => Promise<void>> => {
    if (outage === "disk_full") {
      const empty = disk?.fill();
      return async () => empty?.();
    }
    await disk?.close("files");
    return async () => disk?.open("files");
  };
  const kept = (): string[] => ["tmp", "uploads"].flatMap((name) => readdirSync(join(disk?.path ?? "", "files", name)));

  it.each(["disk_full", "read_only"] as const)("with %s rejects an upload and keeps none of it", async (outage) => {
    const before = kept();
    const end = await begin(outage);
    const result = await on().upload("x".repeat(2_000_000));
    await end();
    expect(result).toMatchObject(unavailableFor(outage));
    expect(kept()).toEqual(before);
    expect(logged().filter(({ level }) => level === "ERROR")).toHaveLength(1);
    expect(countOf("outages")).toEqual([{ metric: "outages", labels: { outage }, value: 1 }]);
    expect(await usedNow()).toBe(0);
    expect(await on().upload()).toMatchObject({ statusCode: 201 });
  });

  it.each(["disk_full", "read_only"] as const)("with %s rejects a PUT to a signed URL", async (outage) => {
    const server = createServer((request, response) => files.serveSigned(request, response));
    const origin = await addressOf(server);
    const bytes = Buffer.alloc(1_000_000, 1);
    const put = async (name: string) => {
      const { url } = await files.signedPut(`uploads/${name}`, { bytes: bytes.length, expiresAt: NOW + 60_000 });
      return fetch(`${origin}${url}`, { method: "PUT", body: bytes });
    };
    const end = await begin(outage);
    const reply = await put(`upl_${outage}`);
    await end();
    expect([reply.status, reply.headers.get("retry-after")]).toEqual([503, "300"]);
    expect(await reply.json()).toMatchObject({ code: "temporarily_unavailable" });
    expect(countOf("outages")).toEqual([{ metric: "outages", labels: { outage }, value: 1 }]);
    expect(lines.filter((line) => line.includes("a file was not served"))).toHaveLength(1);
    expect(await files.bytesOf(`uploads/upl_${outage}`)).toBeUndefined();
    expect((await put(`upl_${outage}`)).status).toBe(200);
    await files.remove([`uploads/upl_${outage}`]);
    server.closeAllConnections();
    server.close();
  });
});
