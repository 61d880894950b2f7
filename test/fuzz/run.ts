import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Worker } from "node:worker_threads";
import { INPUT_BYTES_MAX } from "./parser.ts";
import { parsers } from "./parsers.ts";
import type { WorkerTask, WorkerWord } from "./worker.ts";

/**
 * Fuzzes our own parsers: `node test/fuzz --minutes 60 [--only tar,csv] [--seed 1] [--kept FOLDER]`. The minutes are
 * divided among the parsers. An input that violates a guarantee is written to `seeds/<parser>/`, where `seeds.test.ts`
 * reads it from then on. Inputs that reach new code are written to the folder `--kept`, and are the initial inputs of
 * the next run.
 */

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "1" },
    only: { type: "string" },
    seed: { type: "string", default: "1" },
    kept: { type: "string" },
  },
});

/** An input that is still being read after this time hangs. */
const HANG_MS = 30_000;
const MEMORY_MEGABYTES = 1_024;

const seedsOf = (name: string): string => join(import.meta.dirname, "seeds", name);
const nameOf = (input: Uint8Array): string => createHash("sha256").update(input).digest("hex").slice(0, 16);

const save = (folder: string, input: Uint8Array): string => {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, nameOf(input));
  writeFileSync(path, input);
  return path;
};

const filesIn = (folder: string | undefined): Buffer[] => {
  if (folder === undefined) {
    return [];
  }
  mkdirSync(folder, { recursive: true });
  return readdirSync(folder).map((name) => readFileSync(join(folder, name)));
};

interface Outcome {
  readonly runs: number;
  readonly kept: number;
  readonly faults: number;
  readonly shares: ReadonlyMap<string, number>;
}

/** Fuzzes one parser in a separate thread, which is terminated if an input hangs. */
const fuzzed = async (name: string, milliseconds: number): Promise<Outcome> => {
  const turn = new Int32Array(new SharedArrayBuffer(8));
  const input = new Uint8Array(new SharedArrayBuffer(INPUT_BYTES_MAX));
  const folder = values.kept === undefined ? undefined : join(values.kept, name);
  const kept = filesIn(folder);
  const workerData: WorkerTask = { name, milliseconds, seed: Number(values.seed), kept, turn, input };
  const worker = new Worker(new URL("worker.ts", import.meta.url), {
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MEGABYTES },
  });
  let faults = 0;
  const fault = (what: string, bytes: Uint8Array): void => {
    faults += 1;
    console.log(`${name}: ${what}\n  ${save(seedsOf(name), bytes)}`);
  };
  const current = (): Uint8Array => Uint8Array.from(input.subarray(0, Atomics.load(turn, 1)));
  const outcome = await new Promise<Omit<Outcome, "faults">>((resolve) => {
    const unfinished = (): void => resolve({ runs: Atomics.load(turn, 0), kept: kept.length, shares: new Map() });
    const stopWatching = watched(turn, () => {
      fault(`time: still reading after ${HANG_MS} ms`, current());
      void worker.terminate();
    });
    worker.on("message", (word: WorkerWord) => {
      if (word.kind === "fault") {
        fault(word.what, word.input);
        return;
      }
      for (const bytes of folder === undefined ? [] : word.kept) {
        save(folder ?? "", bytes);
      }
      resolve({ runs: word.runs, kept: word.kept.length, shares: word.shares });
    });
    worker.on("error", (error) => fault(`the thread ended: ${error.message}`, current()));
    worker.on("exit", () => {
      stopWatching();
      unfinished();
    });
  });
  return { ...outcome, faults };
};

/** Calls `hung` once if no further input has started for too long. @returns a function that stops the watch */
const watched = (turn: Int32Array, hung: () => void): (() => void) => {
  let [last, since] = [-1, Date.now()];
  const timer = setInterval(() => {
    const now = Atomics.load(turn, 0);
    if (now !== last) {
      [last, since] = [now, Date.now()];
    } else if (now > 0 && Date.now() - since > HANG_MS) {
      clearInterval(timer);
      hung();
    }
  }, 500);
  return () => clearInterval(timer);
};

const wanted = values.only?.split(",");
const chosen = parsers.filter(({ name }) => wanted?.includes(name) ?? true);
const milliseconds = (Number(values.minutes) * 60_000) / Math.max(1, chosen.length);
let faults = 0;
for (const { name } of chosen) {
  const outcome = await fuzzed(name, milliseconds);
  faults += outcome.faults;
  console.log(`${name}: ${outcome.runs} inputs, ${outcome.kept} kept, ${outcome.faults} faults`);
  for (const [file, share] of [...outcome.shares].toSorted()) {
    console.log(`  ${String(Math.round(100 * share)).padStart(3)} % of ${file}`);
  }
}
process.exitCode = faults > 0 || chosen.length === 0 ? 1 : 0;
