import type { FieldError } from "../errors.ts";
import type { Warning } from "../warning.ts";
import { secondsOf } from "./media-times.ts";
import type { RangesByChoice, SupportedOptions } from "./option-rules.ts";
import type { OptionName, Options } from "./options.ts";

/** @returns the options that are valid alone but not together; each error names what is allowed */
export const conflictsOf = ({ rules = {} }: SupportedOptions, options: Options): FieldError[] => [
  ...namesIn(options).flatMap((name) => rangeError(name, rules[name]?.by, options)),
  ...trimError(options),
];

const namesIn = (options: Options): OptionName[] =>
  (Object.keys(options) as OptionName[]).filter((name) => options[name] !== undefined);

const choiceOf = ({ option, otherwise }: RangesByChoice, options: Options): string => options[option] ?? otherwise;

const rangeError = (name: OptionName, by: RangesByChoice | undefined, options: Options): FieldError[] => {
  const value = options[name];
  const range = by?.ranges[choiceOf(by, options)];
  if (by === undefined || range === undefined || typeof value !== "number") {
    return [];
  }
  const { min, max } = range;
  const detail = `\`${name}\` must be an integer from ${min} to ${max} for the codec \`${choiceOf(by, options)}\`.`;
  return value < min || value > max
    ? [{ pointer: `/options/${name}`, code: value < min ? "too_small" : "too_big", detail }]
    : [];
};

const trimError = ({ trim_start, trim_end }: Options): FieldError[] => {
  const [start = 0, end = Number.POSITIVE_INFINITY] = [secondsOf(trim_start), secondsOf(trim_end)];
  const detail = `\`trim_end\` (${end} s) must be after \`trim_start\` (${start} s).`;
  return end > start ? [] : [{ pointer: "/options/trim_end", code: "invalid", detail }];
};

/** @returns a warning for each option that has no effect together with the others */
export const unusedOptions = ({ rules = {} }: SupportedOptions, options: Options): Warning[] =>
  namesIn(options).flatMap((name) => {
    const { by, unused = UNUSED[name] } = rules[name] ?? {};
    const isUnlimited = by !== undefined && by.ranges[choiceOf(by, options)] === undefined;
    const reason = isUnlimited ? `the codec \`${choiceOf(by, options)}\` does not support it` : unused?.(options);
    return reason === undefined ? [] : [optionWithoutEffect(name, `because ${reason}`)];
  });

export const optionWithoutEffect = (name: OptionName, reason: string): Warning => ({
  code: "option_without_effect",
  detail: `\`${name}\` has no effect ${reason}.`,
});

/** When an option has no effect, whichever engine applies it; undefined if it has. */
const UNUSED: { readonly [Name in OptionName]?: (options: Options) => string | undefined } = {
  quality: ({ lossless }) => (lossless === true ? "`lossless` is true" : undefined),
  crf: ({ video_bitrate }) => (video_bitrate === undefined ? undefined : "`video_bitrate` is set"),
  fit: ({ width, height }) =>
    width === undefined || height === undefined ? "`width` and `height` are not both set" : undefined,
  ocr_language: ({ ocr }) => (ocr === false ? "`ocr` is false" : undefined),
};
