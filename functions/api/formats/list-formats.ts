import { engineIds } from "../../domain/conversions/engines.ts";
import { RequestError } from "../../domain/errors.ts";
import type { Format } from "../../domain/formats/format.ts";
import { formatNamed, formatNames, formats } from "../../domain/formats/formats.ts";
import { suggestion } from "../../domain/nearest-name.ts";
import { cachedAnswer } from "../middleware/cacheable.ts";
import { example, operation } from "../operation.ts";
import { noPermissions } from "../permissions.ts";
import type { ApiRequest } from "../request.ts";
import { type FormatFilter, formatListView } from "./format-list.ts";
import { cachedList } from "./list-cache.ts";
import { sampleOptions, sampleRoute } from "./sample-route.ts";

/** Lists what this server can convert: formats with their targets, and all details on request. */
export const listFormats = operation({
  id: "listFormats",
  methods: ["GET"],
  path: "/api/v1/formats",
  auth: "none",
  permissions: { ...noPermissions, plans: true },
  tag: "Formats",
  summary: "List formats",
  description: `Lists the formats that this server supports, each with the formats that it can be converted to. \`GET /formats/{source}/{target}\` returns the details of a conversion, with its options.

\`conversions=true\` adds the details of all listed conversions and formats. The complete list then has several megabytes, 100 kB compressed: a list of more than 250 kB is always compressed with gzip, also without \`Accept-Encoding\`, and \`not_acceptable\` for a client that does not accept gzip.`,
  parameters: ["source", "target", "family", "engine", "conversions", "version"],
  answers: {
    200: { description: "Formats.", examples: ["formatList", "formatDetails"], headers: ["ETag"] },
    304: { description: "The client has this version.", headers: ["ETag"] },
  },
  errors: ["invalid_request", "not_acceptable"],
  examples: ({ jobs }) => {
    const routes = { all: [sampleRoute(jobs.queued.steps)], optionsOf: () => sampleOptions };
    return {
      formatList: example("FormatList", "`?source=heic&target=jpg`", formatListView(routes, {})),
      formatDetails: example(
        "FormatList",
        "`?source=heic&target=jpg&conversions=true`",
        formatListView(routes, { details: true }),
      ),
    };
  },
  run:
    ({ routes }) =>
    async (request) =>
      cachedAnswer(request, cachedList(routes, filterOf(request))),
});

/** @throws RequestError `invalid_request` for an unknown parameter, format, family, engine or flag */
const filterOf = ({ query }: ApiRequest<unknown>): FormatFilter => {
  for (const name of Object.keys(query)) {
    if (!Object.hasOwn(parameters, name)) {
      const detail = `Unknown query parameter "${name.slice(0, NAME_CHARACTERS_MAX)}".`;
      throw invalid(name, `${detail}${suggestion(name, Object.keys(parameters))}`);
    }
  }
  const valueIn = <Value>(name: ParameterName, read: (text: string) => Value | undefined): Value | undefined => {
    const text = query[name];
    return text === undefined ? undefined : (read(text) ?? refuse(name, text));
  };
  return {
    source: valueIn("source", formatNamed),
    target: valueIn("target", formatNamed),
    family: valueIn("family", (text) => families.find((family) => family === text)),
    engine: valueIn("engine", (text) => engineIds.find((engine) => engine === text)),
    details: valueIn("conversions", (text) => flags.find((flag) => flag === text)) === "true",
  };
};

/** Maximum characters of an unknown name in a message. */
const NAME_CHARACTERS_MAX = 50;

const refuse = (name: ParameterName, value: string): never => {
  const { allowed, known } = parameters[name];
  throw invalid(name, `\`${name}\` must be ${allowed}.${suggestion(value, known)}`);
};

const invalid = (name: string, detail: string): RequestError =>
  new RequestError("invalid_request", detail, {
    errors: [{ pointer: `/${name.slice(0, NAME_CHARACTERS_MAX)}`, code: "unknown", detail }],
  });

const flags = ["true", "false"] as const;
const families: readonly string[] = [...new Set(formats.map(({ family }: Format) => family))];
const oneOf = (names: readonly string[]) => `one of ${names.map((name) => `\`${name}\``).join(", ")}`;

const format = {
  allowed: "the ID, an extension or a media type of a format",
  known: formatNames,
};

/** The query parameters: what a value must be, and the names that a wrong one can be a typing error of. */
const parameters = {
  source: format,
  target: format,
  family: { allowed: oneOf(families), known: families },
  engine: { allowed: "an engine that `GET /health` lists", known: engineIds },
  conversions: { allowed: "`true` or `false`", known: flags },
};

type ParameterName = keyof typeof parameters;
