import type { Measurement } from "../../functions/domain/metrics.ts";
import { jobNotifications } from "../memory/job-notifications.ts";
import type { MetricsRegistry } from "../metrics/prometheus.ts";
import { localTasks } from "../queue/tasks.ts";
import type { FirstProcess } from "./first-process.ts";
import { requestLogs, type SharedState } from "./shared-state.ts";

/** @returns the state of the first process, for a further one with this name */
export const remoteState = (first: FirstProcess, processName: string): SharedState => {
  const notifications = jobNotifications();
  notifications.onNotify((id) => first.report("changed", id));
  first.onChanged(notifications.wake);
  const tasks = localTasks();
  tasks.onTask(() => first.report("task"));
  const logs = requestLogs();
  logs.onFlushOthers(() => first.call("flushOthers"));
  first.onFlush(async (flush) => {
    await logs.flush();
    first.report("flushed", flush);
  });
  return {
    processName,
    hasOthers: logs.hasOthers,
    bursts: { take: (...taken) => first.call("takeBurst", ...taken) },
    holds: {
      hold: (...hold) => first.call("hold", ...hold),
      release: (...hold) => first.call("releaseHold", ...hold),
    },
    slots: {
      take: async (...taken) => {
        const slot = await first.call("takeSlot", ...taken);
        return slot === undefined ? undefined : async () => first.report("releaseSlot", slot);
      },
    },
    notifications,
    tasks,
    metrics: remoteMetrics(first),
    requestLogs: logs,
  };
};

/** Milliseconds between the first measurement of a batch and its report, and between reports of gauges. */
const MEASURED_MS = 250;
const GAUGES_MS = 1_000;

/** Measurements of one report, about 100 bytes each. */
const MEASURED_MAX = 2_000;

const remoteMetrics = (first: FirstProcess): MetricsRegistry => {
  let waiting: Measurement[] = [];
  let timer: NodeJS.Timeout | undefined;
  const report = (): void => {
    clearTimeout(timer);
    timer = undefined;
    first.report("measured", waiting);
    waiting = [];
  };
  const sources: (() => Promise<readonly Measurement[]>)[] = [];
  const reportGauges = async (): Promise<void> => {
    first.report("gauges", (await Promise.all(sources.map((source) => source()))).flat());
  };
  return {
    record: (measurements) => {
      waiting.push(...measurements);
      timer ??= setTimeout(report, MEASURED_MS).unref();
      if (waiting.length >= MEASURED_MAX) {
        report();
      }
    },
    onRead: (source) => {
      if (sources.length === 0) {
        setInterval(reportGauges, GAUGES_MS).unref();
      }
      sources.push(source);
    },
    text: () => first.call("metrics"),
  };
};
