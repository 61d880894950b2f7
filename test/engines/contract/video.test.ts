import { expect } from "vitest";
import { type FormatId, formatOf, formats } from "../../../functions/domain/formats/formats.ts";
import { sampleOf } from "../support/fixtures.ts";
import { FILM_FPS, FILM_HEIGHT, FILM_WIDTH, TONE_LEFT_HZ } from "../support/media.ts";
import { colorAt, frameAt, loudness, type Probed, probed, samplesOf } from "../support/processes/listen.ts";
import { type Check, contract } from "./contract.ts";

/** Expected video and audio codecs; several where the source's codec may be kept. */
const CODECS: Partial<Record<FormatId, readonly [film: RegExp, sound: RegExp]>> = {
  mp4: [/^(?:h264|hevc|av1)$/, /^(?:aac|mp3|e?ac3|alac)$/],
  m4v: [/^(?:h264|hevc|av1)$/, /^(?:aac|mp3|e?ac3|alac)$/],
  mov: [/^(?:h264|hevc|prores|mpeg4|mjpeg|dnxhd)$/, /^(?:aac|mp3|e?ac3|alac|pcm_.*)$/],
  mkv: [/./, /./],
  webm: [/^(?:vp8|vp9|av1)$/, /^(?:opus|vorbis)$/],
  avi: [/^(?:mpeg4|mjpeg|msmpeg4v[23])$/, /^(?:mp3|ac3|pcm_s16le)$/],
  flv: [/^(?:h264|flv1)$/, /^aac$/],
  wmv: [/^(?:wmv[123]|vc1)$/, /^wma/],
  mpg: [/^mpeg[12]video$/, /^(?:mp2|ac3)$/],
  vob: [/^mpeg[12]video$/, /^(?:mp2|ac3)$/],
  ts: [/^(?:h264|hevc|mpeg[12]video)$/, /^(?:aac|mp[23]|e?ac3|dts)$/],
  m2ts: [/^(?:h264|hevc|mpeg[12]video)$/, /^(?:aac|mp[23]|e?ac3|dts)$/],
  "3gp": [/^(?:h264|h263|mpeg4)$/, /^(?:aac|amr_[nw]b)$/],
  "3g2": [/^(?:h264|h263|mpeg4)$/, /^(?:aac|amr_[nw]b)$/],
  ogv: [/^theora$/, /^(?:vorbis|opus|flac)$/],
};

const sources = new Map<FormatId, Probed>();

const sourceOf = (from: FormatId): Probed => {
  const known = sources.get(from) ?? probed(sampleOf(from));
  sources.set(from, known);
  return known;
};

/** A frame, and the delay and padding of audio encoders. */
const SECONDS_OFF_MAX = 0.25;

/** Tolerance of red, lime, blue and white, of 255, after two encodings with chroma subsampling. */
const COLOR_OFF_MAX = 45;

const QUARTERS = [
  [0.25, 0.25, [255, 0, 0]],
  [0.75, 0.25, [0, 255, 0]],
  [0.25, 0.75, [0, 0, 255]],
  [0.75, 0.75, [255, 255, 255]],
] as const;

const sameFilm: Check = ({ path, from, to }) => {
  const [source, result] = [sourceOf(from), probed(path)];
  const [film, sound] = ["video", "audio"].map((kind) => result.streams.find((stream) => stream.kind === kind));
  const [filmed, sounded] = ["video", "audio"].map((kind) => source.streams.find((stream) => stream.kind === kind));
  const [filmCodec = /^$/, soundCodec = /^$/] = CODECS[to] ?? [];
  expect(film?.codec).toMatch(filmCodec);
  if (formatOf(from).family !== "video") {
    expect((film?.width ?? 1) % 2, "an even width").toBe(0);
    return;
  }
  expect(sound !== undefined, "audio is kept").toBe(sounded !== undefined);
  if (sound !== undefined) {
    expect(sound.codec).toMatch(soundCodec);
    expect(loudness(samplesOf(path).left, TONE_LEFT_HZ), "the low tone is on the left").toBeGreaterThan(0.1);
  }
  const seconds = source.seconds || (filmed?.packets ?? 0) / FILM_FPS;
  expect(Math.abs(result.seconds - seconds)).toBeLessThan(SECONDS_OFF_MAX + 0.01 * seconds);
  expect(Math.abs((film?.packets ?? 0) - (filmed?.packets ?? 0)), "as many frames").toBeLessThanOrEqual(2);
  const frame = frameAt(path, seconds / 2, { width: FILM_WIDTH, height: FILM_HEIGHT });
  for (const [across, down, color] of QUARTERS) {
    for (const [index, value] of colorAt(frame, across, down).entries()) {
      expect(Math.abs(value - (color[index] ?? 0)), `colors at ${across}, ${down}`).toBeLessThan(COLOR_OFF_MAX);
    }
  }
};

const targets = formats.filter(({ family }) => family === "video").map(({ id }) => id);
contract("video", Object.fromEntries(targets.map((id) => [id, sameFilm])));
