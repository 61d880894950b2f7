import { JobError } from "../../../domain/errors.ts";
import type { Tempo } from "./score.ts";

/** A track of a MIDI file: its chunk, and what matters for the duration. */
export interface Track {
  readonly start: number;
  readonly end: number;
  readonly ticks: number;
  readonly notes: number;
  readonly tempos: readonly Tempo[];
}

/** Maximum number of tracks; the format has 16 bits for it. */
const TRACKS_MAX = 65_534;

/** @throws JobError `source_corrupt` */
export const tracksOf = (bytes: Buffer, start: number): Track[] => {
  const tracks: Track[] = [];
  for (let at = start; at + 8 <= bytes.length && tracks.length < TRACKS_MAX; ) {
    const end = at + 8 + bytes.readUInt32BE(at + 4);
    if (bytes.toString("latin1", at, at + 4) === "MTrk") {
      if (end > bytes.length) {
        throw damaged("it is truncated");
      }
      tracks.push({ ...eventsOf(bytes.subarray(at + 8, end)), start: at, end });
    }
    at = end;
  }
  return tracks;
};

const damaged = (reason: string): JobError => new JobError("source_corrupt", `The MIDI file is damaged: ${reason}.`);

const NOTE_ON = 0x90;
const SYSTEM = 0xf0;
const SYSTEM_MORE = 0xf7;
const META = 0xff;
const META_TEMPO = 0x51;
const META_END = 0x2f;

/** Bytes after the status byte of a channel message, by its upper four bits. */
const DATA_BYTES: Readonly<Record<number, number>> = { 8: 2, 9: 2, 10: 2, 11: 2, 12: 1, 13: 1, 14: 2 };

const eventsOf = (chunk: Buffer): Omit<Track, "start" | "end"> => {
  const reading = { chunk, at: 0 };
  const tempos: Tempo[] = [];
  let [ticks, notes, status] = [0, 0, 0];
  while (reading.at < chunk.length) {
    ticks += variable(reading);
    const first = chunk[reading.at] ?? 0;
    if (first >= 0x80) {
      status = first;
      reading.at += 1;
    }
    if (status === META) {
      const type = chunk[reading.at] ?? META_END;
      reading.at += 1;
      const data = taken(reading, variable(reading));
      if (type === META_END) {
        break;
      }
      if (type === META_TEMPO && data.length === 3) {
        tempos.push({ tick: ticks, microseconds: data.readUIntBE(0, 3) });
      }
    } else if (status === SYSTEM || status === SYSTEM_MORE) {
      taken(reading, variable(reading));
    } else {
      const [, velocity = 0] = taken(reading, DATA_BYTES[status >>> 4] ?? Number.POSITIVE_INFINITY);
      notes += (status & 0xf0) === NOTE_ON && velocity > 0 ? 1 : 0;
    }
  }
  return { ticks, notes, tempos };
};

interface Reading {
  readonly chunk: Buffer;
  at: number;
}

const taken = (reading: Reading, bytes: number): Buffer => {
  const { chunk, at } = reading;
  if (!(at + bytes <= chunk.length)) {
    throw damaged("an event is not valid");
  }
  reading.at += bytes;
  return chunk.subarray(at, at + bytes);
};

/** @returns a number of up to four bytes with seven bits each */
const variable = (reading: Reading): number => {
  let value = 0;
  for (let bytes = 0; bytes < 4; bytes += 1) {
    const byte = reading.chunk[reading.at] ?? 0;
    reading.at += 1;
    value = value * 128 + (byte & 0x7f);
    if (byte < 0x80) {
      break;
    }
  }
  return value;
};
