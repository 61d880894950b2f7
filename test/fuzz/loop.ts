import { performance } from "node:perf_hooks";
import { type Random, seeded } from "../support/random.ts";
import { changed } from "./change.ts";
import type { Coverage } from "./coverage.ts";
import { faultOf, INPUT_BYTES_MAX, newWorkspace, type Parser, type Workspace } from "./parser.ts";

/** The parameters of a loop, and its callbacks. */
export interface LoopTask {
  readonly parser: Parser;
  readonly coverage: Coverage;
  readonly milliseconds: number;
  readonly seed: number;
  /** Inputs that earlier loops kept. */
  readonly kept: readonly Buffer[];
  /** Called before each input is read, so that a watcher knows which one hangs. */
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
  /** The share of each file that ran. */
  readonly shares: ReadonlyMap<string, number>;
}

/** Inputs that are measured together; only if a batch reaches new code is each one measured. */
const BATCH_INPUTS = 24;
/** Maximum reported faults of one kind: the same code fails again and again. */
const FAULTS_MAX = 12;

/**
 * The limit of work that counts as linear: executed blocks of our code per input byte. The most expensive valid input
 * needs a hundred per byte; a scan over all 64 kB for each byte needs tens of thousands.
 */
const workMax = (bytes: number): number => 2_000_000 + 1_500 * bytes;
/** For work in libraries and regular expressions, which V8 does not count: 64 kB take a few tens of milliseconds. */
const MILLISECONDS_MAX = 1_500;

/** Mutates valid inputs, and keeps those that reach new code, until the time is over. */
export const fuzz = async (task: LoopTask): Promise<LoopEnd> => {
  const workspace = newWorkspace();
  const random = seeded(task.seed);
  const { coverage } = task;
  const state: State = { ...task, workspace, random, inputs: [], known: new Set(), runs: 0 };
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
    workspace.erase();
  }
};

interface State extends LoopTask {
  readonly workspace: Workspace;
  readonly random: Random;
  readonly inputs: Buffer[];
  /** Reported faults. */
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

/** Runs one input of a batch separately. */
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
  const fault = await faultOf(state.parser, input, state.workspace);
  const took = cpuMilliseconds() - start;
  if (fault !== undefined) {
    tell(state, { what: fault, input });
  }
  if (took > MILLISECONDS_MAX && (await fastest(state, input)) > MILLISECONDS_MAX) {
    tell(state, { what: `time: over ${MILLISECONDS_MAX} ms for an input of this kind`, input });
  }
};

/** @returns CPU time of this thread, which excludes other processes */
const cpuMilliseconds = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};

/** The first time may include garbage collection. @returns the shorter of two further times */
const fastest = async ({ parser, workspace }: State, input: Buffer): Promise<number> => {
  const times: number[] = [];
  for (let turn = 0; turn < 2; turn += 1) {
    const start = cpuMilliseconds();
    await faultOf(parser, input, workspace);
    times.push(cpuMilliseconds() - start);
  }
  return Math.min(...times);
};

/** Faults that differ only in numbers and quoted texts count as one. */
const tell = (state: State, fault: Fault): void => {
  const kind = fault.what.replaceAll(/"(?:[^"\\]|\\.)*"|\d+/g, "…").slice(0, 160);
  if (!state.known.has(kind)) {
    state.known.add(kind);
    state.found(fault);
  }
};

const nextInput = ({ parser, random, inputs }: State): Buffer => {
  // The newest reach furthest, and short ones are read a hundred times in the time of a long one.
  const some = random.chance(0.5) ? inputs : inputs.slice(-20);
  const [one, other] = [random.pick(some), random.pick(some)];
  const input = one.length <= other.length || random.chance(0.2) ? one : other;
  const own = random.chance(0.5) ? parser.change : undefined;
  const result = own?.(input, random, inputs) ?? changed(input, { random, words: parser.words, others: inputs });
  return result.subarray(0, INPUT_BYTES_MAX);
};
