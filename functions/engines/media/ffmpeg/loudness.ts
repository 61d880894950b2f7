import { JobError } from "../../../domain/errors.ts";
import type { Warning } from "../../../domain/warning.ts";
import { secondsMaxOf } from "./checks.ts";
import { runFfmpeg } from "./run.ts";
import type { AudioTrack } from "./source.ts";
import type { Loudness, Wanted } from "./task.ts";

/** Maximum of the peaks, in dB: below full scale, so that lossy encoding does not clip. */
const PEAK_DB = -1;
const PEAK = (10 ** (PEAK_DB / 20)).toFixed(4);

interface Measuring {
  readonly folder: string;
  /** Arguments that open the part of the source. */
  readonly opening: readonly string[];
  readonly wanted: Wanted;
  readonly onSeconds: (seconds: number) => void;
}

/**
 * Measures the loudness of a track (EBU R128, ITU-R BS.1770), which is the first pass of normalizing.
 *
 * @returns undefined if it is silent, so that nothing can be normalized
 * @throws JobError `source_corrupt`, `too_long`
 */
export const measured = async (
  track: AudioTrack,
  { folder, opening, wanted, onSeconds }: Measuring,
): Promise<Loudness | undefined> => {
  const { code, stderr } = await runFfmpeg({
    arguments: [
      ...["-loglevel", "info", ...opening, "-map", `0:${track.index}`],
      ...["-filter:a", "loudnorm=print_format=json", "-f", "null", "-"],
    ],
    folder,
    secondsMax: secondsMaxOf(wanted, {}) + 1,
    onSeconds,
  });
  const text = /\{[^{}]*"input_i"[^{}]*\}/.exec(stderr)?.[0];
  if (code !== 0 || text === undefined) {
    throw new JobError("source_corrupt", "The loudness of the audio could not be measured.");
  }
  const found: Readonly<Record<string, string>> = JSON.parse(text);
  const [integrated, peak] = [Number(found.input_i), Number(found.input_tp)];
  return Number.isFinite(integrated) && Number.isFinite(peak) ? { integrated, peak } : undefined;
};

/**
 * @returns the filters of the second pass: one gain for all samples, so that the dynamics stay as they are, and a limiter
 * where the peaks would clip
 */
export const loudnessFilters = ({ loudness, options }: Wanted, track: AudioTrack): string[] => {
  const known = loudness?.get(track.index);
  if (known === undefined || options.loudness === undefined) {
    return [];
  }
  const gain = options.loudness - known.integrated;
  const clips = known.peak + gain > PEAK_DB;
  return [`volume=${gain.toFixed(2)}dB`, ...(clips ? [`alimiter=limit=${PEAK}:level=disabled`] : [])];
};

/** @returns a warning if peaks are limited, and the result is therefore less loud than requested */
export const loudnessWarnings = ({ loudness, options }: Wanted): Warning[] => {
  const clips = [...(loudness?.values() ?? [])].some(
    ({ integrated, peak }) => peak + (options.loudness ?? integrated) - integrated > PEAK_DB,
  );
  return clips ? [{ code: "peaks_limited", detail: LIMITED }] : [];
};

const LIMITED =
  "Peaks would exceed the maximum at this loudness and were limited, so the result may be less loud. A lower `loudness` " +
  "keeps the dynamics.";
