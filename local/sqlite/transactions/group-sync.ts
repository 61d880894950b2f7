/**
 * Lets concurrent writers share disk syncs: calls during a running sync share the next one, so that two syncs serve any
 * number of concurrent calls.
 *
 * @param sync writes everything to the disk that was written before the call
 * @returns a function that resolves when a sync that started after its call has ended, and rejects when that sync
 * failed
 */
export const groupSync = (sync: () => Promise<void>): (() => Promise<void>) => {
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  const begin = (): Promise<void> => {
    next = undefined;
    const started = sync().finally(() => {
      if (running === started) {
        running = undefined;
      }
    });
    running = started;
    return started;
  };
  return () => {
    if (running === undefined) {
      return begin();
    }
    next ??= running.then(begin, begin);
    return next;
  };
};
