import { invalidValue } from "../request.ts";

/** Values of query parameters that several lists have. They throw RequestError `invalid_request`. */

/** @param what what the parameter must be, in words */
export const refuseParameter = (name: string, what: string): never => {
  throw invalidValue(`/${name}`, `\`${name}\` ${what}`);
};

/** @returns the ID, which must start with the prefix */
export const idIn = (name: string, prefix: "job" | "key", text: string): string =>
  new RegExp(`^${prefix}_[0-9A-Za-z]{1,40}$`).test(text)
    ? text
    : refuseParameter(name, `must be the ID of ${prefix === "job" ? "a job" : "an API key"}: \`${prefix}_…\`.`);

export const keyNamed = (text: string): string => idIn("key_id", "key", text);

/** RFC 3339, or a date alone. Without percent-encoding, the plus sign of an offset arrives as a space. */
const TIME = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2}))?$/i;

/** @returns milliseconds since 1970 */
export const timeOf = (name: "created_after" | "created_before", text: string): number => {
  const time = text.replace(" ", "+");
  const milliseconds = TIME.test(time) ? Date.parse(time) : Number.NaN;
  return Number.isNaN(milliseconds)
    ? refuseParameter(name, "must be a time such as 2026-11-22T09:30:00Z, or a UTC date such as 2026-11-22.")
    : milliseconds;
};
