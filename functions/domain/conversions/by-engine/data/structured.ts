import type { FormatId } from "../../../formats/formats.ts";
import type { ConversionRow } from "../../conversion.ts";
import type { OptionName } from "../../options.ts";

/** Text formats, whose encoding can be specified. */
const TEXTS = ["json", "json5", "yaml", "toml", "xml", "plist", "ini", "properties"] as const satisfies FormatId[];
const BYTES = ["msgpack", "cbor", "bson"] as const satisfies FormatId[];

/** Targets with their options, and the cost for 10,000 objects of 200 bytes. */
const TARGETS = [
  { to: "json", options: ["indent"], costMs: 150 },
  { to: "json5", options: ["indent"], costMs: 220 },
  { to: "yaml", options: ["indent"], costMs: 150 },
  { to: "toml", options: [], costMs: 160 },
  { to: "xml", options: ["indent"], costMs: 290 },
  { to: "plist", options: ["indent"], costMs: 190 },
  { to: "msgpack", options: [], costMs: 95 },
  { to: "cbor", options: [], costMs: 95 },
  { to: "bson", options: [], costMs: 135 },
  { to: "ini", options: [], costMs: 120 },
  { to: "properties", options: [], costMs: 170 },
] as const satisfies readonly {
  readonly to: FormatId;
  readonly options: readonly OptionName[];
  readonly costMs: number;
}[];

/**
 * All formats convert directly into each other. Through JSON, dates and bytes would become text; this way they do so
 * only where the target does not support them.
 */
export const structuredConversions: readonly ConversionRow[] = TARGETS.flatMap(({ to, options, costMs }) => [
  {
    from: TEXTS.filter((format) => format !== to),
    to,
    fidelity: "lossless",
    options: ["encoding", ...options],
    costMs,
  },
  { from: BYTES.filter((format) => format !== to), to, fidelity: "lossless", options, costMs },
]);
