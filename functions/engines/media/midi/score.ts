import { JobError } from "../../../domain/errors.ts";
import { tracksOf } from "./tracks.ts";

/** A MIDI file that is ready to be played. */
export interface Score {
  /** The file with a track that ends {@link TAIL_SECONDS} after all others: the synthesizer stops with the last track. */
  readonly bytes: Buffer;
  /** Duration with the tail. */
  readonly seconds: number;
}

/** For the last notes to fade out. */
const TAIL_SECONDS = 4;

/** Until the first tempo event, a quarter note takes this many microseconds (Standard MIDI Files 1.0). */
const MICROSECONDS = 500_000;

const HEADER_BYTES = 14;

/**
 * Reads a Standard MIDI File, or one in a RIFF file.
 *
 * @throws JobError `source_corrupt`, `unsupported_feature`
 */
export const scoreOf = (file: Buffer): Score => {
  const bytes = unwrapped(file);
  if (bytes.length < HEADER_BYTES || bytes.toString("latin1", 0, 4) !== "MThd") {
    throw new JobError("source_corrupt", "The MIDI file has no header.");
  }
  const start = 8 + bytes.readUInt32BE(4);
  const [format, division] = [bytes.readUInt16BE(8), bytes.readUInt16BE(12)];
  if (format > 1) {
    throw new JobError("unsupported_feature", "The MIDI file has independent sequences (format 2).");
  }
  const tracks = tracksOf(bytes, start);
  if (!tracks.some(({ notes }) => notes > 0)) {
    throw new JobError("unsupported_feature", "The MIDI file has no notes.");
  }
  const ticks = tracks.reduce((most, track) => Math.max(most, track.ticks), 0);
  const clock = clockOf(
    division,
    tracks.flatMap(({ tempos }) => tempos),
  );
  const tail = Math.round(TAIL_SECONDS * clock.lastTicksPerSecond);
  const header = Buffer.from(bytes.subarray(0, HEADER_BYTES));
  header.writeUInt32BE(HEADER_BYTES - 8, 4);
  header.writeUInt16BE(1, 8);
  header.writeUInt16BE(tracks.length + 1, 10);
  const chunks = tracks.map((track) => bytes.subarray(track.start, track.end));
  return {
    bytes: Buffer.concat([header, ...chunks, silence(ticks + tail)]),
    seconds: clock.secondsAt(ticks) + TAIL_SECONDS,
  };
};

/** RIFF MIDI: the chunk `data` has the file. */
const unwrapped = (file: Buffer): Buffer => {
  if (file.toString("latin1", 0, 4) !== "RIFF") {
    return file;
  }
  for (let at = 12; at + 8 <= file.length; at += 8 + file.readUInt32LE(at + 4) + (file.readUInt32LE(at + 4) % 2)) {
    if (file.toString("latin1", at, at + 4) === "data") {
      return file.subarray(at + 8, at + 8 + file.readUInt32LE(at + 4));
    }
  }
  throw new JobError("source_corrupt", "The RIFF file contains no MIDI file.");
};

/** A change of the tempo: microseconds per quarter note from this tick on. */
export interface Tempo {
  readonly tick: number;
  readonly microseconds: number;
}

interface Clock {
  readonly lastTicksPerSecond: number;
  secondsAt(tick: number): number;
}

/** @param division ticks per quarter note, or, with the highest bit, frames per second and ticks per frame */
const clockOf = (division: number, tempos: readonly Tempo[]): Clock => {
  if (division >= 0x8000) {
    const perSecond = Math.max(1, (256 - (division >>> 8)) * (division & 0xff));
    return { lastTicksPerSecond: perSecond, secondsAt: (tick) => tick / perSecond };
  }
  const ticksPerQuarter = Math.max(1, division);
  const sorted = [{ tick: 0, microseconds: MICROSECONDS }, ...tempos.toSorted((one, other) => one.tick - other.tick)];
  const secondsOf = (ticks: number, microseconds: number): number =>
    (ticks * microseconds) / (1_000_000 * ticksPerQuarter);
  return {
    lastTicksPerSecond: (1_000_000 * ticksPerQuarter) / Math.max(1, sorted.at(-1)?.microseconds ?? MICROSECONDS),
    secondsAt: (tick) =>
      sorted.reduce((sum, { tick: from, microseconds }, index) => {
        const to = Math.min(tick, sorted[index + 1]?.tick ?? tick);
        return sum + secondsOf(Math.max(0, to - from), microseconds);
      }, 0),
  };
};

/** The largest time between two events: 28 bits. */
const DELTA_MAX = 0x0fffffff;
const EMPTY_TEXT = [0xff, 0x01, 0x00];
const END = [0xff, 0x2f, 0x00];

/** @returns a track without notes that ends at the tick */
const silence = (tick: number): Buffer => {
  const events: number[] = [];
  let rest = tick;
  for (; rest > DELTA_MAX; rest -= DELTA_MAX) {
    events.push(...variable(DELTA_MAX), ...EMPTY_TEXT);
  }
  events.push(...variable(rest), ...END);
  const head = Buffer.from("MTrk\0\0\0\0", "latin1");
  head.writeUInt32BE(events.length, 4);
  return Buffer.concat([head, Buffer.from(events)]);
};

/** @returns a number with seven bits in each byte; all bytes but the last have the highest bit */
const variable = (value: number): number[] => {
  const bytes = [value & 0x7f];
  for (let rest = value >>> 7; rest > 0; rest >>>= 7) {
    bytes.unshift(0x80 | (rest & 0x7f));
  }
  return bytes;
};
