import { stat } from "node:fs/promises";
import {
  AUDIO_SECONDS_MAX,
  FILM_PIXELS_MAX,
  OUTPUT_BYTES_MAX,
  VIDEO_SECONDS_MAX,
} from "../../../domain/conversions/conversion-limits.ts";
import { JobError } from "../../../domain/errors.ts";
import { type FormatId, formatOf } from "../../../domain/formats/formats.ts";
import type { Warning } from "../../../domain/warning.ts";
import { readMp4Tracks } from "../mp4/read-tracks.ts";
import { probe } from "./probe.ts";
import { type RunResult, tooLong } from "./run.ts";
import { COVER_WARNING, type Source } from "./source.ts";
import { damages, inputError } from "./stderr.ts";
import type { Plan, Wanted } from "./task.ts";

/** @throws JobError `too_many_pixels`, `unsupported_feature` for copy-protected video */
export const checkSource = ({ tracks }: Source, from: FormatId): void => {
  for (const track of tracks) {
    if (track.kind === "video" && track.width * track.height > FILM_PIXELS_MAX) {
      const size = `${track.width} × ${track.height}`;
      throw new JobError("too_many_pixels", `The video frame has ${size} pixels; the maximum is ${FILM_PIXELS_MAX}.`);
    }
    if (PROTECTED.includes(track.tag)) {
      throw new JobError("unsupported_feature", `The ${formatOf(from).name} file is copy-protected (DRM).`);
    }
  }
};

/** Names of encrypted streams in MP4 (ISO/IEC 23001-7, and Apple's names). */
const PROTECTED = ["encv", "enca", "drms", "drmi"];

/** @returns the maximum duration of the result in seconds */
export const secondsMaxOf = ({ to }: Pick<Wanted, "to">, { secondsMax }: Pick<Plan, "secondsMax">): number =>
  secondsMax ?? (["audio", "image"].includes(formatOf(to).family) ? AUDIO_SECONDS_MAX : VIDEO_SECONDS_MAX);

/** @throws JobError `too_long` if the declared duration exceeds the limit */
export const checkSeconds = (wanted: Wanted, plan: Plan): void => {
  const most = secondsMaxOf(wanted, plan);
  if (plan.seconds !== undefined && plan.seconds > most) {
    throw tooLong(plan.seconds, most);
  }
};

/** Formats that store their duration; for others ffprobe estimates it from the bit rate. */
const EXACT: readonly FormatId[] = [
  ...(["m4a", "m4b", "flac", "wav", "w64", "aiff", "caf", "wma", "wv", "tta", "ape", "tak", "dsf", "mka"] as const),
  ...(["mp4", "m4v", "mov", "3gp", "3g2", "mkv", "webm", "avi", "flv", "wmv", "asf", "mxf"] as const),
];

/** Share of the declared duration that counts as complete, and the share below which the file counts as lost. */
const SHARE_COMPLETE = 0.95;
const SHARE_MIN = 0.1;

/** A result of this many seconds is worth keeping, regardless of the declared duration. */
const SECONDS_MIN = 1;

/** Tolerance in seconds for last frames and encoder delay. */
const SECONDS_SLACK = 0.3;

/**
 * Exit code 0 proves nothing: ffmpeg skips damage, ends where the bytes end, and stops at the byte limit.
 *
 * @returns warnings about damage
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
  // ffmpeg stops before the packet that would exceed the limit.
  if (bytes >= OUTPUT_BYTES_MAX * 0.99) {
    throw new JobError("output_too_large", `The output exceeds ${OUTPUT_BYTES_MAX} bytes.`);
  }
  const nothing = () =>
    inputError(ran.stderr, from) ?? new JobError("source_corrupt", "No audio or video could be decoded.");
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
    throw new JobError(
      "source_corrupt",
      `The file declares a duration of ${promised} s, but only ${seconds.toFixed(1)} s could be decoded.`,
    );
  }
  if (promised !== undefined && seconds + SECONDS_SLACK < promised * SHARE_COMPLETE) {
    const detail = `The file declares a duration of ${promised} s, but only ${seconds.toFixed(1)} s could be decoded.`;
    return [{ code: "content_damaged", detail }];
  }
  const lost = ran.stderr.includes(COVER_TOO_LARGE) ? [COVER_WARNING] : [];
  return [...lost, ...damageWarning(damages(ran.stderr))];
};

/** FLAC stores pictures of less than 16 MiB; the muxer leaves out others, and the exit code is 0 (libavformat/flac_picture.c). */
const COVER_TOO_LARGE = "Picture block too big";

/** ffmpeg's own count is exact for encoded audio; probing the result again would cost a tenth of the encoding time. */
const isCounted = ({ holds, writing }: Plan): boolean => !holds.includes("video") && !writing.includes("copy");

interface Result {
  readonly path: string;
  readonly folder: string;
  readonly to: FormatId;
  readonly ran: RunResult;
}

/**
 * @returns the seconds of audio and video, from ffmpeg's count if the file does not declare them; undefined if streams
 * are missing
 */
const secondsIn = async ({ path, folder, to, ran }: Result, holds: Plan["holds"]): Promise<number | undefined> => {
  const tracks = await mediaTracks({ path, folder, to });
  if (holds.some((kind) => !tracks.some((track) => track.kind === kind))) {
    return undefined;
  }
  // Chapters and subtitles extend to the declared end of the video.
  return Math.max(0, ...tracks.map(({ seconds = 0 }) => seconds)) || ran.seconds;
};

interface MediaTrack {
  readonly kind: string;
  readonly seconds?: number | undefined;
}

/** The headers of MP4 and QuickTime are read here: a start of ffprobe takes as long as copying a short film. */
const mediaTracks = async ({ path, folder, to }: Omit<Result, "ran">): Promise<readonly MediaTrack[]> => {
  const tracks: readonly MediaTrack[] | undefined =
    (await readMp4Tracks(path)) ?? (await probe({ path, folder }, to).catch(() => undefined))?.tracks;
  return tracks?.filter(({ kind }) => kind === "video" || kind === "audio") ?? [];
};

const damageWarning = (count: number): Warning[] =>
  count === 0 ? [] : [{ code: "content_damaged", detail: `${count} damaged sections were skipped.` }];
