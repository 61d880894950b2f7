/** Disk syncs of small results that nobody waits for, but that precede those of their records. */
export interface PendingSyncs {
  add(sync: Promise<void>): void;
  /** Resolves when all syncs have ended that were added before the call. */
  ended(): Promise<void>;
}

/** @param onError called when a sync fails: the start expires the result if its file is damaged */
export const pendingSyncs = (onError: (error: unknown) => void): PendingSyncs => {
  const running = new Set<Promise<void>>();
  return {
    add: (sync) => {
      const reported = sync.catch(onError).finally(() => running.delete(reported));
      running.add(reported);
    },
    ended: async () => {
      await Promise.all(running);
    },
  };
};
