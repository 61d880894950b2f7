/**
 * Lets many writers share the waits for a disk: whoever asks while one is under way shares the next, so that however
 * many ask at once, two waits serve them all.
 *
 * @param sync puts on the disk all that was written before it is called
 * @returns a function that resolves when a wait that began after its call is over, and rejects when that one failed
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
