/** How values of settings are read from the environment. */

/** An invalid setting; the message says what to change. */
export class SettingsError extends Error {}

export type Environment = Readonly<Record<string, string | undefined>>;

/** A count with its default and its maximum. */
export interface CountRange {
  readonly usual: number;
  readonly max: number;
}

/** @throws SettingsError unless the value is in the range */
export const countOf = (environment: Environment, name: string, { usual, max }: CountRange): number => {
  const count = Number(environment[name] || usual);
  if (!Number.isInteger(count) || count < 1 || count > max) {
    throw new SettingsError(
      `${name} must be a number from 1 to ${max.toLocaleString("en-US")}, not ${environment[name]}.`,
    );
  }
  return count;
};

/** @throws SettingsError unless the value is `true` or `false` */
export const flagOf = (environment: Environment, name: string, usual: "true" | "false" = "false"): boolean => {
  const text = environment[name] || usual;
  if (text !== "true" && text !== "false") {
    throw new SettingsError(`${name} must be true or false, not ${text}.`);
  }
  return text === "true";
};

/** @returns the entries between commas */
export const listOf = (text: string): string[] =>
  text
    .split(",")
    .map((entry) => entry.trim())
    .filter(Boolean);
