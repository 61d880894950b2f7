/**
 * Lets concurrent writers share disk syncs: calls of the same moment share one, and calls during a running sync share the
 * next one, so that two syncs serve any number of concurrent calls.
 *
 * @param sync writes everything to the disk that was written before the call
 * @returns a function that resolves when a sync that started after its call has ended, and rejects when that sync
 * failed
 */
export const groupSync = (sync: () => Promise<void>): (() => Promise<void>) => {
  let last: Promise<void> = Promise.resolve();
  /** The one that has not started. */
  let next: Promise<void> | undefined;
  const begin = (): Promise<void> => {
    next = undefined;
    return sync();
  };
  return () => {
    if (next === undefined) {
      next = last.then(begin, begin);
      last = next;
    }
    return next;
  };
};
