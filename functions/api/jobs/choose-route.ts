import type { Route } from "../../domain/conversions/plan.ts";
import { RequestError } from "../../domain/errors.ts";
import { type FormatId, formatNamed, formatOf } from "../../domain/formats/formats.ts";
import { suggestion } from "../../domain/nearest-name.ts";
import type { Context } from "../../domain/ports.ts";
import type { ReadyUpload } from "../../domain/uploads/upload.ts";
import type { ConversionRequest } from "./conversion-request.ts";

/** One upload, or several that are merged. */
export type Uploads = readonly [ReadyUpload, ...ReadyUpload[]];

type Routes = Pick<Context, "routes">;

/**
 * @returns the route that converts the uploads as requested
 * @throws RequestError `unsupported_conversion`, `payload_too_large`
 */
export const chooseRoute = (context: Routes, uploads: Uploads, body: ConversionRequest): Route => {
  const route = body.upload_ids === undefined ? routeFor(context, uploads[0], body) : mergeFor(context, uploads, body);
  const bytes = uploads.reduce((sum, upload) => sum + upload.bytes, 0);
  if (bytes > route.inputBytesMax) {
    const detail = `This conversion accepts up to ${route.inputBytesMax} bytes in total. The request has ${bytes}.`;
    throw new RequestError("payload_too_large", detail);
  }
  return route;
};

const routeFor = (
  { routes }: Routes,
  { format }: ReadyUpload,
  { target_format: target, options = {} }: ConversionRequest,
): Route => {
  const id = formatNamed(target);
  const route = id && routes.find(format, id, Object.keys(options));
  if (!route) {
    const supported_targets = routes.targets(format);
    throw new RequestError("unsupported_conversion", refusalOf(format, target, supported_targets), {
      supported_targets,
    });
  }
  return route;
};

const refusalOf = (format: FormatId, target: string, targets: readonly FormatId[]): string => {
  if (targets.length === 0) {
    return `${format} files cannot be converted on this server.`;
  }
  const names = [...targets, ...targets.flatMap((id) => formatOf(id).extensions)];
  const problem =
    formatNamed(target) === undefined
      ? `Unknown format "${target}".${suggestion(target, names)}`
      : `${format} files cannot be converted to ${target}.`;
  return `${problem} Supported targets: ${targets.join(", ")}.`;
};

/** @returns the route that merges the uploads into one file; a single upload may also be converted */
const mergeFor = (context: Routes, uploads: Uploads, body: ConversionRequest): Route => {
  const id = formatNamed(body.target_format);
  const formats = uploads.map(({ format }) => format);
  const route = id && context.routes.merge(formats, id, Object.keys(body.options ?? {}));
  if (!route && (id === undefined || uploads.length === 1)) {
    return routeFor(context, uploads[0], body);
  }
  if (!route) {
    throw new RequestError("unsupported_conversion", context.routes.whyNotMerged(formats, id));
  }
  return route;
};
