import { once } from "node:events";
import { createRequire } from "node:module";
import { Socket } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { JobError } from "../../../domain/errors.ts";
import { programIdleMs } from "../../core/pool/program-places.ts";
import { startProgram, wasKilled } from "../../core/program.ts";
import { lostProgram, type ProgramLost, type WarmProgram, warm } from "../../core/warm.ts";
import { locateOffice, PYTHON_ARGUMENTS } from "./locate.ts";
import type { OfficeTask } from "./plan.ts";

type Program = ReturnType<typeof startProgram>;

/** A running LibreOffice, and the sidecar that communicates with it. */
interface Office extends WarmProgram {
  readonly version: string;
  convert(task: OfficeTask): Promise<OfficeAnswer>;
}

/** The result for a document. */
export interface OfficeAnswer {
  /** Why it cannot be converted. */
  readonly refused?: RefusedReason | undefined;
  /** LibreOffice's own message. */
  readonly detail?: string | undefined;
  readonly pages?: number | undefined;
  /** Fonts that the document uses and that are not installed. */
  readonly fonts?: readonly string[] | undefined;
}

export type RefusedReason = "open" | "password" | "kind" | "pages" | "area" | "range" | "sheet" | "empty" | "encrypted";

/** The sidecar's first line. */
interface Started {
  readonly pid: number;
  readonly version: string;
}

/** Its other lines. `lost`: LibreOffice has exited; false: it has reported an error. */
interface Answered extends OfficeAnswer {
  readonly lost?: boolean;
  readonly killed?: boolean;
}

const JOBS_MAX = 200;
/** It uses 140 MB after startup, and 200 to 300 MB after typical documents. */
const MEMORY_BYTES_MAX = 700_000_000;
const IDLE_MS_MAX = 5 * 60_000;
const HEALTH_MS_MAX = 3_000;
const END_MS_MAX = 2_000;

/** Monochrome emoji: old versions of LibreOffice cannot write colored ones, and Debian has no others from recent years. */
const EMOJI = "@expo-google-fonts/noto-emoji/400Regular/NotoEmoji_400Regular.ttf";

/** The sidecar's exit code if its Python cannot communicate with LibreOffice. */
const NO_BRIDGE = 3;

/** The Python that can. */
let known: string | undefined;

/** @throws JobError `engine_failed` if LibreOffice or a Python with its bridge is missing */
const startOffice = async (): Promise<Office> => {
  const { program, pythons } = locateOffice();
  for (const python of known === undefined ? pythons : [known]) {
    const office = await startWith(python, program);
    if (office !== undefined) {
      known = python;
      return office;
    }
  }
  throw new JobError("engine_failed", "No Python with the uno module found. On Debian, install python3-uno.");
};

/** @returns undefined if this Python does not have the bridge */
const startWith = async (python: string, program: string): Promise<Office | undefined> => {
  const file = (name: string): string => join(import.meta.dirname, name);
  const settings = [file("settings.xcu"), file("fonts.conf"), createRequire(import.meta.url).resolve(EMOJI)];
  const child = startProgram(python, [...PYTHON_ARGUMENTS, file("sidecar.py"), program, ...settings]);
  const read = linesOf(child);
  const started = await read().catch((error: unknown) => {
    if (child.exitCode === NO_BRIDGE) {
      return undefined;
    }
    throw error;
  });
  if (started === undefined) {
    return undefined;
  }
  const { pid, version } = started as Started;
  const ask = async (task: object): Promise<OfficeAnswer> => {
    child.stdin?.write(`${JSON.stringify(task)}\n`);
    const answer = (await read()) as Answered;
    if (answer.lost !== undefined) {
      throw answer.lost
        ? lost(answer.killed === true, answer.detail)
        : new Error(`LibreOffice failed: ${answer.detail}`);
    }
    return answer;
  };
  return {
    pid,
    version,
    convert: ask,
    isHealthy: async () => (await ask({})).refused === undefined,
    kill: () => end(child),
  };
};

/** The sidecar ends LibreOffice when its input closes. If it does not exit, both are killed. */
const end = async (child: Program): Promise<void> => {
  const gone = once(child, "exit");
  if (child.exitCode !== null || child.signalCode !== null) {
    return;
  }
  child.stdin?.end();
  await Promise.race([gone, pause(END_MS_MAX, undefined, { ref: false })]);
  child.kill("SIGKILL");
  await gone;
};

/** @returns a function that reads the next response. An idle sidecar does not keep the process alive. */
const linesOf = (child: Program): (() => Promise<unknown>) => {
  const { stdin, stdout } = child;
  if (!(stdout instanceof Socket && stdin instanceof Socket)) {
    throw new TypeError("The sidecar was started without pipes.");
  }
  const lines = createInterface({ input: stdout })[Symbol.asyncIterator]();
  // A broken pipe is detected when reading.
  stdin.on("error", () => {}).unref();
  child.on("error", () => {}).unref();
  return async () => {
    stdout.ref();
    const { value, done } = await lines.next();
    stdout.unref();
    if (done === true) {
      throw lost(await wasKilled(child), "The sidecar exited.");
    }
    return JSON.parse(value);
  };
};

const lost = (killed: boolean, cause: unknown): ProgramLost =>
  lostProgram("LibreOffice", { wasKilled: killed, blame: "LibreOffice crashed twice with this document.", cause });

/** One LibreOffice per converter process, which runs one job at a time. */
export const office = warm({
  start: startOffice,
  jobsMax: JOBS_MAX,
  memoryBytesMax: MEMORY_BYTES_MAX,
  idleMsMax: programIdleMs(IDLE_MS_MAX),
  healthMsMax: HEALTH_MS_MAX,
});
