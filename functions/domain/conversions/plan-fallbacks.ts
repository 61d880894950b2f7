import type { JobErrorCode } from "../errors.ts";
import type { Trait } from "../formats/format.ts";
import type { FormatId } from "../formats/formats.ts";
import type { Warning } from "../warning.ts";
import { RASTER } from "./by-engine/pictures/raster.ts";
import type { Conversion } from "./conversion.ts";
import type { EngineId } from "./engines.ts";
import { isFurtherReader } from "./fallback-readers.ts";
import { conflictsOf } from "./option-checks.ts";
import { type Options, optionsSchema } from "./options.ts";
import type { Route } from "./plan.ts";

/** A conversion that a job requests. */
export interface WantedConversion {
  readonly from: FormatId;
  readonly to: FormatId;
  /** The options that its route applies. */
  readonly options: Options;
}

/** Programs and libraries that read a file at most, including the first: each may take the file's full time and memory. */
export const READERS_MAX = 3;

/** Engines that read common images with sharp, whatever they write. */
const BY_SHARP: ReadonlySet<EngineId> = new Set([
  ...(["sharp", "icons", "vectorizer", "hdr", "magick", "pdflib", "tesseract"] as const),
]);

/** @returns the name of the program or library that reads the file in this first step */
export const readerOf = (step: Pick<Conversion, "engine" | "from" | "to">): string =>
  BY_SHARP.has(step.engine) && RASTER.some((format) => format === step.from) && !isFurtherReader(step)
    ? "sharp"
    : step.engine;

/** Why a job does not take the route with which it was accepted: engines have refused its file. */
export interface Refusal {
  /** The error of the first one, with which the job fails if no other reads the file. */
  readonly code: JobErrorCode;
  readonly detail: string;
  /** The readers that refused the file ({@link readerOf}), in order. */
  readonly tried: readonly string[];
  /** What the present route loses and the first one preserves. @default nothing */
  readonly loses?: readonly Trait[];
}

/** @returns the warning that another engine than the route's has read the file */
export const fallbackWarning = ({ tried, loses = [] }: Refusal, reader: string): Warning => ({
  code: "fallback_engine",
  detail:
    `${tried.join(" and ")} could not read the file, so it was read with ${reader}` +
    (loses.length === 0 ? "." : `, which does not preserve: ${loses.join(", ").replaceAll("_", " ")}.`),
});

interface Search {
  /** The conversions that can be the first step. */
  readonly readers: readonly Conversion[];
  /** @returns the best route that starts with one of these conversions */
  readonly plan: (first: readonly Conversion[]) => Route | undefined;
}

/** @returns the best route by a reader that has not been tried; undefined if there is none, or enough have tried */
export const findFallback = (
  { options }: WantedConversion,
  tried: readonly string[],
  { readers, plan }: Search,
): Route | undefined => {
  let left = tried.length < READERS_MAX ? readers.filter((row) => !tried.includes(readerOf(row))) : [];
  while (left.length > 0) {
    const route = plan(left);
    const [step] = route?.steps ?? [];
    if (route === undefined || step === undefined) {
      return undefined;
    }
    if (applies(route, options)) {
      return route;
    }
    left = left.filter((row) => readerOf(row) !== readerOf(step));
  }
  return undefined;
};

/** @returns whether the route supports all options with their values */
const applies = (route: Route, options: Options): boolean => {
  const checked = optionsSchema(route).safeParse(options);
  return checked.success && conflictsOf(route, checked.data).length === 0;
};
