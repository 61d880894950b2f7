import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { MIDI_SECONDS_MAX } from "../../../functions/domain/conversions/conversion-limits.ts";
import { JobError } from "../../../functions/domain/errors.ts";
import { scoreOf } from "../../../functions/engines/media/midi/score.ts";
import { midi, midiFile } from "../../fixtures/midi.ts";
import { codeOf } from "../support/convert.ts";
import { sampleOf } from "../support/fixtures.ts";
import { loudness, probed, samplesOf } from "../support/processes/listen.ts";
import { scratchFolder } from "../support/scratch.ts";
import { convertingBy, isInstalled } from "../support/task.ts";

/** MIDI: durations, damage, and the sound of notes. */

const scratch = scratchFolder();
const convert = convertingBy("fluidsynth", scratch);

/** A duration of 480 ticks (a quarter note), a tempo of one second per quarter note, and the end of a track. */
const QUARTER = [0x83, 0x60];
const SLOW = [0xff, 0x51, 3, 0x0f, 0x42, 0x40];
const END = [0, 0xff, 0x2f, 0];
const NOTE = [0, 0x90, 69, 100, ...QUARTER, 0x80, 69, 0];
/** Silence at the end of a score. */
const TAIL = 4;

const seconds = (...tracks: number[][]): number =>
  scoreOf(midiFile(...tracks.map((events) => Buffer.from(events)))).seconds;

describe("the duration of a score", () => {
  test.each<[string, number[][], number]>([
    ["is half a second per quarter note without a tempo", [[...NOTE, ...NOTE, ...END]], 1],
    ["follows the tempo", [[0, ...SLOW, ...NOTE, ...END]], 1],
    ["follows a change of the tempo", [[...NOTE, 0, ...SLOW, ...NOTE, ...END]], 1.5],
    [
      "follows the tempo of another track",
      [
        [0, ...SLOW, ...END],
        [...NOTE, ...END],
      ],
      1,
    ],
    [
      "is that of the longest track",
      [
        [...NOTE, ...END],
        [...NOTE, ...NOTE, ...NOTE, ...END],
      ],
      1.5,
    ],
    ["counts events with a running status", [[...NOTE, ...QUARTER, 69, 0, ...END]], 1],
    ["counts system messages and texts", [[0, 0xf0, 2, 1, 0xf7, 0, 0xff, 1, 3, 65, 66, 67, ...NOTE, ...END]], 0.5],
  ])("%s", (_, tracks, expected) => {
    expect(seconds(...tracks)).toBeCloseTo(expected + TAIL, 6);
  });

  test("is counted in frames per second if the header says so", () => {
    const file = midiFile(Buffer.from([...NOTE, ...END]));
    file.writeUInt16BE(0xe7_28, 12);
    expect(scoreOf(file).seconds).toBeCloseTo(480 / (25 * 40) + TAIL, 6);
  });

  test("is read in a RIFF file", () => {
    const file = midi([69]);
    const head = Buffer.from("RIFF....RMIDdata....", "latin1");
    head.writeUInt32LE(12 + file.length, 4);
    head.writeUInt32LE(file.length, 16);
    expect(scoreOf(Buffer.concat([head, file])).seconds).toBeCloseTo(0.5 + TAIL, 6);
  });
});

describe("rejects", () => {
  const whole = midi([69, 70]);
  test.each<[string, Buffer, string]>([
    ["a truncated file", whole.subarray(0, -5), "source_corrupt"],
    ["a file without tracks", whole.subarray(0, 14), "unsupported_feature"],
    ["a file without notes", midiFile(Buffer.from(END)), "unsupported_feature"],
    ["an event past the end of its track", midiFile(Buffer.from([...NOTE, 0, 0xff, 1, 100, 65])), "source_corrupt"],
    ["data without an event", midiFile(Buffer.from([0, 60, 60])), "source_corrupt"],
    ["independent sequences", Buffer.from(whole).fill(2, 9, 10), "unsupported_feature"],
    ["a RIFF file of another kind", Buffer.from("RIFF\x04\0\0\0RMID", "latin1"), "source_corrupt"],
    ["an empty file", Buffer.alloc(0), "source_corrupt"],
  ])("%s", (_, file, code) => {
    expect(() => scoreOf(file)).toThrow(expect.objectContaining({ code }));
  });

  test("no bytes in any other way", () => {
    for (let at = 0; at < whole.length; at += 1) {
      for (const value of [0, 0x7f, 0xf0, 0xff]) {
        try {
          expect(scoreOf(Buffer.from(whole).fill(value, at, at + 1)).seconds).toBeGreaterThan(0);
        } catch (error) {
          expect(error).toBeInstanceOf(JobError);
        }
      }
    }
  });
});

describe.skipIf(!isInstalled("fluidsynth"))("fluidsynth", () => {
  test("plays a note with its frequency, as loud as possible, until it has faded out", async () => {
    const { path, codes } = await convert(sampleOf("mid"), ["mid", "wav"]);
    const { left } = samplesOf(path);
    expect(loudness(left, 440)).toBeGreaterThan(0.1);
    expect(loudness(left, 440)).toBeGreaterThan(10 * loudness(left, 415));
    const peak = left.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
    expect(peak).toBeGreaterThan(0.7);
    expect(peak).toBeLessThan(0.95);
    expect(probed(path).seconds).toBeGreaterThan(2);
    expect(probed(path).streams).toMatchObject([{ codec: "pcm_s16le", channels: 2, rate: 44_100 }]);
    expect(codes).toEqual([]);
  });

  test("applies the options of audio", async () => {
    const options = { trim_start: 0.5, trim_end: 1.5, channels: 1, sample_rate: 22_050, audio_bitrate: 64 };
    const { path } = await convert(sampleOf("mid"), ["mid", "mp3"], options);
    expect(probed(path).streams).toMatchObject([{ codec: "mp3", channels: 1, rate: 22_050 }]);
    expect(Math.abs(probed(path).seconds - 1)).toBeLessThan(0.15);
  });

  test("plays tracks one over the other", async () => {
    const high = [0, 0xc1, 73, 0, 0x91, 81, 100, ...QUARTER, 0x81, 81, 0, ...END];
    const input = scratch.file(midiFile(Buffer.from([0, 0xc0, 73, ...NOTE, ...END]), Buffer.from(high)));
    const { path } = await convert(input, ["mid", "flac"]);
    const { left } = samplesOf(path);
    expect(Math.min(loudness(left, 440), loudness(left, 880))).toBeGreaterThan(5 * loudness(left, 660));
    execFileSync("ffmpeg", ["-v", "error", "-i", path, "-f", "null", "-"]);
  });

  test("rejects a score above the duration limit before playing it", async () => {
    const hours = [0xff, 0xff, 0xff, 0x7f, 0x90, 69, 100, ...QUARTER, 0x80, 69, 0, ...END];
    expect(seconds(hours)).toBeGreaterThan(MIDI_SECONDS_MAX);
    expect(await codeOf(convert(scratch.file(midiFile(Buffer.from(hours))), ["mid", "wav"]))).toBe("too_long");
  });

  test("rejects silent notes", async () => {
    const silent = [0, 0xb0, 7, 0, ...NOTE, ...END];
    expect(await codeOf(convert(scratch.file(midiFile(Buffer.from(silent))), ["mid", "wav"]))).toBe(
      "unsupported_feature",
    );
    expect(readFileSync(sampleOf("mid")).length).toBeLessThan(100);
  });
});
