import * as z from "zod/mini";
import { described } from "./described.ts";

export const subtitleOptions = {
  fps: described(
    z.number().check(z.minimum(1), z.maximum(240)),
    "Frames per second of the result, or of the film whose frames subtitles count. Default: as the source has them, 12 " +
      "for an animation; for subtitles that do not say, 23.976.",
  ),
} as const;
