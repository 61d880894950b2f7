import type { OptionRules } from "./option-rules.ts";
import { type OptionName, readingOptions, writingOptions } from "./options.ts";
import type { Path } from "./plan-paths.ts";

/** The options of a path, and those that each of its steps applies. */
export interface Binding {
  readonly options: readonly OptionName[];
  readonly rules: OptionRules;
  readonly ofSteps: readonly (readonly OptionName[])[];
}

/**
 * Thousands of paths have about a hundred different bindings, so each is computed once, by the options of the
 * conversions.
 */
const bindings = new Map<string, Binding>();
const keys = new WeakMap<readonly OptionName[], string>();
const numbers = new WeakMap<OptionRules, number>();
let count = 0;

/** @returns a number that no other rules have */
const numberOf = (rules: OptionRules): number => {
  const known = numbers.get(rules);
  if (known !== undefined) {
    return known;
  }
  count += 1;
  numbers.set(rules, count);
  return count;
};

/** @returns which step of the path applies which option */
export const bindingOf = (path: Path): Binding => {
  let key = "";
  for (const { options, rules } of path) {
    const own = keys.get(options) ?? options.join();
    keys.set(options, own);
    key += `${own};`;
    if (rules !== undefined) {
      key += `${numberOf(rules)};`;
    }
  }
  const binding = bindings.get(key) ?? bind(path);
  bindings.set(key, binding);
  return binding;
};

const bind = (path: Path): Binding => {
  const names = [...new Set(path.flatMap(({ options }) => options))];
  const options = names.filter((name) => ownerOf(name, path) !== -1);
  const rules = options.flatMap((name) => {
    const rule = path[ownerOf(name, path)]?.rules?.[name];
    return rule === undefined ? [] : [[name, rule] as const];
  });
  return {
    options,
    rules: Object.fromEntries(rules),
    ofSteps: path.map((step, index) => step.options.filter((name) => ownerOf(name, path) === index)),
  };
};

/**
 * @returns the index of the step that applies an option: a reading option belongs to the first step, a writing option
 * to the last step, or to none (-1) if that step does not support it, and any other option to the last step that
 * supports it
 */
const ownerOf = (name: OptionName, path: Path): number => {
  if (readingOptions.has(name) && path[0].options.includes(name)) {
    return 0;
  }
  if (writingOptions.has(name) && path.at(-1)?.options.includes(name)) {
    return path.length - 1;
  }
  const bound = readingOptions.has(name) || writingOptions.has(name);
  return bound ? -1 : path.findLastIndex(({ options }) => options.includes(name));
};
