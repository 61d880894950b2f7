import type { Route } from "../../domain/conversions/plan.ts";
import { RequestError } from "../../domain/errors.ts";
import { formatNamed } from "../../domain/formats/formats.ts";
import type { Context } from "../../domain/ports.ts";
import type { ReadyUpload } from "../../domain/uploads/upload.ts";
import type { CompleteRequest } from "../conversion/conversion-request.ts";
import { unsupportedConversion } from "../formats/unsupported-conversion.ts";

/** One upload, or several that are merged. */
export type Uploads = readonly [ReadyUpload, ...ReadyUpload[]];

type Routes = Pick<Context, "routes">;

/**
 * @returns the route that converts the uploads as requested
 * @throws RequestError `unsupported_conversion`, `payload_too_large`
 */
export const chooseRoute = (context: Routes, uploads: Uploads, body: CompleteRequest): Route => {
  const route = body.upload_ids === undefined ? routeFor(context, uploads[0], body) : mergeFor(context, uploads, body);
  checkBytes(uploads, route);
  return route;
};

/** @throws RequestError `payload_too_large` */
export const checkBytes = (uploads: readonly ReadyUpload[], { inputBytesMax }: Route): void => {
  const bytes = uploads.reduce((sum, upload) => sum + upload.bytes, 0);
  if (bytes > inputBytesMax) {
    const detail = `This conversion accepts up to ${inputBytesMax} bytes in total. The request has ${bytes}.`;
    throw new RequestError("payload_too_large", detail);
  }
};

const routeFor = (
  { routes }: Routes,
  { format }: ReadyUpload,
  { target_format: target, options = {} }: CompleteRequest,
): Route => {
  const id = formatNamed(target);
  const route = id && routes.find(format, id, Object.keys(options));
  if (!route) {
    throw unsupportedConversion(routes, format, target);
  }
  return route;
};

/** @returns the route that merges the uploads into one file; a single upload may also be converted */
const mergeFor = (context: Routes, uploads: Uploads, body: CompleteRequest): Route => {
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
