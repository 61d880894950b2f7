/** Response bodies in the request log: without secrets, and bounded. */

/** Bytes of a body in the log, as JSON. */
export const LOGGED_BODY_BYTES_MAX = 4_096;

/** Bounds of the work for one body: nested values, items per array or object, characters per text. */
const [VALUES_MAX, DEPTH_MAX, ITEMS_MAX, TEXT_MAX] = [400, 8, 20, 400];

export const REDACTED = "[redacted]";

/** Names of fields whose text is secret. */
const SECRET_NAME =
  /secret|password|passphrase|token|credential|authorization|cookie|challenge|signature|^key$|api_?key|^code_?verifier$/i;

/** API keys, download tokens and webhook secrets, wherever they appear in a text. */
const SECRET_TEXT = /\b(?:af_(?:live|test)|dl|whsec)_[0-9A-Za-z+/=_-]{8,}/g;

/** The query of a URL, and the user before its host: signatures and passwords. Only in texts that contain one. */
const [QUERY, USER] = [/\?[^\s"'<>]*/g, /:\/\/[^\s/@]+@/g];
const HIDDEN = /[?@]/;

const isUrl = (text: string): boolean => text.includes("://") || text.startsWith("/");

/** @returns the text without API keys, tokens, and parts of URLs that can contain signatures or passwords */
export const withoutSecrets = (text: string): string => {
  // All secrets contain this character, and most texts do not.
  const shown = text.includes("_") ? text.replace(SECRET_TEXT, REDACTED) : text;
  return isUrl(shown) && HIDDEN.test(shown)
    ? shown.replace(QUERY, `?${REDACTED}`).replace(USER, `://${REDACTED}@`)
    : shown;
};

/** A logged body: JSON, or the start of JSON. */
export interface LoggedBody {
  readonly text: string;
  /** Whether a part is missing: array items, fields, or the end of a text. */
  readonly truncated: boolean;
}

/** @param body the value that the response contains as JSON @returns what the log keeps of it */
export const loggedBody = (body: unknown): LoggedBody => {
  const budget = { values: VALUES_MAX, truncated: false };
  const text = JSON.stringify(shown(body, budget, 0)) ?? "null";
  return shortened({ text, truncated: budget.truncated }, LOGGED_BODY_BYTES_MAX);
};

/** Bytes of a UTF-16 unit in UTF-8. */
const UTF8_BYTES_MAX = 3;

/** @returns the body with a text of at most this many bytes */
export const shortened = (body: LoggedBody, bytesMax: number): LoggedBody => {
  if (body.text.length * UTF8_BYTES_MAX <= bytesMax) {
    return body;
  }
  const bytes = Buffer.from(body.text);
  // A multi-byte character at the end is left out.
  return bytes.length <= bytesMax
    ? body
    : { text: new TextDecoder().decode(bytes.subarray(0, bytesMax), { stream: true }), truncated: true };
};

interface Budget {
  values: number;
  truncated: boolean;
}

const shown = (value: unknown, budget: Budget, depth: number): unknown => {
  budget.values -= 1;
  if (budget.values < 0 || depth > DEPTH_MAX) {
    budget.truncated = true;
    return null;
  }
  if (typeof value === "string") {
    return shownText(value, budget);
  }
  if (typeof value !== "object" || value === null) {
    return value;
  }
  return Array.isArray(value)
    ? firstOf(value, budget).map((item) => shown(item, budget, depth + 1))
    : Object.fromEntries(
        firstOf(Object.entries(value), budget).map(([name, item]) => [name, shownField(name, item, budget, depth)]),
      );
};

/** Names that were checked: the fields of responses are always the same, except for those that clients choose. */
const checked = new Map<string, boolean>();
const [CHECKED_MAX, CHECKED_NAME_MAX] = [1_000, 50];

const isSecret = (name: string): boolean => {
  const known = checked.get(name) ?? SECRET_NAME.test(name);
  if (checked.size < CHECKED_MAX && name.length <= CHECKED_NAME_MAX) {
    checked.set(name, known);
  }
  return known;
};

const shownField = (name: string, value: unknown, budget: Budget, depth: number): unknown =>
  isSecret(name) && value !== null && typeof value !== "boolean" ? REDACTED : shown(value, budget, depth + 1);

const shownText = (text: string, budget: Budget): string => {
  budget.truncated ||= text.length > TEXT_MAX;
  // Redacted before it is cut, so that no secret is cut to a text that does not look like one.
  const clean = withoutSecrets(text.slice(0, TEXT_MAX * 2));
  return clean.length > TEXT_MAX ? `${clean.slice(0, TEXT_MAX)}…` : clean;
};

const firstOf = <T>(items: readonly T[], budget: Budget): readonly T[] => {
  budget.truncated ||= items.length > ITEMS_MAX;
  return items.slice(0, ITEMS_MAX);
};
