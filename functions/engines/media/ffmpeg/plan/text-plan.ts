import { AUDIO_SECONDS_MAX } from "../../../../domain/conversions/conversion-limits.ts";
import { JobError } from "../../../../domain/errors.ts";
import { formatOf } from "../../../../domain/formats/formats.ts";
import { partOf } from "../part.ts";
import { textsOf } from "../source.ts";
import type { Plan, Wanted } from "../task.ts";

/**
 * The subtitles of a video as a file; the default track if there are several.
 *
 * @throws JobError `unsupported_feature` if there are none, or only bitmap subtitles
 */
export const textPlan = (wanted: Wanted): Plan => {
  const { source, from, to } = wanted;
  const texts = textsOf(source);
  const [text] = texts;
  if (text === undefined) {
    throw new JobError("unsupported_feature", `The ${formatOf(from).name} file has no text subtitles.`);
  }
  const [codec, muxer] = TEXTS[to] ?? [to, to];
  const { reading } = partOf(wanted, source.seconds);
  return {
    // Otherwise all times would start at the first frame, which may be slightly after the start.
    reading: reading.length === 0 ? ["-copyts"] : reading,
    writing: ["-map", `0:${text.index}`, "-c:s", text.codec === codec ? "copy" : codec, "-f", muxer],
    holds: [],
    seconds: undefined,
    // The last cue may be past the end of the video.
    secondsMax: AUDIO_SECONDS_MAX,
    warnings:
      texts.length > 1
        ? [{ code: "tracks_dropped", detail: `The file has ${texts.length} subtitle tracks; one was converted.` }]
        : [],
  };
};

/** Subtitle formats: codec and muxer. */
const TEXTS: Partial<Record<Wanted["to"], readonly [codec: string, muxer: string]>> = {
  srt: ["subrip", "srt"],
  vtt: ["webvtt", "webvtt"],
  ass: ["ass", "ass"],
};
