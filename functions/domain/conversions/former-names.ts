import { RequestError } from "../errors.ts";

/**
 * British names of version 0.1, with the current ones. Requests may use those of options and choices until version
 * 0.3.0. Records that 0.1 stored have all of them, and are kept for up to 30 days.
 */
export const formerNames = {
  options: { colours: "colors" },
  choices: { colors: { colour: "color" } },
  warnings: { colours_converted: "colors_converted" },
  uploadErrors: { unrecognised_format: "unrecognized_format" },
} as const;

type Names = Readonly<Record<string, string>>;

/** @returns the current name; the same name if it is not a former one */
export const currentName = (names: Names, name: string): string =>
  Object.hasOwn(names, name) ? (names[name] ?? name) : name;

const choices: Readonly<Record<string, Names>> = formerNames.choices;

/**
 * @returns the options under their current names
 * @throws RequestError `invalid_options` when an option has its former and its current name
 */
export const currentOptions = (options: Readonly<Record<string, unknown>>): Record<string, unknown> => {
  const entries = Object.entries(options).map(([sent, value]): [string, unknown] => {
    const name = currentName(formerNames.options, sent);
    if (name !== sent && Object.hasOwn(options, name)) {
      throw sentTwice(sent, name);
    }
    const isChoice = typeof value === "string" && Object.hasOwn(choices, name);
    return [name, isChoice ? currentName(choices[name] ?? {}, value) : value];
  });
  return Object.fromEntries(entries);
};

const sentTwice = (former: string, name: string): RequestError => {
  const detail = `\`${former}\` is the former name of \`${name}\`. Send only \`${name}\`.`;
  return new RequestError("invalid_options", `Invalid options for this conversion. ${detail}`, {
    errors: [{ pointer: `/options/${former}`, code: "duplicate", detail }],
  });
};
