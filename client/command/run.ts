import type { Arguments } from "./arguments.ts";

/** Input of a command. The signal aborts when the user interrupts it. */
export interface Run {
  readonly args: Arguments;
  readonly signal: AbortSignal;
}
