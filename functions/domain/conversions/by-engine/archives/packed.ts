import type { FormatId } from "../../../formats/formats.ts";
import type { ConversionRow } from "../../conversion.ts";
import type { OptionName } from "../../options.ts";

/** Archives whose entries can be encrypted. */
const LOCKED: ReadonlySet<FormatId> = new Set(["zip", "cbz", "7z", "cb7", "rar", "cbr"]);

/**
 * @param costMs milliseconds for an archive that unpacks to 10 MB
 * @returns the rows of these pairs: those that accept a password, and those that do not
 */
export const packed = (from: readonly FormatId[], to: FormatId, costMs: number): ConversionRow[] =>
  [true, false].map((locked) => {
    const options: OptionName[] = [
      ...(to === "tar" ? [] : ["level" as const]),
      ...(locked ? ["password" as const] : []),
    ];
    const sources = from.filter((source) => source !== to && LOCKED.has(source) === locked);
    return { from: sources, to, fidelity: "lossless", options, costMs };
  });
