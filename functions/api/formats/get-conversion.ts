import { RequestError } from "../../domain/errors.ts";
import { type FormatId, formatNamed, formatNames } from "../../domain/formats/formats.ts";
import { MERGED_UPLOADS_MAX } from "../../domain/limits.ts";
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
  permissions: { ...noPermissions, plans: true },
  tag: "Formats",
  summary: "Get a conversion",
  description:
    "Returns the details of the conversion from one format to another: its fidelity, steps, losses, size limit, and its options as JSON Schema. With `merge_with` these are the details of a merge. An unknown source is `not_found`; a target that the source cannot be converted to is `unsupported_conversion`, with the supported targets.",
  parameters: ["conversionSource", "conversionTarget", "mergeWith", "version"],
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
  const further = furtherFormats(request);
  if (target !== undefined && further.length > 0) {
    return mergeOf(routes, [source, ...further], target);
  }
  const route = target && routes.find(source, target);
  if (!route) {
    throw unsupportedConversion(routes, source, name);
  }
  return cachedConversion(routes, route, [], () => conversionView(route, routes.optionsOf(route.from, route.to)));
};

/** @returns each format once: the options of a merge do not depend on the number of files */
const furtherFormats = ({ query }: ApiRequest<unknown>): readonly FormatId[] => {
  const names = (query.merge_with ?? "").split(",").filter(Boolean);
  if (names.length >= MERGED_UPLOADS_MAX) {
    throw new RequestError("invalid_request", `\`merge_with\` can have up to ${MERGED_UPLOADS_MAX - 1} formats.`);
  }
  return [...new Set(names.map((each) => sourceNamed(each.trim())))];
};

const mergeOf = (routes: Context["routes"], formats: readonly FormatId[], target: FormatId): Cacheable => {
  const [route, options] = [routes.merge(formats, target), routes.mergeOptionsOf(formats, target)];
  if (route === undefined || options === undefined) {
    throw new RequestError("unsupported_conversion", routes.whyNotMerged(formats, target));
  }
  return cachedConversion(routes, route, formats, () => conversionView(route, options));
};

const sourceNamed = (name: string): FormatId => {
  const format = formatNamed(name);
  if (format === undefined) {
    throw new RequestError("not_found", `Unknown format "${name}".${suggestion(name, formatNames)}`);
  }
  return format;
};
