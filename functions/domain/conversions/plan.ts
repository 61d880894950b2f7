import type { Trait } from "../formats/format.ts";
import type { FormatId } from "../formats/formats.ts";
import type { Conversion, Fidelity } from "./conversion.ts";
import { conversions as allConversions } from "./conversions.ts";
import { dropsOf } from "./drops.ts";
import { type EngineId, laneHolds, RECOGNIZER } from "./engines.ts";
import { readersOf } from "./fallback-readers.ts";
import { type LaneId, laneIds, lanes } from "./lanes.ts";
import { mergedRules, NO_RULES, type OptionRules, type SupportedOptions } from "./option-rules.ts";
import type { OptionName } from "./options.ts";
import { bindingOf } from "./plan-bindings.ts";
import { findFallback, type WantedConversion } from "./plan-fallbacks.ts";
import { type MergeTable, planMerges, whyNotMerged } from "./plan-merges.ts";
import { mergesConverted, planMixed } from "./plan-mixed.ts";
import { bestPaths, laneOf, type Network, type Path } from "./plan-paths.ts";

/** One step of a route: one engine, from one format to another. */
export interface RouteStep {
  readonly engine: EngineId;
  readonly from: FormatId;
  readonly to: FormatId;
  /** The options of the job that this step applies. */
  readonly options: readonly OptionName[];
  /** Whether the files are packed unchanged, under their names. */
  readonly packs?: boolean;
  /** Whether it merges the files, after steps that only the first one needs. @default the first step merges them */
  readonly merges?: boolean;
}

/** The best route from one format to another in this deployment. */
export interface Route {
  readonly from: FormatId;
  readonly to: FormatId;
  readonly steps: readonly RouteStep[];
  /** The steps that convert each further file before the step that merges them. @default none */
  readonly further?: readonly (readonly RouteStep[])[];
  readonly fidelity: Fidelity;
  /** What the source can contain and the result loses. */
  readonly drops: readonly Trait[];
  readonly options: readonly OptionName[];
  /** Choices, ranges and defaults of the options. */
  readonly rules?: OptionRules;
  readonly lane: LaneId;
  /** The lane that also has the helpers of the steps: engines that only some files need. @default no step has one */
  readonly helperLane?: LaneId;
  readonly inputBytesMax: number;
  /** Whether several source files can be merged into one target file. */
  readonly merges: boolean;
}

/** All routes of a deployment. */
export interface RouteTable {
  readonly all: readonly Route[];
  /** @param options option names of the job: some are only supported by a more expensive route */
  find(from: FormatId, to: FormatId, options?: readonly string[]): Route | undefined;
  /** @returns the options of the pair, including those that lead to another route */
  optionsOf(from: FormatId, to: FormatId): SupportedOptions;
  /** @returns the formats that the format can be converted to */
  targets(from: FormatId): readonly FormatId[];
  /**
   * The route that merges the files, in this order; those that the merge does not read are converted first. A single file takes the route of `find`, unless the target is an
   * archive: then it is the only file in it.
   */
  merge(formats: readonly FormatId[], to: FormatId, options?: readonly string[]): Route | undefined;
  /** @returns the options of the merge, including those that lead to another route; undefined if there is none */
  mergeOptionsOf(formats: readonly FormatId[], to: FormatId): SupportedOptions | undefined;
  /** @returns an error message that says why there is no such route */
  whyNotMerged(formats: readonly FormatId[], to: FormatId): string;
  /**
   * The route for a file that engines have refused as damaged or unsupported: another engine reads it. It supports all
   * options of the conversion.
   *
   * @param tried the readers that refused the file ({@link readerOf})
   * @returns undefined if no other engine reads the format, or enough have tried
   */
  fallback(conversion: WantedConversion, tried: readonly string[]): Route | undefined;
}

interface PlanOptions {
  /** @default all */
  readonly conversions?: readonly Conversion[];
  /** The lanes of the deployment: one of them must have all engines of a route. @default all */
  readonly lanes?: readonly LaneId[];
}

/**
 * Finds the best route for every pair of formats: a preferred conversion if there is one, otherwise the least avoidable
 * loss, the fewest lossy encodings, the most supported options, the lowest cost, the fewest steps. Only hubs of the
 * source's or the target's family are intermediate formats. Routes are planned on first use.
 *
 * @param engines the engines of this deployment
 */
export const planRoutes = (
  engines: ReadonlySet<EngineId>,
  { conversions = allConversions, lanes: deployed = laneIds }: PlanOptions = {},
): RouteTable => {
  const isDeployed = (engine: EngineId) => engines.has(engine) && deployed.some((lane) => laneHolds(lane, engine));
  const own = conversions
    .filter(({ engine }) => engines.has(engine))
    .map((conversion) =>
      conversion.helper === undefined || isDeployed(conversion.helper) ? conversion : withoutHelper(conversion),
    );
  const steps = Map.groupBy(
    own.filter(({ optIn }) => optIn === undefined),
    ({ from }) => from,
  );
  const merges = planMerges(own, isDeployed);
  const plans = { steps, lanes: deployed, merges };
  const optInNames = [...new Set(own.flatMap(({ optIn = [] }) => optIn))];
  const groups = optInGroups(own);
  const planners = new Map<string, Planner>();
  /** Each combination of opt-in options adds conversions, so it needs a separate plan. */
  const networkFor = (wanted: readonly OptionName[]): Plans => {
    const wider = () => own.filter(({ optIn }) => optIn === undefined || optIn.some((name) => wanted.includes(name)));
    return wanted.length === 0 ? plans : { ...plans, wanted, steps: Map.groupBy(wider(), ({ from }) => from) };
  };
  const plannerFor = (options: readonly string[]): Planner => {
    const wanted = optInNames.filter((name) => options.includes(name));
    const key = wanted.join();
    const known = planners.get(key) ?? planner(networkFor(wanted));
    planners.set(key, known);
    return known;
  };
  const routesFrom = plannerFor([]);
  const find = (from: FormatId, to: FormatId, options: readonly string[] = []): Route | undefined =>
    plannerFor(options)(from).get(to);
  const mixed = (formats: readonly FormatId[], to: FormatId, options: readonly string[] = []): Route | undefined =>
    planMixed(formats, to, options, {
      deployed,
      sources: merges.sources,
      find: (source, target) => find(source, target, options),
      merge: (sources, target) => {
        const step = merges.find(sources, target, options);
        return step && routeOf([step], plans);
      },
    });
  const merge: RouteTable["merge"] = (formats, to, options) => {
    const [first, second] = formats;
    const step = merges.find(formats, to, options);
    if (first !== undefined && second === undefined && step?.packs !== true) {
      return find(first, to, options);
    }
    const direct = step && routeOf([step], plans);
    return direct !== undefined && isSupported(direct, options) ? direct : (mixed(formats, to, options) ?? direct);
  };
  let all: readonly Route[] | undefined;
  return {
    get all() {
      all ??= [...steps.keys()].flatMap((from) => [...routesFrom(from).values()]);
      return all;
    },
    find,
    optionsOf: (from, to) => {
      const others = groups.filter((group) => isOffered(group, from, to));
      return united(
        find(from, to),
        others.map(({ names }) => find(from, to, names)),
      );
    },
    targets: (from) => [...routesFrom(from).keys()],
    merge,
    mergeOptionsOf: (formats, to) => {
      const route = merge(formats, to);
      const routeWith = (name: OptionName): Route | undefined => {
        const other = merge(formats, to, [name]);
        return other !== undefined && isSupported(other, [name]) ? other : undefined;
      };
      const all = route && united(route, merges.optIns(to).map(routeWith));
      return all && { ...all, options: all.options.filter((name) => routeWith(name) !== undefined) };
    },
    whyNotMerged: (formats, to) => whyNotMerged(merges, formats, to),
    fallback: (conversion, tried) => {
      const { from, to, options } = conversion;
      const network = networkFor(optInNames.filter((name) => name in options));
      return findFallback(conversion, tried, {
        readers: readersOf(from, network.steps.get(from)).filter(({ engine }) => engines.has(engine)),
        plan: (first) => planFrom(from, { ...network, first }).get(to),
      });
    },
  };
};

const isSupported = ({ options }: Route, wanted: readonly string[] = []): boolean =>
  wanted.every((name) => options.some((own) => own === name));

const withoutHelper = ({ helper, ...conversion }: Conversion): Conversion =>
  helper === RECOGNIZER
    ? { ...conversion, options: conversion.options.filter((name) => !name.startsWith("ocr")) }
    : conversion;

/** Options that lead to other conversions than the default ones, and these conversions. */
interface OptInGroup {
  readonly names: readonly OptionName[];
  readonly rows: readonly Conversion[];
}

const optInGroups = (conversions: readonly Conversion[]): readonly OptInGroup[] =>
  [...Map.groupBy(conversions, ({ optIn = [] }) => optIn.join())].flatMap(([key, rows]) =>
    key === "" ? [] : [{ names: rows[0]?.optIn ?? [], rows }],
  );

/** @returns whether a route of the pair can contain a conversion of the group */
const isOffered = ({ rows }: OptInGroup, from: FormatId, to: FormatId): boolean =>
  rows.some((row) => (row.first !== true || row.from === from) && (row.to === to || row.last !== true));

/** @returns the options of all routes; the rules of the first one apply before those of the others */
const united = (route: Route | undefined, others: readonly (Route | undefined)[]): SupportedOptions => {
  const different = others.flatMap((other) => (other === undefined || other === route ? [] : [other]));
  if (route === undefined || different.length === 0) {
    return route ?? NO_OPTIONS;
  }
  const known = unions.get(route) ?? {
    options: [...new Set([route, ...different].flatMap(({ options }) => options))],
    rules: different.reduce((rules, other) => mergedRules(rules, other.rules), route.rules ?? NO_RULES),
  };
  unions.set(route, known);
  return known;
};

const NO_OPTIONS: SupportedOptions = { options: [] };
const unions = new WeakMap<Route, SupportedOptions>();

interface Plans extends Network {
  readonly merges: MergeTable;
}

type Planner = (from: FormatId) => ReadonlyMap<FormatId, Route>;

/** @returns a function that plans the routes of a format on first use */
const planner = (network: Plans): Planner => {
  const planned = new Map<FormatId, ReadonlyMap<FormatId, Route>>();
  return (from) => {
    const known = planned.get(from) ?? planFrom(from, network);
    planned.set(from, known);
    return known;
  };
};

const planFrom = (from: FormatId, network: Plans): ReadonlyMap<FormatId, Route> =>
  new Map([...bestPaths(from, network)].map(([to, { path }]) => [to, routeOf(path, network)]));

const routeOf = (path: Path, network: Plans): Route => {
  const binding = bindingOf(path);
  const [first, last] = [path[0], path.at(-1) ?? path[0]];
  const lane = laneOf(path, network.lanes);
  if (lane === undefined) {
    throw new Error(`No lane can run every step of the route from ${first.from} to ${last.to}.`);
  }
  return {
    from: first.from,
    to: last.to,
    steps: path.map(({ engine, from, to, packs }, index) => ({
      engine,
      from,
      to,
      options: binding.ofSteps[index] ?? [],
      ...(packs && { packs }),
    })),
    fidelity: fidelityOf(path),
    drops: first.packs ? [] : dropsOf(path),
    options: binding.options,
    rules: binding.rules,
    lane,
    ...helperLaneOf(path, network),
    inputBytesMax: lanes[lane].inputBytesMax,
    merges:
      network.merges.find([first.from], last.to) !== undefined ||
      mergesConverted(first.from, last.to, network.merges.sources),
  };
};

const helperLaneOf = (path: Path, network: Plans): Pick<Route, "helperLane"> => {
  const helpers = path.flatMap(({ helper: engine }) => (engine === undefined ? [] : [{ engine }]));
  const helperLane = helpers.length > 0 ? laneOf([...path, ...helpers], network.lanes) : undefined;
  return helperLane === undefined ? {} : { helperLane };
};

const fidelityOf = (path: Path): Fidelity =>
  path.find(({ fidelity }) => fidelity === "content_only")?.fidelity ??
  path.find(({ fidelity }) => fidelity === "lossy")?.fidelity ??
  "lossless";
