import { afterEach, beforeEach, expect, it } from "vitest";
import type { Measurement } from "../../../functions/domain/metrics.ts";
import { countedConversions, processGauges, storeGauges } from "../../../local/metrics/gauges.ts";
import { type Database, openDatabase } from "../../../local/sqlite/database.ts";
import { sqliteJobs } from "../../../local/sqlite/jobs.ts";
import { sqliteQueue } from "../../../local/sqlite/queue.ts";
import { type TemporaryFolder, temporaryFolder } from "../../support/temporary-folder.ts";
import { jobRecord, NOW } from "../../support/world/records.ts";

/** The current values on one machine. */

let folder: TemporaryFolder;
let database: Database;
beforeEach(() => {
  folder = temporaryFolder();
  database = openDatabase(folder.path);
});
afterEach(async () => {
  database.close();
  await folder.remove();
});

const shownAs = (measured: readonly Measurement[], metric: string, labels: Readonly<Record<string, string>> = {}) =>
  measured.find(
    (one) =>
      one.metric === metric &&
      Object.entries(labels).every(([name, value]) => (one.labels as Readonly<Record<string, string>>)[name] === value),
  )?.value;

it("reports the queue lengths and the age of the oldest queued job", async () => {
  const queue = sqliteQueue(database, { receivesMax: 1 });
  const jobs = sqliteJobs(database, () => {});
  for (const age of [90_000, 30_000, 10_000]) {
    const job = { ...jobRecord(), createdAt: NOW - age };
    await jobs.createJob(job, undefined);
    await queue.send("fast", { jobId: job.id, accountId: job.accountId });
  }
  queue.receive("fast", NOW, NOW + 1_000);
  const gauges = storeGauges({ database, dataDir: folder.path, clock: () => NOW });
  const measured = await gauges();
  const messages = (state: string) => shownAs(measured, "queue_messages", { lane: "fast", state });
  expect([messages("waiting"), messages("hidden"), messages("dead")]).toEqual([2, 1, 0]);
  expect(shownAs(measured, "queue_oldest_seconds", { lane: "fast" })).toBe(30);
  expect(shownAs(measured, "queue_oldest_seconds", { lane: "media" })).toBe(0);
  expect(shownAs(measured, "tasks_waiting", { task: "imports" })).toBe(0);
});

it("reports plausible values for the disk, the memory and the event loop", async () => {
  const store = await storeGauges({ database, dataDir: folder.path, clock: () => NOW })();
  const [free = 0, all = 0] = ["free", "all"].map((kind) => shownAs(store, "disk_bytes", { kind }));
  expect(free).toBeGreaterThan(0);
  expect(all).toBeGreaterThanOrEqual(free);
  const own = await processGauges(NOW)();
  expect(shownAs(own, "memory_bytes", { kind: "resident" })).toBeGreaterThan(10_000_000);
  expect(shownAs(own, "start_time_seconds")).toBe(NOW / 1_000);
  expect(own.every(({ value }) => Number.isFinite(value) && value >= 0)).toBe(true);
});

it("reports running conversions, and none after they fail", async () => {
  let end: (error: Error) => void = () => {};
  const convert = () => new Promise<never>((_, reject) => (end = reject));
  const { run, gauges } = countedConversions({ run: convert, runBytes: convert, size: 2 });
  const busy = async () => shownAs(await gauges(), "converters", { state: "busy" });
  const task = { input: "", folder: "", steps: [], options: {} };
  const running = run(task, { timeoutMs: 1, signal: new AbortController().signal, onProgress: () => {} });
  expect(await busy()).toBe(1);
  end(new Error("It failed."));
  await expect(running).rejects.toThrow("It failed.");
  expect(await busy()).toBe(0);
});
