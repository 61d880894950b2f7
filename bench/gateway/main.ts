import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Agent, request } from "undici";
import { multipart } from "../api/flow.ts";
import { printTable } from "../support/figures.ts";
import { makeInputs } from "../support/inputs.ts";

/**
 * `node bench gateway`: the CPU time that the process of the API needs per request, with a converter that takes no time.
 * Its main thread is one core, so a second of it, divided by the time per request, is the limit of a machine with any
 * number of cores.
 */

const AT_ONCE = 16;
const WARM_UPS = 1_500;
const REQUESTS = 3_000;
const LARGE_BYTES = 50_000_000;
const LARGE_REQUESTS = 20;

interface Options {
  readonly body?: Buffer | string;
  readonly headers?: Record<string, string>;
}

interface Reply {
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: Buffer;
}

type Send = (path: string, options?: Options) => Promise<Reply>;

const main = async (): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), "anyform-bench-"));
  const child = fork(join(import.meta.dirname, "service.ts"), [], {
    execArgv: ["--conditions=anyform-local"],
    env: { ...process.env, DATA_DIR: join(folder, "data"), POWERTOOLS_LOG_LEVEL: "WARN" },
  });
  try {
    const [{ url, keyPath }] = (await once(child, "message")) as [{ url: string; keyPath: string }];
    const send = senderAt(url, (await readFile(keyPath, "utf8")).trim());
    const { small } = await makeInputs(folder, undefined);
    printTable([
      ["request", "per second here", "main thread ms", "process CPU ms", "limit per second"],
      ...(await rows(child, send, await readFile(small))),
    ]);
  } finally {
    child.kill();
    await rm(folder, { recursive: true, force: true });
  }
};

const ONE_CALL = "/api/v1/convert?target_format=jpg&source_filename=a.png";

const rows = async (child: ChildProcess, send: Send, small: Buffer): Promise<string[][]> => {
  const { headers } = await send(ONE_CALL, { body: small });
  const status = `/api/v1/convert/${headers["x-job-id"]}/status`;
  const image = multipart("a.png", small);
  const large = multipart("data.csv", Buffer.alloc(LARGE_BYTES, "1,2\n"));
  return [
    await row(child, "conversion in one call, 0.1 MB", () => send(ONE_CALL, { body: small })),
    await row(child, "status of a job", () => send(status)),
    await row(child, "upload, 0.1 MB", () => send("/api/v1/upload", image)),
    await row(child, "upload, 50 MB", () => send("/api/v1/upload", large), LARGE_REQUESTS),
  ];
};

const row = async (child: ChildProcess, name: string, once: () => Promise<unknown>, requests = REQUESTS) => {
  await inParallel(once, requests === REQUESTS ? WARM_UPS : 2);
  const before = await usageOf(child);
  const started = performance.now();
  await inParallel(once, requests);
  const seconds = (performance.now() - started) / 1_000;
  const after = await usageOf(child);
  const thread = (after.thread - before.thread) / requests;
  const whole = (after.process - before.process) / requests;
  return [name, (requests / seconds).toFixed(0), thread.toFixed(2), whole.toFixed(2), (1_000 / thread).toFixed(0)];
};

const inParallel = async (once: () => Promise<unknown>, requests: number): Promise<void> => {
  let left = requests;
  const client = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      await once();
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, client));
};

interface Used {
  /** Milliseconds of CPU time. */
  readonly thread: number;
  readonly process: number;
}

const usageOf = async (child: ChildProcess): Promise<Used> => {
  const reply = once(child, "message");
  child.send("usage");
  const [{ thread, process: whole }] = (await reply) as [Readonly<Record<keyof Used, NodeJS.CpuUsage>>];
  return { thread: (thread.user + thread.system) / 1_000, process: (whole.user + whole.system) / 1_000 };
};

const senderAt = (url: string, key: string): Send => {
  const dispatcher = new Agent({ connections: AT_ONCE });
  return async (path, { body, headers } = {}) => {
    const reply = await request(new URL(path, url), {
      dispatcher,
      method: body === undefined ? "GET" : "POST",
      headers: { authorization: `Bearer ${key}`, ...headers },
      ...(body !== undefined && { body }),
    });
    const bytes = Buffer.from(await reply.body.arrayBuffer());
    if (reply.statusCode >= 400) {
      throw new Error(`${path} answered ${reply.statusCode}: ${bytes.toString("utf8").slice(0, 300)}`);
    }
    return { headers: reply.headers, body: bytes };
  };
};

await main();
