import { LIGHT_SOUND_BYTES_MAX } from "../conversions/conversion-limits.ts";
import type { LaneId } from "../conversions/lanes.ts";
import type { Options } from "../conversions/options.ts";
import type { Route } from "../conversions/plan.ts";
import { formatOf } from "../formats/formats.ts";
import type { JobMessage } from "../ports.ts";
import type { Job } from "./job.ts";

/**
 * @returns the lane of a job: its route's, except for the recognition of all pages, and for short audio. Audio needs one processor and 0.2 GB of memory,
 * while the media lane has 4.6 and 8; the documents function uses the same image at a third of the price.
 */
export const laneOfJob = (
  { from, to, lane, helperLane = lane }: Pick<Route, "from" | "lane" | "helperLane" | "to">,
  inputBytes: number,
  { ocr }: Options = {},
): LaneId => {
  if (lane === "media" && isSound(from, to) && inputBytes <= LIGHT_SOUND_BYTES_MAX) {
    return "documents";
  }
  return ocr === "force" ? helperLane : lane;
};

/** @returns the message that queues the job */
export const messageOf = ({ id, accountId, inputBytes }: Pick<Job, "accountId" | "id" | "inputBytes">): JobMessage => ({
  jobId: id,
  accountId,
  inputBytes,
});

/**
 * @param bytesMin size from which a video is a film. The length of a video is only known to the converter, which has
 * downloaded it by then, so its size decides
 */
export const isFilm = (lane: LaneId, { inputBytes = 0 }: JobMessage, bytesMin: number): boolean =>
  lane === "media" && inputBytes >= bytesMin;

/** Whether the source or the target is audio: then no video frame is encoded. */
const isSound = (...ends: readonly Route["from"][]): boolean =>
  ends.some((format) => formatOf(format).family === "audio");
