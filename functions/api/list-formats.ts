import { RequestError } from "../domain/errors.ts";
import type { Format } from "../domain/format.ts";
import { formatNamed, formats } from "../domain/formats.ts";
import { sha256Hex } from "../domain/ids.ts";
import { optionsJsonSchema } from "../domain/options-json.ts";
import type { Route, RouteTable } from "../domain/routes.ts";
import type { FormatListView } from "../domain/views.ts";
import { http, type Operation } from "./http.ts";
import { type ApiRequest, hasVersion } from "./request.ts";

/** Lists what this deployment can really do: formats, conversions, and the options that each takes as JSON Schema. */
export const listFormats: Operation = (context) => async (request) => {
  const body = formatList(context.routes, filterOf(request));
  const etag = `"${sha256Hex(JSON.stringify(body)).slice(0, 32)}"`;
  const headers = { etag, "cache-control": "public, max-age=300" };
  return hasVersion(request, etag) ? { status: 304, headers } : { status: 200, headers, body };
};

export const handler = http("listFormats", listFormats);

interface Filter {
  readonly source: string | undefined;
  readonly target: string | undefined;
  readonly family: string | undefined;
}

const formatList = ({ all }: RouteTable, { source, target, family }: Filter): FormatListView => {
  const listed = all.filter(
    ({ from, to }) => (source === undefined || from === source) && (target === undefined || to === target),
  );
  const inFamily = (id: string) =>
    family === undefined || formats.some((format) => format.id === id && format.family === family);
  const routes = listed.filter(({ from, to }) => inFamily(from) || inFamily(to));
  const mentioned = new Set(routes.flatMap(({ from, to }) => [from, to]));
  return {
    formats: formats.filter(({ id }) => mentioned.has(id)).map((format) => formatView(format, all)),
    conversions: routes.map(conversionView),
  };
};

const formatView = (format: Format, all: readonly Route[]): FormatListView["formats"][number] => ({
  id: format.id,
  name: format.name,
  family: format.family,
  extensions: [...format.extensions],
  media_types: [...format.mediaTypes],
  readable: all.some(({ from }) => from === format.id),
  writable: all.some(({ to }) => to === format.id),
});

const conversionView = (route: Route): FormatListView["conversions"][number] => ({
  source: route.from,
  target: route.to,
  fidelity: route.fidelity,
  steps: route.steps.map(({ engine, from, to }) => ({ engine, from, to })),
  options: optionsJsonSchema(route.options),
  max_bytes: route.inputBytesMax,
});

/** @throws RequestError `invalid_request` for a format or family that nothing has */
const filterOf = ({ query }: ApiRequest<unknown>): Filter => {
  const named = (name: "source" | "target"): string | undefined => {
    const value = query[name];
    return value === undefined ? undefined : (formatNamed(value) ?? refuse(name, value));
  };
  const family = query.family;
  if (family !== undefined && !formats.some((format) => format.family === family)) {
    refuse("family", family);
  }
  return { source: named("source"), target: named("target"), family };
};

const refuse = (name: string, value: string): never => {
  const detail = `${value.slice(0, 50)} is no ${name === "family" ? "family" : "format"} that is known here.`;
  throw new RequestError("invalid_request", detail, { errors: [{ pointer: `/${name}`, code: "unknown", detail }] });
};
