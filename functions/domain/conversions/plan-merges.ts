import { type FormatId, formatOf } from "../formats/formats.ts";
import { LEVEL_RULES } from "./by-engine/archives/packed.ts";
import { textTableMerges } from "./by-engine/data/text-tables.ts";
import { ffmpegMerges } from "./by-engine/media/ffmpeg-video.ts";
import { sharpMerges } from "./by-engine/pictures/sharp.ts";
import type { Conversion, ConversionRow } from "./conversion.ts";
import type { EngineId } from "./engines.ts";
import { mergedRules, NO_RULES } from "./option-rules.ts";
import type { OptionName } from "./options.ts";

/** Archives that files of any format are packed into, and the options of each. */
const packs: ReadonlyMap<FormatId, readonly OptionName[]> = new Map([
  ["zip", ["level"]],
  ["tar", []],
  ["tgz", ["level"]],
  ["tzst", ["level"]],
]);
const PACKER: EngineId = "archive";
/** Of ten megabytes. */
const PACK_COST_MS = 300;

/** Merges that are no conversions of a single file. */
const mergeRows: readonly (readonly [EngineId, readonly ConversionRow[]])[] = [
  ["sharp", sharpMerges],
  ["text-tables", textTableMerges],
  ["ffmpeg", ffmpegMerges],
];

/** Merges of several files by one engine in one step. */
export interface MergeTable {
  /** @returns the step that merges files of these formats, in this order; undefined if there is none */
  find(formats: readonly FormatId[], to: FormatId, options?: readonly string[]): Conversion | undefined;
  /** @returns the options that lead to other merges into the target */
  optIns(to: FormatId): readonly OptionName[];
  /** @returns the targets that files of the format can be merged into */
  targets(from: FormatId): readonly FormatId[];
  /** @returns the formats that can be merged into the target, except for archives, which accept anything */
  sources(to: FormatId): readonly FormatId[];
}

/**
 * @param conversions the conversions of the deployment; only those that merge are used
 * @param has whether the deployment has the engine
 */
export const planMerges = (conversions: readonly Conversion[], has: (engine: EngineId) => boolean): MergeTable => {
  const rows = [
    ...conversions.filter(({ merges }) => merges === true),
    ...mergeRows.flatMap(([engine, own]) =>
      own.flatMap(({ from, ...row }) => from.map((source) => ({ ...row, from: source, engine }))),
    ),
  ].filter(({ engine }) => has(engine));
  const byTarget = Map.groupBy(rows, ({ to }) => to);
  return {
    find: (formats, to, options = []) => {
      const [first] = formats;
      if (first !== undefined && packs.has(to) && has(PACKER)) {
        return packing(first, to);
      }
      const usable = (byTarget.get(to) ?? []).filter(
        ({ optIn }) => optIn === undefined || optIn.some((name) => options.includes(name)),
      );
      return together(formats, usable);
    },
    optIns: (to) => [...new Set((byTarget.get(to) ?? []).flatMap(({ optIn = [] }) => optIn))],
    targets: (from) => [
      ...new Set(rows.filter((row) => row.from === from).map(({ to }) => to)),
      ...(has(PACKER) ? packs.keys() : []),
    ],
    sources: (to) => [...new Set((byTarget.get(to) ?? []).map(({ from }) => from))],
  };
};

const packing = (from: FormatId, to: FormatId): Conversion => ({
  from,
  to,
  engine: PACKER,
  fidelity: "lossless",
  options: packs.get(to) ?? [],
  rules: LEVEL_RULES[to] ?? NO_RULES,
  costMs: PACK_COST_MS,
  packs: true,
});

/** @returns the step of the engine that takes all of them; opt-in rows come first, then the order of the tables */
const together = (formats: readonly FormatId[], rows: readonly Conversion[]): Conversion | undefined => {
  const ordered = [...rows.filter(({ optIn }) => optIn), ...rows.filter(({ optIn }) => !optIn)];
  const wanted = [...new Set(formats)];
  for (const engine of new Set(ordered.map((row) => row.engine))) {
    const own = wanted.flatMap((from) => ordered.find((row) => row.engine === engine && row.from === from) ?? []);
    const [first] = own;
    if (first !== undefined && own.length === wanted.length) {
      // Each file uses the options that apply to it.
      const options = [...new Set(own.flatMap((row) => row.options))];
      const rules = own.map((row) => row.rules).reduce((all, next) => mergedRules(all, next)) ?? NO_RULES;
      const fidelity = own.find((row) => row.fidelity !== "lossless")?.fidelity ?? "lossless";
      return { ...first, options, rules, fidelity };
    }
  }
  return undefined;
};

/** @returns an error message that says why files of these formats cannot be merged, and what is supported */
export const whyNotMerged = (merges: MergeTable, formats: readonly FormatId[], to: FormatId): string => {
  const { name } = formatOf(to);
  const sources = merges.sources(to);
  const alone = formats.find((format) => !sources.includes(format));
  if (sources.length === 0) {
    const [first = to] = formats;
    return `Files cannot be merged into ${name}. ${first} files can be merged into: ${listed(merges.targets(first))}.`;
  }
  if (alone !== undefined) {
    return `${alone} files cannot be merged into ${name}, also not converted first. It takes: ${listed(sources)}.`;
  }
  const [first = to, other = to] = new Set(formats);
  return `${first} and ${other} files cannot be merged into one ${name}. ${first} files can be merged into: ${listed(merges.targets(first))}.`;
};

const listed = (formats: readonly FormatId[]): string => formats.join(", ") || "nothing";
