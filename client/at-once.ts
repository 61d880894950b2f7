/**
 * Runs a task for each item, some at once, and gives each result its item's place. The first that fails ends the rest:
 * no further one is begun, and the ones that run hear it by the signal.
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
  // All have ended before this does, so that nothing goes on behind the caller's back.
  const ends = await Promise.allSettled(workers);
  const failed = ends.find((end) => end.status === "rejected");
  if (failed !== undefined) {
    throw stop.signal.reason ?? failed.reason;
  }
  return items.flatMap((_, index) => (results.has(index) ? [results.get(index) as Result] : []));
};
