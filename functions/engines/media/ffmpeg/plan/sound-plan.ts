import type { AudioCodecName } from "../../../../domain/conversions/by-engine/media/codecs.ts";
import {
  type ContainerCodecs,
  containerCodecs,
} from "../../../../domain/conversions/by-engine/media/container-codecs.ts";
import type { Options } from "../../../../domain/conversions/options.ts";
import { JobError } from "../../../../domain/errors.ts";
import { type FormatId, formatOf } from "../../../../domain/formats/formats.ts";
import type { Warning } from "../../../../domain/warning.ts";
import { rowFor } from "../../../core/engine.ts";
import { type Container, containers } from "../containers.ts";
import { locationArguments } from "../location.ts";
import { loudnessFilters } from "../loudness.ts";
import { type Part, partOf } from "../part.ts";
import { argumentsFor, COPY, type Encoding } from "../settings.ts";
import { soundEncoding } from "../sound.ts";
import { type AudioTrack, COVER_WARNING, coverOf, type Source, soundsOf } from "../source.ts";
import { tagWarnings } from "../tags.ts";
import type { Plan, Wanted } from "../task.ts";

/**
 * Audio only, from a recording or a video.
 *
 * @throws JobError `unsupported_feature` when there is no audio
 */
export const soundPlan = (wanted: Wanted): Plan => {
  const { source, from, to, options } = wanted;
  const container = containerOf(wanted);
  const sounds = soundsOf(source);
  const [track] = sounds;
  if (track === undefined) {
    throw new JobError("unsupported_feature", `The ${formatOf(from).name} file has no decodable audio.`);
  }
  const part = partOf(wanted, track.seconds ?? source.seconds);
  const encoding = soundOf(wanted, track, part);
  const hasCover = formatOf(from).family === "audio" && coverOf(source) !== undefined;
  const cover = hasCover && wanted.covers ? coverArguments(container, source) : [];
  return {
    reading: part.reading,
    writing: [
      ...["-map", `0:${track.index}`, ...cover, ...argumentsFor(encoding, "a:0"), "-sn", "-dn"],
      ...tagArguments(source, track, options),
      ...container.muxer,
    ],
    holds: ["audio"],
    seconds: part.seconds,
    warnings: [
      ...encoding.warnings,
      ...(sounds.length > 1 ? [tracksWarning(sounds.length)] : []),
      // A format without covers never has one.
      ...tagWarnings(wanted, track),
      ...(hasCover && cover.length === 0 && formatOf(to).keeps.includes("pictures") ? [COVER_WARNING] : []),
    ],
  };
};

export const containerOf = ({ to }: Pick<Wanted, "to">): Container => rowFor(containers, to, "ffmpeg");

export const codecsOf = ({ to }: Pick<Wanted, "to">): ContainerCodecs => rowFor(codecs, to, "ffmpeg");

const codecs: Partial<Record<FormatId, ContainerCodecs>> = containerCodecs;

/** @returns how the track is written to the target: copied if it fits and no change is requested */
export const soundOf = (wanted: Wanted, track: AudioTrack, { isTrimmed }: Part): Encoding => {
  const { options, copies, to } = wanted;
  const { sound } = containerOf(wanted);
  const { audio } = codecsOf(wanted);
  const requested = options.audio_codec;
  const offered: readonly AudioCodecName[] = audio.offered ?? [audio.codec];
  if (requested !== undefined && requested !== "copy" && !offered.includes(requested)) {
    throw new JobError(
      "unsupported_feature",
      `${formatOf(to).name} does not support the audio codec ${requested}. Supported: ${offered.join(", ")}.`,
    );
  }
  const { volume = 1, sample_rate, channels, audio_bitrate } = options;
  const isTouched =
    isTrimmed ||
    volume !== 1 ||
    wanted.loudness?.has(track.index) === true ||
    [sample_rate, channels, audio_bitrate].some((value) => value !== undefined);
  const fits =
    requested === undefined
      ? sound.copied.includes(track.codec)
      : requested === "copy"
        ? canContain(sound, track.codec)
        : track.codec === requested;
  if (fits && copies && !isTouched) {
    return COPY;
  }
  if (requested === "copy") {
    throw notCopied("audio", track.codec, to);
  }
  const encoding = soundEncoding(requested ?? audio.codec, track, options);
  return { ...encoding, filters: [...encoding.filters, ...loudnessFilters(wanted, track)] };
};

/** @returns whether the target can contain the codec unchanged, even if not all of its players decode it */
export const canContain = (
  part: { readonly copied: readonly string[]; readonly contained?: readonly string[] } | undefined,
  codec: string,
): boolean => part?.copied.includes(codec) === true || part?.contained?.includes(codec) === true;

export const notCopied = (kind: "video" | "audio", codec: string, to: FormatId): JobError =>
  new JobError("unsupported_feature", `The ${codec} ${kind} cannot be copied to ${formatOf(to).name} unchanged.`);

/** Cover formats that all players show. */
const COVERS = ["mjpeg", "png"];

const coverArguments = ({ cover = false }: Container, source: Source): string[] => {
  const track = coverOf(source);
  return cover && track !== undefined && COVERS.includes(track.codec) && track.width > 0 && track.height > 0
    ? ["-map", `0:${track.index}`, "-c:v:0", "copy", "-disposition:v:0", "attached_pic"]
    : [];
};

/** Ogg stores tags per stream; formats that store them per file would lose them. */
export const tagArguments = (
  source: Source,
  track: AudioTrack | undefined,
  { strip_metadata = "none" }: Options,
): string[] => {
  if (strip_metadata === "all") {
    return ["-map_metadata", "-1", "-map_metadata:s", "-1"];
  }
  const isDeclared = ["title", "artist", "album"].some((name) => track?.tags[name] !== undefined);
  const ofTrack = track !== undefined && isDeclared && source.tags.title === undefined;
  return [
    ...(ofTrack ? ["-map_metadata:g", `0:s:${track.index}`] : []),
    ...(strip_metadata === "gps" ? locationArguments(source) : []),
  ];
};

export const tracksWarning = (count: number, kept = 1): Warning => ({
  code: "tracks_dropped",
  detail: `The file has ${count} audio tracks; only ${kept === 1 ? "the first" : kept} ${kept === 1 ? "was" : "were"} kept.`,
});
