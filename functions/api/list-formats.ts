import { RequestError } from "../domain/errors.ts";
import type { Format } from "../domain/format.ts";
import { type FormatId, formatNamed, formatOf, formats } from "../domain/formats.ts";
import { optionsJsonSchema } from "../domain/options-json.ts";
import type { Route, RouteTable } from "../domain/routes.ts";
import type { FormatListView } from "../domain/views.ts";
import { type Cacheable, cacheable, cachedAnswer } from "./cacheable.ts";
import { http, type Operation } from "./http.ts";
import type { ApiRequest } from "./request.ts";

/** Lists what this deployment can really do: formats, conversions, and the options that each takes as JSON Schema. */
export const listFormats: Operation = (context) => async (request) => {
  return cachedAnswer(request, listOf(context.routes, filterOf(request)));
};

/** Lists that are kept: most clients ask for the whole one, of some megabytes, a fortieth of them compressed. */
const LISTS_MAX = 50;

export const handler = http("listFormats", listFormats);

interface Filter {
  readonly source: string | undefined;
  readonly target: string | undefined;
  readonly family: string | undefined;
  /** Whether the conversions are left out: the formats alone are a hundredth of the whole. */
  readonly formatsOnly: boolean;
}

const listsOf = new WeakMap<RouteTable, Map<string, Cacheable>>();

const listOf = (routes: RouteTable, filter: Filter): Cacheable => {
  const lists = listsOf.get(routes) ?? new Map<string, Cacheable>();
  const key = JSON.stringify(filter);
  const list = lists.get(key) ?? formatList(routes, filter);
  if (lists.size < LISTS_MAX) {
    listsOf.set(routes, lists.set(key, list));
  }
  return list;
};

const formatList = (routes: RouteTable, filter: Filter): Cacheable =>
  cacheable(Buffer.from(JSON.stringify(formatListView(routes, filter))), "application/json");

/** @returns the formats and conversions that fit the filter, as the API shows them */
export const formatListView = (
  { all }: Pick<RouteTable, "all">,
  { source, target, family, formatsOnly }: Partial<Filter>,
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
    conversions: formatsOnly ? [] : routes.map(conversionView),
  };
};

interface Sides {
  /** The formats that can be read, and those that can be written. */
  readonly readable: ReadonlySet<string>;
  readonly writable: ReadonlySet<string>;
  /** What reads or writes a format, by its id. */
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

const conversionView = (route: Route): FormatListView["conversions"][number] => ({
  source: route.from,
  target: route.to,
  fidelity: route.fidelity,
  steps: route.steps.map(({ engine, from, to }) => ({ engine, from, to })),
  drops: [...route.drops],
  options: optionsJsonSchema(route.options),
  merges: route.merges,
  max_bytes: route.inputBytesMax,
});

/** @throws RequestError `invalid_request` for a format or family that nothing has, or a word that is no answer */
const filterOf = ({ query }: ApiRequest<unknown>): Filter => {
  const named = (name: "source" | "target"): string | undefined => {
    const value = query[name];
    return value === undefined ? undefined : (formatNamed(value) ?? refuse(name, value));
  };
  const family = query.family;
  if (family !== undefined && !formats.some((format: Format) => format.family === family)) {
    refuse("family", family);
  }
  const conversions = query.conversions ?? "true";
  if (conversions !== "true" && conversions !== "false") {
    refuse("conversions", conversions);
  }
  return { source: named("source"), target: named("target"), family, formatsOnly: conversions === "false" };
};

const refuse = (name: "conversions" | "family" | "source" | "target", value: string): never => {
  const wanted =
    name === "conversions"
      ? "neither `true` nor `false`"
      : `no ${name === "family" ? name : "format"} that is known here`;
  const detail = `${value.slice(0, 50)} is ${wanted}.`;
  throw new RequestError("invalid_request", detail, { errors: [{ pointer: `/${name}`, code: "unknown", detail }] });
};
