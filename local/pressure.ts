/** Tells whether the process is so far behind that what it is asked for now would be answered too late. */
export interface Pressure {
  isHigh(): boolean;
  stop(): void;
}

const LOOK_MS = 500;

/**
 * Milliseconds that the event loop may be late. A request takes some ten turns of it, so at 1 s its client has waited 10 s
 * before anything of it is done.
 */
const LATE_MS_MAX = 1_000;

/**
 * Looks at how late a timer comes. Two looks in a row have to be late: one alone is a process that was paused, or a
 * collection of garbage, and what waited through that is served best by serving it.
 */
export const loopPressure = (now: () => number = () => performance.now()): Pressure => {
  let expected = now() + LOOK_MS;
  let [earlier, latest] = [0, 0];
  const timer = setInterval(() => {
    [earlier, latest] = [latest, now() - expected];
    expected = now() + LOOK_MS;
  }, LOOK_MS).unref();
  return {
    isHigh: () => Math.min(earlier, latest) > LATE_MS_MAX,
    stop: () => clearInterval(timer),
  };
};
