import { parseArgs } from "node:util";
import { UsageError } from "./exit.ts";
import { type CommandName, rowOf } from "./table.ts";

/** A command line, taken apart. */
export interface Arguments {
  readonly words: readonly string[];
  flag(name: string): boolean;
  text(name: string): string | undefined;
  texts(name: string): readonly string[];
  /** Options that the table does not have, in their order; what follows one may be its value. */
  readonly others: readonly OtherOption[];
}

/** `word` is the place of the word that follows it at once, among the words. */
export interface OtherOption {
  readonly name: string;
  readonly value: string | undefined;
  readonly word: number | undefined;
}

/** @throws UsageError for an option that lacks its value, or has one that it does not take */
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
    throw new UsageError(`${rawName} needs a value.`);
  }
  if (!takesValue && value !== undefined) {
    throw new UsageError(`${rawName} takes no value.`);
  }
  return value ?? "";
};

/** @throws UsageError for options that nobody knows */
export const refuseOthers = ({ others }: Arguments): void => {
  const [first] = others;
  if (first !== undefined) {
    throw new UsageError(`There is no option --${first.name} here.`);
  }
};

/** @throws UsageError when the text is no whole number from 1 to the limit */
export const countOf = (
  name: string,
  text: string | undefined,
  { max, start }: { max: number; start: number },
): number => {
  const count = text === undefined ? start : Number(text);
  if (!Number.isInteger(count) || count < 1 || count > max) {
    throw new UsageError(`--${name} is a number from 1 to ${max}, not ${text}.`);
  }
  return count;
};
