import { readFilm, readSound } from "./media.ts";
import { readDocument } from "./pages.ts";
import { readPicture } from "./pictures.ts";
import type { Reader } from "./reading.ts";
import { readCells, readCues, readEntries, readFont, readMap, readMesh, readValues } from "./tokens.ts";

/** The readers of all kinds of content. Source and result of a pair are read by the same one. */
export const readers = {
  document: readDocument,
  picture: readPicture,
  sound: readSound,
  film: readFilm,
  cells: readCells,
  values: readValues,
  entries: readEntries,
  cues: readCues,
  map: readMap,
  mesh: readMesh,
  font: readFont,
} satisfies Record<string, Reader>;

export type Kind = keyof typeof readers;
