import { expect } from "vitest";
import { type FormatId, formatOf, formats } from "../../../functions/domain/formats/formats.ts";
import { sampleOf } from "../support/fixtures.ts";
import { TONE_LEFT_HZ, TONE_RIGHT_HZ } from "../support/media.ts";
import { HEARD_HZ, loudness, type Probed, probed, samplesOf } from "../support/processes/listen.ts";
import { type Check, contract } from "./contract.ts";

/** Expected codecs of each format; several where the source's codec may be kept. */
const CODECS: Partial<Record<FormatId, RegExp>> = {
  mp3: /^mp3$/,
  m4a: /^(?:aac|alac|e?ac3)$/,
  m4b: /^(?:aac|alac|e?ac3)$/,
  aac: /^aac$/,
  ogg: /^vorbis$/,
  opus: /^opus$/,
  flac: /^flac$/,
  wav: /^pcm_/,
  aiff: /^pcm_/,
  caf: /^(?:pcm_|alac)/,
  au: /^pcm_/,
  w64: /^pcm_/,
  wma: /^wmav2$/,
  ac3: /^ac3$/,
  eac3: /^eac3$/,
  mp2: /^mp2$/,
  mka: /./,
  wv: /^wavpack$/,
  tta: /^tta$/,
};

interface Heard extends Probed {
  readonly tones: readonly [left: number, right: number];
}

/** Both tones in both channels: a channel is left if the low tone is louder there. */
const heard = (path: string): Heard => {
  const { left, right } = samplesOf(path);
  const found = probed(path);
  // Shorten files do not declare their duration.
  const seconds = found.seconds || left.length / HEARD_HZ;
  return { ...found, seconds, tones: [loudness(left, TONE_LEFT_HZ), loudness(right, TONE_RIGHT_HZ)] };
};

const sources = new Map<FormatId, Heard>();

const sourceOf = (from: FormatId): Heard => {
  const known = sources.get(from) ?? heard(sampleOf(from));
  sources.set(from, known);
  return known;
};

/** Tolerance in seconds for encoder delay and padding: two AAC frames of about a thousand samples. */
const secondsOffMax = (rate: number): number => 0.1 + 2_048 / rate;

/** The sample's note, played for two seconds, and the rest of its sound. */
const playsNote: Check = ({ path, to }) => {
  const { seconds, streams, tones } = heard(path);
  expect(streams.find(({ kind }) => kind === "audio")?.codec).toMatch(CODECS[to] ?? /^$/);
  expect(seconds).toBeGreaterThan(2);
  expect(seconds).toBeLessThan(5);
  expect(tones[0]).toBeGreaterThan(0.1);
};

const sameSound: Check = (made) => {
  const { path, from, to } = made;
  if (from === "mid") {
    playsNote(made);
    return;
  }
  const [source, result] = [sourceOf(from), heard(path)];
  const sound = result.streams.find(({ kind }) => kind === "audio");
  expect(sound?.codec).toMatch(CODECS[to] ?? /^$/);
  expect(Math.abs(result.seconds - source.seconds)).toBeLessThan(
    secondsOffMax(sound?.rate ?? 0) + 0.01 * source.seconds,
  );
  expect(sound?.channels).toBe(source.streams.find(({ kind }) => kind === "audio")?.channels);
  for (const [index, tone] of source.tones.entries()) {
    expect(Math.abs((result.tones[index] ?? 0) - tone), "same loudness").toBeLessThan(0.05 + 0.1 * tone);
  }
  const both = (trait: "metadata" | "pictures") =>
    [from, to].every((format) => formatOf(format).keeps.some((carried) => carried === trait));
  if (both("metadata") && to !== "mp2") {
    const { title = "", artist = "" } = source.tags;
    expect({ title: "", artist: "", ...result.tags }).toMatchObject({ title, artist });
  }
  if (both("pictures") && formatOf(from).family === "audio" && COVERED.includes(to)) {
    expect(result.streams.some(({ isCover }) => isCover)).toBe(source.streams.some(({ isCover }) => isCover));
  }
};

/** Formats whose covers ffmpeg writes. */
const COVERED: readonly FormatId[] = ["mp3", "m4a", "m4b", "flac", "aiff"];

const targets = formats.filter(({ family }) => family === "audio").map(({ id }) => id);
contract("audio", Object.fromEntries(targets.map((id) => [id, sameSound])));
