/** A row of the format table: names, detection, and what the format can contain. */

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

/** What a format can contain, as far as a conversion could lose it. */
export type Trait =
  // images
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
  // tables and structured data
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
  // maps and models
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

/** Bytes that a file of the format has at an offset, in hexadecimal; `??` matches any byte. */
export interface Magic {
  readonly offset: number;
  readonly hex: string;
}

export interface Format {
  readonly id: string;
  readonly name: string;
  readonly family: Family;
  /** Without the dot; results get the first one. */
  readonly extensions: readonly string[];
  /** Results get the first one. */
  readonly mediaTypes: readonly string[];
  readonly keeps: readonly Trait[];
  /** Maximum pixels of a side of an image, if the limit of the format is lower than ours. */
  readonly sidePixelsMax?: number;
  /** Whether it can be an intermediate format of a route: it loses little of its family. */
  readonly hub?: boolean;
  /** Other families that it can be an intermediate format for, as a hub: what has pages becomes a PDF. */
  readonly between?: readonly Family[];
  /** Signatures: all magics of any one list must match. */
  readonly magic?: readonly (readonly Magic[])[];
  /** ISO base media files: brands of the format (ISO/IEC 14496-12, the `ftyp` box). */
  readonly brands?: readonly string[];
  /**
   * Zip: how the path of a member of the format starts; after a `*`, how it ends, in lowercase (`*.shp`); or, after a
   * `=`, the content of the member `mimetype` (`=application/epub+zip`).
   */
  readonly members?: readonly string[];
  /** OLE compound files: names of streams or storages of the format ([MS-CFB]). */
  readonly streams?: readonly string[];
  /** XML: local names of the root element; `*` matches any. */
  readonly xmlRoots?: readonly string[];
  /**
   * Text: a pattern near its start that is unique to the format. It is matched against {@link DETECTION_CHARACTERS}.
   */
  readonly shape?: RegExp;
  /** Text: a pattern that other formats can match too; the filename has precedence. */
  readonly looseShape?: RegExp;
  /**
   * Detected only by the extension of the filename, or by the declared media type, if the bytes prove this other format;
   * `bytes` if they prove none, `any` in both cases (small files of some binary formats look like text), `tags` if the
   * text starts with an element that both HTML and XML have.
   */
  readonly named?: string;
}

/** @returns the bytes of a file of the format at the offset */
export const at = (offset: number, hex: string): Magic => ({ offset, hex });

/** @returns the bytes of an ASCII text at the offset */
export const says = (offset: number, text: string): Magic =>
  at(offset, Array.from(text, (letter) => letter.charCodeAt(0).toString(16).padStart(2, "0")).join(" "));
