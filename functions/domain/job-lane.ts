import { LIGHT_SOUND_BYTES_MAX } from "./conversion-limits.ts";
import { formatOf } from "./formats.ts";
import type { LaneId } from "./lanes.ts";
import type { Route } from "./routes.ts";

/**
 * @returns the lane of a job: its route's, but for short sound. That takes one processor and 0.2 GB of memory, of which the
 * lane of films has 4.6 and 8; the documents' function is made of the same image, at a third of the price.
 */
export const laneOfJob = ({ from, to, lane }: Pick<Route, "from" | "lane" | "to">, inputBytes: number): LaneId =>
  lane === "media" && isSound(from, to) && inputBytes <= LIGHT_SOUND_BYTES_MAX ? "documents" : lane;

/** Whether sound goes in or comes out: then no frame of a film is encoded. */
const isSound = (...ends: readonly Route["from"][]): boolean =>
  ends.some((format) => formatOf(format).family === "audio");
