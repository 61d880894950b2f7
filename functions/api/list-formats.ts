import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { RequestError } from "../domain/errors.ts";
import type { Format } from "../domain/format.ts";
import { type FormatId, formatNamed, formatOf, formats } from "../domain/formats.ts";
import { optionsJsonSchema } from "../domain/options-json.ts";
import type { Route, RouteTable } from "../domain/routes.ts";
import type { FormatListView } from "../domain/views.ts";
import { http, type Operation } from "./http.ts";
import { type ApiRequest, hasVersion } from "./request.ts";

/** Lists what this deployment can really do: formats, conversions, and the options that each takes as JSON Schema. */
export const listFormats: Operation = (context) => async (request) => {
  const list = listOf(context.routes, filterOf(request));
  const gzip = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?(?:,|$))/i.test(request.headers["accept-encoding"] ?? "");
  const { etag, json } = gzip ? list.compressed : list.plain;
  const headers = { etag, "cache-control": "public, max-age=300", vary: "accept-encoding" };
  if (hasVersion(request, etag)) {
    return { status: 304, headers };
  }
  return { status: 200, headers: { ...headers, ...(gzip && { "content-encoding": "gzip" }) }, json };
};

/** Lists that are kept: they change only with a deployment, and most clients ask for the whole one. */
const LISTS_MAX = 50;

/** A list as it is sent, and its entity tag, which differs when it is compressed (RFC 9110, 8.8.3). */
interface Sendable {
  readonly json: Uint8Array;
  readonly etag: string;
}

/** The whole list has some megabytes, and a fortieth of them compressed: API Gateway sends what it is given. */
interface FormatList {
  readonly plain: Sendable;
  readonly compressed: Sendable;
}

export const handler = http("listFormats", listFormats);

interface Filter {
  readonly source: string | undefined;
  readonly target: string | undefined;
  readonly family: string | undefined;
}

const listsOf = new WeakMap<RouteTable, Map<string, FormatList>>();

const listOf = (routes: RouteTable, filter: Filter): FormatList => {
  const lists = listsOf.get(routes) ?? new Map<string, FormatList>();
  const key = JSON.stringify(filter);
  const list = lists.get(key) ?? formatList(routes, filter);
  if (lists.size < LISTS_MAX) {
    listsOf.set(routes, lists.set(key, list));
  }
  return list;
};

const formatList = (routes: RouteTable, filter: Filter): FormatList => {
  const json = Buffer.from(JSON.stringify(formatListView(routes, filter)));
  const version = createHash("sha256").update(json).digest("hex").slice(0, 32);
  return {
    plain: { json, etag: `"${version}"` },
    compressed: { json: gzipSync(json), etag: `"${version}-gzip"` },
  };
};

const formatListView = ({ all }: RouteTable, { source, target, family }: Filter): FormatListView => {
  const listed = all.filter(
    ({ from, to }) => (source === undefined || from === source) && (target === undefined || to === target),
  );
  const inFamily = (id: FormatId) => family === undefined || formatOf(id).family === family;
  const routes = listed.filter(({ from, to }) => inFamily(from) || inFamily(to));
  const sides: Sides = [new Set(all.map(({ from }) => from)), new Set(all.map(({ to }) => to))];
  const mentioned = new Set<FormatId>(routes.flatMap(({ from, to }) => [from, to]));
  return {
    formats: formats.filter(({ id }) => mentioned.has(id)).map((format) => formatView(format, sides)),
    conversions: routes.map(conversionView),
  };
};

/** The formats that can be read, and those that can be written. */
type Sides = readonly [ReadonlySet<string>, ReadonlySet<string>];

const formatView = (format: Format, [readable, writable]: Sides): FormatListView["formats"][number] => ({
  id: format.id,
  name: format.name,
  family: format.family,
  extensions: [...format.extensions],
  media_types: [...format.mediaTypes],
  readable: readable.has(format.id),
  writable: writable.has(format.id),
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

/** @throws RequestError `invalid_request` for a format or family that nothing has */
const filterOf = ({ query }: ApiRequest<unknown>): Filter => {
  const named = (name: "source" | "target"): string | undefined => {
    const value = query[name];
    return value === undefined ? undefined : (formatNamed(value) ?? refuse(name, value));
  };
  const family = query.family;
  if (family !== undefined && !formats.some((format: Format) => format.family === family)) {
    refuse("family", family);
  }
  return { source: named("source"), target: named("target"), family };
};

const refuse = (name: string, value: string): never => {
  const detail = `${value.slice(0, 50)} is no ${name === "family" ? "family" : "format"} that is known here.`;
  throw new RequestError("invalid_request", detail, { errors: [{ pointer: `/${name}`, code: "unknown", detail }] });
};
