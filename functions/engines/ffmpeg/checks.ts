import { stat } from "node:fs/promises";
import {
  AUDIO_SECONDS_MAX,
  FILM_PIXELS_MAX,
  OUTPUT_BYTES_MAX,
  VIDEO_SECONDS_MAX,
} from "../../domain/conversion-limits.ts";
import { JobError } from "../../domain/errors.ts";
import { type FormatId, formatOf } from "../../domain/formats.ts";
import type { Warning } from "../../domain/jobs.ts";
import { complaint, damages } from "./complaints.ts";
import { probe } from "./probe.ts";
import { type RunResult, tooLong } from "./run.ts";
import type { Source } from "./source.ts";
import type { Plan, Wanted } from "./task.ts";

/** @throws JobError `too_many_pixels`, `unsupported_feature` for a film that is protected against copies */
export const checkSource = ({ tracks }: Source, from: FormatId): void => {
  for (const track of tracks) {
    if (track.kind === "video" && track.width * track.height > FILM_PIXELS_MAX) {
      const size = `${track.width} × ${track.height}`;
      throw new JobError("too_many_pixels", `A frame has ${size} pixels; at most ${FILM_PIXELS_MAX} are allowed.`);
    }
    if (PROTECTED.includes(track.tag)) {
      throw new JobError("unsupported_feature", `The ${formatOf(from).name} is protected against copies (DRM).`);
    }
  }
};

/** Names of encrypted streams in MP4 (ISO/IEC 23001-7, and Apple's own). */
const PROTECTED = ["encv", "enca", "drms", "drmi"];

/** @returns the seconds that the result may have */
export const secondsMaxOf = ({ to }: Wanted, { secondsMax }: Plan): number =>
  secondsMax ?? (["audio", "image"].includes(formatOf(to).family) ? AUDIO_SECONDS_MAX : VIDEO_SECONDS_MAX);

/** @throws JobError `too_long` when the source says that it is */
export const checkSeconds = (wanted: Wanted, plan: Plan): void => {
  const most = secondsMaxOf(wanted, plan);
  if (plan.seconds !== undefined && plan.seconds > most) {
    throw tooLong(plan.seconds, most);
  }
};

/** Formats whose duration stands in them; of the others ffprobe guesses it from the bytes a second. */
const EXACT: readonly FormatId[] = [
  ...(["m4a", "m4b", "flac", "wav", "w64", "aiff", "caf", "wma", "wv", "tta", "ape", "tak", "dsf", "mka"] as const),
  ...(["mp4", "m4v", "mov", "3gp", "3g2", "mkv", "webm", "avi", "flv", "wmv", "asf", "mxf"] as const),
];

/** Of what the source promises, the share that is looked on as all, and the share below which nothing is left. */
const SHARE_WHOLE = 0.95;
const SHARE_MIN = 0.1;

/** So many seconds are worth something, however long they should have been. */
const SECONDS_MIN = 1;

/** Seconds that last frames and the pauses of encoders make of a difference. */
const SECONDS_SLACK = 0.3;

/**
 * Exit code 0 proves nothing: ffmpeg goes on over damage, ends where the bytes end, and stops at the limit of bytes.
 *
 * @returns warnings about what was damaged
 * @throws JobError `source_corrupt`, `output_too_large`
 */
export const checkResult = async (
  { path, folder, ran }: { readonly path: string; readonly folder: string; readonly ran: RunResult },
  { from, to }: Wanted,
  plan: Plan,
): Promise<Warning[]> => {
  const bytes = await stat(path).then(
    ({ size }) => size,
    () => 0,
  );
  // It stops before the packet that would go beyond.
  if (bytes >= OUTPUT_BYTES_MAX * 0.99) {
    throw new JobError("output_too_large", `The result would have over ${OUTPUT_BYTES_MAX} bytes.`);
  }
  const nothing = () => complaint(ran.stderr, from) ?? new JobError("source_corrupt", "Nothing could be decoded.");
  if (bytes === 0) {
    throw nothing();
  }
  if (plan.holds.length === 0) {
    return damageWarning(damages(ran.stderr));
  }
  const seconds = isCounted(plan) ? ran.seconds : await secondsIn({ path, folder, to, ran }, plan.holds);
  if (seconds === undefined || (isCounted(plan) && seconds === 0)) {
    throw nothing();
  }
  const promised = EXACT.includes(from) ? plan.seconds : undefined;
  if (promised !== undefined && seconds < Math.min(SECONDS_MIN, promised * SHARE_MIN)) {
    throw new JobError("source_corrupt", `Of ${promised} s that the file promises, it has ${seconds.toFixed(1)} s.`);
  }
  if (promised !== undefined && seconds + SECONDS_SLACK < promised * SHARE_WHOLE) {
    const detail = `Of ${promised} s that the file promises, ${seconds.toFixed(1)} s could be decoded.`;
    return [{ code: "content_damaged", detail }];
  }
  return damageWarning(damages(ran.stderr));
};

/** Sound that was encoded is as long as ffmpeg counted; to look at it again costs a tenth of making it. */
const isCounted = ({ holds, writing }: Plan): boolean => !holds.includes("video") && !writing.includes("copy");

interface Result {
  readonly path: string;
  readonly folder: string;
  readonly to: FormatId;
  readonly ran: RunResult;
}

/** @returns the seconds of sound and film, as counted where the file does not say; undefined where streams are missing */
const secondsIn = async ({ path, folder, to, ran }: Result, holds: Plan["holds"]): Promise<number | undefined> => {
  const result = await probe({ path, folder }, to).catch(() => undefined);
  const tracks = result?.tracks.filter(({ kind }) => kind === "video" || kind === "audio") ?? [];
  if (holds.some((kind) => !tracks.some((track) => track.kind === kind))) {
    return undefined;
  }
  // Chapters and subtitles go on to where the film should have ended.
  return Math.max(0, ...tracks.map(({ seconds = 0 }) => seconds)) || ran.seconds;
};

const damageWarning = (count: number): Warning[] =>
  count === 0
    ? []
    : [{ code: "content_damaged", detail: `${count} places in the file are damaged; the result goes on over them.` }];
