import type { Node } from "constructs";

/** Reads context values of the command line or cdk.json. Empty values count as not set. */

/** @returns the value as text */
export const textOf = (node: Node, name: string): string | undefined => {
  const value: unknown = node.tryGetContext(name);
  return value === undefined || value === "" ? undefined : String(value);
};

/** @throws unless the value is `true`, `false` or not set */
export const flagOf = (node: Node, name: string, otherwise: boolean): boolean => {
  const value = textOf(node, name) ?? String(otherwise);
  check(value === "true" || value === "false", name, value, "true or false");
  return value === "true";
};

/** Allowed integers. */
export interface Bounds {
  readonly min: number;
  readonly max: number;
}

/** @throws unless the value is an integer within the bounds, or not set */
export const numberOf = (node: Node, name: string, bounds: Bounds): number | undefined => {
  const value = textOf(node, name);
  check(value === undefined || isWithin(value, bounds), name, value, `an integer from ${bounds.min} to ${bounds.max}`);
  return value === undefined ? undefined : Number(value);
};

/** @returns whether the text is an integer in digits, within the bounds */
export const isWithin = (text: string, { min, max }: Bounds): boolean =>
  /^\d{1,10}$/.test(text) && Number(text) >= min && Number(text) <= max;

/** @throws for an invalid value, with the value and what is allowed */
export const check = (holds: boolean, name: string, value: string | undefined, right: string): void => {
  if (!holds) {
    throw new Error(`Invalid context value ${name}="${value}": must be ${right}.`);
  }
};

const SECRET_NAME = /^[\w/+=.@-]{1,512}$/;

/** @returns the name of a secret @throws for another value */
export const secretOf = (node: Node, setting: string): string | undefined => {
  const name = textOf(node, setting);
  check(name === undefined || SECRET_NAME.test(name), setting, name, "the name of a Secrets Manager secret");
  return name;
};
