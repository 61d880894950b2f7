/**
 * Waits for the work up to a time limit; the work itself continues.
 *
 * @param late called when time is up; its return value or exception is the outcome
 */
export const inTime = async <R>(milliseconds: number, work: Promise<R>, late: () => R): Promise<R> => {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, milliseconds, undefined);
  }).then(late);
  try {
    return await Promise.race([work, over]);
  } finally {
    clearTimeout(timer);
  }
};
