/**
 * Waits for the work, and no longer than so many milliseconds; the work itself goes on.
 *
 * @param late is called when the time is over: what it returns or throws is the outcome
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
