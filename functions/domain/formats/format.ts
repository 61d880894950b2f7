/** What a row of the table of formats says: what a format is called, how it is told from its bytes, what it can carry. */

export type Family =
  | "image"
  | "vector"
  | "document"
  | "spreadsheet"
  | "presentation"
  | "ebook"
  | "data"
  | "archive"
  | "font"
  | "subtitle"
  | "geo"
  | "model"
  | "mail"
  | "audio"
  | "video";

/** What a format can carry, as far as a conversion could lose it. */
export type Trait =
  // pictures
  | "pixels"
  | "shapes"
  | "alpha"
  | "frames"
  | "color_profile"
  | "metadata"
  // documents
  | "text"
  | "layout"
  | "styles"
  | "pictures"
  | "pages"
  // tables and trees
  | "rows"
  | "sheets"
  | "formulas"
  | "types"
  | "tree"
  // archives
  | "files"
  // fonts
  | "outlines"
  // subtitles
  | "cues"
  // geography and models
  | "geometry"
  | "attributes"
  | "mesh"
  | "materials"
  // mail, calendars, contacts
  | "messages"
  | "attachments"
  | "events"
  | "contacts"
  // audio and video
  | "sound"
  | "moving_pictures"
  | "subtitles"
  | "chapters";

/** Bytes at an offset that a file of the format has, in hexadecimal; `??` stands for any byte. */
export interface Magic {
  readonly offset: number;
  readonly hex: string;
}

export interface Format {
  readonly id: string;
  readonly name: string;
  readonly family: Family;
  /** Without the dot; the first is the one that we write. */
  readonly extensions: readonly string[];
  /** The first is the one that we write. */
  readonly mediaTypes: readonly string[];
  readonly carries: readonly Trait[];
  /** Pixels that a side of a picture can have at most, where the format ends before we do. */
  readonly sidePixelsMax?: number;
  /** Whether it may stand in the middle of a route: it loses little of its family. */
  readonly hub?: boolean;
  /** Families beside its own that it may stand in the middle for, as a hub: what has pages becomes a PDF. */
  readonly between?: readonly Family[];
  /** Any one of these tells the format; each is a list of magics that must all be there. */
  readonly magic?: readonly (readonly Magic[])[];
  /** ISO base media files: the brands that tell the format (ISO/IEC 14496-12, the `ftyp` box). */
  readonly brands?: readonly string[];
  /**
   * Zip: how the path of a member that tells the format begins; after a `*`, how it ends, in lower case (`*.shp`); or,
   * after a `=`, what the member `mimetype` says (`=application/epub+zip`).
   */
  readonly members?: readonly string[];
  /** OLE compound files: names of the streams or storages that tell the format ([MS-CFB]). */
  readonly streams?: readonly string[];
  /** XML: local names of the root element that tell the format; `*` takes any. */
  readonly xmlRoots?: readonly string[];
  /** Text: a shape near its beginning that no other format has. It is matched against {@link DETECTION_CHARACTERS}. */
  readonly shape?: RegExp;
  /** Text: a shape that others may have too; the name of the file comes before it. */
  readonly looseShape?: RegExp;
  /**
   * Told by the extension of the name alone, when the bytes prove to be of this other format; `bytes` when they prove to
   * be of none, `any` when they may be either: small files of some formats of bytes look like a text.
   */
  readonly named?: string;
}

/** @returns bytes that the format has at the offset */
export const at = (offset: number, hex: string): Magic => ({ offset, hex });

/** @returns the bytes of an ASCII text at the offset */
export const says = (offset: number, text: string): Magic =>
  at(offset, Array.from(text, (letter) => letter.charCodeAt(0).toString(16).padStart(2, "0")).join(" "));
