import { dataPairs } from "./data.ts";
import { documentPairs } from "./documents.ts";
import { mediaPairs } from "./media.ts";
import type { Pair } from "./pair.ts";
import { picturePairs } from "./pictures.ts";

/** The compared pairs, in groups that can be measured alone. */
export const pairGroups: Readonly<Record<string, readonly Pair[]>> = {
  documents: documentPairs,
  pictures: picturePairs,
  media: mediaPairs,
  data: dataPairs,
};
