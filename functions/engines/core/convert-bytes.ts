import { BYTES_RESULT_MAX } from "../../domain/conversions/conversion-limits.ts";
import type { EngineId } from "../../domain/conversions/engines.ts";
import type { Options } from "../../domain/conversions/options.ts";
import type { RouteStep } from "../../domain/conversions/plan.ts";
import { JobError } from "../../domain/errors.ts";
import type { StepTiming } from "../../domain/step-timing.ts";
import type { Warning } from "../../domain/warning.ts";
import { engines } from "../index.ts";
import { chosenOptions, refusalOf } from "./convert.ts";
import type { Engine } from "./engine.ts";

/** A conversion of one step whose input and result are bytes in memory, for small files. */
export interface BytesConversion {
  readonly step: RouteStep;
  readonly options: Options;
  /** The bytes, in pieces as they arrived. */
  readonly input: readonly Uint8Array[];
}

/** The message for such a conversion. The bytes of the input are in a file of both processes: see `input-file.ts`. */
export interface BytesRequest extends Omit<BytesConversion, "input"> {
  readonly inputBytes: number;
}

export interface BytesConversionResult {
  readonly output: Uint8Array;
  readonly timings: readonly StepTiming[];
  readonly warnings: readonly Warning[];
}

const known = new Map<EngineId, Engine>();

/** An import takes time even if the module has been loaded. */
const loaded = async (name: EngineId): Promise<Engine> => {
  const engine = known.get(name) ?? (await engines[name]());
  known.set(name, engine);
  return engine;
};

/**
 * Converts the bytes.
 *
 * @returns undefined if this conversion needs files
 * @throws FileRefused if another engine may read the file; JobError as the engine does; `engine_failed` when it produces no result
 */
export const convertBytes = async (
  { step, options }: Omit<BytesConversion, "input">,
  input: Buffer,
): Promise<BytesConversionResult | undefined> => {
  const started = performance.now();
  const { engine: name, from, to } = step;
  const engine = await loaded(name);
  const task = { input, from, to, options: chosenOptions(options, step.options) };
  const made = await engine.convertBytes?.(task).catch((error: unknown) => {
    throw refusalOf(error);
  });
  if (made === undefined || made.bytes.length > BYTES_RESULT_MAX) {
    return undefined;
  }
  if (made.bytes.length === 0) {
    throw new JobError("engine_failed", `The engine ${name} produced no result.`);
  }
  const durationMs = Math.round(performance.now() - started);
  return { output: made.bytes, timings: [{ engine: name, from, to, durationMs }], warnings: made.warnings };
};
