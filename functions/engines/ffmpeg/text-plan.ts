import { AUDIO_SECONDS_MAX } from "../../domain/conversion-limits.ts";
import { JobError } from "../../domain/errors.ts";
import { formatOf } from "../../domain/formats.ts";
import { partOf } from "./part.ts";
import { textsOf } from "./source.ts";
import type { Plan, Wanted } from "./task.ts";

/**
 * The subtitles of a film as a file: of several tracks, the one that is shown first.
 *
 * @throws JobError `unsupported_feature` when there are none, or only pictures of them
 */
export const textPlan = (wanted: Wanted): Plan => {
  const { source, from, to } = wanted;
  const texts = textsOf(source);
  const [text] = texts;
  if (text === undefined) {
    throw new JobError("unsupported_feature", `There are no subtitles in text in the ${formatOf(from).name}.`);
  }
  const [codec, muxer] = TEXTS[to] ?? [to, to];
  const { reading } = partOf(wanted, source.seconds);
  return {
    // Else all times would count from the first frame, which may come a little after the beginning.
    reading: reading.length === 0 ? ["-copyts"] : reading,
    writing: ["-map", `0:${text.index}`, "-c:s", text.codec === codec ? "copy" : codec, "-f", muxer],
    holds: [],
    seconds: undefined,
    // The last words may stand behind the end of the film.
    secondsMax: AUDIO_SECONDS_MAX,
    warnings:
      texts.length > 1
        ? [{ code: "tracks_dropped", detail: `The film has ${texts.length} tracks of subtitles; the result is one.` }]
        : [],
  };
};

/** What a file of subtitles is: the codec, and the muxer that writes it. */
const TEXTS: Partial<Record<Wanted["to"], readonly [codec: string, muxer: string]>> = {
  srt: ["subrip", "srt"],
  vtt: ["webvtt", "webvtt"],
  ass: ["ass", "ass"],
};
