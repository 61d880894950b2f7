import type { EngineId } from "../../domain/conversions/engines.ts";
import type { SupportedOptions } from "../../domain/conversions/option-rules.ts";
import { optionsJsonSchema } from "../../domain/conversions/options-json.ts";
import type { Route, RouteTable } from "../../domain/conversions/plan.ts";
import type { ConversionView, FormatListView, FormatView } from "../../domain/formats/format-views.ts";
import { type FormatId, formatOf, formats } from "../../domain/formats/formats.ts";
import { usualTargets } from "../../domain/formats/usual-targets.ts";

export interface FormatFilter {
  readonly source: FormatId | undefined;
  readonly target: FormatId | undefined;
  readonly family: string | undefined;
  readonly engine: EngineId | undefined;
  /** Whether to add the conversions and the details of the formats: eighty times the bytes. */
  readonly details: boolean;
}

type Routes = Pick<RouteTable, "all" | "optionsOf">;

/** @returns the formats of the conversions that match the filter, as the API returns them */
export const formatListView = (routes: Routes, filter: Partial<FormatFilter>): FormatListView => {
  const matches = routes.all.filter((route) => isListed(route, filter));
  const targets = Map.groupBy(matches, ({ from }) => from);
  const mentioned = new Set<FormatId>(matches.flatMap(({ from, to }) => [from, to]));
  const writable = new Set(routes.all.map(({ to }) => to));
  const details = filter.details === true ? knownDetails(routes.all) : () => ({});
  return {
    formats: formats
      .filter(({ id }) => mentioned.has(id))
      .map(({ id }) => {
        const own = (targets.get(id) ?? []).map(({ to }) => to);
        return {
          ...formatView(id, writable.has(id)),
          targets: own,
          ...(filter.source === id && { usual_targets: usualTargets(id).filter((target) => own.includes(target)) }),
          ...details(id),
        };
      }),
    ...(filter.details === true && {
      conversions: matches.map((route) => conversionView(route, routes.optionsOf(route.from, route.to))),
    }),
  };
};

const isListed = ({ from, to, steps }: Route, { source, target, family, engine }: Partial<FormatFilter>): boolean =>
  (source === undefined || from === source) &&
  (target === undefined || to === target) &&
  (family === undefined || formatOf(from).family === family || formatOf(to).family === family) &&
  (engine === undefined || steps.some((step) => step.engine === engine));

const formatView = (id: FormatId, writable: boolean): Omit<FormatView, "targets"> => {
  const { name, family, extensions } = formatOf(id);
  return { id, name, family, extensions: [...extensions], writable };
};

type FormatDetails = Required<Pick<FormatView, "engines" | "media_types" | "readable">>;

const detailsByRoutes = new WeakMap<readonly Route[], (id: FormatId) => FormatDetails>();

const knownDetails = (all: readonly Route[]): ((id: FormatId) => FormatDetails) => {
  const known = detailsByRoutes.get(all) ?? detailsOf(all);
  detailsByRoutes.set(all, known);
  return known;
};

/** @returns a function that returns the details of a format */
const detailsOf = (all: readonly Route[]): ((id: FormatId) => FormatDetails) => {
  const readable = new Set(all.map(({ from }) => from));
  const engines = new Map<FormatId, Set<string>>();
  for (const { engine, from, to } of all.flatMap(({ steps }) => steps)) {
    for (const id of [from, to]) {
      engines.set(id, (engines.get(id) ?? new Set()).add(engine));
    }
  }
  return (id) => ({
    media_types: [...formatOf(id).mediaTypes],
    readable: readable.has(id),
    engines: [...(engines.get(id) ?? [])].sort(),
  });
};

/** @param options the options of the pair, including those that lead to another route */
export const conversionView = (route: Route, options: SupportedOptions): ConversionView => ({
  source: route.from,
  target: route.to,
  fidelity: route.fidelity,
  steps: route.steps.map(({ engine, from, to }) => ({ engine, from, to })),
  drops: [...route.drops],
  options: optionsJsonSchema(options),
  merges: route.merges,
  max_bytes: route.inputBytesMax,
});
