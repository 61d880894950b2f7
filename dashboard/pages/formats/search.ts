import type { Schemas } from "../../api.ts";

export type Format = Schemas["Format"];

/** A format, and the direction of its conversions. */
export interface Choice {
  readonly format: Format;
  /** `from`: conversions from the format; `to`: conversions to it. */
  readonly direction: "from" | "to";
}

/** How well a format matches the query; the first rule that matches is its rank. */
const RANKS: readonly ((format: Format, wanted: string) => boolean)[] = [
  ({ id }, wanted) => id === wanted,
  ({ extensions }, wanted) => extensions.includes(wanted),
  ({ name }, wanted) => name.toLowerCase() === wanted,
  ({ id, extensions }, wanted) => [id, ...extensions].some((word) => word.startsWith(wanted)),
  ({ name }, wanted) => name.toLowerCase().includes(wanted),
];

/** Ranks below this one are exact matches. */
const EXACT_RANKS = 3;

/**
 * @param typed an id, an extension with or without its dot, a part of a name, or a file's name
 * @returns the matching formats, best match first; all formats in alphabetical order if nothing was typed
 */
export const searchFormats = (formats: readonly Format[], typed: string): readonly Format[] => {
  const found = ranked(formats, wordOf(typed));
  return found.length > 0 ? found : fromFileName(formats, typed);
};

/** @returns the exactly matching format; undefined if there are only partial matches */
export const exactFormat = (formats: readonly Format[], typed: string): Format | undefined => {
  const word = wordOf(typed);
  const isExact = (format: Format, wanted: string) => RANKS.slice(0, EXACT_RANKS).some((fits) => fits(format, wanted));
  const exact = ranked(formats, word).find((format) => word !== "" && isExact(format, word));
  return exact ?? fromFileName(formats, typed)[0];
};

/** @returns the query in lower case, without surrounding blanks or an extension's dot */
const wordOf = (typed: string): string => typed.trim().toLowerCase().replace(/^\./, "");

const ranked = (formats: readonly Format[], wanted: string): readonly Format[] => {
  if (wanted === "") {
    return formats.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  }
  return formats
    .map((format) => ({ format, rank: RANKS.findIndex((fits) => fits(format, wanted)) }))
    .filter(({ rank }) => rank >= 0)
    .sort((one, other) => one.rank - other.rank)
    .map(({ format }) => format);
};

/** By the longest matching extension: `scans.tar.gz` is a TAR.GZ, not a GZIP. */
const fromFileName = (formats: readonly Format[], name: string): readonly Format[] => {
  const parts = wordOf(name).split(".");
  const endings = parts.slice(1).map((_, index) => parts.slice(index + 1).join("."));
  const ending = endings.find((candidate) => formats.some(({ extensions }) => extensions.includes(candidate)));
  return formats.filter(({ extensions }) => ending !== undefined && extensions.includes(ending));
};

/** The formats of a family, in the order of their names. */
export interface Family {
  readonly family: string;
  readonly formats: readonly Format[];
}

/** Families by popularity; others, which a newer service may have, come last. */
const FAMILIES = [
  "image",
  "document",
  "spreadsheet",
  "presentation",
  "video",
  "audio",
  "ebook",
  "vector",
  "data",
  "archive",
  "subtitle",
  "font",
  "geo",
  "model",
  "mail",
];

/** @returns the rank of a family; unknown ones come last */
const familyRank = (family: string): number => (FAMILIES.indexOf(family) + FAMILIES.length + 1) % (FAMILIES.length + 1);

/**
 * @param first the family that comes before the others
 * @returns the families of the formats, with the formats in their original order
 */
export const byFamily = (formats: readonly Format[], first?: string): readonly Family[] =>
  [...Map.groupBy(formats, ({ family }) => family)]
    .map(([family, members]) => ({ family, formats: members }))
    .sort(
      (one, other) =>
        Number(other.family === first) - Number(one.family === first) ||
        familyRank(one.family) - familyRank(other.family),
    );
