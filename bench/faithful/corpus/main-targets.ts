import type { Family } from "../../../functions/domain/formats/format.ts";
import { type FormatId, formatOf } from "../../../functions/domain/formats/formats.ts";

/** The most common targets of a family; a file already in the first format uses the next. */
const MAIN: Readonly<Record<Family, readonly FormatId[]>> = {
  image: ["png", "jpg"],
  vector: ["png"],
  document: ["pdf", "png", "txt"],
  presentation: ["pdf"],
  ebook: ["epub", "txt"],
  spreadsheet: ["csv"],
  data: ["json", "csv"],
  archive: ["zip", "tar"],
  font: ["ttf", "woff2"],
  subtitle: ["srt", "vtt"],
  geo: ["geojson", "kml"],
  model: ["glb", "stl"],
  mail: ["html", "json"],
  audio: ["mp3", "wav"],
  video: ["mp4", "webm"],
};

/** Fonts with PostScript outlines, which OTF supports and TTF does not. */
const POSTSCRIPT = ["file__fixture-otto.woff", "fonttools__TestWOFF.woff"];

/** @returns the formats to which a file of this format and name is usually converted, most common first */
export const mainTargets = (format: FormatId, filename: string): readonly FormatId[] => {
  const main: readonly FormatId[] = POSTSCRIPT.includes(filename) ? ["otf"] : MAIN[formatOf(format).family];
  return main.filter((target) => target !== format);
};
