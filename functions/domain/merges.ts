import type { Conversion, ConversionRow } from "./conversion.ts";
import type { EngineId } from "./engines.ts";
import { type FormatId, formatOf } from "./formats.ts";
import type { OptionName } from "./options.ts";

/**
 * What several files become together, where that is not what one of them becomes alone: a picture is a frame or a page
 * then. Pictures and documents that become PDF stand in the tables of conversions, since one of them does, too.
 */

const PICTURES = ["jpg", "png", "apng", "webp", "gif", "tiff", "avif", "svg"] as const satisfies readonly FormatId[];
const FRAMES = ["width", "height", "fit", "background", "delay"] as const satisfies readonly OptionName[];

/** Costs are those of ten pictures of one megapixel. */
const pictureMerges: readonly ConversionRow[] = [
  { from: PICTURES, to: "gif", engine: "sharp", fidelity: "lossy", options: FRAMES, costMs: 4_000 },
  {
    from: PICTURES,
    to: "webp",
    engine: "sharp",
    fidelity: "lossy",
    options: [...FRAMES, "quality", "lossless"],
    costMs: 1_000,
  },
  { from: PICTURES, to: "apng", engine: "sharp", fidelity: "lossless", options: FRAMES, costMs: 600 },
  {
    from: PICTURES,
    to: "tiff",
    engine: "sharp",
    fidelity: "lossless",
    options: ["width", "height", "fit", "background", "strip_metadata"],
    costMs: 450,
  },
];

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

/** What several files become by one engine, in one step. */
export interface MergeTable {
  /** @returns the step that makes one file of these formats, in this order; undefined where there is none */
  find(formats: readonly FormatId[], to: FormatId, asked?: readonly string[]): Conversion | undefined;
  /** @returns what a file of the format can become with others */
  targets(from: FormatId): readonly FormatId[];
  /** @returns what several files become the format of, but for archives, which take anything */
  sources(to: FormatId): readonly FormatId[];
}

/**
 * @param conversions those that the deployment can do; of them, the ones that merge count
 * @param has whether the deployment has the engine
 */
export const planMerges = (conversions: readonly Conversion[], has: (engine: EngineId) => boolean): MergeTable => {
  const rows = [
    ...conversions.filter(({ merges }) => merges === true),
    ...pictureMerges.flatMap(({ from, ...row }) => from.map((source) => ({ ...row, from: source }))),
  ].filter(({ engine }) => has(engine));
  const byTarget = Map.groupBy(rows, ({ to }) => to);
  return {
    find: (formats, to, asked = []) => {
      const [first] = formats;
      if (first !== undefined && packs.has(to) && has(PACKER)) {
        return packing(first, to);
      }
      const usable = (byTarget.get(to) ?? []).filter((row) => row.asked === undefined || asked.includes(row.asked));
      return together(formats, usable);
    },
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
  costMs: PACK_COST_MS,
  packs: true,
});

/** @returns the step of the engine that takes all of them; one that was asked for comes first, then the tables' order */
const together = (formats: readonly FormatId[], rows: readonly Conversion[]): Conversion | undefined => {
  const ordered = [...rows.filter(({ asked }) => asked), ...rows.filter(({ asked }) => !asked)];
  const wanted = [...new Set(formats)];
  for (const engine of new Set(ordered.map((row) => row.engine))) {
    const own = wanted.flatMap((from) => ordered.find((row) => row.engine === engine && row.from === from) ?? []);
    const [first] = own;
    if (first !== undefined && own.length === wanted.length) {
      // Each file takes those of the options that it can do something with.
      const options = [...new Set(own.flatMap((row) => row.options))];
      const fidelity = own.find((row) => row.fidelity !== "lossless")?.fidelity ?? "lossless";
      return { ...first, options, fidelity };
    }
  }
  return undefined;
};

/** @returns why files of these formats do not become one, in words, and what would be right */
export const whyNotMerged = (merges: MergeTable, formats: readonly FormatId[], to: FormatId): string => {
  const { name } = formatOf(to);
  const sources = merges.sources(to);
  const alone = formats.find((format) => !sources.includes(format));
  if (sources.length === 0) {
    const [first = to] = formats;
    return `Several files do not become one ${name}. With a ${first} among them they become: ${listed(merges.targets(first))}.`;
  }
  if (alone !== undefined) {
    return `A ${alone} cannot be one of several files that become one ${name}: convert it first. Those that can: ${listed(sources)}.`;
  }
  const [first = to, other = to] = new Set(formats);
  return `A ${first} and a ${other} do not become one ${name}. A ${first} and others become: ${listed(merges.targets(first))}.`;
};

const listed = (formats: readonly FormatId[]): string => formats.join(", ") || "nothing";
