import type { Family, Trait } from "../formats/format.ts";
import { type FormatId, formatOf } from "../formats/formats.ts";
import type { Conversion } from "./conversion.ts";
import { type EngineId, engineIds, laneHolds } from "./engines.ts";
import { type LaneId, laneIds } from "./lanes.ts";
import { type OptionName, readingOptions, syntaxOptions, writingOptions } from "./options.ts";

/** A sequence of conversions; never empty. */
export type Path = readonly [Conversion, ...Conversion[]];

/** The graph in which paths are searched. */
export interface Network {
  /** Conversions by source format. */
  readonly steps: ReadonlyMap<FormatId, readonly Conversion[]>;
  /** The lanes of the deployment: one of them must have all engines of a path. */
  readonly lanes: readonly LaneId[];
  /** The conversions that a path can start with. @default all that read the source */
  readonly first?: readonly Conversion[];
  /** Options that a job sets and only some conversions support: a path with more of them is better than any other. */
  readonly wanted?: readonly OptionName[];
}

const STEPS_MAX = 3;

/**
 * Formats that people read. Only these can be the target of a third step, so that no route leads from slides through
 * pages to a markup language.
 */
const READ: ReadonlySet<FormatId> = new Set(["pdf", "docx", "html", "txt", "md", "epub", "mobi", "azw3"]);

/**
 * The state after the conversions so far. There are tens of thousands of paths, so a conversion only adds to the state
 * before it, and sets are created where a path continues, not where it ends.
 */
interface Start {
  readonly steps: readonly Conversion[];
  /** The traits of the source that are lost. */
  readonly lost: readonly Trait[];
  readonly lossySteps: number;
  /** The supported options, except those that only affect how text is encoded. */
  readonly options: readonly OptionName[];
  readonly costMs: number;
  /** The lanes that have all engines, as a bit mask. */
  readonly lanes: number;
  /** The family of an intermediate format, if it differs from the source's: the target must have the same family. */
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

/** The best path to a format so far, and its rank: the most important criterion first; lower is better. */
interface Best {
  readonly path: Path;
  readonly wanted: number;
  readonly notPreferred: number;
  readonly avoidableLoss: number;
  readonly lossySteps: number;
  readonly options: number;
  readonly costMs: number;
}

/**
 * @returns the best path to each format that the source can be converted to; of equal paths, the first in the tables
 */
export const bestPaths = (
  source: FormatId,
  { steps, lanes, first = steps.get(source) ?? [], wanted = [] }: Network,
): ReadonlyMap<FormatId, { readonly path: Path }> => {
  const best = new Map<FormatId, Best>();
  const aim: Aim = { keeps: formatOf(source).keeps, wanted };
  const grow = (from: FormatId, start: Start): void => {
    for (const step of start.steps.length === 0 ? first : (steps.get(from) ?? [])) {
      if (canFollow(step, start)) {
        const { family } = formatOf(step.to);
        if (start.family === undefined || start.family === family) {
          const known = best.get(step.to);
          if (known === undefined || isBetter(aim, step, start, known)) {
            best.set(step.to, rankedOf(aim, step, start));
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

/** What paths from a source are compared by: its traits, and the wanted options. */
interface Aim {
  readonly keeps: readonly Trait[];
  readonly wanted: readonly OptionName[];
}

const isBetter = ({ keeps, wanted }: Aim, step: Conversion, start: Start, known: Best): boolean =>
  (known.wanted - countWanted(wanted, step, start) ||
    notPreferred(step, start) - known.notPreferred ||
    avoidableLoss(keeps, step, start) - known.avoidableLoss ||
    start.lossySteps + lossy(step) - known.lossySteps ||
    known.options - countOptions(step, start) ||
    start.costMs + step.costMs - known.costMs ||
    start.steps.length + 1 - known.path.length) < 0;

const rankedOf = ({ keeps, wanted }: Aim, step: Conversion, start: Start): Best => ({
  path: pathOf(start, step),
  wanted: countWanted(wanted, step, start),
  notPreferred: notPreferred(step, start),
  avoidableLoss: avoidableLoss(keeps, step, start),
  lossySteps: start.lossySteps + lossy(step),
  options: countOptions(step, start),
  costMs: start.costMs + step.costMs,
});

const pathOf = ({ steps: [first, ...middle] }: Start, step: Conversion): Path =>
  first === undefined ? [step] : [first, ...middle, step];

/** @returns whether one lane has all engines, and the step neither returns to an earlier format nor is one too many */
const canFollow = (step: Conversion, { steps, lanes }: Start): boolean =>
  (lanes & HOLDERS[step.engine]) !== 0 &&
  (steps.length === 0 ||
    ((step.first !== true || countOf(steps) === 0) && steps[0]?.from !== step.to && steps[1]?.from !== step.to)) &&
  (countOf(steps) < STEPS_MAX - 1 || READ.has(step.to));

/** @returns the number of steps, without a first one that only prepares the file, such as decryption */
const countOf = ({ 0: first, length }: readonly Conversion[]): number =>
  first?.prepares === true ? length - 1 : length;

/**
 * @returns the state after the step; undefined if it is the last one: paths pass only through hubs of the source's and
 * the target's family
 */
const after = (source: FormatId, step: Conversion, start: Start): Start | undefined => {
  const { hub, family, keeps, between = [] } = formatOf(step.to);
  // A step within a format only costs time when another one follows.
  const continues = step.prepares === true || (hub === true && step.from !== step.to);
  if (!continues || step.last === true || countOf(start.steps) === STEPS_MAX - 1) {
    return undefined;
  }
  const own = formatOf(source);
  const strange = family === own.family || between.includes(own.family) ? undefined : family;
  if (start.family !== undefined && strange !== undefined && start.family !== strange) {
    return undefined;
  }
  const isLost = (trait: Trait): boolean =>
    start.lost.includes(trait) || !keeps.includes(trait) || step.loses?.includes(trait) === true;
  return {
    steps: [...start.steps, step],
    lost: own.keeps.filter(isLost),
    lossySteps: start.lossySteps + lossy(step),
    options: [...start.options, ...optionsBefore(step, start)],
    costMs: start.costMs + step.costMs,
    lanes: start.lanes & HOLDERS[step.engine],
    family: start.family ?? strange,
  };
};

const notPreferred = ({ preferred }: Conversion, { steps }: Start): number =>
  preferred === true && countOf(steps) === 0 ? 0 : 1;

const lossy = ({ fidelity }: Conversion): number => (fidelity === "lossless" ? 0 : 1);

/** @returns the number of traits that source and target both have, but an intermediate format or an engine loses */
const avoidableLoss = (keeps: readonly Trait[], { to, loses }: Conversion, { lost }: Start): number => {
  if (lost.length === 0 && loses === undefined) {
    return 0;
  }
  const target = formatOf(to).keeps;
  const isLost = (trait: Trait): boolean => lost.includes(trait) || loses?.includes(trait) === true;
  return keeps.filter((trait) => target.includes(trait) && isLost(trait)).length;
};

/**
 * @returns the number of supported options if the path ends with the step, except those that only affect how text is
 * encoded
 */
const countOptions = (step: Conversion, start: Start): number => {
  let count = start.options.length;
  for (const name of step.options) {
    count += isHonored(name, start) && !syntaxOptions.has(name) && !start.options.includes(name) ? 1 : 0;
  }
  return count;
};

/** @returns whether the last step applies an option that it supports */
const isHonored = (name: OptionName, { steps }: Start): boolean =>
  !readingOptions.has(name) || steps.length === 0 || writingOptions.has(name);

/** @returns the number of wanted options that a path applies if it ends with the step */
const countWanted = (wanted: readonly OptionName[], step: Conversion, start: Start): number =>
  wanted.length === 0
    ? 0
    : wanted.filter((name) => start.options.includes(name) || (step.options.includes(name) && isHonored(name, start)))
        .length;

/**
 * @returns the options of a step that is not the last: reading options only in the first step, and no writing options
 */
const optionsBefore = (step: Conversion, { steps, options }: Start): readonly OptionName[] =>
  step.options.filter(
    (name) =>
      !syntaxOptions.has(name) &&
      !options.includes(name) &&
      (readingOptions.has(name) ? steps.length === 0 : !writingOptions.has(name)),
  );

/** @returns the first lane that has all engines of the path */
export const laneOf = (
  path: readonly Pick<Conversion, "engine">[],
  deployed: readonly LaneId[],
): LaneId | undefined => {
  let bits = -1;
  for (const { engine } of path) {
    bits &= HOLDERS[engine];
  }
  return deployed.find((lane) => (bits & BITS[lane]) !== 0);
};

const BITS = Object.fromEntries(laneIds.map((lane, index) => [lane, 1 << index])) as Record<LaneId, number>;

const bitsOf = (has: (lane: LaneId) => boolean): number =>
  laneIds.filter(has).reduce((bits, lane) => bits | BITS[lane], 0);

/** The lanes that have each engine, as a bit mask; computed once. */
const HOLDERS = Object.fromEntries(
  engineIds.map((engine) => [engine, bitsOf((lane) => laneHolds(lane, engine))]),
) as Record<EngineId, number>;
