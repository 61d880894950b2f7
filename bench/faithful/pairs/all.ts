import { dataPairs } from "./data.ts";
import { documentPairs } from "./documents.ts";
import { mediaPairs } from "./media.ts";
import type { Pair } from "./pair.ts";
import { picturePairs } from "./pictures.ts";

export const pairs: readonly Pair[] = [...documentPairs, ...picturePairs, ...mediaPairs, ...dataPairs];
