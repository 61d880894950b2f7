import * as z from "zod/mini";
import { described } from "./described.ts";

export const subtitleOptions = {
  fps: described(
    z.number().check(z.minimum(1), z.maximum(240)),
    "Frames per second of the film, for subtitles that count frames. Default: as the file says, else 23.976.",
  ),
} as const;
