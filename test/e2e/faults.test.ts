import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import type { JobView } from "../../functions/domain/jobs/job-views.ts";
import { childrenOf } from "../support/child-processes.ts";
import { type ApiClient, apiClient } from "../support/services/client.ts";
import { accountsCommand, type LocalService, startLocalService } from "../support/services/local-service.ts";
import { unfinishedFiles } from "../support/services/unfinished-files.ts";
import { endOf, fixture } from "./suite/target.ts";

/** Faults that the one-machine service handles, and its startup errors. */

/** Takes seconds to convert to a lossless AVIF. */
let photo: Buffer;
/** Is converted in a fraction of a second, so that many of them are not done before a service ends. */
let small: Buffer;
let started: LocalService[] = [];

beforeAll(async () => {
  const noise = { type: "gaussian", mean: 128, sigma: 40 } as const;
  photo = await sharp({ create: { width: 1_600, height: 1_200, channels: 3, noise, background: "#888" } })
    .jpeg()
    .toBuffer();
  small = await sharp(photo).resize(900).jpeg().toBuffer();
});

afterEach(async () => {
  for (const service of started) {
    await service.kill();
    await service.erase();
  }
  started = [];
});

const start = async (dataDir?: string): Promise<LocalService> => {
  const service = await startLocalService(dataDir === undefined ? {} : { dataDir });
  started.push(service);
  return service;
};

const clientOf = async ({ url, dataDir }: LocalService): Promise<ApiClient> =>
  apiClient(url, (await readFile(join(dataDir, "api-key"), "utf8")).trim());

const acceptMany = async (client: ApiClient, count: number, target: string): Promise<string[]> => {
  const { body: upload } = await client.upload({ name: "photo.jpg", bytes: small });
  const replies = await Promise.all(
    Array.from({ length: count }, () => client.convert({ upload_id: upload.upload_id, target_format: target })),
  );
  expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 202));
  return replies.map(({ body }) => body.id);
};

describe("the one-machine service", () => {
  it("finishes every accepted job after kill -9 during 50 conversions, and every result is valid", async () => {
    const first = await start();
    const client = await clientOf(first);
    const ids = await acceptMany(client, 50, "webp");
    await endOf(client, ids[2] ?? "");
    await first.kill();
    const second = await start(first.dataDir);
    const again = await clientOf(second);
    for (const id of ids) {
      const job = await endOf(again, id);
      expect(job.status, JSON.stringify(job.error)).toBe("completed");
      const { bytes } = await again.download(job.result?.download_token ?? "");
      expect((await sharp(bytes).metadata()).format).toBe("webp");
    }
  });

  it("fails only the job with which a converter aborts twice in native code: the file is the cause", async () => {
    const service = await start();
    const client = await clientOf(service);
    const pid = service.process.pid ?? 0;
    const { body: upload } = await client.upload({ name: "photo.jpg", bytes: photo });
    const { body: victim } = await client.convert({
      upload_id: upload.upload_id,
      target_format: "avif",
      options: { lossless: true },
    });
    const aborted = new Set<number>();
    const deadline = Date.now() + 60_000;
    const statusOf = async () => (await client.call<JobView>(`/api/v1/convert/${victim.id}/status`)).body;
    let job = await statusOf();
    while ((job.status === "queued" || job.status === "processing") && Date.now() < deadline) {
      for (const child of job.status === "processing" ? childrenOf(pid) : []) {
        if (!aborted.has(child)) {
          aborted.add(child);
          process.kill(child, "SIGABRT");
        }
      }
      await new Promise((resolve) => setTimeout(resolve, 30));
      job = await statusOf();
    }
    expect([job.status, job.error?.code, job.error?.retryable]).toEqual(["failed", "unsupported_feature", false]);
    expect(aborted.size).toBeGreaterThanOrEqual(2);
    const [account] = await accountsCommand<{ used: number }[]>(["list"], { DATA_DIR: service.dataDir });
    expect(account?.used).toBe(2);
    const { bytes } = await client.turn(fixture("sample.png"), "jpg");
    expect((await sharp(bytes).metadata()).format).toBe("jpeg");
  });

  it("finishes running jobs on SIGTERM, exits with code 0, and resumes the rest at the next start", async () => {
    const first = await start();
    const client = await clientOf(first);
    const ids = await acceptMany(client, 12, "webp");
    const key = (await readFile(join(first.dataDir, "api-key"), "utf8")).trim();
    const headers = { authorization: `Bearer ${key}` };
    const streams = await Promise.all(ids.map((id) => fetch(`${first.url}/api/v1/convert/${id}/events`, { headers })));
    const texts = streams.map((stream) => stream.text());
    expect(await first.stop()).toBe(0);
    // Streams end completely, at the latest when the service does.
    for (const text of await Promise.all(texts)) {
      expect(text).toMatch(/^retry: 1000\n\n(?:.*\n\n)*$/s);
    }
    const second = await start(first.dataDir);
    const again = await clientOf(second);
    const jobs = await Promise.all(ids.map((id) => endOf(again, id)));
    expect(jobs.map(({ status }) => status)).toEqual(ids.map(() => "completed"));
    expect(Math.max(...jobs.map(({ steps }) => steps.length))).toBe(1);
  });

  it("creates a first key once, readable only by the owner", async () => {
    const service = await start();
    const path = join(service.dataDir, "api-key");
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    const key = await readFile(path, "utf8");
    await service.stop();
    await start(service.dataDir);
    expect(await readFile(path, "utf8")).toBe(key);
    expect(await accountsCommand<unknown[]>(["list"], { DATA_DIR: service.dataDir })).toHaveLength(1);
  });

  it("deletes the files of an interrupted upload and continues to serve", async () => {
    const service = await start();
    const client = await clientOf(service);
    const aborted = new AbortController();
    const endless = new ReadableStream<Uint8Array>({
      pull: async (stream) => {
        stream.enqueue(new Uint8Array(65_536));
        await new Promise((resolve) => setTimeout(resolve, 5));
      },
    });
    const head = new TextEncoder().encode(
      '--b\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\n\r\n',
    );
    const body = new ReadableStream<Uint8Array>({
      start: async (stream) => {
        stream.enqueue(head);
        for await (const chunk of endless) {
          if (aborted.signal.aborted) {
            break;
          }
          stream.enqueue(chunk);
        }
      },
    });
    const key = (await readFile(join(service.dataDir, "api-key"), "utf8")).trim();
    const request = fetch(`${service.url}/api/v1/upload`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "multipart/form-data; boundary=b" },
      body,
      duplex: "half",
      signal: aborted.signal,
    } as RequestInit);
    setTimeout(() => aborted.abort(), 500);
    await expect(request).rejects.toThrow();
    await expect.poll(() => unfinishedFiles(service.dataDir)).toEqual([]);
    expect((await client.upload(fixture("sample.png"))).status).toBe(201);
  });
});

describe("a failing start", () => {
  const failure = (env: Record<string, string>): { status: number; stderr: string } => {
    try {
      execFileSync(process.execPath, ["--conditions=anyform-local", "local/start.mjs"], {
        cwd: join(import.meta.dirname, "../.."),
        env: { ...process.env, PORT: "0", ...env },
        stdio: "pipe",
        timeout: 20_000,
      });
    } catch (error) {
      const { status, stderr } = error as { status: number; stderr: Buffer };
      return { status, stderr: stderr.toString() };
    }
    throw new Error("The service started.");
  };

  it("reports in one sentence that the port is in use, the address is not local, or PORT is invalid", async () => {
    const blocker = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => blocker.once("listening", resolve));
    const address = blocker.address();
    const port = typeof address === "object" ? String(address?.port) : "";
    const folder = await mkdtemp(join(tmpdir(), "anyform-start-"));
    expect(failure({ PORT: port, DATA_DIR: folder })).toEqual({
      status: 1,
      stderr: `Port ${port} on 127.0.0.1 is already in use. Stop the other program, or set PORT to another port.\n`,
    });
    expect(failure({ PORT: "eighty", DATA_DIR: folder }).stderr).toBe(
      "PORT must be a number from 0 to 65535, not eighty.\n",
    );
    expect(failure({ HOST: "192.0.2.1", DATA_DIR: folder }).stderr).toMatch(
      /^Port 0 on 192\.0\.2\.1 is not an address of this machine/,
    );
    blocker.close();
    await rm(folder, { recursive: true, force: true });
  });

  it("reports in one sentence that the data directory is not writable, or is used by another process", async () => {
    const folder = await mkdtemp(join(tmpdir(), "anyform-start-"));
    writeFileSync(join(folder, "file"), "");
    const { status, stderr } = failure({ DATA_DIR: join(folder, "file/data") });
    expect([status, stderr.trim().split("\n").length]).toEqual([1, 1]);
    expect(stderr).toMatch(/^DATA_DIR .* cannot be used: .* Set DATA_DIR to a writable directory\.$/m);
    const service = await start();
    const second = failure({ DATA_DIR: service.dataDir });
    expect([second.status, second.stderr.trim().split("\n").length]).toEqual([1, 1]);
    expect(second.stderr).toContain("already uses the directory");
    await rm(folder, { recursive: true, force: true });
  });

  it("reports in one sentence that Node is too old", () => {
    const script = join(import.meta.dirname, "../../local/start.mjs");
    const old = `Object.defineProperty(process, "versions", { value: { node: "20.1.0" } }); await import(${JSON.stringify(script)});`;
    const run = () =>
      execFileSync(process.execPath, ["--input-type=module", "-e", old], { stdio: "pipe", timeout: 20_000 });
    expect(run).toThrow(/Anyform needs Node 24 or later/);
  });
});
