import type { Family, Trait } from "../formats/format.ts";
import { type FormatId, formatOf } from "../formats/formats.ts";
import type { Conversion } from "./conversion.ts";
import { type EngineId, engineIds, laneHolds } from "./engines.ts";
import { type LaneId, laneIds } from "./lanes.ts";
import { type OptionName, readingOptions, syntaxOptions, writingOptions } from "./options.ts";

/** Conversions one after the other; there is always a first. */
export type Path = readonly [Conversion, ...Conversion[]];

/** What paths are made of. */
export interface Network {
  /** Conversions by what they read. */
  readonly steps: ReadonlyMap<FormatId, readonly Conversion[]>;
  /** The lanes of the deployment: one of them must hold all engines of a path. */
  readonly lanes: readonly LaneId[];
}

const STEPS_MAX = 3;

/** What people read: only here a third step leads, so that no route goes from slides by way of pages to a markup language. */
const READ: ReadonlySet<FormatId> = new Set(["pdf", "docx", "html", "txt", "md", "epub", "mobi", "azw3"]);

/**
 * What the conversions so far have come to. Paths are many (tens of thousands), so each conversion is only added to what
 * is known of those before it, and sets are made where a path goes on, not where it ends.
 */
interface Start {
  readonly steps: readonly Conversion[];
  /** What the source can carry and is gone. */
  readonly lost: readonly Trait[];
  readonly lossySteps: number;
  /** The options that are honoured, but for those that only tell how a text is spelt. */
  readonly options: readonly OptionName[];
  readonly costMs: number;
  /** The lanes that hold all engines, a bit each. */
  readonly lanes: number;
  /** The family of a format in the middle that is not the source's: it has to be the target's. */
  readonly family: Family | undefined;
}

const EMPTY = {
  steps: [],
  lost: [],
  lossySteps: 0,
  options: [],
  costMs: 0,
  family: undefined,
} as const satisfies Omit<Start, "lanes">;

/** The best path to a format so far, and what it is ranked by: most important first; less is better. */
interface Best {
  readonly path: Path;
  readonly notPreferred: number;
  readonly avoidableLoss: number;
  readonly lossySteps: number;
  readonly options: number;
  readonly costMs: number;
}

/**
 * @returns the best path to each format that the source can become; of two that are as good, the one that stands first
 * in the tables
 */
export const bestPaths = (
  source: FormatId,
  { steps, lanes }: Network,
): ReadonlyMap<FormatId, { readonly path: Path }> => {
  const best = new Map<FormatId, Best>();
  const { carries } = formatOf(source);
  const grow = (from: FormatId, start: Start): void => {
    for (const step of steps.get(from) ?? []) {
      if (canFollow(step, start)) {
        const { family } = formatOf(step.to);
        if (start.family === undefined || start.family === family) {
          const known = best.get(step.to);
          if (known === undefined || isBetter(carries, step, start, known)) {
            best.set(step.to, rankedOf(carries, step, start));
          }
        }
        const next = after(source, step, start);
        if (next !== undefined) {
          grow(step.to, next);
        }
      }
    }
  };
  grow(source, { ...EMPTY, lanes: bitsOf((lane) => lanes.includes(lane)) });
  return best;
};

const isBetter = (carries: readonly Trait[], step: Conversion, start: Start, known: Best): boolean =>
  (notPreferred(step, start) - known.notPreferred ||
    avoidableLoss(carries, step, start) - known.avoidableLoss ||
    start.lossySteps + lossy(step) - known.lossySteps ||
    known.options - countOptions(step, start) ||
    start.costMs + step.costMs - known.costMs ||
    start.steps.length + 1 - known.path.length) < 0;

const rankedOf = (carries: readonly Trait[], step: Conversion, start: Start): Best => ({
  path: pathOf(start, step),
  notPreferred: notPreferred(step, start),
  avoidableLoss: avoidableLoss(carries, step, start),
  lossySteps: start.lossySteps + lossy(step),
  options: countOptions(step, start),
  costMs: start.costMs + step.costMs,
});

const pathOf = ({ steps: [first, ...middle] }: Start, step: Conversion): Path =>
  first === undefined ? [step] : [first, ...middle, step];

/** @returns whether one lane holds all engines, and the step leads neither back nor too far */
const canFollow = (step: Conversion, { steps, lanes }: Start): boolean =>
  (lanes & HOLDERS[step.engine]) !== 0 &&
  (steps.length === 0 || (step.first !== true && steps[0]?.from !== step.to && steps[1]?.from !== step.to)) &&
  (steps.length < STEPS_MAX - 1 || READ.has(step.to));

/** @returns what is known behind the step; undefined where none may follow: only hubs of two families are passed */
const after = (source: FormatId, step: Conversion, start: Start): Start | undefined => {
  const { hub, family, carries, between = [] } = formatOf(step.to);
  // A step within a format only spends time when another follows.
  if (hub !== true || step.last === true || step.from === step.to || start.steps.length === STEPS_MAX - 1) {
    return undefined;
  }
  const own = formatOf(source);
  const strange = family === own.family || between.includes(own.family) ? undefined : family;
  if (start.family !== undefined && strange !== undefined && start.family !== strange) {
    return undefined;
  }
  const isLost = (trait: Trait): boolean =>
    start.lost.includes(trait) || !carries.includes(trait) || step.loses?.includes(trait) === true;
  return {
    steps: [...start.steps, step],
    lost: own.carries.filter(isLost),
    lossySteps: start.lossySteps + lossy(step),
    options: [...start.options, ...optionsBefore(step, start)],
    costMs: start.costMs + step.costMs,
    lanes: start.lanes & HOLDERS[step.engine],
    family: start.family ?? strange,
  };
};

const notPreferred = ({ preferred }: Conversion, { steps }: Start): number =>
  preferred === true && steps.length === 0 ? 0 : 1;

const lossy = ({ fidelity }: Conversion): number => (fidelity === "lossless" ? 0 : 1);

/** @returns how much of what source and target could both carry a format in the middle cannot, or an engine does not */
const avoidableLoss = (carries: readonly Trait[], { to, loses }: Conversion, { lost }: Start): number => {
  if (lost.length === 0 && loses === undefined) {
    return 0;
  }
  const target = formatOf(to).carries;
  const isLost = (trait: Trait): boolean => lost.includes(trait) || loses?.includes(trait) === true;
  return carries.filter((trait) => target.includes(trait) && isLost(trait)).length;
};

/** @returns how many options are honoured when the path ends with the step, but for those that only spell a text */
const countOptions = (step: Conversion, { steps, options }: Start): number => {
  let count = options.length;
  for (const name of step.options) {
    const honored = !readingOptions.has(name) || steps.length === 0 || writingOptions.has(name);
    count += honored && !syntaxOptions.has(name) && !options.includes(name) ? 1 : 0;
  }
  return count;
};

/** @returns the options of a step that is not the last: one for reading has to be the first's, and none is for writing */
const optionsBefore = (step: Conversion, { steps, options }: Start): readonly OptionName[] =>
  step.options.filter(
    (name) =>
      !syntaxOptions.has(name) &&
      !options.includes(name) &&
      (readingOptions.has(name) ? steps.length === 0 : !writingOptions.has(name)),
  );

/** @returns the first of the lanes that holds all engines of the path */
export const laneOf = (path: Path, deployed: readonly LaneId[]): LaneId | undefined => {
  let bits = -1;
  for (const { engine } of path) {
    bits &= HOLDERS[engine];
  }
  return deployed.find((lane) => (bits & BITS[lane]) !== 0);
};

const BITS = Object.fromEntries(laneIds.map((lane, index) => [lane, 1 << index])) as Record<LaneId, number>;

const bitsOf = (has: (lane: LaneId) => boolean): number =>
  laneIds.filter(has).reduce((bits, lane) => bits | BITS[lane], 0);

/** Worked out once: the lanes that hold each engine, a bit each. */
const HOLDERS = Object.fromEntries(
  engineIds.map((engine) => [engine, bitsOf((lane) => laneHolds(lane, engine))]),
) as Record<EngineId, number>;
