import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { request } from "node:http";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it, test, vi } from "vitest";
import { FURTHER } from "../../local/processes/messages.ts";
import { childrenOf, readProcess } from "../support/child-processes.ts";
import { PATIENCE } from "../support/patience.ts";
import {
  accountsCommand,
  type LocalService,
  type NewAccount,
  startLocalService,
} from "../support/services/local-service.ts";

/** A service whose requests are served by several processes. Each request of these tests has its own connection. */

const PROCESSES = 3;
const PICTURE = join(import.meta.dirname, "../fixtures/sample.png");
const ONE_CALL = "/api/v1/convert?target_format=jpg&source_filename=a.png";
const JSON_TYPE = { "content-type": "application/json" };

const started = (): Promise<LocalService> => startLocalService({ env: { ANYFORM_API_PROCESSES: String(PROCESSES) } });

/** @returns the process IDs of the further processes */
const furtherOf = ({ process: { pid } }: LocalService): readonly number[] =>
  childrenOf(pid).filter((child) => readProcess(child, "cmdline").includes(FURTHER));

const isRunning = (pid: number): boolean => existsSync(`/proc/${pid}`);

const socketsOf = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length;

let service: LocalService;
let key: string;
let picture: Buffer;
beforeAll(async () => {
  service = await started();
  key = (await readFile(join(service.dataDir, "api-key"), "utf8")).trim();
  picture = await readFile(PICTURE);
  await allListen(service);
});
afterAll(async () => {
  await service.kill();
  await service.erase();
});

interface Call {
  readonly body?: Buffer | string;
  readonly headers?: Record<string, string>;
  readonly key?: string;
}

interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly bytes: Buffer;
}

const call = async (path: string, { body, headers, key: other = key }: Call = {}): Promise<Reply> => {
  const sent = request(new URL(path, service.url), {
    method: body === undefined ? "GET" : "POST",
    agent: false,
    headers: { authorization: `Bearer ${other}`, ...headers },
  }).end(body);
  const [response] = await once(sent, "response");
  return { status: response.statusCode, headers: response.headers, bytes: await buffer(response) };
};

const json = ({ bytes }: Reply) => JSON.parse(bytes.toString("utf8"));

const atOnce = <T>(count: number, send: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => send(index)));

const metric = async (name: string): Promise<number> => {
  const text = (await call("/metrics")).bytes.toString("utf8");
  return [...text.matchAll(new RegExp(`^anyform_${name}(?:{[^}]*})? (\\S+)$`, "gm"))].reduce(
    (sum, [, value]) => sum + Number(value),
    0,
  );
};

/** Waits until all processes have accepted a connection. */
const allListen = async (running: LocalService): Promise<void> => {
  await vi.waitUntil(() => furtherOf(running).length === PROCESSES - 1, PATIENCE);
  const pids = furtherOf(running);
  const before = pids.map(socketsOf);
  await vi.waitFor(async () => {
    const sent = await atOnce(40, async () => {
      const open = request(new URL("/health", running.url), {
        agent: false,
        headers: { connection: "keep-alive" },
      }).end();
      const [response] = await once(open, "response");
      await buffer(response);
      return open;
    });
    const hasMore = pids.map((pid, index) => socketsOf(pid) > (before[index] ?? 0));
    for (const open of sent) {
      open.destroy();
    }
    expect(hasMore).toEqual(pids.map(() => true));
  }, PATIENCE);
};

/** Starts an upload that is accepted. @returns a function that sends the rest, and resolves to the status */
const startedUpload = async (): Promise<() => Promise<number>> => {
  const sent = request(new URL("/api/v1/upload", service.url), {
    method: "POST",
    agent: false,
    headers: { authorization: `Bearer ${key}`, ...FORM, expect: "100-continue" },
  });
  const response = once(sent, "response");
  sent.flushHeaders();
  await once(sent, "continue");
  return async () => {
    sent.end(formOf("a,b\n1,2\n"));
    const [reply] = await response;
    await buffer(reply);
    return reply.statusCode;
  };
};

const FORM = { "content-type": "multipart/form-data; boundary=b" };

const formOf = (content: string): string =>
  `--b\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\n\r\n${content}\r\n--b--\r\n`;

const upload = async (content: string, headers: Record<string, string> = {}): Promise<Reply> =>
  call("/api/v1/upload", {
    body: formOf(content),
    headers: { ...FORM, ...headers },
  });

describe("several processes", () => {
  it("count requests together, and exactly", async () => {
    const account = await accountsCommand<NewAccount>(
      ["create", "--email", "exact@example.com", "--plan", "enterprise", "--quota", "30"],
      { DATA_DIR: service.dataDir },
    );
    const replies = await atOnce(60, () => call(ONE_CALL, { body: picture, key: account.api_key }));
    expect(replies.map(({ status }) => status).toSorted()).toEqual([...Array(30).fill(200), ...Array(30).fill(429)]);
    const usage = await accountsCommand<{ used: number }>(["usage", "--account", account.account_id], {
      DATA_DIR: service.dataDir,
    });
    expect(usage.used).toBe(30);
  });

  it("share the limit of requests per second", async () => {
    const account = await accountsCommand<NewAccount>(["create", "--email", "burst@example.com", "--plan", "free"], {
      DATA_DIR: service.dataDir,
    });
    const from = Math.floor(Date.now() / 1_000);
    const replies = await atOnce(200, () => call("/api/v1/account", { key: account.api_key }));
    const seconds = Math.floor(Date.now() / 1_000) - from + 1;
    const limit = 20;
    const accepted = replies.filter(({ status }) => status === 200).length;
    expect(accepted).toBeGreaterThanOrEqual(limit);
    expect(accepted).toBeLessThanOrEqual(seconds * limit);
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200, 429]));
  });

  it("accept a repeated request once", async () => {
    const replies = await atOnce(20, () => upload("a,b\n1,2\n", { "idempotency-key": "the-same" }));
    const ids = replies.filter(({ status }) => status === 201).map((reply) => json(reply).upload_id);
    expect(new Set(ids).size).toBe(1);
    expect(replies.filter(({ status }) => status !== 201 && status !== 409)).toEqual([]);
  });

  it("accept an idempotency key again as soon as its request was rejected", async () => {
    const statuses = await atOnce(100, async (index) => {
      const headers = { "idempotency-key": `rejected-${index}` };
      const rejected = await upload("", headers);
      return [rejected.status, (await upload("a,b\n1,2\n", headers)).status];
    });
    expect(statuses).toEqual(Array(100).fill([400, 201]));
  });

  it("report the end of a queued job to each request that waits for it", async () => {
    const { upload_id } = json(await upload("a,b\n1,2\n"));
    const body = JSON.stringify({ upload_id, target_format: "xlsx" });
    const { id } = json(await call("/api/v1/convert", { body, headers: JSON_TYPE }));
    const ended = await atOnce(9, async () => {
      let job = { status: "queued" };
      while (job.status === "queued" || job.status === "processing") {
        job = json(await call(`/api/v1/convert/${id}/status?wait=25`));
      }
      return job.status;
    });
    expect(ended).toEqual(Array(9).fill("completed"));
  });

  it("serve each result as soon as it was confirmed", async () => {
    const downloads = await atOnce(40, async () => {
      const { headers, status } = await call(ONE_CALL, { body: picture });
      expect(status).toBe(200);
      const { result } = json(await call(`/api/v1/convert/${headers["x-job-id"]}/status`));
      return call(result.download_url);
    });
    expect(new Set(downloads.map(({ status, headers }) => `${status} ${headers["content-type"]}`))).toEqual(
      new Set(["200 image/jpeg"]),
    );
  });

  it("list each request of an account as soon as it was answered", async () => {
    const answers = await atOnce(12, (index) => call(`/api/v1/convert/job_${index}/status`));
    const sent = answers.map(({ headers }) => headers["x-request-id"]);
    const { requests } = json(await call("/api/v1/requests?limit=100"));
    const listed = new Set(requests.map(({ request_id }: { request_id: string }) => request_id));
    expect(sent.filter((id) => !listed.has(String(id)))).toEqual([]);
  });

  it("have common metrics", async () => {
    await atOnce(12, () => upload("a,b\n1,2\n"));
    await vi.waitFor(async () => {
      const uploads = await atOnce(12, () => metric("uploads_total"));
      expect(Math.min(...uploads)).toBeGreaterThanOrEqual(12);
      expect(new Set(uploads).size).toBe(1);
    }, PATIENCE);
    expect(await metric("converters")).toBeGreaterThan(PROCESSES);
  });

  it("do not share their port with another service", async () => {
    const { port } = new URL(service.url);
    const other = startLocalService({ env: { PORT: port, ANYFORM_API_PROCESSES: "2" } });
    await expect(other).rejects.toThrow("exit code 1");
  });

  it("replace one that was killed, without the others noticing", async () => {
    const [killed = 0, ...others] = furtherOf(service);
    process.kill(killed, "SIGKILL");
    await vi.waitUntil(() => !isRunning(killed), PATIENCE);
    const replies = await atOnce(30, () => call(ONE_CALL, { body: picture }));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    await vi.waitUntil(() => furtherOf(service).length === PROCESSES - 1, PATIENCE);
    expect(furtherOf(service)).toEqual(expect.arrayContaining(others));
    await allListen(service);
  });

  it("end together, after the requests that they have accepted", async () => {
    const pids = furtherOf(service);
    const uploads = await atOnce(12, startedUpload);
    const exit = service.stop();
    await vi.waitFor(() => expect(call("/health")).rejects.toThrow("ECONNREFUSED"), PATIENCE);
    expect(await Promise.all(uploads.map((finish) => finish()))).toEqual(uploads.map(() => 201));
    expect(await exit).toBe(0);
    expect(pids.filter(isRunning)).toEqual([]);
    expect(readdirSync(join(service.dataDir, "files/tmp"))).toEqual([]);
  });
});

test("further processes end with a first one that was killed", async () => {
  const other = await started();
  try {
    await allListen(other);
    const pids = furtherOf(other);
    await other.kill();
    await vi.waitUntil(() => pids.filter(isRunning).length === 0, PATIENCE);
  } finally {
    await other.erase();
  }
});

test("further processes rehearse, and leave nothing when they are stopped meanwhile", async () => {
  const env = { ANYFORM_API_PROCESSES: "2", ANYFORM_REHEARSAL: "true" };
  const other = await startLocalService({ env });
  try {
    const name = createHash("sha256").update(join(other.dataDir, "1")).digest("hex").slice(0, 16);
    const stage = `/dev/shm/anyform-rehearsal-${name}`;
    await vi.waitUntil(() => existsSync(stage), PATIENCE);
    expect(await other.stop()).toBe(0);
    expect(existsSync(stage)).toBe(false);
  } finally {
    await other.erase();
  }
});
