import type { Node } from "constructs";

/** What the context of the command line or of cdk.json gives, value by value; empty ones count as not given. */

/** @returns the value of this name, as text */
export const textOf = (node: Node, name: string): string | undefined => {
  const value: unknown = node.tryGetContext(name);
  return value === undefined || value === "" ? undefined : String(value);
};

/** @throws unless the value is `true`, `false` or not given */
export const flagOf = (node: Node, name: string, otherwise: boolean): boolean => {
  const value = textOf(node, name) ?? String(otherwise);
  check(value === "true" || value === "false", name, value, "true or false");
  return value === "true";
};

/** Whole numbers that make sense. */
export interface Bounds {
  readonly min: number;
  readonly max: number;
}

/** @throws unless the value is a whole number within the bounds, or not given */
export const numberOf = (node: Node, name: string, bounds: Bounds): number | undefined => {
  const value = textOf(node, name);
  check(
    value === undefined || isWithin(value, bounds),
    name,
    value,
    `a whole number from ${bounds.min} to ${bounds.max}`,
  );
  return value === undefined ? undefined : Number(value);
};

/** @returns whether the text is a whole number in digits, within the bounds */
export const isWithin = (text: string, { min, max }: Bounds): boolean =>
  /^\d{1,9}$/.test(text) && Number(text) >= min && Number(text) <= max;

/** @throws when the value does not hold: with it, and what would be right */
export const check = (holds: boolean, name: string, value: string | undefined, right: string): void => {
  if (!holds) {
    throw new Error(`The context ${name} is "${value}"; it must be ${right}.`);
  }
};
