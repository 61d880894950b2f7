import { open, readFile, stat, writeFile } from "node:fs/promises";
import sharp, { type Metadata } from "sharp";
import { JobError } from "../../../domain/errors.ts";
import { formatOf } from "../../../domain/formats/formats.ts";
import type { EngineResult, EngineTask } from "../../core/engine.ts";
import { readMetadata } from "../metadata/blocks.ts";
import { VIPS_NAMES } from "../sharp/open.ts";
import { inputOptions } from "../sharp/plan.ts";
import { locationIn, readExif } from "./exif.ts";
import { readIptc } from "./iptc.ts";
import { readProfile } from "./profile.ts";
import { readXmp } from "./xmp.ts";

/** Writes what an image contains in addition to its pixels, as JSON. Tags have the names of EXIF, IPTC and XMP. */
export const describePicture = async ({ input, from, output }: EngineTask): Promise<EngineResult> => {
  const header = await sharp(input, inputOptions(from, false)).metadata();
  if (header.format !== (VIPS_NAMES[from] ?? from)) {
    throw new JobError("source_mismatch", `The file starts like ${formatOf(from).name}, but contains another format.`);
  }
  const frames = from === "apng" ? await framesOfApng(input) : (header.pages ?? 1);
  let iptc = header.iptc;
  readMetadata(input, from, (kind, bytes) => {
    iptc ??= kind === "iptc" ? bytes : undefined;
  });
  // A TIFF has the tags of EXIF itself.
  const tags = from === "tiff" && (await stat(input)).size <= TIFF_BYTES_MAX ? await readFile(input) : header.exif;
  const exif = tags && readExif(tags);
  const description = {
    ...shapeOf(header, frames),
    color_profile: (header.icc && readProfile(header.icc)) ?? null,
    location: (exif && locationIn(exif)) ?? null,
    exif: exif ?? null,
    iptc: iptc === undefined ? null : readIptc(iptc),
    xmp: header.xmp === undefined ? null : readXmp(header.xmp),
  };
  await writeFile(output, `${JSON.stringify(description, undefined, 2)}\n`, { flag: "wx" });
  return { warnings: [] };
};

const TIFF_BYTES_MAX = 100_000_000;

/** Orientations from this value on swap width and height (EXIF 2.32, 4.6.4). */
const FIRST_TURNED = 5;

/** @returns the size as viewers show it, upright, and how pixels are stored */
const shapeOf = (header: Metadata, frames: number) => {
  const { width, pageHeight, height, orientation = 1, space, channels, depth, density } = header;
  const rows = pageHeight ?? height;
  const [across, down] = orientation < FIRST_TURNED ? [width, rows] : [rows, width];
  return {
    width: across,
    height: down,
    orientation,
    frames,
    frame_durations: header.delay ?? null,
    loop: header.loop ?? null,
    color_space: space,
    channels,
    depth,
    has_alpha: header.hasAlpha,
    density: density ?? null,
    compression: header.compression ?? null,
    chroma_subsampling: header.chromaSubsampling ?? null,
    is_progressive: header.isProgressive,
  };
};

/** Bytes in which the chunk with the number of frames is: it is before the pixels. */
const HEAD_BYTES = 200_000;

/** @returns the number of frames of an animated PNG (APNG 1.0, `acTL`) */
const framesOfApng = async (path: string): Promise<number> => {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    const at = buffer.subarray(0, bytesRead).indexOf("acTL", 8, "latin1");
    return at === -1 || at + 8 > bytesRead ? 1 : buffer.readUInt32BE(at + 4);
  } finally {
    await file.close();
  }
};
