import { copyFile, mkdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { conversionLimits } from "../../functions/domain/conversions/lanes.ts";
import type { Options } from "../../functions/domain/conversions/options.ts";
import { planRoutes, type Route } from "../../functions/domain/conversions/plan.ts";
import type { Refusal } from "../../functions/domain/conversions/plan-fallbacks.ts";
import { JobError, RequestError } from "../../functions/domain/errors.ts";
import type { FormatId } from "../../functions/domain/formats/formats.ts";
import { formatOfFile } from "../../functions/domain/uploads/file-format.ts";
import type { Warning } from "../../functions/domain/warning.ts";
import { converterPool } from "../../functions/engines/core/run.ts";
import { type TakenRoute, warningsOf, withFallbacks } from "../../functions/engines/core/with-fallbacks.ts";
import { installedEngines } from "../../local/engines/installed.ts";
import { sandboxFor } from "../../local/engines/isolation.ts";
import { detectionSample } from "../../local/files/detection-sample.ts";

/** Converts as the service does: its detection, its routes, its sandboxed converter processes and their limits. */
export interface Service {
  /** @returns the best route of this machine */
  readonly route: (from: FormatId, to: FormatId, options?: Options) => Route | undefined;
  /** Converts into the folder. */
  readonly convert: (input: string, route: Route, folder: string, options?: Options) => Promise<Conversion>;
  readonly stop: () => Promise<void>;
}

/** A result, or the reason why there is none. */
export interface Conversion {
  readonly ms: number;
  readonly path?: string;
  /** Whether the result is a zip of several files of the target format. */
  readonly bundled: boolean;
  readonly warnings: readonly Warning[];
  /** The error code with its message. */
  readonly failure?: string;
}

/** @param scratchFolder an empty folder for conversions and temporary files */
export const startService = async (scratchFolder: string, size: number): Promise<Service> => {
  await mkdir(scratchFolder, { recursive: true });
  const entry = join(import.meta.dirname, "../../functions/engines/core/converter.ts");
  const { enclosure } = await sandboxFor("auto", { scratchFolder, converterEntry: entry });
  const pool = converterPool({ size, entry, enclosure, scratchFolder });
  const routes = planRoutes(new Set(installedEngines().keys()));
  return {
    route: (from, to, options = {}) => routes.find(from, to, Object.keys(options)),
    convert: async (input, route, folder, options = {}) => {
      const start = performance.now();
      const { from, to, lane, helperLane } = route;
      let runs = 0;
      const convert = async (steps: Route["steps"]) => {
        runs += 1;
        const place = join(folder, String(runs));
        await mkdir(place, { recursive: true });
        // Stored uploads have no extension.
        const stored = join(place, "stored-upload");
        await copyFile(input, stored);
        const task = {
          input: stored,
          name: basename(input),
          folder: place,
          steps,
          options,
          ...(helperLane && RECOGNIZED),
        };
        return pool.run(task, conversionLimits(helperLane ?? lane));
      };
      const next = (refusal: Refusal): TakenRoute | undefined => {
        const other = routes.fallback({ from, to, options }, refusal.tried);
        return other && { route: other, refusal };
      };
      const made = await withFallbacks({ route }, { convert, next }).catch(failureOf);
      const ms = performance.now() - start;
      if ("failure" in made) {
        return { ...made, ms, bundled: false, warnings: [] };
      }
      const { output, bundled, warnings } = made.result;
      return { ms, path: output, bundled, warnings: [...warningsOf(made.taken), ...warnings] };
    },
    stop: () => pool.stop(),
  };
};

const RECOGNIZED = { helper: "here" } as const;

const REASON_LENGTH_MAX = 300;

/** The reason of a server error is in its cause only, which is the text of an error in another process. */
const failureOf = (error: unknown): { readonly failure: string } => {
  const code = error instanceof JobError || error instanceof RequestError ? `${error.code}: ` : "";
  const message = error instanceof Error ? error.message : String(error);
  const [cause = ""] = error instanceof Error && error.cause !== undefined ? String(error.cause).split("\n") : [];
  const why = cause === "" || cause.includes(message) ? "" : ` (${cause})`;
  return { failure: `${code}${message}${why}`.replaceAll(/\s+/gu, " ").slice(0, REASON_LENGTH_MAX) };
};

/** @returns the format that an upload of the file has, or why the upload is refused */
export const uploadFormat = async (
  path: string,
): Promise<{ readonly format?: FormatId; readonly failure?: string }> => {
  try {
    const { head, tail } = await detectionSample(path);
    return { format: formatOfFile({ head, tail: () => tail, filename: basename(path) }) };
  } catch (error) {
    return failureOf(error);
  }
};

/** @returns the folder of this repository */
export const ROOT = dirname(dirname(import.meta.dirname));
