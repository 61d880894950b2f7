import * as z from "zod/mini";
import { described } from "./described.ts";

export const subtitleOptions = {
  fps: described(
    z.number().check(z.minimum(1), z.maximum(240)),
    "Frames per second of the result. Default: as in the source; 12 for animations.",
  ),
} as const;
