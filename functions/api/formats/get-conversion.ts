import { RequestError } from "../../domain/errors.ts";
import { type FormatId, formatNamed, formatNames } from "../../domain/formats/formats.ts";
import { suggestion } from "../../domain/nearest-name.ts";
import type { Context } from "../../domain/ports.ts";
import { type Cacheable, cachedAnswer } from "../middleware/cacheable.ts";
import { example, operation } from "../operation.ts";
import { noPermissions } from "../permissions.ts";
import { type ApiRequest, param } from "../request.ts";
import { conversionView } from "./format-list.ts";
import { cachedConversion } from "./list-cache.ts";
import { sampleOptions, sampleRoute } from "./sample-route.ts";
import { unsupportedConversion } from "./unsupported-conversion.ts";

/** Returns one conversion with its steps, losses, limits and options. */
export const getConversion = operation({
  id: "getConversion",
  methods: ["GET"],
  path: "/api/v1/formats/{source}/{target}",
  auth: "none",
  permissions: noPermissions,
  tag: "Formats",
  summary: "Get a conversion",
  description:
    "Returns the details of the conversion from one format to another: its fidelity, steps, losses, size limit, and its options as JSON Schema. An unknown source is `not_found`; a target that the source cannot be converted to is `unsupported_conversion`, with the supported targets.",
  parameters: ["conversionSource", "conversionTarget", "version"],
  answers: {
    200: { description: "The conversion.", examples: ["conversionDetails"], headers: ["ETag"] },
    304: { description: "The client has this version.", headers: ["ETag"] },
  },
  errors: ["not_found", "unsupported_conversion"],
  examples: ({ jobs }) => ({
    conversionDetails: example(
      "Conversion",
      "HEIC to JPG",
      conversionView(sampleRoute(jobs.queued.steps), sampleOptions),
    ),
  }),
  run:
    ({ routes }) =>
    async (request) =>
      cachedAnswer(request, conversionOf(routes, request)),
});

/** @throws RequestError `not_found`, `unsupported_conversion` */
const conversionOf = (routes: Context["routes"], request: ApiRequest<unknown>): Cacheable => {
  const source = sourceNamed(param(request, "source"));
  const name = param(request, "target");
  const target = formatNamed(name);
  const route = target && routes.find(source, target);
  if (!route) {
    throw unsupportedConversion(routes, source, name);
  }
  return cachedConversion(routes, route, () => conversionView(route, routes.optionsOf(route.from, route.to)));
};

const sourceNamed = (name: string): FormatId => {
  const format = formatNamed(name);
  if (format === undefined) {
    throw new RequestError("not_found", `Unknown format "${name}".${suggestion(name, formatNames)}`);
  }
  return format;
};
