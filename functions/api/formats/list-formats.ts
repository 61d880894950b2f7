import type { Route, RouteTable } from "../../domain/conversions/plan.ts";
import { RequestError } from "../../domain/errors.ts";
import type { Format } from "../../domain/formats/format.ts";
import { formatNamed, formats } from "../../domain/formats/formats.ts";
import { suggestion } from "../../domain/nearest-name.ts";
import { type Cacheable, cacheable, cachedAnswer } from "../middleware/cacheable.ts";
import { example, operation } from "../operation.ts";
import { noPermissions } from "../permissions.ts";
import type { ApiRequest } from "../request.ts";
import { type FormatFilter, formatListView } from "./format-list.ts";

/** Lists what this server can convert: formats, conversions, and the options of each as JSON Schema. */
export const listFormats = operation({
  id: "listFormats",
  methods: ["GET"],
  path: "/api/v1/formats",
  auth: "none",
  permissions: noPermissions,
  tag: "Formats",
  summary: "List formats and conversions",
  description:
    "Lists the formats and conversions that this server supports, with the options of each conversion. The complete list is several megabytes: request it with `Accept-Encoding: gzip`, with a filter, or without conversions.",
  parameters: ["source", "target", "family", "conversions", "version"],
  answers: {
    200: { description: "Formats and conversions.", examples: ["formatList"], headers: ["ETag"] },
    304: { description: "The client has this version.", headers: ["ETag"] },
  },
  errors: ["invalid_request"],
  examples: ({ jobs }) => ({
    formatList: example(
      "FormatList",
      "`?source=heic&target=jpg`",
      formatListView(
        {
          all: [sampleRoute(jobs.queued.steps)],
          optionsOf: () => ({ options: ["quality"], rules: { quality: { default: 80 } } }),
        },
        {},
      ),
    ),
  }),
  run: (context) => async (request) => {
    return cachedAnswer(request, listOf(context.routes, filterOf(request)));
  },
});

/** Number of cached lists. Most clients request the complete one: several megabytes, a fortieth of that compressed. */
const LISTS_MAX = 50;

const listsOf = new WeakMap<RouteTable, Map<string, Cacheable>>();

const listOf = (routes: RouteTable, filter: FormatFilter): Cacheable => {
  const lists = listsOf.get(routes) ?? new Map<string, Cacheable>();
  const key = JSON.stringify(filter);
  const list = lists.get(key) ?? formatList(routes, filter);
  if (lists.size < LISTS_MAX) {
    listsOf.set(routes, lists.set(key, list));
  }
  return list;
};

const formatList = (routes: RouteTable, filter: FormatFilter): Cacheable =>
  cacheable(Buffer.from(JSON.stringify(formatListView(routes, filter))), "application/json");

/** @throws RequestError `invalid_request` for an unknown format, family or flag */
const filterOf = ({ query }: ApiRequest<unknown>): FormatFilter => {
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
  const detail = `\`${name}\` must be ${allowed[name]}.${suggestion(value, known(name))}`;
  throw new RequestError("invalid_request", detail, { errors: [{ pointer: `/${name}`, code: "unknown", detail }] });
};

const families: readonly string[] = [...new Set(formats.map(({ family }) => family))];

const allowed = {
  conversions: "`true` or `false`",
  family: `one of ${families.map((family) => `\`${family}\``).join(", ")}`,
  source: "the ID, an extension or a media type of a format",
  target: "the ID, an extension or a media type of a format",
} as const;

/** @returns the names that a wrong one can be a typing error of */
const known = (name: keyof typeof allowed): readonly string[] => {
  if (name === "conversions") {
    return ["true", "false"];
  }
  return name === "family" ? families : formats.flatMap(({ id, extensions }) => [id, ...extensions]);
};

const sampleRoute = (steps: Route["steps"]): Route => ({
  from: "heic",
  to: "jpg",
  steps,
  fidelity: "lossy",
  drops: ["frames"],
  options: ["quality"],
  lane: "fast",
  inputBytesMax: 500_000_000,
  merges: false,
});
