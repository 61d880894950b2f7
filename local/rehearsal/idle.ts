import type { Server } from "node:http";
import { setTimeout } from "node:timers/promises";

/** Milliseconds after the last request in which a client may send its next one. */
const PAUSE_MS = 50;

/** @returns a function that resolves when the server has received no request for a moment */
export const idleServer = (server: Pick<Server, "on">): (() => Promise<void>) => {
  let last = Number.NEGATIVE_INFINITY;
  server.on("request", () => {
    last = performance.now();
  });
  return async () => {
    for (let left = PAUSE_MS - (performance.now() - last); left > 0; left = PAUSE_MS - (performance.now() - last)) {
      await setTimeout(left);
    }
  };
};
