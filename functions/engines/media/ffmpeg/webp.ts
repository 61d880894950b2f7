import { open } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { PICTURE_PIXELS_MAX } from "../../../domain/conversions/conversion-limits.ts";
import { checkPicture } from "../../../domain/conversions/picture-sizes.ts";
import { JobError } from "../../../domain/errors.ts";
import { translated } from "../../pictures/sharp/errors.ts";
import type { Input } from "./input.ts";
import type { VideoTrack } from "./source.ts";

/** Bytes of all displayed frames, one per tick: the disk space of the intermediate file. */
const FRAMES_BYTES_MAX = 4_000_000_000;

/** Minimum tick in milliseconds, and duration of frames that declare none, as in browsers. */
const TICK_MS_MIN = 20;
const HASTE_MS = 10;
const UNHURRIED_MS = 100;

/**
 * ffmpeg does not read animated WebP: sharp decodes its frames, and a file of raw pixels repeats each one for its
 * number of ticks.
 *
 * @throws JobError `unsupported_feature` for a still picture, `too_many_pixels`, `source_corrupt`
 */
export const webpInput = async (path: string, folder: string): Promise<Input> => {
  const picture = sharp(path, { pages: -1, limitInputPixels: PICTURE_PIXELS_MAX });
  const { width, pages = 1, pageHeight: height = 0, delay = [] } = await picture.metadata().catch(refuse);
  if (pages < 2) {
    throw new JobError(
      "unsupported_feature",
      "The WebP file is a still picture; converting to video requires an animation.",
    );
  }
  checkPicture({ width, height }, pages);
  const times = Array.from({ length: pages }, (_, page) => delay[page] ?? 0).map((ms) =>
    ms <= HASTE_MS ? UNHURRIED_MS : ms,
  );
  const tick = Math.max(TICK_MS_MIN, times.reduce(divisor));
  const counts = times.map((ms) => Math.max(1, Math.round(ms / tick)));
  const ticks = counts.reduce((sum, count) => sum + count, 0);
  const frameBytes = width * height * 4;
  if (ticks * frameBytes > FRAMES_BYTES_MAX) {
    throw new JobError("too_many_pixels", `The animation has ${ticks} frames of ${width} × ${height} pixels.`);
  }
  const pixels = await picture.ensureAlpha().raw().toBuffer().catch(refuse);
  const file = join(folder, "frames.rgba");
  await writeFrames(file, counts, (page) => pixels.subarray(page * frameBytes, (page + 1) * frameBytes));
  const track = { ...TRACK, width, height, framesPerSecond: 1_000 / tick, seconds: (ticks * tick) / 1_000 };
  return {
    source: { seconds: track.seconds, tracks: [track], chapters: 0, tags: {} },
    opening: [
      ...["-f", "rawvideo", "-pixel_format", "rgba", "-video_size", `${width}x${height}`],
      ...["-framerate", `1000/${tick}`, "-protocol_whitelist", "file", "-i", `file:${file}`],
    ],
  };
};

const TRACK = {
  ...{ kind: "video", index: 0, codec: "rawvideo", tag: "", bitsPerSecond: undefined, isDefault: true, tags: {} },
  ...{
    isCover: false,
    aspect: 1,
    turned: 0,
    pixels: "rgba",
    transfer: "",
    primaries: "",
    matrix: "",
    isInterlaced: false,
  },
} as const satisfies Omit<VideoTrack, "width" | "height" | "framesPerSecond" | "seconds">;

const divisor = (one: number, other: number): number => (other === 0 ? one : divisor(other, one % other));

const writeFrames = async (path: string, counts: readonly number[], frameOf: (page: number) => Uint8Array) => {
  const file = await open(path, "w");
  try {
    for (const [page, count] of counts.entries()) {
      for (let tick = 0; tick < count; tick += 1) {
        await file.write(frameOf(page));
      }
    }
  } finally {
    await file.close();
  }
};

const refuse = (error: unknown): never => {
  throw translated(error, "webp");
};
