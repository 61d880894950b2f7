import type { FormatId } from "../../../formats/formats.ts";
import type { ConversionRow } from "../../conversion.ts";
import type { OptionName } from "../../options.ts";

/** Texts, whose encoding may be named. */
const TEXTS = ["json", "json5", "yaml", "toml", "xml", "plist", "ini", "properties"] as const satisfies FormatId[];
const BYTES = ["msgpack", "cbor", "bson"] as const satisfies FormatId[];

/** What is written, the options of its writing, and what it costs on 10,000 objects of 200 bytes. */
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
 * Each format of a tree becomes each other one directly. On the way through JSON, dates would become text, bytes too,
 * and so they do only where the target has none.
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
