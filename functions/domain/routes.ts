import type { Conversion, Fidelity } from "./conversion.ts";
import { conversions as allConversions } from "./conversions.ts";
import { type EngineId, laneHolds } from "./engines.ts";
import type { Trait } from "./format.ts";
import { type FormatId, formatOf } from "./formats.ts";
import { type LaneId, laneIds, lanes } from "./lanes.ts";
import { type OptionName, readingOptions, syntaxOptions, writingOptions } from "./options.ts";

/** One step of a route: one engine, one format in, one format out. */
export interface RouteStep {
  readonly engine: EngineId;
  readonly from: FormatId;
  readonly to: FormatId;
  /** The options of the job that are this step's to honour. */
  readonly options: readonly OptionName[];
}

/** The best way from one format to another that this deployment has. */
export interface Route {
  readonly from: FormatId;
  readonly to: FormatId;
  readonly steps: readonly RouteStep[];
  readonly fidelity: Fidelity;
  /** What the source can carry and the result does not. */
  readonly drops: readonly Trait[];
  readonly options: readonly OptionName[];
  readonly lane: LaneId;
  readonly inputBytesMax: number;
  /** Whether the first step takes several files of the source. */
  readonly merges: boolean;
}

/** All routes of a deployment. */
export interface RouteTable {
  readonly all: readonly Route[];
  find(from: FormatId, to: FormatId): Route | undefined;
  /** @returns what the format can become */
  targets(from: FormatId): readonly FormatId[];
}

const STEPS_MAX = 3;

/** Conversions one after the other; there is always a first. */
type Path = readonly [Conversion, ...Conversion[]];

/**
 * Finds the best route for every pair of formats: a preferred conversion where there is one, else the least avoidable
 * loss, the fewest lossy encodings, the most options honoured, the least time, the fewest steps. Only hubs of the
 * source's or the target's family stand in the middle. What nobody asks for is not planned.
 *
 * @param engines the engines that this deployment has
 */
export const planRoutes = (
  engines: ReadonlySet<EngineId>,
  conversions: readonly Conversion[] = allConversions,
): RouteTable => {
  const steps = Map.groupBy(
    conversions.filter(({ engine }) => engines.has(engine)),
    ({ from }) => from,
  );
  const planned = new Map<FormatId, ReadonlyMap<FormatId, Route>>();
  const routesFrom = (from: FormatId): ReadonlyMap<FormatId, Route> => {
    const known = planned.get(from) ?? planFrom(from, steps);
    planned.set(from, known);
    return known;
  };
  let all: readonly Route[] | undefined;
  return {
    get all() {
      all ??= [...steps.keys()].flatMap((from) => [...routesFrom(from).values()]);
      return all;
    },
    find: (from, to) => routesFrom(from).get(to),
    targets: (from) => [...routesFrom(from).keys()],
  };
};

type StepsByFormat = ReadonlyMap<FormatId, readonly Conversion[]>;

const planFrom = (from: FormatId, steps: StepsByFormat): ReadonlyMap<FormatId, Route> => {
  const best = new Map<FormatId, { readonly path: Path; readonly rank: readonly number[] }>();
  for (const path of (steps.get(from) ?? []).flatMap((first) => extend([first], steps)).filter(isSensible)) {
    const { to } = lastOf(path);
    const [rank, known] = [rankOf(path), best.get(to)];
    if (known === undefined || isLess(rank, known.rank)) {
      best.set(to, { path, rank });
    }
  }
  return new Map([...best].map(([to, { path }]) => [to, routeOf(path)]));
};

/** @returns the path and all that it can grow into: only through hubs, never back to a format that it has been */
const extend = (path: Path, steps: StepsByFormat): Path[] => {
  const { to, last } = lastOf(path);
  const middle = path.length < STEPS_MAX && last !== true && formatOf(to).hub === true;
  const been = new Set(path.map(({ from }) => from));
  const next = middle ? (steps.get(to) ?? []).filter((step) => step.first !== true && !been.has(step.to)) : [];
  return [path, ...next.flatMap((step) => extend([...path, step], steps))];
};

/** @returns whether one lane holds all engines, and no format in the middle is of a family that neither end is of */
const isSensible = (path: Path): boolean => {
  const ends = [firstOf(path).from, lastOf(path).to].map((id) => formatOf(id).family);
  const middle = path.slice(0, -1).map(({ to }) => formatOf(to).family);
  return laneOf(path) !== undefined && middle.every((family) => ends.includes(family));
};

const routeOf = (path: Path): Route => {
  const lane = laneOf(path) ?? "fast";
  return {
    from: firstOf(path).from,
    to: lastOf(path).to,
    steps: path.map(({ engine, from, to, options }, index) => ({
      engine,
      from,
      to,
      options: options.filter((name) => ownerOf(name, path) === index),
    })),
    fidelity: fidelityOf(path),
    drops: dropsOf(path),
    options: optionsOf(path),
    lane,
    inputBytesMax: lanes[lane].inputBytesMax,
    merges: firstOf(path).merges === true,
  };
};

const laneOf = (path: Path): LaneId | undefined =>
  laneIds.find((lane) => path.every(({ engine }) => laneHolds(lane, engine)));

const fidelityOf = (path: Path): Fidelity =>
  path.find(({ fidelity }) => fidelity === "content_only")?.fidelity ??
  path.find(({ fidelity }) => fidelity === "lossy")?.fidelity ??
  "lossless";

const optionsOf = (path: Path): OptionName[] =>
  [...new Set(path.flatMap(({ options }) => options))].filter((name) => ownerOf(name, path) !== -1);

/**
 * @returns the step that an option is for: one that tells how the source is read is for the first, one that tells how the
 * result is written is for the last, and for none where that one does not know it; any other is for the last that honours it
 */
const ownerOf = (name: OptionName, path: Path): number => {
  if (readingOptions.has(name) && firstOf(path).options.includes(name)) {
    return 0;
  }
  if (writingOptions.has(name) && lastOf(path).options.includes(name)) {
    return path.length - 1;
  }
  const bound = readingOptions.has(name) || writingOptions.has(name);
  return bound ? -1 : path.findLastIndex(({ options }) => options.includes(name));
};

const isLess = (one: readonly number[], other: readonly number[]): boolean => {
  const index = one.findIndex((value, position) => value !== other[position]);
  return index !== -1 && (one[index] ?? 0) < (other[index] ?? 0);
};

/** @returns what is compared, most important first; less is better */
const rankOf = (path: Path): number[] => [
  path.length === 1 && firstOf(path).preferred ? 0 : 1,
  avoidableLoss(path).length,
  path.filter(({ fidelity }) => fidelity !== "lossless").length,
  -optionsOf(path).filter((name) => !syntaxOptions.has(name)).length,
  path.reduce((sum, { costMs }) => sum + costMs, 0),
  path.length,
];

/** @returns what source and target could both carry, but a format in the middle cannot or an engine does not */
const avoidableLoss = (path: Path): Trait[] => {
  const target = formatOf(lastOf(path).to).carries;
  return dropsOf(path).filter((trait) => target.includes(trait));
};

/** @returns what the source can carry and is gone at the end */
const dropsOf = (path: Path): Trait[] =>
  formatOf(firstOf(path).from).carries.filter((trait) =>
    path.some(({ to, drops }) => !formatOf(to).carries.includes(trait) || drops?.includes(trait)),
  );

const firstOf = (path: Path): Conversion => path[0];
const lastOf = (path: Path): Conversion => path.at(-1) ?? path[0];
