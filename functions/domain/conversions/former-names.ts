import { RequestError } from "../errors.ts";

/**
 * Names of version 0.1, with the current ones: British spelling, and `ocr` and `strip_metadata`, which were booleans. Requests may use those of
 * options and choices until version 0.3.0. Records that 0.1 stored have all of them, and are kept for up to 30 days.
 */
export const formerNames = {
  options: { colours: "colors" },
  choices: {
    colors: { colour: "color" },
    ocr: { true: "auto", false: "off" },
    strip_metadata: { true: "all", false: "none" },
  },
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
    return [name, currentChoice(name, value)];
  });
  return Object.fromEntries(entries);
};

/** @returns the current name of an option's choice; the same value if it is not a former one */
export const currentChoice = (name: string, value: unknown): unknown => {
  const isChoice = (typeof value === "string" || typeof value === "boolean") && Object.hasOwn(choices, name);
  const current = isChoice ? currentName(choices[name] ?? {}, String(value)) : String(value);
  return current === String(value) ? value : current;
};

const sentTwice = (former: string, name: string): RequestError => {
  const detail = `\`${former}\` is the former name of \`${name}\`. Send only \`${name}\`.`;
  return new RequestError("invalid_options", `Invalid options for this conversion. ${detail}`, {
    errors: [{ pointer: `/options/${former}`, code: "duplicate", detail }],
  });
};
