import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Agent, request } from "undici";
import { multipart } from "../api/flow.ts";
import { printTable } from "../support/figures.ts";
import { makeInputs } from "../support/inputs.ts";
import { cpuTimeOf } from "../support/process-tree.ts";

/**
 * `node bench gateway`: the CPU time that the processes of the API need per request, with a converter that takes no time.
 * The main thread of each is one core, so a second of it, divided by the time per request, is the limit of a machine with any
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

/** Numbers of processes that are compared. */
const PROCESSES = [1, 2, 4];

const main = async (): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), "anyform-bench-"));
  try {
    const { small } = await makeInputs(folder, undefined);
    const image = await readFile(small);
    const rows: string[][] = [];
    for (const processes of PROCESSES) {
      const service = await startService(join(folder, `data-${processes}`), processes);
      rows.push(...(await (processes === 1 ? allRows(service, image) : [await oneCall(service, image)])));
      service.child.kill();
      await once(service.child, "exit");
    }
    printTable([
      ["request", "processes", "per second here", "main threads ms", "process CPU ms", "limit per second"],
      ...rows,
    ]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

interface Service {
  readonly child: ChildProcess;
  readonly processes: number;
  readonly send: Send;
}

const startService = async (dataDir: string, processes: number): Promise<Service> => {
  const child = fork(join(import.meta.dirname, "service.ts"), [], {
    execArgv: ["--conditions=anyform-local"],
    env: {
      ...process.env,
      DATA_DIR: dataDir,
      POWERTOOLS_LOG_LEVEL: "WARN",
      ANYFORM_API_PROCESSES: String(processes),
    },
  });
  const [{ url, keyPath }] = (await once(child, "message")) as [{ url: string; keyPath: string }];
  return { child, processes, send: senderAt(url, (await readFile(keyPath, "utf8")).trim()) };
};

const ONE_CALL = "/api/v1/convert?target_format=jpg&source_filename=a.png";

const oneCall = (service: Service, small: Buffer): Promise<string[]> =>
  row(service, "conversion in one call, 0.1 MB", () => service.send(ONE_CALL, { body: small }));

const allRows = async (service: Service, small: Buffer): Promise<string[][]> => {
  const { send } = service;
  const { headers } = await send(ONE_CALL, { body: small });
  const status = `/api/v1/convert/${headers["x-job-id"]}/status`;
  const image = multipart("a.png", small);
  const large = multipart("data.csv", Buffer.alloc(LARGE_BYTES, "1,2\n"));
  return [
    await oneCall(service, small),
    await row(service, "status of a job", () => send(status)),
    await row(service, "upload, 0.1 MB", () => send("/api/v1/upload", image)),
    await row(service, "upload, 50 MB", () => send("/api/v1/upload", large), LARGE_REQUESTS),
  ];
};

const row = async (
  { child: { pid = 0 }, processes }: Service,
  name: string,
  once: () => Promise<unknown>,
  requests = REQUESTS,
): Promise<string[]> => {
  await inParallel(once, requests === REQUESTS ? WARM_UPS * processes : 2);
  const before = cpuTimeOf(pid);
  const started = performance.now();
  await inParallel(once, requests);
  const seconds = (performance.now() - started) / 1_000;
  const after = cpuTimeOf(pid);
  const threads = ((after.mainThreads - before.mainThreads) * 1_000) / requests;
  const whole = ((after.processes - before.processes) * 1_000) / requests;
  const limit = (1_000 / threads) * processes;
  return [name, String(processes), ...[requests / seconds, threads, whole, limit].map(shown)];
};

/** @returns the number with at least two digits */
const shown = (number: number): string => (number >= 100 ? number.toFixed(0) : number.toPrecision(2));

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
