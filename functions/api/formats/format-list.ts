import type { SupportedOptions } from "../../domain/conversions/option-rules.ts";
import { optionsJsonSchema } from "../../domain/conversions/options-json.ts";
import type { Route, RouteTable } from "../../domain/conversions/plan.ts";
import type { Format } from "../../domain/formats/format.ts";
import type { FormatListView } from "../../domain/formats/format-views.ts";
import { type FormatId, formatOf, formats } from "../../domain/formats/formats.ts";

export interface FormatFilter {
  readonly source: string | undefined;
  readonly target: string | undefined;
  readonly family: string | undefined;
  /** Whether to omit the conversions: the formats alone are a hundredth of the complete list. */
  readonly formatsOnly: boolean;
}

/** @returns the formats and conversions that match the filter, as the API returns them */
export const formatListView = (
  { all, optionsOf }: Pick<RouteTable, "all" | "optionsOf">,
  { source, target, family, formatsOnly }: Partial<FormatFilter>,
): FormatListView => {
  const listed = all.filter(
    ({ from, to }) => (source === undefined || from === source) && (target === undefined || to === target),
  );
  const inFamily = (id: FormatId) => family === undefined || formatOf(id).family === family;
  const routes = listed.filter(({ from, to }) => inFamily(from) || inFamily(to));
  const sides = sidesOf(all);
  const mentioned = new Set<FormatId>(routes.flatMap(({ from, to }) => [from, to]));
  return {
    formats: formats.filter(({ id }) => mentioned.has(id)).map((format) => formatView(format, sides)),
    conversions: formatsOnly ? [] : routes.map((route) => conversionView(route, optionsOf(route.from, route.to))),
  };
};

interface Sides {
  /** The formats that can be read, and those that can be written. */
  readonly readable: ReadonlySet<string>;
  readonly writable: ReadonlySet<string>;
  /** The engines that read or write a format, by its id. */
  readonly engines: ReadonlyMap<string, ReadonlySet<string>>;
}

const sidesOf = (all: RouteTable["all"]): Sides => {
  const engines = new Map<string, Set<string>>();
  for (const { engine, from, to } of all.flatMap(({ steps }) => steps)) {
    for (const id of [from, to]) {
      engines.set(id, (engines.get(id) ?? new Set()).add(engine));
    }
  }
  return { readable: new Set(all.map(({ from }) => from)), writable: new Set(all.map(({ to }) => to)), engines };
};

const formatView = (format: Format, { readable, writable, engines }: Sides): FormatListView["formats"][number] => ({
  id: format.id,
  name: format.name,
  family: format.family,
  extensions: [...format.extensions],
  media_types: [...format.mediaTypes],
  readable: readable.has(format.id),
  writable: writable.has(format.id),
  engines: [...(engines.get(format.id) ?? [])].sort(),
});

const conversionView = (route: Route, options: SupportedOptions): FormatListView["conversions"][number] => ({
  source: route.from,
  target: route.to,
  fidelity: route.fidelity,
  steps: route.steps.map(({ engine, from, to }) => ({ engine, from, to })),
  drops: [...route.drops],
  options: optionsJsonSchema(options),
  merges: route.merges,
  max_bytes: route.inputBytesMax,
});
