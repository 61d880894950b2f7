import { batch, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { Schemas } from "../../../api.ts";

/** Target formats, and how to search them: by family, name and extension. */

export type Format = Schemas["Format"];
export type Conversion = Schemas["Conversion"];

/** A target format and its conversion. */
export interface Target {
  readonly format: Format;
  /** Undefined until it is loaded. */
  readonly conversion: Signal<Conversion | undefined>;
  /** Loads the conversion, unless it is loaded. */
  load(): Promise<void>;
}

/** A readable format with all its targets. */
export interface SourceFormat {
  readonly format: Format;
  readonly targets: readonly Target[];
  /** The targets that people usually want, the likeliest first; none for formats without such a habit. */
  readonly usual: readonly Target[];
  /** Whether the conversions of all targets are loaded. */
  readonly isLoaded: ReadonlySignal<boolean>;
  /** Loads the conversions of all targets, unless they are loaded. */
  load(): Promise<void>;
}

/** Reads conversions from the service. */
export interface ConversionReader {
  one(source: string, target: string): Promise<Conversion>;
  all(source: string): Promise<readonly Conversion[]>;
}

export interface TargetGroup {
  /** A family, or `usual` for the targets that people usually want. */
  readonly family: string;
  readonly targets: readonly Target[];
}

/** Media types without information; browsers use the second one for unknown files. */
const UNSPECIFIC = new Set(["", "application/octet-stream"]);

/** Maximum parts of an extension: `a.tar.gz` has a different format than `a.gz`. */
const EXTENSION_PARTS_MAX = 2;

/**
 * @param name of a file, or the last segment of a URL
 * @returns aliases that the service may know, most specific first
 */
export const aliasesOf = (name: string, mediaType = ""): readonly string[] => {
  const parts = name.toLowerCase().split(".").slice(1);
  const endings = Array.from({ length: Math.min(EXTENSION_PARTS_MAX, parts.length) }, (_, index) =>
    parts.slice(-(index + 1)).join("."),
  ).reverse();
  return [...endings, mediaType].filter((alias) => !UNSPECIFIC.has(alias));
};

/** @returns the only source in the response of `GET /api/v1/formats?source=…`, with its targets */
export const sourceFormatOf = (
  { formats }: Schemas["FormatList"],
  conversions: ConversionReader,
): SourceFormat | undefined => {
  const source = formats.find(({ targets }) => targets.length > 0);
  if (source === undefined) {
    return undefined;
  }
  const byId = new Map(formats.map((format) => [format.id, format]));
  const targets = source.targets.flatMap((id) => {
    const format = byId.get(id);
    return format === undefined ? [] : [targetOf(format, () => conversions.one(source.id, id))];
  });
  const isLoaded = signal(false);
  const load = async (): Promise<void> => {
    const all = new Map((await conversions.all(source.id)).map((each) => [each.target, each]));
    batch(() => {
      for (const { format, conversion } of targets) {
        conversion.value = all.get(format.id) ?? conversion.value;
      }
      isLoaded.value = true;
    });
  };
  const usual = (source.usual_targets ?? []).flatMap((id) => targets.find(({ format }) => format.id === id) ?? []);
  return { format: source, targets, usual, isLoaded, load: once(load) };
};

/**
 * @param wanted the target that the user came for
 * @returns the target to select for a new file; undefined if none is likely
 */
export const likeliestTarget = ({ targets, usual }: SourceFormat, wanted: string | undefined): string | undefined =>
  (targets.find(({ format }) => format.id === wanted) ?? usual[0])?.format.id;

/** @returns the target of a merge, whose details depend on the formats of all files */
export const mergeTargetOf = (
  { format }: Target,
  sources: readonly SourceFormat[],
  read: (source: string, target: string, mergeWith: readonly string[]) => Promise<Conversion>,
): Target => {
  const [first = "", ...others] = sources.map((source) => source.format.id);
  return targetOf(format, () => read(first, format.id, others.length === 0 ? [first] : others));
};

const targetOf = (format: Format, read: () => Promise<Conversion>): Target => {
  const conversion = signal<Conversion | undefined>(undefined);
  const load = once(async () => {
    conversion.value ??= await read();
  });
  return { format, conversion, load };
};

/** @returns a function that does the work once, and again if it failed */
const once = (work: () => Promise<void>): (() => Promise<void>) => {
  let working: Promise<void> | undefined;
  return () => {
    working ??= work().catch((error: unknown) => {
      working = undefined;
      throw error;
    });
    return working;
  };
};

/** The group of the usual targets. */
const USUAL = "usual";

/** Families by popularity; the source's own family comes before all others. */
const FAMILIES = [
  "image",
  "document",
  "spreadsheet",
  "presentation",
  "ebook",
  "audio",
  "video",
  "vector",
  "data",
  "archive",
];

/**
 * @param query part of a name, an extension or a family; all words must match
 * @param familyName the displayed name of a family
 * @param usual targets that come first, in this order, while nothing is searched
 * @returns the targets by family, with the source's own family first
 */
export const groupTargets = (
  targets: readonly Target[],
  {
    query,
    family,
    familyName,
    usual = [],
  }: { query: string; family: string; familyName: (family: string) => string; usual?: readonly Target[] },
): readonly TargetGroup[] => {
  const words = query.toLowerCase().replace(/^\./, "").split(/\s+/).filter(Boolean);
  const fits = ({ format }: Target): boolean => {
    const searchText = [format.id, format.name, ...format.extensions, familyName(format.family)]
      .join(" ")
      .toLowerCase();
    return words.every((word) => searchText.includes(word));
  };
  const isUsual = (target: Target): boolean => query === "" && usual.includes(target);
  const groups = Map.groupBy(targets.filter(fits), (target) => (isUsual(target) ? USUAL : target.format.family));
  const order = [USUAL, family, ...FAMILIES];
  const rank = (name: string): number => (order.includes(name) ? order.indexOf(name) : order.length);
  return [...groups]
    .map(([name, found]) => ({
      family: name,
      targets: name === USUAL ? usual.filter((target) => found.includes(target)) : exactFirst(found, words[0]),
    }))
    .toSorted((a, b) => rank(a.family) - rank(b.family) || a.family.localeCompare(b.family));
};

/** Exact matches come first, so that Enter selects them; the rest keeps the service's order. */
const exactFirst = (targets: readonly Target[], word: string | undefined): readonly Target[] => {
  const exact = ({ format }: Target): boolean => word !== undefined && format.extensions.includes(word);
  return [...targets.filter(exact), ...targets.filter((target) => !exact(target))];
};

/** @returns the targets that all formats share, with the first format's conversions */
export const commonTargets = (sources: readonly SourceFormat[]): readonly Target[] => {
  const [first, ...others] = sources;
  return (first?.targets ?? []).filter(({ format }) =>
    others.every((other) => other.targets.some((target) => target.format.id === format.id)),
  );
};

/** @returns the targets that files of these formats can be merged into; none until all their conversions are loaded */
export const mergeTargets = (sources: readonly SourceFormat[]): readonly Target[] =>
  sources.every(({ isLoaded }) => isLoaded.value)
    ? commonTargets(
        sources.map((source) => ({
          ...source,
          targets: source.targets.filter(({ conversion }) => conversion.value?.merges === true),
        })),
      )
    : [];
