import { type ExportTarget, filledKey, sealTarget } from "../../domain/exports/job-export.ts";
import { locationIn } from "../../domain/exports/storage.ts";
import type { Job } from "../../domain/jobs/job.ts";
import type { Context } from "../../domain/ports.ts";
import type { ApiRequest } from "../request.ts";
import type { ExportRequest } from "./export-request.ts";
import { requireStorage } from "./require-storage.ts";

/**
 * @param job the job's ID, and the filename of its result
 * @returns the export that the request describes
 * @throws RequestError `not_found` for an unknown storage
 */
export const jobExportOf = async (
  context: Context,
  request: ApiRequest<{ readonly export?: ExportRequest | undefined }>,
  job: Pick<Job, "filename" | "id">,
): Promise<Pick<Job, "export">> => {
  const { export: given } = request.body;
  if (given === undefined) {
    return {};
  }
  const { target, location } = await targetOf(context, request, given, job);
  return {
    export: { target: sealTarget(context.sealer, job.id, target), location, status: "pending", attempts: 0 },
  };
};

const targetOf = async (
  context: Context,
  request: ApiRequest,
  { url, method = "PUT", headers = {}, storage: name = "", key = "{name}" }: ExportRequest,
  job: Pick<Job, "filename" | "id">,
): Promise<{ readonly target: ExportTarget; readonly location: string }> => {
  if (url !== undefined) {
    return { target: { url, method, headers: lower(headers) }, location: withoutSecrets(url) };
  }
  const { place } = await requireStorage(context, request, name);
  // The result can have another filename: several files become a ZIP.
  const expected = filledKey(key, { name: job.filename, id: job.id });
  return { target: { storage: name, key }, location: locationIn(place, expected) };
};

/** Presigned URLs have their signature in the query. */
const withoutSecrets = (url: string): string => {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
};

const lower = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
