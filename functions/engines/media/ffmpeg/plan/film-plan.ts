import type { VideoCodecName } from "../../../../domain/conversions/by-engine/media/codecs.ts";
import { JobError } from "../../../../domain/errors.ts";
import { type FormatId, formatOf } from "../../../../domain/formats/formats.ts";
import type { Warning } from "../../../../domain/warning.ts";
import type { Container } from "../containers.ts";
import { locationWarnings } from "../location.ts";
import { type Part, partOf } from "../part.ts";
import { FRAMES_PER_SECOND, pictureEncoding } from "../picture.ts";
import { argumentsFor, COPY, type Encoding, type Setting } from "../settings.ts";
import { COVER_WARNING, coverOf, filmOf, isHdr, soundsOf, subtitlesOf, textsOf, type VideoTrack } from "../source.ts";
import { tagWarnings } from "../tags.ts";
import { BURNED, type Plan, type Wanted } from "../task.ts";
import { canContain, codecsOf, containerOf, notCopied, soundOf, tagArguments, tracksWarning } from "./sound-plan.ts";

/**
 * Video with audio: streams that fit the target and need no change are copied, the rest is encoded.
 *
 * @throws JobError `unsupported_feature`
 */
export const filmPlan = (wanted: Wanted): Plan => {
  const { source, from, options } = wanted;
  const container = containerOf(wanted);
  const film = filmOf(source);
  const sounds = soundsOf(source);
  if (film === undefined && sounds.length === 0) {
    throw new JobError("unsupported_feature", `The ${formatOf(from).name} file has no decodable audio or video.`);
  }
  const part = partOf(wanted, source.seconds);
  const taken = sounds.slice(0, container.allSounds ? SOUNDS_MAX : 1);
  const picture = film && pictureOf(wanted, film, part);
  const tracks = taken.map((track) => soundOf(wanted, track, part));
  const subtitles = subtitleStreams(wanted);
  return {
    reading: part.reading,
    before: options.subtitles === "burn" && wanted.isBurned !== true ? [burnPass(wanted)] : [],
    writing: [
      ...(film && picture ? ["-map", `0:${film.index}`, ...argumentsFor(picture, "v:0")] : []),
      ...taken.flatMap(({ index }) => ["-map", `0:${index}`]),
      ...tracks.flatMap((track, number) => argumentsFor(track, `a:${number}`)),
      ...subtitles.flatMap(({ index, codec }, number) => ["-map", `0:${index}`, `-c:s:${number}`, codec]),
      ...["-dn", "-max_muxing_queue_size", "4096"],
      ...tagArguments(source, taken[0], options),
      ...container.muxer,
    ],
    holds: [...(film ? (["video"] as const) : []), ...(taken.length > 0 ? (["audio"] as const) : [])],
    seconds: part.seconds,
    warnings: [
      ...(film === undefined ? [NO_FILM] : []),
      ...[picture, ...tracks].flatMap((encoding) => encoding?.warnings ?? []),
      ...(taken.length < sounds.length ? [tracksWarning(sounds.length, taken.length)] : []),
      ...losses(wanted, subtitles.length),
      ...tagWarnings(wanted, taken[0]),
      ...locationWarnings(source, wanted.to, options),
    ],
  };
};

/** Maximum audio tracks of a video; players list no more. */
export const SOUNDS_MAX = 16;

/** Formats whose frames may lack timestamps, which other formats require. */
const UNTIMED: readonly FormatId[] = ["avi", "rm", "dv", "y4m", "gif"];

const pictureOf = (wanted: Wanted, film: VideoTrack, part: Part): Encoding => {
  const { options, to } = wanted;
  const { film: target } = containerOf(wanted);
  const { video } = codecsOf(wanted);
  if (target === undefined || video === undefined) {
    throw new TypeError(`${to} does not support video.`);
  }
  const requested = options.video_codec;
  if (requested !== undefined && requested !== "copy") {
    requireOffered(to, requested, video.offered ?? [video.codec]);
  }
  const copied: Encoding = { ...COPY, settings: [...COPY.settings, ...tagOf(to, film.codec)] };
  if (staysAsItIs(wanted, film, part)) {
    return copied;
  }
  if (requested === undefined && isUnchanged(wanted, part) && isTooLong(film, part, target)) {
    return { ...copied, warnings: [keptWarning(film)] };
  }
  if (requested === "copy") {
    throw notCopied("video", film.codec, to);
  }
  const name = requested ?? video.codec;
  const encoding = pictureEncoding(name, film, { options, seconds: part.seconds });
  return {
    ...encoding,
    settings: [
      ...encoding.settings,
      ...tagOf(to, name),
      ["fps_mode", target.isSteady ? "cfr" : "vfr"],
      ...keyFrames(wanted),
    ],
    filters: burns(wanted) ? [...encoding.filters, `subtitles=filename=${BURNED}`] : encoding.filters,
  };
};

/** @returns whether subtitles are drawn into the frames: those of the video, or of a file */
const burns = ({ options, isBurned }: Wanted): boolean => options.subtitles === "burn" || isBurned === true;

const keyFrames = ({ keyFrameSeconds }: Wanted): Setting[] =>
  keyFrameSeconds === undefined ? [] : [["force_key_frames", `expr:gte(t,n_forced*${keyFrameSeconds})`]];

const requireOffered = (to: FormatId, codec: VideoCodecName, offered: readonly VideoCodecName[]): void => {
  if (!offered.includes(codec)) {
    throw new JobError(
      "unsupported_feature",
      `${formatOf(to).name} does not support the video codec ${codec}. Supported: ${offered.join(", ")}.`,
    );
  }
};

/** Pixels that two slow cores encode in about six minutes: 13 minutes of 1080p at 30 frames per second. */
const ENCODED_PIXELS_MAX = 5e10;

/** @returns whether encoding takes too long for a film that the target can contain as it is */
const isTooLong = (film: VideoTrack, { seconds = 0 }: Part, target: Container["film"]): boolean =>
  film.width * film.height * (film.framesPerSecond ?? FRAMES_PER_SECOND) * seconds > ENCODED_PIXELS_MAX &&
  canContain(target, film.codec);

const keptWarning = ({ codec }: VideoTrack): Warning => ({
  code: "codec_kept",
  detail: `The video is too long to be encoded by default, so it is still ${codec}, which not all players support. Set \`video_codec\` to encode it.`,
});

const isUnchanged = (wanted: Wanted, { isTrimmed }: Part): boolean => {
  const { options, copies, from } = wanted;
  const { width, height, fps, rotate, crf, video_bitrate } = options;
  const isTouched = [width, height, fps, rotate, crf, video_bitrate].some((value) => value !== undefined);
  return copies && !isTouched && !isTrimmed && !burns(wanted) && !UNTIMED.includes(from);
};

const staysAsItIs = (wanted: Wanted, film: VideoTrack, part: Part): boolean => {
  const { film: target } = containerOf(wanted);
  const requested = wanted.options.video_codec;
  if (!isUnchanged(wanted, part)) {
    return false;
  }
  if (requested === "copy") {
    return canContain(target, film.codec);
  }
  const fits = requested === undefined ? target?.copied.includes(film.codec) === true : film.codec === requested;
  return (
    fits &&
    (target?.plain !== true || isPlain(film)) &&
    (target?.turns === true || film.turned === 0) &&
    !(target?.isSdr === true && requested === undefined && isHdr(film))
  );
};

/** Few players decode 10-bit H.264; HEVC and AV1 have supported 10 bits from the start. */
const isPlain = ({ codec, pixels }: VideoTrack): boolean =>
  /^yuvj?420p$/.test(pixels) || (pixels === "yuv420p10le" && codec !== "h264");

/** Apple players accept HEVC only under this tag; AVI players expect this one for MPEG-4. */
const tagOf = (to: FormatId, codec: string): Setting[] => {
  const isIso = ["mp4", "m4v", "mov"].includes(to);
  return isIso && codec === "hevc" ? [["tag", "hvc1"]] : to === "avi" && codec === "mpeg4" ? [["tag", "xvid"]] : [];
};

const subtitleStreams = (wanted: Wanted): { index: number; codec: string }[] => {
  const { texts, subtitles = [] } = containerOf(wanted);
  if (texts === undefined || (wanted.options.subtitles ?? "keep") !== "keep") {
    return [];
  }
  const written = textsOf(wanted.source);
  return subtitlesOf(wanted.source).flatMap((track) => {
    const stays = wanted.copies && subtitles.includes(track.codec);
    return stays || written.includes(track) ? [{ index: track.index, codec: stays ? "copy" : texts }] : [];
  });
};

const burnPass = ({ source }: Wanted) => {
  const [text] = textsOf(source);
  if (text === undefined) {
    throw new JobError("unsupported_feature", "The video has no text subtitles to burn in.");
  }
  return { writing: ["-map", `0:${text.index}`, "-c:s", "ass", "-f", "ass"], file: BURNED };
};

const NO_FILM: Warning = { code: "film_missing", detail: "The file has no video; only its audio was converted." };

const losses = ({ source, options }: Wanted, kept: number): Warning[] => {
  const subtitles = subtitlesOf(source).length;
  const attachments = source.tracks.filter(({ kind }) => kind === "attachment").length;
  const isKept = options.subtitles === undefined || options.subtitles === "keep";
  return [
    ...(isKept && kept < subtitles
      ? [{ code: "subtitles_dropped", detail: `The file has ${subtitles} subtitle tracks; ${kept} were kept.` }]
      : []),
    ...(attachments > 0 ? [{ code: "attachments_dropped", detail: `Attachments were lost (${attachments}).` }] : []),
    ...(coverOf(source) === undefined ? [] : [COVER_WARNING]),
  ];
};
