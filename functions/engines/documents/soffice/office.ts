import { once } from "node:events";
import { createRequire } from "node:module";
import { Socket } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import * as z from "zod/mini";
import { programIdleMs } from "../../core/pool/program-places.ts";
import { startProgram, wasKilled } from "../../core/program.ts";
import { lostProgram, type ProgramLost, type WarmProgram, warm } from "../../core/warm.ts";
import { locateOffice, type OfficePaths, PYTHON_ARGUMENTS } from "./locate.ts";
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

const REASONS = ["open", "password", "kind", "pages", "area", "range", "sheet", "empty", "encrypted"] as const;
export type RefusedReason = (typeof REASONS)[number];

const started = z.object({ pid: z.int(), version: z.string() });
const answered = z.object({
  refused: z.optional(z.enum(REASONS)),
  detail: z.optional(z.string()),
  lost: z.optional(z.boolean()),
  killed: z.optional(z.boolean()),
  pages: z.optional(z.int()),
  fonts: z.optional(z.array(z.string())),
});

const JOBS_MAX = 200;
/** It uses 140 MB after startup, and 200 to 300 MB after typical documents. */
const MEMORY_BYTES_MAX = 700_000_000;
const IDLE_MS_MAX = 5 * 60_000;
const HEALTH_MS_MAX = 3_000;
const END_MS_MAX = 2_000;

/** Monochrome emoji: old versions of LibreOffice cannot write colored ones, and Debian has no others from recent years. */
const EMOJI = "@expo-google-fonts/noto-emoji/400Regular/NotoEmoji_400Regular.ttf";

let paths: Promise<OfficePaths> | undefined;

const startOffice = async (): Promise<Office> => {
  paths ??= locateOffice();
  const { program, python } = await paths;
  const file = (name: string): string => join(import.meta.dirname, name);
  const settings = [file("settings.xcu"), file("fonts.conf"), createRequire(import.meta.url).resolve(EMOJI)];
  const child = startProgram(python, [...PYTHON_ARGUMENTS, file("sidecar.py"), program, ...settings]);
  const read = linesOf(child);
  const { pid, version } = started.parse(await read());
  const ask = async (task: object) => {
    child.stdin?.write(`${JSON.stringify(task)}\n`);
    const answer = answered.parse(await read());
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
