import { parentPort, workerData } from "node:worker_threads";
import { coverageOf, startCounting } from "./coverage.ts";

/** The thread in which one parser is tried: it may be ended when an input never ends. */

/** What `run.ts` gives: where the input of the moment is shown. */
export interface WorkerTask {
  readonly name: string;
  readonly milliseconds: number;
  readonly seed: number;
  readonly kept: readonly Uint8Array[];
  /** Two numbers: how many inputs were begun, and the length of the one of the moment. */
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
// Nothing that is counted may be loaded before counting begins.
const session = startCounting();
const { fuzz } = await import("./loop.ts");
const { parsers } = await import("./parsers.ts");
const parser = parsers.find((each) => each.name === name);
if (parser === undefined || parentPort === null) {
  throw new TypeError(`There is no parser called ${name}, or this is no thread.`);
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
