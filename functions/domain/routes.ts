import type { Conversion, Fidelity } from "./conversion.ts";
import { conversions as allConversions } from "./conversions.ts";
import type { EngineId } from "./engines.ts";
import type { Trait } from "./format.ts";
import { type FormatId, formatOf } from "./formats.ts";
import { type LaneId, laneIds, lanes } from "./lanes.ts";
import { type OptionName, readingOptions, writingOptions } from "./options.ts";
import { bestPaths, laneOf, type Network, type Path } from "./paths.ts";

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
  /** @param asked names of the options of the job: some are honoured only by a dearer way, which is taken for them */
  find(from: FormatId, to: FormatId, asked?: readonly string[]): Route | undefined;
  /** @returns what the format can become */
  targets(from: FormatId): readonly FormatId[];
}

/**
 * Finds the best route for every pair of formats: a preferred conversion where there is one, else the least avoidable
 * loss, the fewest lossy encodings, the most options honoured, the least time, the fewest steps. Only hubs of the
 * source's or the target's family stand in the middle. What nobody asks for is not planned.
 *
 * @param engines the engines that this deployment has
 * @param deployed the lanes that it has: one of them must hold all engines of a route
 */
export const planRoutes = (
  engines: ReadonlySet<EngineId>,
  conversions: readonly Conversion[] = allConversions,
  deployed: readonly LaneId[] = laneIds,
): RouteTable => {
  const own = conversions.filter(({ engine }) => engines.has(engine));
  const usual = own.filter(({ asked }) => asked === undefined);
  const steps = Map.groupBy(usual, ({ from }) => from);
  const routesFrom = planner({ steps, lanes: deployed });
  const special = new Map(
    [...new Set(own.flatMap(({ asked }) => asked ?? []))].map((name): readonly [string, Planner] => {
      const wider = own.filter(({ asked }) => asked === undefined || asked === name);
      return [name, planner({ steps: Map.groupBy(wider, ({ from }) => from), lanes: deployed })];
    }),
  );
  let all: readonly Route[] | undefined;
  return {
    get all() {
      all ??= [...steps.keys()].flatMap((from) => [...routesFrom(from).values()]);
      return all;
    },
    find: (from, to, asked = []) => {
      const name = asked.find((option) => special.has(option)) ?? "";
      return (special.get(name) ?? routesFrom)(from).get(to);
    },
    targets: (from) => [...routesFrom(from).keys()],
  };
};

type Planner = (from: FormatId) => ReadonlyMap<FormatId, Route>;

/** @returns a function that plans the routes of a format when they are first asked for */
const planner = (network: Network): Planner => {
  const planned = new Map<FormatId, ReadonlyMap<FormatId, Route>>();
  return (from) => {
    const known = planned.get(from) ?? planFrom(from, network);
    planned.set(from, known);
    return known;
  };
};

const planFrom = (from: FormatId, network: Network): ReadonlyMap<FormatId, Route> =>
  new Map([...bestPaths(from, network)].map(([to, { path }]) => [to, routeOf(path, network)]));

const routeOf = (path: Path, network: Network): Route => {
  const binding = bindingOf(path);
  const [first, last] = [path[0], path.at(-1) ?? path[0]];
  const lane = laneOf(path, network.lanes) ?? "fast";
  return {
    from: first.from,
    to: last.to,
    steps: path.map(({ engine, from, to }, index) => ({
      engine,
      from,
      to,
      options: binding.ofSteps[index] ?? [],
    })),
    fidelity: fidelityOf(path),
    drops: dropsOf(path),
    options: binding.options,
    lane,
    inputBytesMax: lanes[lane].inputBytesMax,
    merges: first.merges === true,
  };
};

const fidelityOf = (path: Path): Fidelity =>
  path.find(({ fidelity }) => fidelity === "content_only")?.fidelity ??
  path.find(({ fidelity }) => fidelity === "lossy")?.fidelity ??
  "lossless";

/** The options of a path, and those that each of its steps is to honour. */
interface Binding {
  readonly options: readonly OptionName[];
  readonly ofSteps: readonly (readonly OptionName[])[];
}

/** Thousands of paths have some hundred bindings: each is worked out once, by what the conversions honour. */
const bindings = new Map<string, Binding>();
const keys = new WeakMap<readonly OptionName[], string>();

const bindingOf = (path: Path): Binding => {
  let key = "";
  for (const { options } of path) {
    const own = keys.get(options) ?? options.join();
    keys.set(options, own);
    key += `${own};`;
  }
  const binding = bindings.get(key) ?? bind(path);
  bindings.set(key, binding);
  return binding;
};

const bind = (path: Path): Binding => {
  const names = [...new Set(path.flatMap(({ options }) => options))];
  return {
    options: names.filter((name) => ownerOf(name, path) !== -1),
    ofSteps: path.map(({ options }, index) => options.filter((name) => ownerOf(name, path) === index)),
  };
};

/**
 * @returns the step that an option is for: one that tells how the source is read is for the first, one that tells how the
 * result is written is for the last, and for none where that one does not know it; any other is for the last that honours it
 */
const ownerOf = (name: OptionName, path: Path): number => {
  if (readingOptions.has(name) && path[0].options.includes(name)) {
    return 0;
  }
  if (writingOptions.has(name) && path.at(-1)?.options.includes(name)) {
    return path.length - 1;
  }
  const bound = readingOptions.has(name) || writingOptions.has(name);
  return bound ? -1 : path.findLastIndex(({ options }) => options.includes(name));
};

/** @returns what the source can carry and is gone at the end */
const dropsOf = (path: Path): Trait[] => {
  const kept = path.map(({ to }) => formatOf(to).carries);
  const isLost = (trait: Trait): boolean =>
    kept.some((traits, index) => !traits.includes(trait) || path[index]?.drops?.includes(trait) === true);
  return formatOf(path[0].from).carries.filter(isLost);
};
