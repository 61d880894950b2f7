import { open, truncate } from "node:fs/promises";
import { JobError } from "../../../domain/errors.ts";
import { RENDERED } from "./render.ts";

/** The level of rendered samples. */
export interface Level {
  /** Seconds until the last note has faded out; the file ends there. */
  readonly seconds: number;
  /** Factor for the loudest sample to be just below the maximum: synthesizers leave room for many voices. */
  readonly gain: number;
}

/** Maximum level of the result: 1 dB below the largest sample. */
const PEAK = 0.89;
/** The synthesizer adds noise to silence, far below this level. */
const PEAK_MIN = 1 / 10_000;
/** 66 dB below the loudest sample, nothing is heard. */
const SILENCE = 1 / 2_000;
const FRAME_BYTES = RENDERED.channels * RENDERED.sampleBytes;
/** A twentieth of a second. */
const CHUNK_BYTES = (RENDERED.rate / 20) * FRAME_BYTES;
const CHUNKS_AT_ONCE = 100;

/**
 * Measures rendered samples, and ends the file where they have faded out.
 *
 * @throws JobError `unsupported_feature` when all are silent
 */
export const leveled = async (path: string): Promise<Level> => {
  const peaks = await peaksOf(path);
  const peak = peaks.reduce((most, each) => Math.max(most, each), 0);
  if (peak < PEAK_MIN) {
    throw new JobError("unsupported_feature", "The notes of the MIDI file are silent.");
  }
  const chunks = 1 + peaks.findLastIndex((each) => each > peak * SILENCE);
  await truncate(path, chunks * CHUNK_BYTES);
  return { seconds: (chunks * CHUNK_BYTES) / FRAME_BYTES / RENDERED.rate, gain: PEAK / peak };
};

/** @returns the loudest sample of each chunk */
const peaksOf = async (path: string): Promise<number[]> => {
  const file = await open(path);
  const buffer = Buffer.alloc(CHUNK_BYTES * CHUNKS_AT_ONCE);
  const peaks: number[] = [];
  try {
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, buffer.length, null);
      if (bytesRead === 0) {
        return peaks;
      }
      for (let at = 0; at < bytesRead; at += CHUNK_BYTES) {
        peaks.push(peakOf(buffer, at, Math.min(bytesRead, at + CHUNK_BYTES)));
      }
    }
  } finally {
    await file.close();
  }
};

const peakOf = (buffer: Buffer, start: number, end: number): number => {
  let peak = 0;
  for (let at = start; at + RENDERED.sampleBytes <= end; at += RENDERED.sampleBytes) {
    const sample = Math.abs(buffer.readFloatLE(at));
    peak = sample > peak ? sample : peak;
  }
  return peak;
};
