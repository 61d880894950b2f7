import type { Schemas } from "../../api.ts";

export type Format = Schemas["Format"];

/** A format, and which way one asks. */
export interface Choice {
  readonly format: Format;
  /** `from`: what it can become; `to`: what can become it. */
  readonly direction: "from" | "to";
}

/** How well a format fits what was typed; the first that holds counts. */
const RANKS: readonly ((format: Format, wanted: string) => boolean)[] = [
  ({ id }, wanted) => id === wanted,
  ({ extensions }, wanted) => extensions.includes(wanted),
  ({ media_types }, wanted) => media_types.includes(wanted),
  ({ name }, wanted) => name.toLowerCase() === wanted,
  ({ id, extensions }, wanted) => [id, ...extensions].some((word) => word.startsWith(wanted)),
  ({ name, media_types }, wanted) => [name.toLowerCase(), ...media_types].some((word) => word.includes(wanted)),
];

/** Ranks below this one tell a format, and do not only look like it. */
const EXACT_RANKS = 4;

/**
 * @param typed an id, an extension with or without its dot, a media type, a part of a name, or a file's name
 * @returns the formats that it may mean, the likeliest first; all of them when nothing was typed
 */
export const formatsLike = (formats: readonly Format[], typed: string): readonly Format[] => {
  const found = ranked(formats, wordOf(typed));
  return found.length > 0 ? found : fromFileName(formats, typed);
};

/** @returns the format that is meant, and no other; undefined where it is only likely */
export const formatMeant = (formats: readonly Format[], typed: string): Format | undefined => {
  const word = wordOf(typed);
  const isExact = (format: Format, wanted: string) => RANKS.slice(0, EXACT_RANKS).some((fits) => fits(format, wanted));
  const exact = ranked(formats, word).find((format) => word !== "" && isExact(format, word));
  return exact ?? fromFileName(formats, typed)[0];
};

/** @returns in lower case, without blanks around and without the dot of an extension or the parameters of a media type */
const wordOf = (typed: string): string => typed.trim().toLowerCase().replace(/^\./, "").replace(/;.*$/, "").trim();

const ranked = (formats: readonly Format[], wanted: string): readonly Format[] => {
  if (wanted === "") {
    return formats;
  }
  return formats
    .map((format) => ({ format, rank: RANKS.findIndex((fits) => fits(format, wanted)) }))
    .filter(({ rank }) => rank >= 0)
    .sort((one, other) => one.rank - other.rank)
    .map(({ format }) => format);
};

/** By the longest extension that fits: `scans.tar.gz` is a TAR.GZ, and no GZIP. */
const fromFileName = (formats: readonly Format[], name: string): readonly Format[] => {
  const parts = wordOf(name).split(".");
  const endings = parts.slice(1).map((_, index) => parts.slice(index + 1).join("."));
  const ending = endings.find((candidate) => formats.some(({ extensions }) => extensions.includes(candidate)));
  return formats.filter(({ extensions }) => ending !== undefined && extensions.includes(ending));
};

/** Formats of a family, in the order of their names. */
export interface Family {
  readonly family: string;
  readonly formats: readonly Format[];
}

/** Families in the order in which people ask for them; others, which a newer service may have, come behind. */
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

/** An unknown one has the place behind the last. */
const placeOf = (family: string): number => (FAMILIES.indexOf(family) + FAMILIES.length + 1) % (FAMILIES.length + 1);

/**
 * @param first the family that stands before the others
 * @returns families that have any of the formats, with these in the order that they come in
 */
export const byFamily = (formats: readonly Format[], first?: string): readonly Family[] =>
  [...Map.groupBy(formats, ({ family }) => family)]
    .map(([family, members]) => ({ family, formats: members }))
    .sort(
      (one, other) =>
        Number(other.family === first) - Number(one.family === first) || placeOf(one.family) - placeOf(other.family),
    );
