import { rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { FILM_PIXELS_MAX } from "../../../domain/conversions/conversion-limits.ts";
import type { EngineResult, EngineTask } from "../../core/engine.ts";
import { checkResult, checkSeconds, checkSource, secondsMaxOf } from "./checks.ts";
import type { Input } from "./input.ts";
import { loudnessWarnings, measured } from "./loudness.ts";
import { partOf } from "./part.ts";
import { SOUNDS_MAX } from "./plan/film-plan.ts";
import { planOf } from "./plan/plan.ts";
import { OUTPUT_LIMIT, type RunResult, runFfmpeg } from "./run.ts";
import { coverOf, soundsOf } from "./source.ts";
import { inputError } from "./stderr.ts";
import type { Loudness, Plan, Wanted } from "./task.ts";

/**
 * Converts a probed source. Streams that fit the target are copied if possible, the rest is encoded.
 *
 * @throws JobError for the source, its limits and unsupported features
 */
export const encoded = async (task: EngineTask, input: Input, extra: Extra = {}): Promise<EngineResult> => {
  const { from, to, options } = task;
  checkSource(input.source, from);
  const plain = { source: input.source, from, to, options, copies: true, covers: true, ...extra };
  const loudness = options.loudness === undefined ? undefined : await loudnessOf(task, plain, input.opening);
  const wanted: Wanted = { ...plain, ...(loudness && { loudness }) };
  const attempts = coverOf(input.source) === undefined ? [wanted] : [wanted, { ...wanted, covers: false }];
  for (const attempt of attempts) {
    try {
      return await convert({ ...task, opening: input.opening }, attempt);
    } catch (error) {
      if (!(error instanceof Misfit)) {
        throw error;
      }
    }
  }
  // A stream whose codec fits may still be rejected when copied: no timestamps, or a missing header.
  return convert({ ...task, opening: input.opening }, { ...wanted, covers: false, copies: false });
};

/** What is not an option of the job. */
export type Extra = Pick<Wanted, "isBurned" | "keyFrameSeconds">;

/** @returns the loudness of the audio tracks of the part that is converted */
const loudnessOf = async (task: EngineTask, wanted: Wanted, opening: readonly string[]) => {
  const found = new Map<number, Loudness>();
  const { reading, seconds = Number.POSITIVE_INFINITY } = partOf(wanted, wanted.source.seconds);
  const tracks = soundsOf(wanted.source).slice(0, SOUNDS_MAX);
  for (const track of tracks) {
    const onSeconds = (done: number) => task.progress(Math.min(1, done / seconds) * MEASURING_SHARE);
    const one = await measured(track, { folder: task.folder, opening: [...reading, ...opening], wanted, onSeconds });
    if (one !== undefined) {
      found.set(track.index, one);
    }
  }
  return found;
};

/** Share of the progress at which the first pass has ended. */
const MEASURING_SHARE = 0.4;

/** Copying a stream unchanged failed. */
class Misfit extends Error {}

type OpenTask = EngineTask & Pick<Input, "opening">;

const convert = async (task: OpenTask, wanted: Wanted): Promise<EngineResult> => {
  const plan = planOf(wanted);
  checkSeconds(wanted, plan);
  return runPlan(task, wanted, plan);
};

const runPlan = async (task: OpenTask, wanted: Wanted, plan: Plan): Promise<EngineResult> => {
  const { output, folder } = task;
  const { before = [], ifEmpty } = plan;
  const runs = before.length + 1;
  for (const [done, { writing, file }] of before.entries()) {
    const progress = (share: number) => task.progress((done + share) / runs);
    await run({ ...task, output: join(folder, file), progress }, wanted, { ...plan, writing, further: [] });
  }
  const progress = (share: number) => task.progress((before.length + share) / runs);
  const ran = await run({ ...task, progress }, wanted, plan);
  if (ifEmpty !== undefined && (await isEmpty(output))) {
    return runPlan(task, wanted, ifEmpty);
  }
  const warnings = await checkResult({ path: output, folder, ran }, wanted, plan);
  return { warnings: [...plan.warnings, ...loudnessWarnings(wanted), ...warnings] };
};

const isEmpty = async (path: string): Promise<boolean> => {
  const { size } = await stat(path).catch(() => ({ size: 0 }));
  return size === 0;
};

/** @throws Misfit if it failed with copied streams; JobError about the input; Error otherwise */
const run = async (task: OpenTask, wanted: Wanted, plan: Plan): Promise<RunResult> => {
  const { output, folder, from, progress } = task;
  const ran = await runFfmpeg({
    arguments: [
      ...plan.reading,
      ...["-max_pixels", String(FILM_PIXELS_MAX), ...task.opening],
      ...(plan.further ?? []),
      ...plan.writing,
      ...OUTPUT_LIMIT,
      `file:${output}`,
    ],
    folder,
    secondsMax: secondsMaxOf(wanted, plan) + 1,
    onSeconds: (seconds) => progress(Math.min(1, seconds / (plan.seconds ?? Number.POSITIVE_INFINITY))),
  });
  if (ran.code === 0) {
    return ran;
  }
  await rm(output, { force: true });
  if (wanted.copies && plan.writing.includes("copy")) {
    throw new Misfit();
  }
  throw inputError(ran.stderr, from) ?? new Error(`ffmpeg exited with ${ran.code}: ${ran.stderr.slice(-2_000)}`);
};
