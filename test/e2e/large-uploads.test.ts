import { createHash, type Hash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { request } from "node:http";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ProblemView } from "../../functions/domain/errors/problem-view.ts";
import type { UploadView } from "../../functions/domain/uploads/upload-views.ts";
import { IS_COMPLETE } from "../support/run/complete.ts";
import { type LocalService, startLocalService } from "../support/services/local-service.ts";
import { unfinishedFiles } from "../support/services/unfinished-files.ts";

/**
 * Files larger than the memory limit, on one machine. `ANYFORM_LARGE_BYTES=3000000000` sets their size to the maximum
 * upload size.
 */

const MB = 1_000_000;
const FILE_BYTES = Number(process.env.ANYFORM_LARGE_BYTES ?? 300 * MB);
/** A conversion must end within 25 s of its upload. */
const ONE_CALL_BYTES = Math.min(FILE_BYTES, 200 * MB);
/** The maximum size of a body in the complete run; above the limit of a merge in each run. */
const REFUSED_BYTES = IS_COMPLETE ? 4_900 * MB : 510 * MB;
const REFUSED_GROWTH_BYTES_MAX = 100 * MB;
/** Memory above idle that the service may use while it receives a file of any size. */
const GROWTH_BYTES_MAX = 250 * MB;
/** On a slow disk, a gigabyte takes about ten seconds to send and ten to assemble. */
const TEST_MS_MAX = 120_000 + FILE_BYTES / 25_000;

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

/** Monitors the memory of the service. `growth` stops it and returns the peak above the initial memory. */
const watched = (): { growth: () => number } => {
  const before = residentBytes();
  let peak = before;
  const timer = setInterval(() => {
    if (service.process.exitCode === null && service.process.signalCode === null) {
      peak = Math.max(peak, residentBytes());
    }
  }, 50);
  return {
    growth: () => {
      clearInterval(timer);
      return peak - before;
    },
  };
};

/** Bytes of the file in different megabyte blocks, which also update the hash. */
const content = async function* (start: number, end: number, hash: Hash): AsyncGenerator<Buffer> {
  for (let at = start; at < end; at += MB) {
    const block = Buffer.alloc(Math.min(MB, end - at), `anyform ${at} `);
    hash.update(block);
    yield block;
  }
};

type Part = NonNullable<NonNullable<UploadView["upload"]>["parts"]>[number];

/** @param halfWay is called once after some bytes are sent */
const putPart = (part: Part | undefined, hash: Hash, halfWay: () => unknown = () => {}): Promise<void> =>
  new Promise((resolve, reject) => {
    const { url = "", offset = 0, size = 0 } = part ?? {};
    const call = request(url, { method: "PUT", headers: { "content-length": size } }, (response) => {
      response.resume();
      response.once("end", () =>
        response.statusCode === 200 ? resolve() : reject(new Error(`${response.statusCode}`)),
      );
    });
    call.once("error", reject);
    const body = Readable.from(content(offset, offset + size, hash));
    body.once("data", () => setTimeout(halfWay, 20));
    body.pipe(call);
  });

const call = async (method: string, path: string, body?: string): Promise<UploadView> => {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const response = await fetch(new URL(path, service.url), { method, headers, ...(body && { body }) });
  return response.json() as Promise<UploadView>;
};

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

/** @returns a form that requests a TAR of two files with this size in all */
const twoFiles = (bytes: number): Readable => {
  const hash = createHash("sha256");
  const parts = async function* () {
    yield '--b\r\ncontent-disposition: form-data; name="target_format"\r\n\r\ntar\r\n';
    yield head;
    yield* content(0, bytes / 2, hash);
    yield `\r\n${head.replace("big", "other")}`;
    yield* content(bytes / 2, bytes, hash);
    yield "\r\n--b--\r\n";
  };
  return Readable.from(parts());
};

/** @returns the status, media type and size of the response to a conversion in one call */
const fetchLarge = (body: Readable): Promise<{ status: number; type: string | undefined; bytes: number }> =>
  new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${key}`, "content-type": "multipart/form-data; boundary=b" };
    const call = request(new URL("/api/v1/convert", service.url), { method: "POST", headers }, async (response) => {
      let bytes = 0;
      for await (const chunk of response) {
        bytes += chunk.length;
      }
      resolve({ status: response.statusCode ?? 0, type: response.headers["content-type"], bytes });
    });
    call.on("error", reject);
    body.on("error", reject).pipe(call);
  });

describe("a large upload", () => {
  it(
    "streams to the disk in constant memory and arrives complete",
    async () => {
      const memory = watched();
      const hash = createHash("sha256");
      const parts = async function* () {
        yield head;
        yield* content(0, FILE_BYTES, hash);
        yield "\r\n--b--\r\n";
      };
      const reply = await send(Readable.from(parts()), {});
      expect([reply.status, reply.body]).toEqual([
        201,
        expect.objectContaining({ size: FILE_BYTES, format: "txt", sha256: hash.digest("hex") }),
      ]);
      expect(memory.growth()).toBeLessThan(GROWTH_BYTES_MAX);
    },
    TEST_MS_MAX,
  );

  it(
    "is converted in one call in constant memory, and the response streams from the disk",
    async () => {
      const memory = watched();
      const reply = await fetchLarge(twoFiles(ONE_CALL_BYTES));
      expect([reply.status, reply.type]).toEqual([200, "application/x-tar"]);
      expect(reply.bytes).toBeGreaterThan(ONE_CALL_BYTES);
      expect(memory.growth()).toBeLessThan(GROWTH_BYTES_MAX);
    },
    TEST_MS_MAX,
  );

  it(
    "is received in one call in less than 100 MB of memory, and refused if the conversion accepts less",
    async () => {
      const memory = watched();
      const reply = await send(twoFiles(REFUSED_BYTES), {}, "/api/v1/convert");
      expect([reply.status, reply.body.code]).toEqual([413, "payload_too_large"]);
      expect(reply.body.detail).toContain(String(REFUSED_BYTES));
      expect(memory.growth()).toBeLessThan(REFUSED_GROWTH_BYTES_MAX);
      expect(unfinishedFiles(service.dataDir)).toEqual([]);
    },
    TEST_MS_MAX + REFUSED_BYTES / 25_000,
  );

  it(
    "resumes in parts after kill -9 halfway, in constant memory, and arrives complete",
    async () => {
      const [hash, first] = [createHash("sha256"), watched()];
      const body = JSON.stringify({ filename: "big.txt", size: FILE_BYTES });
      const announced = await call("POST", "/api/v1/upload", body);
      const parts = announced.upload?.parts ?? [];
      const half = Math.floor(parts.length / 2);
      for (const part of parts.slice(0, half)) {
        await putPart(part, hash);
      }
      // The next part is in progress when the service is killed, and is lost.
      const broken = putPart(parts[half] ?? parts[0], createHash("sha256"), () => service.kill());
      await expect(broken).rejects.toThrow();
      expect(first.growth()).toBeLessThan(GROWTH_BYTES_MAX);

      service = await startLocalService({ dataDir: service.dataDir });
      const second = watched();
      const again = (await call("GET", `/api/v1/upload/${announced.upload_id}`)).upload?.parts ?? [];
      expect(again.map(({ received }) => received)).toEqual(again.map((_, index) => index < half));
      for (const part of again.slice(half)) {
        await putPart(part, hash);
      }
      let upload = await call("POST", `/api/v1/upload/${announced.upload_id}/complete?wait=25`);
      for (let looks = 0; upload.status === "pending" && looks < TEST_MS_MAX / 25_000; looks += 1) {
        upload = await call("GET", `/api/v1/upload/${announced.upload_id}?wait=25`);
      }
      expect(upload).toMatchObject({ status: "ready", size: FILE_BYTES, format: "txt", sha256: hash.digest("hex") });
      expect(second.growth()).toBeLessThan(GROWTH_BYTES_MAX);
      expect(readdirSync(join(service.dataDir, "files/parts"))).toEqual([]);
      expect(unfinishedFiles(service.dataDir)).toEqual([]);
    },
    TEST_MS_MAX,
  );

  it("is rejected before it is read if its declared size is over 5 GB, and leaves no files", async () => {
    const before = readdirSync(join(service.dataDir, "files/uploads")).length;
    const endless = new Readable({ read: () => undefined });
    endless.push(head);
    const reply = await send(endless, { "content-length": "5100000000" });
    expect([reply.status, reply.body.code]).toEqual([413, "payload_too_large"]);
    expect(readdirSync(join(service.dataDir, "files/uploads")).length).toBe(before);
    expect(unfinishedFiles(service.dataDir)).toEqual([]);
  });

  it("is rejected as a JSON body, and the client can read the error", async () => {
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
