import { bareSharp, heifConvert, magick } from "../references/reference.ts";
import { type Pair, pairsOf } from "./pair.ts";

/** Pictures and drawings. */

const picture = { kind: "picture" } as const;

export const picturePairs: readonly Pair[] = [
  ...pairsOf(["jpg"], ["png", "webp", "avif"], { ...picture, reference: bareSharp }),
  ...pairsOf(["png"], ["jpg", "webp", "avif", "gif"], { ...picture, reference: bareSharp }),
  ...pairsOf(["webp", "avif", "tiff"], ["jpg", "png"], { ...picture, reference: bareSharp }),
  ...pairsOf(["gif"], ["png", "webp"], { ...picture, reference: bareSharp }),
  ...pairsOf(["heic"], ["jpg", "png"], { ...picture, reference: heifConvert }),
  ...pairsOf(["bmp", "psd", "tga", "ico"], ["png"], { ...picture, reference: magick }),
  ...pairsOf(["jxl"], ["png"], picture),
  ...pairsOf(["jpg", "png"], ["pdf"], picture),
  ...pairsOf(["svg"], ["png"], { ...picture, reference: magick }),
  ...pairsOf(["svg"], ["pdf"], picture),
];
