import { MIDI_BYTES_MAX, MIDI_SECONDS_MAX } from "../../domain/conversions/conversion-limits.ts";
import { JobError } from "../../domain/errors.ts";
import type { Engine } from "../core/engine.ts";
import { readInput } from "../core/input.ts";
import { runProgram } from "../core/program.ts";
import { encoded } from "./ffmpeg/encode.ts";
import type { Input } from "./ffmpeg/input.ts";
import { leveled } from "./midi/level.ts";
import { RENDERED, renderedSamples } from "./midi/render.ts";
import { scoreOf } from "./midi/score.ts";

/** MIDI to audio: FluidSynth plays the notes with the instruments of a sound font, and ffmpeg encodes the samples. */
export const fluidsynthEngine: Engine = {
  name: "fluidsynth",
  version: async () => {
    const { stdout } = await runProgram({
      program: "fluidsynth",
      arguments: ["--version"],
      folder: "/",
      timeoutMs: VERSION_MS_MAX,
    });
    return /version (\S+)/.exec(stdout.toString("latin1"))?.[1] ?? "unknown";
  },
  convert: async (task) => {
    const { input, folder, options, progress } = task;
    const score = scoreOf(await readInput(input, { max: MIDI_BYTES_MAX, name: "MIDI file" }));
    if (score.seconds > MIDI_SECONDS_MAX) {
      const seconds = Math.round(score.seconds);
      throw new JobError("too_long", `The MIDI file takes ${seconds} s to play; the maximum is ${MIDI_SECONDS_MAX} s.`);
    }
    const samples = await renderedSamples(score, folder, (share) => progress(RENDERING_SHARE * share));
    const { seconds, gain } = await leveled(samples);
    return encoded(
      {
        ...task,
        options: { ...options, volume: gain * (options.volume ?? 1) },
        progress: (share) => progress(RENDERING_SHARE + (1 - RENDERING_SHARE) * share),
      },
      inputOf(samples, seconds),
    );
  },
};

const VERSION_MS_MAX = 10_000;

/** Of the duration of a conversion. */
const RENDERING_SHARE = 0.8;

const inputOf = (samples: string, seconds: number): Input => ({
  source: {
    seconds,
    chapters: 0,
    tags: {},
    tracks: [
      {
        ...{ kind: "audio", index: 0, tag: "", isDefault: true, tags: {}, bitsPerSecond: undefined, seconds },
        // No target has this codec, so the samples are always encoded: lossless ones with 16 bits.
        ...{ codec: "rendered", samples: "flt", bits: 0, isPlaced: true },
        ...{ rate: RENDERED.rate, channels: RENDERED.channels },
      },
    ],
  },
  opening: [
    ...["-f", "f32le", "-ar", String(RENDERED.rate), "-ac", String(RENDERED.channels)],
    ...["-protocol_whitelist", "file", "-i", `file:${samples}`],
  ],
});
