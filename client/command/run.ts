import type { Arguments } from "./arguments.ts";

/** What a command is given; the signal aborts when the user interrupts. */
export interface Run {
  readonly args: Arguments;
  readonly signal: AbortSignal;
}
