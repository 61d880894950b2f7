import type { FormatId } from "../formats/formats.ts";
import type { OptionName, Options } from "./options.ts";

/**
 * What a conversion narrows of the options that it supports, and their defaults. The schema of an option says what some
 * conversion supports; engines read the same values, so that the list of formats is true.
 */
export type OptionRules = { readonly [Name in OptionName]?: OptionRule };

export interface OptionRule {
  /** The allowed choices. @default all of the option's */
  readonly only?: readonly string[];
  readonly min?: number;
  readonly max?: number;
  /** The formats of the upload that is the value. @default all of the option's */
  readonly formats?: readonly FormatId[];
  /** The value without the option. Not set if it depends on the source. */
  readonly default?: boolean | number | string;
  /** Narrower ranges that depend on the choice of another option. */
  readonly by?: RangesByChoice;
  /** Why the option is refused together with the others, as a sentence; undefined if it is not. */
  readonly refused?: Refusal;
  /** Why the option has no effect together with the others; undefined if it has. Ends a sentence. */
  readonly unused?: Refusal;
}

export type Refusal = (options: Options) => string | undefined;

export interface Range {
  readonly min: number;
  readonly max: number;
}

export interface RangesByChoice {
  readonly option: "audio_codec" | "video_codec";
  /** The choice without the option. */
  readonly otherwise: string;
  /** The range of each choice; without one, the option has no effect. */
  readonly ranges: Readonly<Record<string, Range>>;
}

/** The options of a conversion. */
export interface SupportedOptions {
  readonly options: readonly OptionName[];
  /** @default the schema of each option */
  readonly rules?: OptionRules;
}

/** @returns the rules of both sets; of two rules for an option, the first applies. Equal arguments have one result. */
export const mergedRules = (first: OptionRules = NO_RULES, second: OptionRules = NO_RULES): OptionRules => {
  if (first === second || second === NO_RULES) {
    return first;
  }
  const known = merged.get(first)?.get(second) ?? { ...second, ...first };
  merged.set(first, (merged.get(first) ?? new WeakMap()).set(second, known));
  return known;
};

export const NO_RULES: OptionRules = {};
const merged = new WeakMap<OptionRules, WeakMap<OptionRules, OptionRules>>();

/** @returns the smallest range that contains all others */
export const widest = (ranges: readonly Range[]): Range => ({
  min: Math.min(...ranges.map(({ min }) => min)),
  max: Math.max(...ranges.map(({ max }) => max)),
});
