import { performance } from "node:perf_hooks";
import { type Random, seeded } from "../support/random.ts";
import { changed } from "./change.ts";
import type { Coverage } from "./coverage.ts";
import { faultOf, INPUT_BYTES_MAX, newPlace, type Parser, type Place } from "./parser.ts";

/** What a loop is told, and how it tells of itself. */
export interface LoopTask {
  readonly parser: Parser;
  readonly coverage: Coverage;
  readonly milliseconds: number;
  readonly seed: number;
  /** Inputs that were kept by loops before. */
  readonly kept: readonly Buffer[];
  /** Called before each input is read: who watches can tell which one never ended. */
  readonly begun: (input: Buffer) => void;
  readonly found: (fault: Fault) => void;
}

export interface Fault {
  readonly what: string;
  readonly input: Buffer;
}

export interface LoopEnd {
  readonly runs: number;
  readonly kept: readonly Buffer[];
  /** By file, the share of it that ran. */
  readonly shares: ReadonlyMap<string, number>;
}

/** Inputs that are counted together; only when they reached something new is it looked for which one did. */
const BATCH_INPUTS = 24;
/** Faults of one kind that are told: the same place fails again and again. */
const FAULTS_MAX = 12;

/**
 * Work that is taken for linear: blocks of our own code that ran, by bytes of input. The most honest input needs a
 * hundred a byte; what goes over all of 64 kB for each of its bytes needs tens of thousands.
 */
const workMax = (bytes: number): number => 2_000_000 + 1_500 * bytes;
/** Where the work is a library's or a regular expression's, which V8 does not count: 64 kB take some tens. */
const MILLISECONDS_MAX = 1_500;

/** Changes good inputs, and keeps those that reach what none did, until the time is over. */
export const fuzz = async (task: LoopTask): Promise<LoopEnd> => {
  const place = newPlace();
  const random = seeded(task.seed);
  const { coverage } = task;
  const state: State = { ...task, place, random, inputs: [], known: new Set(), runs: 0 };
  try {
    coverage.take();
    for (const input of [...(await task.parser.samples()), ...task.kept]) {
      await tried(state, Buffer.from(input));
      coverage.take();
      state.inputs.push(Buffer.from(input));
    }
    const end = performance.now() + task.milliseconds;
    while (performance.now() < end && state.known.size < FAULTS_MAX) {
      await batch(state);
    }
    return { runs: state.runs, kept: state.inputs, shares: coverage.shares() };
  } finally {
    place.erase();
  }
};

interface State extends LoopTask {
  readonly place: Place;
  readonly random: Random;
  readonly inputs: Buffer[];
  /** Faults that were told. */
  readonly known: Set<string>;
  runs: number;
}

const batch = async (state: State): Promise<void> => {
  const inputs = Array.from({ length: BATCH_INPUTS }, () => nextInput(state));
  for (const input of inputs) {
    await tried(state, input);
  }
  const { reached, ticks } = state.coverage.look();
  const longest = Math.max(...inputs.map(({ length }) => length));
  if (reached > 0 || ticks > workMax(longest)) {
    for (const input of inputs) {
      await again(state, input);
    }
  }
};

/** One of a batch by itself. */
const again = async (state: State, input: Buffer): Promise<void> => {
  await tried(state, input);
  const { reached, ticks } = state.coverage.take();
  if (reached > 0) {
    state.inputs.push(input);
  }
  if (ticks > workMax(input.length)) {
    tell(state, { what: `work: ${Math.round(ticks / input.length)} blocks ran for each byte`, input });
  }
};

const tried = async (state: State, input: Buffer): Promise<void> => {
  state.runs += 1;
  state.begun(input);
  const start = cpuMilliseconds();
  const fault = await faultOf(state.parser, input, state.place);
  const took = cpuMilliseconds() - start;
  if (fault !== undefined) {
    tell(state, { what: fault, input });
  }
  if (took > MILLISECONDS_MAX && (await fastest(state, input)) > MILLISECONDS_MAX) {
    tell(state, { what: `time: over ${MILLISECONDS_MAX} ms for an input of this kind`, input });
  }
};

/** @returns what this thread has had of the processor: others may have it meanwhile */
const cpuMilliseconds = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};

/** Memory may have been tidied. @returns the shorter of two further times */
const fastest = async ({ parser, place }: State, input: Buffer): Promise<number> => {
  const times: number[] = [];
  for (let turn = 0; turn < 2; turn += 1) {
    const start = cpuMilliseconds();
    await faultOf(parser, input, place);
    times.push(cpuMilliseconds() - start);
  }
  return Math.min(...times);
};

/** Faults that differ in numbers and quoted texts only are one. */
const tell = (state: State, fault: Fault): void => {
  const kind = fault.what.replaceAll(/"(?:[^"\\]|\\.)*"|\d+/g, "…").slice(0, 160);
  if (!state.known.has(kind)) {
    state.known.add(kind);
    state.found(fault);
  }
};

const nextInput = ({ parser, random, inputs }: State): Buffer => {
  // The newest reach furthest, and short ones are read a hundred times while a long one is read once.
  const some = random.chance(0.5) ? inputs : inputs.slice(-20);
  const [one, other] = [random.pick(some), random.pick(some)];
  const input = one.length <= other.length || random.chance(0.2) ? one : other;
  const own = random.chance(0.5) ? parser.change : undefined;
  const result = own?.(input, random, inputs) ?? changed(input, { random, words: parser.words, others: inputs });
  return result.subarray(0, INPUT_BYTES_MAX);
};
