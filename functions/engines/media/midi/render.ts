import { existsSync } from "node:fs";
import { stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { lanes } from "../../../domain/conversions/lanes.ts";
import { JobError } from "../../../domain/errors.ts";
import { runProgram } from "../../core/program.ts";
import type { Score } from "./score.ts";

/**
 * Sound fonts with all instruments of General MIDI, best first: Debian's, then the ones of other systems. The first is
 * Fluid R3 (MIT license, 23 MB).
 */
const SOUND_FONTS = [
  "/usr/share/sounds/sf3/FluidR3Mono_GM.sf3",
  "/usr/share/sounds/sf3/MuseScore_General_Lite.sf3",
  "/usr/share/sounds/sf2/FluidR3_GM.sf2",
  "/usr/share/soundfonts/FluidR3_GM.sf2",
  "/usr/share/sounds/sf2/TimGM6mb.sf2",
  "/opt/homebrew/share/fluid-synth/sf2/VintageDreamsWaves-v2.sf2",
  "/usr/local/share/fluid-synth/sf2/VintageDreamsWaves-v2.sf2",
];

/** Of the rendered samples: 32-bit floats in two channels. */
export const RENDERED = { rate: 44_100, channels: 2, sampleBytes: 4 } as const;

const TIMEOUT_MS = lanes.media.conversionSecondsMax * 1_000;
const PROGRESS_MS = 500;

/**
 * Plays a score into a file of samples.
 *
 * @returns the path of the samples
 * @throws JobError `source_corrupt`, and the errors of {@link runProgram}
 */
export const renderedSamples = async (
  { bytes, seconds }: Score,
  folder: string,
  progress: (share: number) => void,
): Promise<string> => {
  const font = SOUND_FONTS.find((path) => existsSync(path));
  if (font === undefined) {
    throw new JobError("engine_failed", `No sound font is installed. Install one of: ${SOUND_FONTS.join(", ")}.`);
  }
  const [score, samples] = [join(folder, "score.mid"), join(folder, "samples.f32")];
  await writeFile(score, bytes);
  const total = seconds * RENDERED.rate * RENDERED.channels * RENDERED.sampleBytes;
  const size = () =>
    stat(samples).then(
      (found) => found.size,
      () => 0,
    );
  const timer = setInterval(async () => progress(Math.min(1, (await size()) / total)), PROGRESS_MS);
  try {
    const { stderr } = await runProgram({
      program: "fluidsynth",
      arguments: [...SETTINGS, "-r", String(RENDERED.rate), "-F", samples, font, score],
      folder,
      timeoutMs: TIMEOUT_MS,
      isPatient: true,
    });
    // It exits with 0 for files that it cannot read.
    if ((await size()) === 0) {
      throw new JobError("source_corrupt", "The MIDI file could not be played.", { cause: stderr });
    }
    return samples;
  } finally {
    clearInterval(timer);
  }
};

/** No MIDI input, shell, messages or settings of a user; only instruments that the score uses are loaded. */
const SETTINGS = [
  ...["-n", "-i", "-q", "-f", "/dev/null", "-a", "file", "-T", "raw", "-O", "float"],
  ...["-o", "synth.dynamic-sample-loading=1", "-o", "synth.polyphony=256"],
];
