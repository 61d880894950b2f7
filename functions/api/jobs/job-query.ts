import * as z from "zod/mini";
import { type FormatId, formatNamed } from "../../domain/formats/formats.ts";
import type { JobFilter } from "../../domain/jobs/job-filter.ts";
import { FILENAME_CHARACTERS_MAX } from "../../domain/limits.ts";
import { suggestion } from "../../domain/nearest-name.ts";
import { idIn, keyNamed, refuseParameter, timeOf } from "../middleware/query-fields.ts";
import type { ApiRequest } from "../request.ts";

/** The query parameters that filter the list of jobs. */
export const FILTERS = [
  "listed_job",
  "status",
  "source_format",
  "target_format",
  "key_id",
  "filename",
  "created_after",
  "created_before",
] as const;

const statuses = z.enum(["queued", "processing", "completed", "failed", "cancelled", "expired"]);

/**
 * @returns the filter in the query of the request
 * @throws RequestError `invalid_request`
 */
export const filterOf = ({ query }: ApiRequest<unknown>): JobFilter => {
  const { job_id, status, source_format, target_format, key_id, filename, created_after, created_before } = query;
  return {
    ...(job_id !== undefined && { id: idIn("job_id", "job", job_id) }),
    ...(status !== undefined && { status: statusNamed(status) }),
    ...(source_format !== undefined && { sourceFormat: formatOf("source_format", source_format) }),
    ...(target_format !== undefined && { targetFormat: formatOf("target_format", target_format) }),
    ...(key_id !== undefined && { keyId: keyNamed(key_id) }),
    ...(filename !== undefined && { name: namePart(filename) }),
    ...(created_after !== undefined && { createdAfter: timeOf("created_after", created_after) }),
    ...(created_before !== undefined && { createdBefore: timeOf("created_before", created_before) }),
  };
};

const statusNamed = (text: string): z.infer<typeof statuses> => {
  const result = statuses.safeParse(text);
  return result.success
    ? result.data
    : refuse("status", `must be one of ${statuses.options.join(", ")}.${suggestion(text, statuses.options)}`);
};

const formatOf = (name: "source_format" | "target_format", text: string): FormatId =>
  formatNamed(text) ?? refuse(name, `must be the ID, extension or media type of a format, not ${text.slice(0, 64)}.`);

const namePart = (text: string): string =>
  text !== "" && text.length <= FILENAME_CHARACTERS_MAX
    ? text
    : refuse("filename", `must have 1 to ${FILENAME_CHARACTERS_MAX} characters.`);

const refuse = (name: (typeof FILTERS)[number], what: string): never => refuseParameter(name, what);
