/** Detects when the process is overloaded and responses would arrive too late. */
export interface Pressure {
  isHigh(): boolean;
  stop(): void;
}

const CHECK_MS = 500;

/**
 * Maximum delay of the event loop in milliseconds. A request takes about ten iterations of the loop, so with a
 * delay of 1 s its client waits 10 s.
 */
const LATE_MS_MAX = 1_000;

/**
 * Measures the delay of a timer. Two consecutive delays are required: a single one indicates a paused process or a
 * garbage collection, after which waiting requests should be served normally.
 */
export const loopPressure = (now: () => number = () => performance.now()): Pressure => {
  let expected = now() + CHECK_MS;
  let [earlier, latest] = [0, 0];
  const timer = setInterval(() => {
    [earlier, latest] = [latest, now() - expected];
    expected = now() + CHECK_MS;
  }, CHECK_MS).unref();
  return {
    isHigh: () => Math.min(earlier, latest) > LATE_MS_MAX,
    stop: () => clearInterval(timer),
  };
};
