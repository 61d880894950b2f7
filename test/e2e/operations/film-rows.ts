import { readFileSync, statSync } from "node:fs";
import { expect } from "vitest";
import { zipNames } from "../../support/zip.ts";
import { loudness, probe, seconds } from "./programs.ts";
import type { Row } from "./table.ts";

/** Operations of video and audio. */

const kinds = (path: string): string[] => probe(path).streams.map(({ codec_type }) => codec_type);

const ofFilm = { from: "sample.mp4", to: "mp4" } as const;

export const filmRows: readonly Row[] = [
  {
    name: "cut a recording",
    from: "tone.wav",
    to: "wav",
    options: { trim_start: 1, trim_end: 3 },
    isQuick: true,
    check: (path) => expect(seconds(path)).toBeCloseTo(2, 1),
  },
  {
    name: "cut a video",
    ...ofFilm,
    options: { trim_end: 0.5 },
    check: (path) => expect(seconds(path)).toBeLessThan(0.8),
  },
  {
    name: "join videos",
    from: ["sample.mp4", "sample.mp4"],
    to: "mp4",
    check: (path) => expect(kinds(path)).toContain("video"),
  },
  {
    name: "join recordings",
    from: ["tone.wav", "tone.wav"],
    to: "wav",
    check: (path) => expect(seconds(path)).toBeCloseTo(12, 0),
  },
  {
    name: "arrange frames on a contact sheet",
    from: "sample.mp4",
    to: "png",
    options: { frames: 4, columns: 2, width: 100 },
    check: (path) => expect(probe(path).streams[0]?.width).toBeGreaterThanOrEqual(200),
  },
  {
    name: "extract a frame",
    from: "sample.mp4",
    to: "png",
    options: { at: 0.2, width: 64 },
    check: (path) => expect(probe(path).streams[0]?.width).toBe(64),
  },
  {
    name: "burn subtitles",
    ...ofFilm,
    files: { subtitles_upload_id: "sample.srt" },
    check: (path) => expect([kinds(path).includes("video"), kinds(path).includes("subtitle")]).toEqual([true, false]),
  },
  {
    name: "extract subtitles",
    from: "subtitled.mkv",
    to: "srt",
    check: (path) => expect(readFileSync(path, "utf8")).toContain("-->"),
  },
  {
    name: "compress a video to a size",
    ...ofFilm,
    options: { target_size: 60_000 },
    check: (path) => expect(statSync(path).size).toBeLessThanOrEqual(60_000),
  },
  {
    name: "package a video for streaming",
    from: "sample.mp4",
    to: "zip",
    check: (path) => expect(zipNames(path).some((name) => name.endsWith(".m3u8"))).toBe(true),
  },
  {
    name: "normalize the loudness",
    from: "tone.wav",
    to: "wav",
    options: { loudness: -23 },
    check: (path) => expect(Math.abs(loudness(path) + 23)).toBeLessThan(1),
  },
];
