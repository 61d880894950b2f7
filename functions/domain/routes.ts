import { conversions as allConversions, type Conversion, type Fidelity } from "./conversions.ts";
import { type FormatId, formatOf, type Trait } from "./formats.ts";
import { type EngineId, type LaneId, laneIds, lanes } from "./lanes.ts";
import type { OptionName } from "./options.ts";

/** One step of a route: one engine, one file in, one file out. */
export interface RouteStep {
  readonly engine: EngineId;
  readonly from: FormatId;
  readonly to: FormatId;
  /** The options of the job that are this step's to honour: each belongs to the last step that can. */
  readonly options: readonly OptionName[];
}

/** The best way from one format to another that this deployment has. */
export interface Route {
  readonly from: FormatId;
  readonly to: FormatId;
  readonly steps: readonly RouteStep[];
  readonly fidelity: Fidelity;
  readonly options: readonly OptionName[];
  readonly lane: LaneId;
  readonly inputBytesMax: number;
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
 * Finds the best route for every pair of formats: the least avoidable loss, the fewest lossy encodings, the most
 * options honoured, the least time, the fewest steps. Only hubs stand in the middle.
 *
 * @param engines the engines that this deployment has
 */
export const planRoutes = (
  engines: ReadonlySet<EngineId>,
  conversions: readonly Conversion[] = allConversions,
): RouteTable => {
  const usable = conversions.filter(({ engine }) => engines.has(engine));
  const best = new Map<string, Path>();
  for (const path of usable.flatMap((first) => extend([first], usable))) {
    const key = pairKey(firstOf(path).from, lastOf(path).to);
    const known = best.get(key);
    if (laneOf(path) !== undefined && (known === undefined || isBetter(path, known))) {
      best.set(key, path);
    }
  }
  const routes = new Map([...best].map(([key, path]) => [key, routeOf(path)]));
  const all = [...routes.values()];
  return {
    all,
    find: (from, to) => routes.get(pairKey(from, to)),
    targets: (from) => all.filter((route) => route.from === from).map(({ to }) => to),
  };
};

const pairKey = (from: FormatId, to: FormatId): string => `${from}>${to}`;

/** @returns the path and all that it can grow into: only through hubs, never through the same step twice */
const extend = (path: Path, conversions: readonly Conversion[]): Path[] => {
  const { to } = lastOf(path);
  const middle = path.length < STEPS_MAX && formatOf(to).hub === true;
  const next = middle ? conversions.filter((step) => step.from === to && !path.includes(step)) : [];
  return [path, ...next.flatMap((step) => extend([...path, step], conversions))];
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
      options: options.filter((name) => !path.slice(index + 1).some((later) => later.options.includes(name))),
    })),
    fidelity: fidelityOf(path),
    options: optionsOf(path),
    lane,
    inputBytesMax: lanes[lane].inputBytesMax,
  };
};

const laneOf = (path: Path): LaneId | undefined =>
  laneIds.find((lane) => path.every(({ engine }) => lanes[lane].engines.includes(engine)));

const fidelityOf = (path: Path): Fidelity =>
  path.find(({ fidelity }) => fidelity === "content_only")?.fidelity ??
  path.find(({ fidelity }) => fidelity === "lossy")?.fidelity ??
  "lossless";

const optionsOf = (path: Path): OptionName[] => [...new Set(path.flatMap(({ options }) => options))];

const isBetter = (path: Path, than: Path): boolean => {
  const [mine, other] = [rank(path), rank(than)];
  const index = mine.findIndex((value, position) => value !== other[position]);
  return index !== -1 && (mine[index] ?? 0) < (other[index] ?? 0);
};

/** @returns what is compared, most important first; less is better */
const rank = (path: Path): number[] => [
  avoidableLoss(path).length,
  path.filter(({ fidelity }) => fidelity !== "lossless").length,
  -optionsOf(path).length,
  path.reduce((sum, { costMs }) => sum + costMs, 0),
  path.length,
];

/** @returns what source and target could both carry, but a format in the middle cannot */
const avoidableLoss = (path: Path): Trait[] => {
  const target = formatOf(lastOf(path).to).carries;
  const shared = formatOf(firstOf(path).from).carries.filter((trait) => target.includes(trait));
  return shared.filter((trait) => path.slice(0, -1).some(({ to }) => !formatOf(to).carries.includes(trait)));
};

const firstOf = (path: Path): Conversion => path[0];
const lastOf = (path: Path): Conversion => path.at(-1) ?? path[0];
