import type { Server } from "node:http";
import { setTimeout } from "node:timers/promises";

/** Milliseconds after the last request in which a client may send its next one, and between two checks for conversions. */
const PAUSE_MS = 50;

/**
 * @param isBusy whether something is converted, which takes longer if other work shares the processors
 * @returns a function that resolves when the server has received no request for a moment, and nothing is converted; or when
 * its signal is aborted
 */
export const idleServer = (
  server: Pick<Server, "on">,
  isBusy: () => boolean,
): ((signal: AbortSignal) => Promise<void>) => {
  let last = Number.NEGATIVE_INFINITY;
  server.on("request", () => {
    last = performance.now();
  });
  const untilIdle = (): number => (isBusy() ? PAUSE_MS : PAUSE_MS - (performance.now() - last));
  return async (signal) => {
    for (let left = untilIdle(); left > 0 && !signal.aborted; left = untilIdle()) {
      await setTimeout(left);
    }
  };
};
