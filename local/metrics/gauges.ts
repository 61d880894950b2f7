import { statfs } from "node:fs/promises";
import { monitorEventLoopDelay } from "node:perf_hooks";
import type { Measurement } from "../../functions/domain/metrics.ts";
import type { ConverterPool } from "../../functions/engines/core/run.ts";
import type { LocalContext } from "../context.ts";
import { integerOf } from "../sqlite/rows.ts";
import { laneLoads } from "./lane-loads.ts";

/** Sampling interval of the event loop delay in milliseconds: finer than what a client would notice. */
const DELAY_SAMPLE_MS = 20;
const NANOSECONDS = 1e9;

/** @returns a function that measures the process: the delay of its event loop, its memory, and its start time */
export const processGauges = (startedAt: number): (() => Promise<readonly Measurement[]>) => {
  const delay = monitorEventLoopDelay({ resolution: DELAY_SAMPLE_MS });
  delay.enable();
  // The underlying timer is late by its own interval.
  const seconds = (nanoseconds: number): number => Math.max(0, nanoseconds / NANOSECONDS - DELAY_SAMPLE_MS / 1_000);
  return async () => {
    const late = { p50: seconds(delay.percentile(50)), p99: seconds(delay.percentile(99)), max: seconds(delay.max) };
    delay.reset();
    const { rss, heapUsed, external } = process.memoryUsage();
    return [
      { metric: "event_loop_delay_seconds", labels: { of: "p50" }, value: late.p50 },
      { metric: "event_loop_delay_seconds", labels: { of: "p99" }, value: late.p99 },
      { metric: "event_loop_delay_seconds", labels: { of: "max" }, value: late.max },
      { metric: "memory_bytes", labels: { kind: "resident" }, value: rss },
      { metric: "memory_bytes", labels: { kind: "heap" }, value: heapUsed },
      { metric: "memory_bytes", labels: { kind: "external" }, value: external },
      { metric: "start_time_seconds", labels: {}, value: startedAt / 1_000 },
    ];
  };
};

/** @returns a function that measures the free disk space and the waiting work in the tables */
export const storeGauges = ({
  database,
  dataDir,
  clock,
}: Pick<LocalContext, "database" | "dataDir" | "clock">): (() => Promise<readonly Measurement[]>) => {
  const loads = laneLoads(database, clock);
  const imports = database.prepare("SELECT count(*) AS tasks FROM uploads WHERE waits = 1");
  const webhooks = database.prepare("SELECT count(*) AS tasks FROM webhooks WHERE due_at <= ?");
  return async () => {
    const now = clock();
    const { bavail, blocks, bsize } = await statfs(dataDir);
    const lanes = loads().flatMap(({ lane, waiting, active, dead, oldestMs }): Measurement[] => [
      { metric: "queue_messages", labels: { lane, state: "waiting" }, value: waiting },
      { metric: "queue_messages", labels: { lane, state: "hidden" }, value: active },
      { metric: "queue_messages", labels: { lane, state: "dead" }, value: dead },
      { metric: "queue_oldest_seconds", labels: { lane }, value: oldestMs / 1_000 },
    ]);
    return [
      ...lanes,
      { metric: "tasks_waiting", labels: { task: "imports" }, value: integerOf(imports.get() ?? {}, "tasks") },
      { metric: "tasks_waiting", labels: { task: "webhooks" }, value: integerOf(webhooks.get(now) ?? {}, "tasks") },
      { metric: "disk_bytes", labels: { kind: "free" }, value: bavail * bsize },
      { metric: "disk_bytes", labels: { kind: "all" }, value: blocks * bsize },
    ];
  };
};

/** @returns the functions of the pool that convert, and a gauge of the running conversions */
export const countedConversions = ({ run, runBytes, size }: Pick<ConverterPool, "run" | "runBytes" | "size">) => {
  let busy = 0;
  const counted =
    <Parameters extends unknown[], Result>(convert: (...parameters: Parameters) => Promise<Result>) =>
    async (...parameters: Parameters): Promise<Result> => {
      busy += 1;
      try {
        return await convert(...parameters);
      } finally {
        busy -= 1;
      }
    };
  const gauges = async (): Promise<readonly Measurement[]> => [
    { metric: "converters", labels: { state: "busy" }, value: busy },
    { metric: "converters", labels: { state: "all" }, value: size },
  ];
  return { run: counted(run), runBytes: counted(runBytes), gauges };
};
