import { archiveFormats } from "./families/archives.ts";
import { audioFormats } from "./families/audio.ts";
import { compressedFormats } from "./families/compressed-files.ts";
import { documentFormats } from "./families/documents.ts";
import { oldBookFormats } from "./families/ebooks.ts";
import { fontFormats } from "./families/fonts.ts";
import { mailFormats } from "./families/mail.ts";
import { geoFormats } from "./families/maps.ts";
import { markupFormats } from "./families/markup.ts";
import { modelFormats } from "./families/models.ts";
import { officeFormats } from "./families/office.ts";
import { pictureFormats } from "./families/pictures.ts";
import { treeFormats } from "./families/structured.ts";
import { subtitleFormats } from "./families/subtitles.ts";
import { tableFormats } from "./families/tables.ts";
import { videoFormats } from "./families/video.ts";
import type { Format } from "./format.ts";

/** The table of formats, in order of detection: when two share a signature, the first one is detected. */
export const formats = [
  ...officeFormats,
  ...pictureFormats,
  ...documentFormats,
  ...oldBookFormats,
  ...audioFormats,
  ...videoFormats,
  // Before tables, because a GeoPackage is also a SQLite file.
  ...geoFormats,
  ...tableFormats,
  ...subtitleFormats,
  ...modelFormats,
  ...mailFormats,
  ...markupFormats,
  ...fontFormats,
  ...treeFormats,
  ...archiveFormats,
  ...compressedFormats,
] as const;

export type FormatId = (typeof formats)[number]["id"];

const byId: ReadonlyMap<string, Format> = new Map(formats.map((format) => [format.id, format]));

/**
 * IDs come last and formats in reverse, so that an ID is never an alias, and the first of two formats gets the
 * extension.
 */
const byAlias: ReadonlyMap<string, FormatId> = new Map([
  ...formats.toReversed().flatMap(({ id, extensions, mediaTypes }): [string, FormatId][] => {
    const names: readonly string[] = [...extensions, ...mediaTypes];
    return names.map((name) => [name, id]);
  }),
  ...formats.map(({ id }): [string, FormatId] => [id, id]),
]);

/** @returns the row of a format; each ID of the table has one */
export const formatOf = (id: FormatId): Format => {
  const format = byId.get(id);
  if (format === undefined) {
    throw new TypeError(`Unknown format ID: ${id}.`);
  }
  return format;
};

/** @returns the format with this ID, extension (`.JPG`) or media type (`image/jpeg; q=1`); case-insensitive */
export const formatNamed = (name: string): FormatId | undefined =>
  byAlias.get((name.split(";", 1)[0] ?? "").trim().toLowerCase().replace(/^\./, ""));

/** The IDs and extensions of all formats, to suggest the nearest one. */
export const formatNames: readonly string[] = formats.flatMap(({ id, extensions }): string[] => [id, ...extensions]);

/** @returns the extension of results, without the dot */
export const extensionOf = (id: FormatId): string => formatOf(id).extensions[0] ?? id;

/** @returns the media type of results */
export const mediaTypeOf = (id: FormatId): string => formatOf(id).mediaTypes[0] ?? "application/octet-stream";
