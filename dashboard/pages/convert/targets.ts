import type { Schemas } from "../../api.ts";

/** What files can become, as people look for it: by family, by name, by extension. */

export type Format = Schemas["Format"];
export type Conversion = Schemas["Conversion"];

/** A format that a file can become, and how. */
export interface Target {
  readonly format: Format;
  readonly conversion: Conversion;
}

/** A format that can be read here, and all that it can become. */
export interface SourceFormat {
  readonly format: Format;
  readonly targets: readonly Target[];
}

export interface TargetGroup {
  readonly family: string;
  readonly targets: readonly Target[];
}

/** What says nothing; browsers give the second to files that they do not know. */
const UNTOLD = new Set(["", "application/octet-stream"]);

/** Extensions that mean something only with the one before: `a.tar.gz` is another format than `a.gz`. */
const EXTENSION_PARTS_MAX = 2;

/**
 * @param name of a file, or the last part of an address
 * @returns what the service may know the format by, the most telling first
 */
export const aliasesOf = (name: string, mediaType = ""): readonly string[] => {
  const parts = name.toLowerCase().split(".").slice(1);
  const endings = Array.from({ length: Math.min(EXTENSION_PARTS_MAX, parts.length) }, (_, index) =>
    parts.slice(-(index + 1)).join("."),
  ).reverse();
  return [...endings, mediaType].filter((alias) => !UNTOLD.has(alias));
};

/** @returns what `GET /api/v1/formats?source=…` answered, with each target's format at hand */
export const sourceFormatOf = ({ formats, conversions }: Schemas["FormatList"]): SourceFormat | undefined => {
  const byId = new Map(formats.map((format) => [format.id, format]));
  const source = byId.get(conversions[0]?.source ?? "");
  const targets = conversions.flatMap((conversion) => {
    const format = byId.get(conversion.target);
    return format === undefined ? [] : [{ format, conversion }];
  });
  return source && { format: source, targets };
};

/** Families in the order in which most people look for them; those of the source come first of all. */
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
 * @param query a part of a name, an extension or a family; all words of it must fit
 * @param familyName what people call a family
 * @returns the targets by family, those of the source's own family first
 */
export const groupTargets = (
  targets: readonly Target[],
  { query, family, familyName }: { query: string; family: string; familyName: (family: string) => string },
): readonly TargetGroup[] => {
  const words = query.toLowerCase().replace(/^\./, "").split(/\s+/).filter(Boolean);
  const fits = ({ format }: Target): boolean => {
    const said = [format.id, format.name, ...format.extensions, familyName(format.family)].join(" ").toLowerCase();
    return words.every((word) => said.includes(word));
  };
  const groups = Map.groupBy(targets.filter(fits), ({ format }) => format.family);
  const order = [family, ...FAMILIES];
  const rank = (name: string): number => (order.includes(name) ? order.indexOf(name) : order.length);
  return [...groups]
    .map(([name, found]) => ({ family: name, targets: byFit(found, words[0]) }))
    .toSorted((a, b) => rank(a.family) - rank(b.family) || a.family.localeCompare(b.family));
};

/** What is called exactly as was typed comes first, so that Enter takes it; the rest keeps the service's order. */
const byFit = (targets: readonly Target[], word: string | undefined): readonly Target[] => {
  const exact = ({ format }: Target): boolean => word !== undefined && format.extensions.includes(word);
  return [...targets.filter(exact), ...targets.filter((target) => !exact(target))];
};

/** @returns the targets that all of the formats have, as the first of them has them */
export const commonTargets = (sources: readonly SourceFormat[]): readonly Target[] => {
  const [first, ...others] = sources;
  return (first?.targets ?? []).filter(({ format }) =>
    others.every((other) => other.targets.some((target) => target.format.id === format.id)),
  );
};

/** @returns the targets that several files of these formats become one of */
export const mergeTargets = (sources: readonly SourceFormat[]): readonly Target[] =>
  commonTargets(
    sources.map(({ format, targets }) => ({ format, targets: targets.filter(({ conversion }) => conversion.merges) })),
  );
