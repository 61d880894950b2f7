import type { FieldError } from "../errors.ts";
import type { Warning } from "../warning.ts";
import { secondsOf } from "./media-times.ts";
import type { RangesByChoice, Refusal, SupportedOptions } from "./option-rules.ts";
import type { OptionName, Options } from "./options.ts";

/** @returns the options that are valid alone but not together; each error names what is allowed */
export const conflictsOf = ({ rules = {} }: SupportedOptions, options: Options): FieldError[] =>
  namesIn(options).flatMap((name) => {
    const { by, refused = REFUSED[name] } = rules[name] ?? {};
    const detail = by && outOfRange(name, by, options) ? rangeDetail(name, by, options) : refused?.(options);
    return detail === undefined ? [] : [{ pointer: `/options/${name}`, code: "custom", detail }];
  });

const namesIn = (options: Options): OptionName[] =>
  (Object.keys(options) as OptionName[]).filter((name) => options[name] !== undefined);

const choiceOf = ({ option, otherwise }: RangesByChoice, options: Options): string => options[option] ?? otherwise;

const outOfRange = (name: OptionName, by: RangesByChoice, options: Options): boolean => {
  const [value, range] = [options[name], by.ranges[choiceOf(by, options)]];
  return typeof value === "number" && range !== undefined && (value < range.min || value > range.max);
};

const rangeDetail = (name: OptionName, by: RangesByChoice, options: Options): string => {
  const codec = choiceOf(by, options);
  return `\`${name}\` must be an integer from ${by.ranges[codec]?.min} to ${by.ranges[codec]?.max} for the codec \`${codec}\`.`;
};

/** When an option is refused, whichever engine applies it: a sentence, or undefined if it is not. */
const REFUSED: { readonly [Name in OptionName]?: Refusal } = {
  trim_end: ({ trim_start, trim_end }) => {
    const [start = 0, end = Number.POSITIVE_INFINITY] = [secondsOf(trim_start), secondsOf(trim_end)];
    return end > start ? undefined : `\`trim_end\` (${end} s) must be after \`trim_start\` (${start} s).`;
  },
  target_size: ({ lossless }) =>
    lossless === true ? "`target_size` cannot be set together with `lossless`, which has only one size." : undefined,
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

const replacedBySizes: Refusal = ({ sizes }) => (sizes === undefined ? undefined : "`sizes` is set");

const withoutWatermark: Refusal = ({ watermark_text, watermark_upload_id }) =>
  watermark_text === undefined && watermark_upload_id === undefined
    ? "neither `watermark_text` nor `watermark_upload_id` is set"
    : undefined;

/** When an option has no effect, whichever engine applies it; undefined if it has. */
const UNUSED: { readonly [Name in OptionName]?: Refusal } = {
  quality: ({ lossless }) => (lossless === true ? "`lossless` is true" : undefined),
  at: ({ frames }) => (frames === undefined ? undefined : "`frames` is set"),
  crf: ({ video_bitrate }) => (video_bitrate === undefined ? undefined : "`video_bitrate` is set"),
  fit: ({ width, height, sizes = "" }) =>
    (width === undefined || height === undefined) && !sizes.includes("x")
      ? "`width` and `height` are not both set"
      : undefined,
  width: replacedBySizes,
  height: replacedBySizes,
  rotate_pages: ({ rotate }) => (rotate === undefined ? "`rotate` is not set" : undefined),
  compress: ({ target_size }) => (target_size === undefined ? undefined : "`target_size` is set"),
  watermark_position: withoutWatermark,
  watermark_opacity: withoutWatermark,
  watermark_size: withoutWatermark,
  watermark_rotation: withoutWatermark,
  watermark_color: ({ watermark_text }) => (watermark_text === undefined ? "`watermark_text` is not set" : undefined),
  watermark_text: ({ watermark_upload_id }) =>
    watermark_upload_id === undefined ? undefined : "`watermark_upload_id` is set",
  ocr_language: ({ ocr }) => (ocr === "off" ? "`ocr` is `off`" : undefined),
};
