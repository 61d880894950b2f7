import { isOptionName, optionFromText } from "../../domain/conversions/options.ts";
import { checkedBody } from "../middleware/read-json.ts";
import { invalidValue } from "../request.ts";
import { type ConversionSettings, conversionSettings } from "./conversion-request.ts";

/** Names and values of the fields of a form, or of the parameters of a URL. */
export type Fields = Iterable<readonly [string, string]>;

/** Fields whose text is the value. */
const TEXTS: ReadonlySet<string> = new Set(["target_format", "filename", "preset", "webhook_url", "webhook_body"]);

/** `options[quality]`, as PHP, Rails and many HTTP clients spell nested fields. */
const NESTED = /^options\[([^\]]{1,100})\]$/;

/**
 * Reads a conversion from form fields. Options are `options` (a JSON object), `options[quality]`, or `quality`; of an
 * option that is sent twice, the last value applies. `steps` is JSON. Values are converted to the types that the options have. Empty
 * values and unknown fields are ignored, because forms send all their inputs, and upload widgets their own.
 *
 * @throws RequestError `invalid_request`
 */
export const settingsOf = (fields: Fields): ConversionSettings => {
  const values = new Map<string, unknown>();
  const options = new Map<string, unknown>();
  for (const [name, text] of fields) {
    if (text.trim() === "") {
      continue;
    }
    const option = NESTED.exec(name)?.[1] ?? (isOptionName(name) ? name : undefined);
    if (name === "options") {
      addAll(options, objectIn(name, text));
    } else if (name === "metadata" || name === "export") {
      values.set(name, objectIn(name, text));
    } else if (name === "steps") {
      values.set(name, parsed(text) ?? text);
    } else if (TEXTS.has(name)) {
      values.set(name, text);
    } else if (option !== undefined) {
      options.set(option, optionFromText(option, text));
    }
  }
  const body = { ...Object.fromEntries(values), ...(options.size > 0 && { options: Object.fromEntries(options) }) };
  return checkedBody(body, conversionSettings);
};

const addAll = (to: Map<string, unknown>, values: object): void => {
  for (const [name, value] of Object.entries(values)) {
    to.set(name, value);
  }
};

const objectIn = (name: string, text: string): object => {
  const value = parsed(text);
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw invalidValue(`/${name}`, `\`${name}\` must be a JSON object.`);
  }
  return value;
};

/** @returns undefined for text that is not JSON */
const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
