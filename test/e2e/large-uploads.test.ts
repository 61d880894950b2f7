import { readdirSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { request } from "node:http";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ProblemView } from "../../functions/domain/views.ts";
import { type LocalService, startLocalService } from "../support/local-service.ts";

/** Files that are larger than memory should ever be, on one machine. */

const MB = 1_000_000;
const FILE_BYTES = 600 * MB;
/** What a service may hold over idle while it takes a file of any size. */
const GROWTH_BYTES_MAX = 150 * MB;

let service: LocalService;
let key: string;
beforeAll(async () => {
  service = await startLocalService();
  key = (await readFile(join(service.dataDir, "api-key"), "utf8")).trim();
});
afterAll(async () => {
  await service.stop();
  await service.erase();
});

const residentBytes = (): number =>
  1_024 * Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${service.process.pid}/status`, "utf8"))?.[1] ?? 0);

const head = '--b\r\ncontent-disposition: form-data; name="file"; filename="big.txt"\r\n\r\n';

const send = (
  body: Readable,
  headers: Record<string, string>,
  path = "/api/v1/upload",
): Promise<{ status: number; body: ProblemView }> =>
  new Promise((resolve, reject) => {
    const url = new URL(path, service.url);
    const all = { authorization: `Bearer ${key}`, "content-type": "multipart/form-data; boundary=b", ...headers };
    const call = request(url, { method: "POST", headers: all }, async (response) => {
      const text = Buffer.concat(await response.toArray()).toString("utf8");
      resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) });
      body.destroy();
    });
    call.on("error", reject);
    body.on("error", reject).pipe(call);
  });

describe("A large upload", () => {
  it("streams to the disk in flat memory and arrives whole", async () => {
    const block = Buffer.alloc(MB, "anyform ");
    const before = residentBytes();
    let peak = before;
    const timer = setInterval(() => {
      peak = Math.max(peak, residentBytes());
    }, 50);
    const parts = function* () {
      yield head;
      for (let sent = 0; sent < FILE_BYTES; sent += MB) {
        yield block;
      }
      yield "\r\n--b--\r\n";
    };
    const reply = await send(Readable.from(parts()), {});
    clearInterval(timer);
    expect([reply.status, reply.body]).toEqual([201, expect.objectContaining({ size: FILE_BYTES, format: "txt" })]);
    expect(peak - before).toBeLessThan(GROWTH_BYTES_MAX);
  }, 120_000);

  it("is refused before it is read when it says that it is over 5 GB, and leaves nothing", async () => {
    const before = readdirSync(join(service.dataDir, "files/uploads")).length;
    const endless = new Readable({ read: () => undefined });
    endless.push(head);
    const reply = await send(endless, { "content-length": "5100000000" });
    expect([reply.status, reply.body.code]).toEqual([413, "payload_too_large"]);
    expect(readdirSync(join(service.dataDir, "files/uploads")).length).toBe(before);
    expect(readdirSync(join(service.dataDir, "files/tmp"))).toEqual([]);
  });

  it("is refused as a JSON body too, and the client gets to read why", async () => {
    const spaces = function* () {
      for (let sent = 0; sent < 20; sent += 1) {
        yield Buffer.alloc(MB, " ");
      }
    };
    const headers = { "content-type": "application/json", "content-length": String(20 * MB) };
    const reply = await send(Readable.from(spaces()), headers, "/api/v1/convert");
    expect([reply.status, reply.body.code]).toEqual([413, "payload_too_large"]);
  });
});
