import * as z from "zod/mini";
import { type FormatId, formatNamed } from "../../domain/formats/formats.ts";
import type { JobFilter } from "../../domain/jobs/job-filter.ts";
import { FILENAME_CHARACTERS_MAX } from "../../domain/limits.ts";
import { suggestion } from "../../domain/nearest-name.ts";
import { type ApiRequest, invalidValue } from "../request.ts";

/** The query parameters that filter the list of jobs. */
export const FILTERS = [
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
  const { status, source_format, target_format, key_id, filename, created_after, created_before } = query;
  return {
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

const keyNamed = (text: string): string =>
  /^key_[0-9A-Za-z]{1,40}$/.test(text) ? text : refuse("key_id", "must be the ID of an API key: `key_…`.");

const namePart = (text: string): string =>
  text !== "" && text.length <= FILENAME_CHARACTERS_MAX
    ? text
    : refuse("filename", `must have 1 to ${FILENAME_CHARACTERS_MAX} characters.`);

/** RFC 3339, or a date alone. Without percent-encoding, the plus sign of an offset arrives as a space. */
const TIME = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2}))?$/i;

const timeOf = (name: "created_after" | "created_before", text: string): number => {
  const time = text.replace(" ", "+");
  const milliseconds = TIME.test(time) ? Date.parse(time) : Number.NaN;
  return Number.isNaN(milliseconds)
    ? refuse(name, "must be a time such as 2026-11-22T09:30:00Z, or a UTC date such as 2026-11-22.")
    : milliseconds;
};

const refuse = (name: (typeof FILTERS)[number], what: string): never => {
  throw invalidValue(`/${name}`, `\`${name}\` ${what}`);
};
