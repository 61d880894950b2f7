import { parseArgs } from "node:util";
import { UsageError } from "./exit.ts";
import { type CommandName, rowOf } from "./table/table.ts";

/** A parsed command line. */
export interface Arguments {
  readonly words: readonly string[];
  flag(name: string): boolean;
  text(name: string): string | undefined;
  texts(name: string): readonly string[];
  /** Options that are not in the table, in order. The word after one may be its value. */
  readonly others: readonly OtherOption[];
}

/** `word` is the index in `words` of the word that directly follows the option. */
export interface OtherOption {
  readonly name: string;
  readonly value: string | undefined;
  readonly word: number | undefined;
}

/** @throws UsageError for a missing value, or a value for an option that does not take one */
export const argumentsOf = (command: CommandName, args: readonly string[]): Arguments => {
  const { options } = rowOf(command);
  const known = Object.fromEntries(
    Object.entries(options).map(([name, { type, short, multiple }]) => [
      name,
      { type, ...(short !== undefined && { short }), ...(multiple !== undefined && { multiple }) },
    ]),
  );
  const { tokens } = parseArgs({
    args: [...args],
    options: known,
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  const words: string[] = [];
  const others: OtherOption[] = [];
  const values = new Map<string, string[]>();
  for (const [at, token] of tokens.entries()) {
    if (token.kind === "positional") {
      words.push(token.value);
    }
    if (token.kind === "option" && !Object.hasOwn(options, token.name)) {
      const next = tokens[at + 1];
      const word = token.value === undefined && next?.kind === "positional" ? words.length : undefined;
      others.push({ name: token.name, value: token.value, word });
    }
    if (token.kind === "option" && Object.hasOwn(options, token.name)) {
      const value = optionValue(token, options[token.name]?.type === "string");
      values.set(token.name, [...(values.get(token.name) ?? []), value]);
    }
  }
  return {
    words,
    others,
    flag: (name) => values.has(name),
    text: (name) => values.get(name)?.at(-1),
    texts: (name) => values.get(name) ?? [],
  };
};

const optionValue = (
  { rawName, value }: { rawName: string; value?: string | undefined },
  takesValue: boolean,
): string => {
  if (takesValue && (value === undefined || value === "")) {
    throw new UsageError(`${rawName} requires a value.`);
  }
  if (!takesValue && value !== undefined) {
    throw new UsageError(`${rawName} does not take a value.`);
  }
  return value ?? "";
};

/** @throws UsageError for unknown options */
export const refuseOthers = ({ others }: Arguments): void => {
  const [first] = others;
  if (first !== undefined) {
    throw new UsageError(`Unknown option --${first.name}.`);
  }
};

/** @throws UsageError unless the text is an integer from 1 to the limit */
export const countOf = (
  name: string,
  text: string | undefined,
  { max, start }: { max: number; start: number },
): number => {
  const count = text === undefined ? start : Number(text);
  if (!Number.isInteger(count) || count < 1 || count > max) {
    throw new UsageError(`Invalid --${name} "${text}": must be an integer from 1 to ${max}.`);
  }
  return count;
};

/** @returns the value of an option that has a few values @throws UsageError for another value */
export const choiceOf = <Choice extends string>(
  name: string,
  text: string | undefined,
  choices: readonly Choice[],
): Choice | undefined => {
  const choice = choices.find((each) => each === text);
  if (text !== undefined && choice === undefined) {
    throw new UsageError(`Invalid --${name} "${text}": must be one of ${choices.join(", ")}.`);
  }
  return choice;
};

const INTERVAL_SECONDS_DEFAULT = 2;
const INTERVAL_SECONDS_MAX = 3_600;

/** @returns the value of `--interval` in milliseconds @throws UsageError */
export const intervalOf = (args: Arguments): number =>
  1_000 * countOf("interval", args.text("interval"), { max: INTERVAL_SECONDS_MAX, start: INTERVAL_SECONDS_DEFAULT });
