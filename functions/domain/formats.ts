import type { Format } from "./format.ts";
import { archiveFormats } from "./formats/archives.ts";
import { audioFormats } from "./formats/audio.ts";
import { oldBookFormats } from "./formats/books.ts";
import { documentFormats } from "./formats/documents.ts";
import { fontFormats } from "./formats/fonts.ts";
import { geoFormats } from "./formats/geo.ts";
import { mailFormats } from "./formats/mail.ts";
import { markupFormats } from "./formats/markup.ts";
import { modelFormats } from "./formats/models.ts";
import { officeFormats } from "./formats/office.ts";
import { pictureFormats } from "./formats/pictures.ts";
import { recognisedFormats } from "./formats/recognised.ts";
import { subtitleFormats } from "./formats/subtitles.ts";
import { tableFormats } from "./formats/tables.ts";
import { treeFormats } from "./formats/trees.ts";
import { videoFormats } from "./formats/video.ts";

/** The table of formats. Where two are told by the same bytes, the one that stands first is found. */
export const formats = [
  ...recognisedFormats,
  ...officeFormats,
  ...pictureFormats,
  ...documentFormats,
  ...oldBookFormats,
  ...audioFormats,
  ...videoFormats,
  // Before the tables, since a GeoPackage is a SQLite file too.
  ...geoFormats,
  ...tableFormats,
  ...subtitleFormats,
  ...modelFormats,
  ...mailFormats,
  ...markupFormats,
  ...fontFormats,
  ...treeFormats,
  ...archiveFormats,
] as const;

export type FormatId = (typeof formats)[number]["id"];

const byId: ReadonlyMap<string, Format> = new Map(formats.map((format) => [format.id, format]));

/** Ids come last, and formats from the end, so that an id is never an alias, and the first of two keeps its extension. */
const byAlias: ReadonlyMap<string, FormatId> = new Map([
  ...formats.toReversed().flatMap(({ id, extensions, mediaTypes }): [string, FormatId][] => {
    const names: readonly string[] = [...extensions, ...mediaTypes];
    return names.map((name) => [name, id]);
  }),
  ...formats.map(({ id }): [string, FormatId] => [id, id]),
]);

/** @returns the row of a format. The id is one of the table's, so there always is one. */
export const formatOf = (id: FormatId): Format => {
  const format = byId.get(id);
  if (format === undefined) {
    throw new TypeError(`No format has the id ${id}.`);
  }
  return format;
};

/** @returns the format that an id, an extension (`.JPG`) or a media type (`image/jpeg; q=1`) names, in any case */
export const formatNamed = (name: string): FormatId | undefined =>
  byAlias.get((name.split(";", 1)[0] ?? "").trim().toLowerCase().replace(/^\./, ""));

/** @returns the extension that we write, without the dot */
export const extensionOf = (id: FormatId): string => formatOf(id).extensions[0] ?? id;

/** @returns the media type that we write */
export const mediaTypeOf = (id: FormatId): string => formatOf(id).mediaTypes[0] ?? "application/octet-stream";
