import type { FormatId } from "../../../formats/formats.ts";
import type { ConversionRow } from "../../conversion.ts";
import type { OptionRules } from "../../option-rules.ts";
import type { OptionName } from "../../options.ts";

/** Archives whose entries can be encrypted. */
const LOCKED: ReadonlySet<FormatId> = new Set(["zip", "cbz", "7z", "cb7", "rar", "cbr"]);

/** Default levels of formats that Node compresses. 7-Zip's depend on the size. */
export const LEVELS = { deflate: 6, zstandard: 3, brotli: 5 } as const;

const DEFLATED: OptionRules = { level: { default: LEVELS.deflate } };
const BROTLI: OptionRules = { level: { default: LEVELS.brotli } };
const ZSTANDARD: OptionRules = { level: { default: LEVELS.zstandard } };

/** The rules of targets with a fixed default level. */
export const LEVEL_RULES: Partial<Record<FormatId, OptionRules>> = {
  zip: DEFLATED,
  cbz: DEFLATED,
  tgz: DEFLATED,
  gz: DEFLATED,
  tzst: ZSTANDARD,
  zst: ZSTANDARD,
  tbr: BROTLI,
  br: BROTLI,
};

/** Targets that are not compressed, or with one level only. */
const UNLEVELED: ReadonlySet<FormatId> = new Set(["tar", "lz4", "tlz4"]);

/**
 * @param costMs milliseconds for an archive that unpacks to 10 MB
 * @returns the rows of these pairs: those that accept a password, and those that do not
 */
export const packed = (from: readonly FormatId[], to: FormatId, costMs: number): ConversionRow[] =>
  [true, false].map((locked) => {
    const options: OptionName[] = [
      ...(UNLEVELED.has(to) ? [] : ["level" as const]),
      ...(locked ? ["password" as const] : []),
    ];
    const sources = from.filter((source) => source !== to && LOCKED.has(source) === locked);
    const rules = LEVEL_RULES[to];
    return { from: sources, to, fidelity: "lossless", options, costMs, ...(rules && { rules }) };
  });
