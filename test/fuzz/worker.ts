import { parentPort, workerData } from "node:worker_threads";
import { coverageOf, startCounting } from "./coverage.ts";

/** The thread in which one parser is fuzzed: it can be terminated if an input hangs. */

/** The parameters from `run.ts`, including shared memory for the current input. */
export interface WorkerTask {
  readonly name: string;
  readonly milliseconds: number;
  readonly seed: number;
  readonly kept: readonly Uint8Array[];
  /** Two numbers: how many inputs were started, and the length of the current one. */
  readonly turn: Int32Array;
  readonly input: Uint8Array;
}

export type WorkerWord =
  | { readonly kind: "fault"; readonly what: string; readonly input: Uint8Array }
  | {
      readonly kind: "end";
      readonly runs: number;
      readonly kept: readonly Uint8Array[];
      readonly shares: ReadonlyMap<string, number>;
    };

const { name, milliseconds, seed, kept, turn, input: shown }: WorkerTask = workerData;
// Measured code must be loaded after counting starts.
const session = startCounting();
const { fuzz } = await import("./loop.ts");
const { parsers } = await import("./parsers.ts");
const parser = parsers.find((each) => each.name === name);
if (parser === undefined || parentPort === null) {
  throw new TypeError(`Unknown parser ${name}, or not a worker thread.`);
}
const port = parentPort;
const say = (word: WorkerWord): void => port.postMessage(word);

const end = await fuzz({
  parser,
  coverage: coverageOf(session, parser.sources),
  milliseconds,
  seed,
  kept: kept.map((bytes) => Buffer.from(bytes)),
  begun: (input) => {
    shown.set(input.subarray(0, shown.length));
    Atomics.store(turn, 1, input.length);
    Atomics.add(turn, 0, 1);
  },
  found: ({ what, input }) => say({ kind: "fault", what, input }),
});
say({ kind: "end", ...end });
