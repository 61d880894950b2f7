import { setTimeout as pause } from "node:timers/promises";
import { childrenOf, readProcess } from "../support/child-processes.ts";

/** A process that a service has started, directly or indirectly. */
export interface Started {
  readonly pid: number;
  /** `converter`: runs our code. `wrapper`: starts another process in a sandbox or with limits. `engine`: a program. */
  readonly kind: "converter" | "wrapper" | "engine";
}

const WRAPPERS: ReadonlySet<string> = new Set(["bwrap", "unshare", "prlimit", "setpriv", "sh"]);
const CONVERTERS: ReadonlySet<string> = new Set(["node", "MainThread"]);

/** @returns all descendants of the service */
export const startedBy = (pid: number | undefined): readonly Started[] =>
  childrenOf(pid).flatMap((child) => [{ pid: child, kind: kindOf(child) }, ...startedBy(child)]);

/** Milliseconds to wait for a process, since programs come and go. */
const PREY_MS_MAX = 3_000;
const PREY_LOOK_MS = 20;

/** @param find returns the wanted processes @returns them; none if none appeared in time */
export const preyOf = async (find: () => readonly Started[]): Promise<readonly Started[]> => {
  const end = Date.now() + PREY_MS_MAX;
  let prey = find();
  while (prey.length === 0 && Date.now() < end) {
    await pause(PREY_LOOK_MS);
    prey = find();
  }
  return prey;
};

const kindOf = (pid: number): Started["kind"] => {
  const name = readProcess(pid, "comm").trim();
  return CONVERTERS.has(name) ? "converter" : WRAPPERS.has(name) ? "wrapper" : "engine";
};

/** Sends a signal to a process that may have ended. @returns whether it existed */
export const signal = (pid: number | undefined, name: NodeJS.Signals): boolean => {
  try {
    return pid !== undefined && process.kill(pid, name);
  } catch {
    // No such process: it has ended by itself.
    return false;
  }
};
