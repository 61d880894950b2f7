/**
 * Runs a task for each item with limited concurrency and returns the results in the order of the items. The first
 * failure stops the rest: no new task is started, and running tasks are aborted through the signal.
 */
export const atOnce = async <Item, Result>(
  items: readonly Item[],
  { limit, signal }: { readonly limit: number; readonly signal?: AbortSignal | undefined },
  task: (item: Item, signal: AbortSignal, index: number) => Promise<Result>,
): Promise<Result[]> => {
  const stop = new AbortController();
  const either = signal === undefined ? stop.signal : AbortSignal.any([signal, stop.signal]);
  const results = new Map<number, Result>();
  const waiting = items.entries();
  const work = async (): Promise<void> => {
    for (const [index, item] of waiting) {
      either.throwIfAborted();
      results.set(index, await task(item, either, index));
    }
  };
  const workers = Array.from({ length: Math.max(1, Math.min(limit, items.length)) }, () =>
    work().catch((error: unknown) => {
      stop.abort(error);
      throw error;
    }),
  );
  // Wait for all workers, so that nothing keeps running after this returns.
  const ends = await Promise.allSettled(workers);
  const failed = ends.find((end) => end.status === "rejected");
  if (failed !== undefined) {
    throw stop.signal.reason ?? failed.reason;
  }
  return items.flatMap((_, index) => (results.has(index) ? [results.get(index) as Result] : []));
};
