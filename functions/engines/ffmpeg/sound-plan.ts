import { JobError } from "../../domain/errors.ts";
import { formatOf } from "../../domain/formats.ts";
import type { Warning } from "../../domain/jobs.ts";
import { type Container, containers } from "./containers.ts";
import { type Part, partOf } from "./part.ts";
import { argumentsFor, COPY, type Encoding } from "./settings.ts";
import { soundEncoding } from "./sound.ts";
import type { SoundCodecName } from "./sound-codecs.ts";
import { type AudioTrack, coverOf, type Source, soundsOf } from "./source.ts";
import type { Plan, Wanted } from "./task.ts";

/**
 * Sound alone, from a recording or from a film.
 *
 * @throws JobError `unsupported_feature` when there is no sound
 */
export const soundPlan = (wanted: Wanted): Plan => {
  const { source, from, to, options } = wanted;
  const container = containerOf(wanted);
  const sounds = soundsOf(source);
  const [track] = sounds;
  if (track === undefined) {
    throw new JobError("unsupported_feature", `There is no sound in the ${formatOf(from).name} that could be decoded.`);
  }
  const part = partOf(wanted, track.seconds ?? source.seconds);
  const encoding = soundOf(wanted, track, part);
  const hasCover = formatOf(from).family === "audio" && coverOf(source) !== undefined;
  const cover = hasCover ? coverArguments(container, source) : [];
  return {
    reading: part.reading,
    writing: [
      ...["-map", `0:${track.index}`, ...cover, ...argumentsFor(encoding, "a:0"), "-sn", "-dn"],
      ...tagArguments(source, track, options.strip_metadata === true),
      ...container.muxer,
    ],
    holds: ["audio"],
    seconds: part.seconds,
    warnings: [
      ...encoding.warnings,
      ...(sounds.length > 1 ? [tracksWarning(sounds.length)] : []),
      // What has no place for one is known to have none.
      ...(hasCover && cover.length === 0 && formatOf(to).carries.includes("pictures") ? [COVER_WARNING] : []),
    ],
  };
};

export const containerOf = ({ to }: Pick<Wanted, "to">): Container => {
  const container = containers[to];
  if (container === undefined) {
    throw new TypeError(`ffmpeg does not write ${to}.`);
  }
  return container;
};

/** @returns how the track gets into the target: as it is where it fits and nothing is asked of it */
export const soundOf = (wanted: Wanted, track: AudioTrack, { isTrimmed }: Part): Encoding => {
  const { options, copies, to } = wanted;
  const { sound } = containerOf(wanted);
  const asked = options.audio_codec;
  if (asked !== undefined && !(sound.offered ?? [sound.codec]).includes(asked)) {
    const offered = (sound.offered ?? [sound.codec]).join(", ");
    throw new JobError("unsupported_feature", `${formatOf(to).name} is not written with ${asked}; it has: ${offered}.`);
  }
  const { volume, sample_rate, channels, audio_bitrate } = options;
  const isTouched = isTrimmed || [volume, sample_rate, channels, audio_bitrate].some((value) => value !== undefined);
  const fits = asked === undefined ? sound.copied.includes(track.codec) : track.codec === asked;
  const name: SoundCodecName = asked ?? sound.codec;
  return fits && copies && !isTouched ? COPY : soundEncoding(name, track, options);
};

/** Pictures of a sleeve that all players show. */
const COVERS = ["mjpeg", "png"];

const coverArguments = ({ cover = false }: Container, source: Source): string[] => {
  const track = coverOf(source);
  return cover && track !== undefined && COVERS.includes(track.codec)
    ? ["-map", `0:${track.index}`, "-c:v:0", "copy", "-disposition:v:0", "attached_pic"]
    : [];
};

/** Ogg has its tags at the stream, and what has them for the whole file would lose them. */
export const tagArguments = (source: Source, track: AudioTrack | undefined, isStripped: boolean): string[] => {
  if (isStripped) {
    return ["-map_metadata", "-1", "-map_metadata:s", "-1"];
  }
  const isTold = ["title", "artist", "album"].some((name) => track?.tags[name] !== undefined);
  return track !== undefined && isTold && source.tags.title === undefined
    ? ["-map_metadata:g", `0:s:${track.index}`]
    : [];
};

export const tracksWarning = (count: number, kept = 1): Warning => ({
  code: "tracks_dropped",
  detail: `The file has ${count} tracks of sound; the result has ${kept === 1 ? "the first" : kept}.`,
});

export const COVER_WARNING: Warning = {
  code: "cover_dropped",
  detail: "The picture of the cover is not in the result.",
};
