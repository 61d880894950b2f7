import { fallbackRoute, routes } from "../../functions/api/routes.ts";
import { LOCAL_WAITS_PER_ACCOUNT_MAX } from "../../functions/domain/limits.ts";
import type { BurstStore, KeyHolds } from "../../functions/domain/ports.ts";
import type { AccountSlots } from "../../functions/domain/task-ports.ts";
import { memoryBursts } from "../memory/bursts.ts";
import { memoryHolds } from "../memory/holds.ts";
import { jobNotifications, type LocalNotifications } from "../memory/job-notifications.ts";
import { memorySlots } from "../memory/slots.ts";
import { type MetricsRegistry, metricsRegistry } from "../metrics/prometheus.ts";
import { type LocalTasks, localTasks } from "../queue/tasks.ts";

/** What all processes of the service share in addition to the database and the files, and where they differ. The first process has it. */
export interface SharedState {
  /** The name of this process in those of its temporary files and folders. Undefined: it is the first one. */
  readonly processName: string | undefined;
  /** Whether other processes serve requests now. */
  readonly hasOthers: () => boolean;
  readonly bursts: BurstStore;
  readonly holds: KeyHolds;
  readonly slots: AccountSlots;
  readonly notifications: LocalNotifications;
  readonly tasks: LocalTasks;
  readonly metrics: MetricsRegistry;
  readonly requestLogs: RequestLogs;
}

/** The requests that processes have in memory before they write them to the log. */
export interface RequestLogs {
  /** Sets what writes those of this process. */
  onFlush(flush: () => Promise<void>): void;
  /** Writes those of this process. */
  flush(): Promise<void>;
  /** Sets what writes those of all other processes. */
  onFlushOthers(flush: () => Promise<void>): void;
  flushOthers(): Promise<void>;
  /** Whether {@link onFlushOthers} was called. */
  hasOthers(): boolean;
}

export const requestLogs = (): RequestLogs => {
  let flush = async (): Promise<void> => {};
  let flushOthers: (() => Promise<void>) | undefined;
  return {
    onFlush: (own) => {
      flush = own;
    },
    flush: () => flush(),
    onFlushOthers: (others) => {
      flushOthers = others;
    },
    flushOthers: async () => flushOthers?.(),
    hasOthers: () => flushOthers !== undefined,
  };
};

/** @returns the state of a first process */
export const ownState = (): SharedState => {
  const logs = requestLogs();
  return {
    processName: undefined,
    hasOthers: logs.hasOthers,
    bursts: memoryBursts(),
    holds: memoryHolds(),
    slots: memorySlots({ wait: LOCAL_WAITS_PER_ACCOUNT_MAX }),
    notifications: jobNotifications(),
    tasks: localTasks(),
    metrics: metricsRegistry([...routes, fallbackRoute].map(({ id }) => id)),
    requestLogs: logs,
  };
};
