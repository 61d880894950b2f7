import { copyFile, readdir, stat } from "node:fs/promises";
import { extname, join } from "node:path";
import sharp from "sharp";
import type { FormatId } from "../../../functions/domain/formats/formats.ts";
import { run, runChromium } from "../tools.ts";
import type { Reader } from "./reading.ts";
import { pictureTraits } from "./traits.ts";

/** Reads pictures: their pixels by another program where there is one, and the camera's metadata. */

const PAGES_MAX = 4;
const PAGE_PIXELS = 800;

/** Decodes a picture to PNG files `STEM…png`. */
type Decoder = (path: string, stem: string) => Promise<unknown>;

const byMagick: Decoder = (path, stem) => run("convert", [path, "-auto-orient", `${stem}.png`]);
const bySharp: Decoder = (path, stem) =>
  sharp(path, { limitInputPixels: 2 ** 28 })
    .autoOrient()
    .png()
    .toFile(`${stem}.png`);

const DECODERS: Readonly<Partial<Record<FormatId, Decoder>>> = {
  jpg: bySharp,
  png: bySharp,
  webp: bySharp,
  gif: bySharp,
  tiff: bySharp,
  avif: bySharp,
  heic: (path, stem) => run("heif-convert", [path, `${stem}.png`]),
  jxl: (path, stem) => run("ffmpeg", ["-v", "error", "-i", path, "-frames:v", "1", `${stem}.png`]),
  pdf: (path, stem) => {
    const size = ["-scale-to", String(PAGE_PIXELS), "-cropbox", "-l", String(PAGES_MAX)];
    return run("pdftoppm", ["-png", ...size, path, stem]);
  },
  svg: drawn,
};

/** Chromium draws everything that a drawing can contain. */
async function drawn(path: string, stem: string): Promise<void> {
  const { width = 300, height = 150 } = await sharp(path).metadata();
  const svg = `${stem}-source.svg`;
  await copyFile(path, svg);
  const size = `--window-size=${Math.max(1, width)},${Math.max(1, height)}`;
  await runChromium([size, "--default-background-color=00000000", `--screenshot=${stem}.png`, `file://${svg}`]);
}

/** Metadata that every camera writes. A format that cannot hold it loses it, which its conversions say. */
const CAMERA = ["Make", "Model", "DateTimeOriginal", "GPSLatitude", "GPSLongitude"];
const WITH_METADATA: readonly FormatId[] = ["jpg", "png", "webp", "tiff", "heic", "avif"];

const metadataOf = async (path: string, format: FormatId): Promise<string[]> => {
  if (!WITH_METADATA.includes(format)) {
    return [];
  }
  const fields = CAMERA.map((name) => `-EXIF:${name}`);
  const [tags = {}] = JSON.parse(await run("exiftool", ["-j", "-n", ...fields, path])) as Record<string, unknown>[];
  return CAMERA.filter((name) => name in tags).map((name) => `${name}=${String(tags[name]).trim()}`);
};

export const readPicture: Reader = async ({ paths, format, folder }) => {
  const [first = ""] = paths;
  for (const [index, path] of paths.slice(0, PAGES_MAX).entries()) {
    await (DECODERS[format] ?? byMagick)(path, join(folder, `decoded-${index}`));
  }
  const names = (await readdir(folder)).filter((name) => name.startsWith("decoded-") && extname(name) === ".png");
  const pictures = names.sort().map((name) => join(folder, name));
  return {
    tokens: await metadataOf(first, format),
    ...(BY_SHARP.includes(format) && { traits: await pictureTraits(paths) }),
    pictures: SIZES.includes(format) ? [await largest(pictures)] : pictures.slice(0, PAGES_MAX),
  };
};

const BY_SHARP: readonly FormatId[] = ["jpg", "png", "webp", "gif", "tiff", "avif"];

/** Formats with the same picture in several sizes. */
const SIZES: readonly FormatId[] = ["ico", "icns", "psd", "psb"];

const largest = async (pictures: readonly string[]): Promise<string> => {
  const sizes = await Promise.all(
    pictures.map(async (path) => ({ path, width: (await sharp(path).metadata()).width })),
  );
  const [found] = sizes.toSorted((one, other) => other.width - one.width);
  return found?.path ?? "";
};

/** @returns whether the file exists and has content */
export const hasContent = async (path: string): Promise<boolean> =>
  stat(path).then(
    ({ size }) => size > 0,
    () => false,
  );
