import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { request } from "undici";
import { converterPool } from "../../functions/engines/core/run.ts";
import { accountsCommand, type NewAccount, startLocalService } from "../../test/support/services/local-service.ts";
import { printTable, quantile, timed } from "../support/figures.ts";
import { generator } from "../support/inputs.ts";
import { type Usage, watched } from "../support/process-tree.ts";
import { benchIn } from "../support/rows.ts";
import { loadClient } from "./load-client.ts";
import { type Kind, kindAt, makeProfile } from "./load-profile.ts";
import { fairness, type LoadBench, longerQueue } from "./load-queue.ts";
import { type Arrival, closedLoop, openLoop } from "./open-loop.ts";

/**
 * `node bench load [--seconds 20]`: the one-machine service under a mixed load at fractions of its capacity and at twice
 * its capacity, the fairness while one account floods the queue, and a queue of ten times the length. The clients run on
 * the same processors, so the capacity includes them. Trust the ratios.
 */

const ACCOUNTS = 4;
const AT_ONCE = 32;
const FLOOR_CONVERSIONS = 300;
const WARM_UP_SECONDS = 5;
const LOADS = [0.5, 0.9, 1, 2];

const main = async (): Promise<void> => {
  const { values } = parseArgs({ options: { seconds: { type: "string", default: "20" } } });
  const seconds = Number(values.seconds);
  const folder = await mkdtemp(join(tmpdir(), "anyform-load-"));
  try {
    const kinds = await makeProfile(folder);
    const floor = await engineRate(folder, kinds);
    const capacity = await withService(kinds, {}, async ({ clients }) => {
      await closedLoop({ atOnce: AT_ONCE, seconds: WARM_UP_SECONDS, kinds, clients });
      return (await closedLoop({ atOnce: AT_ONCE, seconds, kinds, clients })).rate;
    });
    const share = `${(capacity / floor).toFixed(2)} of the engines alone`;
    console.log(`capacity ${capacity.toFixed(1)} conversions per second, ${share} (${floor.toFixed(1)})\n`);
    // At twice the capacity, as many jobs remain as finish: this queue is full after a quarter of the time.
    const waiting = Math.max(4 * ACCOUNTS, Math.round((capacity * seconds) / 4));
    await withService(kinds, { ANYFORM_WAITING_JOBS: String(waiting) }, async (bench) => {
      await closedLoop({ atOnce: AT_ONCE, seconds: WARM_UP_SECONDS, kinds, clients: bench.clients });
      for (const part of LOADS) {
        await underLoad(bench, { part, rate: part * capacity, seconds });
      }
    });
    await withService(kinds, {}, async (bench) => {
      printTable(await fairness(bench));
      console.log("");
      printTable(await longerQueue(bench));
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

const withService = async <T>(
  kinds: readonly Kind[],
  env: Record<string, string>,
  work: (bench: LoadBench) => Promise<T>,
): Promise<T> => {
  const service = await startLocalService({ env });
  try {
    const keys = await makeKeys(service.dataDir);
    const clients = keys.map((key) => loadClient(service.url, key));
    return await work({ url: service.url, pid: service.process.pid ?? 0, kinds, keys, clients });
  } finally {
    await service.stop();
    await service.erase();
  }
};

const makeKeys = async (dataDir: string): Promise<string[]> => {
  const keys: string[] = [];
  for (let account = 0; account < ACCOUNTS; account += 1) {
    const args = ["create", "--email", `load-${account}@example.com`, "--plan", "enterprise", "--quota", "1000000"];
    const { api_key } = await accountsCommand<NewAccount>(args, { DATA_DIR: dataDir });
    keys.push(api_key);
  }
  return keys;
};

/** @returns conversions per second of the same mix in warm converters, without the service */
const engineRate = async (folder: string, kinds: readonly Kind[]): Promise<number> => {
  const entry = join(import.meta.dirname, "../../functions/engines/core/converter.ts");
  const pool = converterPool({ size: availableParallelism(), entry });
  const { convert } = benchIn(folder, pool);
  const random = generator(3);
  const one = ({ input, from, to }: Kind) => convert([input], [from, to]);
  const many = async (count: number): Promise<void> => {
    let left = count;
    const lane = async (): Promise<void> => {
      while (left > 0) {
        left -= 1;
        await one(kindAt(kinds, random()));
      }
    };
    await Promise.all(Array.from({ length: pool.size }, lane));
  };
  try {
    await Promise.all(kinds.flatMap((kind) => Array.from({ length: pool.size }, () => one(kind))));
    return (1_000 * FLOOR_CONVERSIONS) / (await timed(() => many(FLOOR_CONVERSIONS)));
  } finally {
    await pool.stop();
  }
};

const underLoad = async (
  { url, pid, kinds, clients }: LoadBench,
  { part, rate, seconds }: { part: number; rate: number; seconds: number },
): Promise<void> => {
  const latencies: number[] = [];
  const start = performance.now();
  const { result, usage } = await watched(pid, () =>
    polling(url, latencies, openLoop({ rate, seconds, kinds, clients })),
  );
  const took = (performance.now() - start) / 1_000;
  console.log(`${part} × capacity: ${rate.toFixed(1)} per second for ${seconds} s, ended after ${took.toFixed(1)} s`);
  printTable([["kind", "sent", "done", "rejected", "failed", "p50 ms", "p95", "p99"], ...kindRows(kinds, result)]);
  printService(result, { usage, took, latencies });
};

/** Milliseconds between two health checks, whose latency shows the delay of the event loop. */
const HEALTH_POLL_MS = 50;

const polling = async <T>(url: string, latencies: number[], work: Promise<T>): Promise<T> => {
  let working = true;
  const poll = async (): Promise<void> => {
    while (working) {
      latencies.push(await timed(async () => (await request(new URL("/health", url))).body.dump()));
      await pause(HEALTH_POLL_MS);
    }
  };
  const poller = poll();
  try {
    return await work;
  } finally {
    working = false;
    await poller;
  }
};

const kindRows = (kinds: readonly Kind[], arrivals: readonly Arrival[]): string[][] =>
  [...kinds, undefined].map((kind) => {
    const own = kind === undefined ? arrivals : arrivals.filter((arrival) => arrival.kind === kind);
    const count = (end: string) => String(own.filter(({ outcome }) => outcome.end === end).length);
    const times = own.filter(({ outcome }) => outcome.end === "done").map(({ ms }) => ms);
    const shares = [0.5, 0.95, 0.99].map((share) => (times.length === 0 ? "" : quantile(times, share).toFixed(0)));
    return [kind?.name ?? "all", String(own.length), count("done"), count("refused"), count("failed"), ...shares];
  });

const printService = (
  arrivals: readonly Arrival[],
  { usage, took, latencies }: { usage: Usage; took: number; latencies: readonly number[] },
): void => {
  const cpu = `${usage.cpuSeconds.toFixed(1)} s CPU (${((100 * usage.cpuSeconds) / took).toFixed(0)} %)`;
  const late = [0.5, 0.99, 1].map((share) => quantile(latencies, share).toFixed(0)).join(" / ");
  const done = arrivals.filter(({ outcome }) => outcome.end === "done").length;
  const pace = `${(done / took).toFixed(1)} done per second`;
  console.log(
    `service: ${pace}, ${cpu}, peak ${(usage.memoryBytes / 1e6).toFixed(0)} MB, health p50 / p99 / max ${late} ms`,
  );
  const waits = arrivals.flatMap(({ outcome }) => (outcome.end === "refused" ? [outcome.retryAfter] : []));
  if (waits.length > 0) {
    const [least, most] = [Math.min(...waits), Math.max(...waits)];
    console.log(`rejected: Retry-After ${least} to ${most} s, median ${quantile(waits, 0.5)} s`);
  }
  const failures = new Set(arrivals.flatMap(({ outcome }) => (outcome.end === "failed" ? [outcome.why] : [])));
  for (const why of failures) {
    console.log(`failed: ${why}`);
  }
  console.log("");
};

await main();
