import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { Agent, request } from "undici";
import { multipart } from "../api/flow.ts";
import { quantile, timed } from "../support/figures.ts";
import { watched } from "../support/process-tree.ts";
import type { LoadClient } from "./load-client.ts";
import type { Kind } from "./load-profile.ts";

/** Queue benchmarks: fairness while another account floods the queue, and a queue of ten times the length. */

/** The service, with a client and a key per account. */
export interface LoadBench {
  readonly url: string;
  readonly pid: number;
  readonly kinds: readonly Kind[];
  readonly keys: readonly string[];
  readonly clients: readonly LoadClient[];
}

/** Sequential conversions of the measured account. */
const WATCHED = 40;
const FLOOD = 60;
/** Jobs of the longer queue. */
const LONG_QUEUE = 2_000;
/** Concurrent requests while a queue is filled. */
const AT_ONCE = 16;
const POLL_MS = 100;

/**
 * One account converts small images sequentially, first alone and then while another account floods the queue with long
 * jobs. Each of its jobs may wait for at most one long job: the duration of one, with all processors busy, is the bound.
 */
export const fairness = async ({ url, keys, clients, kinds }: LoadBench): Promise<string[][]> => {
  const [small, long] = [kindNamed(kinds, "small PNG → JPG"), kindNamed(kinds, "6 MP JPG → WebP")];
  const [client] = clients;
  const one = () => timed(async () => client?.(small));
  const some = async (): Promise<number[]> => {
    const times: number[] = [];
    for (let count = 0; count < WATCHED; count += 1) {
      times.push(await one());
    }
    return times;
  };
  const alone = await some();
  const other = callerAt(url, keys[1] ?? "");
  const upload_id = await uploaded(other, long);
  await fill(other, { upload_id, target: long.to, jobs: FLOOD });
  const flooded = await some();
  const left = await waiting(other);
  const took = await ended(other);
  const row = (name: string, times: readonly number[]) => [
    name,
    ...[0.5, 0.95, 1].map((share) => quantile(times, share).toFixed(0)),
  ];
  return [
    [`${WATCHED} sequential small conversions`, "p50 ms", "p95", "max"],
    row("alone", alone),
    row(`with ${FLOOD} long jobs of another account, ${left} of them remaining`, flooded),
    row("one of those, on its own processor", took),
  ];
};

/** Queued small jobs, and ten times as many: their duration and the service's memory. */
export const longerQueue = async ({ url, keys, kinds, pid }: LoadBench): Promise<string[][]> => {
  const small = kindNamed(kinds, "small PNG → JPG");
  const caller = callerAt(url, keys[2] ?? "");
  const upload_id = await uploaded(caller, small);
  const rows: string[][] = [["queued small jobs", "s", "each ms", "peak MB"]];
  for (const jobs of [LONG_QUEUE / 10, LONG_QUEUE]) {
    const { result, usage } = await watched(pid, () =>
      timed(async () => {
        await fill(caller, { upload_id, target: small.to, jobs });
        while ((await waiting(caller)) > 0) {
          await pause(POLL_MS);
        }
      }),
    );
    rows.push([
      String(jobs),
      (result / 1_000).toFixed(2),
      (result / jobs).toFixed(1),
      (usage.memoryBytes / 1e6).toFixed(0),
    ]);
  }
  return rows;
};

type Caller = (path: string, call?: { headers?: Record<string, string>; body: Buffer | string }) => Promise<unknown>;

const callerAt = (url: string, key: string): Caller => {
  const dispatcher = new Agent({ connections: AT_ONCE });
  return async (path, call) => {
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json", ...call?.headers };
    const content = call === undefined ? {} : { method: "POST" as const, body: call.body };
    const reply = await request(new URL(path, url), { dispatcher, headers, ...content });
    const body: unknown = await reply.body.json();
    if (reply.statusCode >= 300) {
      throw new Error(`${path} returned ${reply.statusCode}: ${JSON.stringify(body).slice(0, 300)}`);
    }
    return body;
  };
};

const uploaded = async (caller: Caller, { input }: Kind): Promise<string> => {
  const upload = await caller("/api/v1/upload", multipart(basename(input), await readFile(input)));
  return (upload as { upload_id: string }).upload_id;
};

const fill = async (
  caller: Caller,
  { upload_id, target, jobs }: { upload_id: string; target: string; jobs: number },
): Promise<void> => {
  let left = jobs;
  const lane = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      await caller("/api/v1/convert", { body: JSON.stringify({ upload_id, target_format: target }) });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
};

interface Listed {
  readonly jobs: readonly { readonly started_at: string; readonly finished_at: string }[];
}

/** @returns queued and processing jobs, at most a hundred */
const waiting = async (caller: Caller): Promise<number> => {
  const counts = ["queued", "processing"].map(async (status) => {
    const { jobs } = (await caller(`/api/v1/convert?status=${status}&limit=100`)) as Listed;
    return jobs.length;
  });
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
};

/** Waits for all jobs. @returns the conversion times of the last hundred in milliseconds */
const ended = async (caller: Caller): Promise<number[]> => {
  while ((await waiting(caller)) > 0) {
    await pause(POLL_MS);
  }
  const { jobs } = (await caller("/api/v1/convert?status=completed&limit=100")) as Listed;
  return jobs.map(({ started_at, finished_at }) => Date.parse(finished_at) - Date.parse(started_at));
};

const kindNamed = (kinds: readonly Kind[], name: string): Kind => {
  const kind = kinds.find((one) => one.name === name);
  if (kind === undefined) {
    throw new TypeError(`The profile does not contain ${name}.`);
  }
  return kind;
};
