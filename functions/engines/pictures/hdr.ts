import { readFile, writeFile } from "node:fs/promises";
import { FloatType, REVISION } from "three";
import { EXRLoader } from "three/examples/jsm/loaders/EXRLoader.js";
import { HDRLoader } from "three/examples/jsm/loaders/HDRLoader.js";
import { LIGHT_PIXELS_MAX } from "../../domain/conversions/conversion-limits.ts";
import { checkPicture, type PictureSize } from "../../domain/conversions/picture-sizes.ts";
import { JobError } from "../../domain/errors.ts";
import { type FormatId, formatOf } from "../../domain/formats/formats.ts";
import type { Warning } from "../../domain/warning.ts";
import type { Engine, EngineResult, EngineTask } from "../core/engine.ts";
import { isExrHeader } from "./hdr/exr-header.ts";
import { writeExr } from "./hdr/exr-writer.ts";
import { writeHdr } from "./hdr/hdr-writer.ts";
import { fromLight, type LightPicture, toLight } from "./hdr/values.ts";
import { translated } from "./sharp/errors.ts";
import { openPicture } from "./sharp/open.ts";

/**
 * Images with linear light values without an upper limit: OpenEXR and Radiance HDR. ImageMagick's eight bits would
 * leave a few dozen levels for shadows.
 */
export const hdrEngine: Engine = {
  name: "hdr",
  version: async () => REVISION,
  convert: async (task) => (task.to === "png" ? read(task) : write(task)),
};

const read = async ({ input, from, output }: EngineTask): Promise<EngineResult> => {
  const bytes = await readFile(input);
  const size = sizeOf(bytes, from);
  const { name } = formatOf(from);
  if (size === undefined || size.width * size.height === 0) {
    throw new JobError("source_corrupt", `The ${name} header does not contain the image size.`);
  }
  checkPicture(size);
  if (from === "exr" && !isExrHeader(bytes)) {
    throw new JobError("source_corrupt", `The ${name} header is damaged.`);
  }
  if (size.width * size.height > LIGHT_PIXELS_MAX) {
    const [count, most] = [`${size.width} × ${size.height}`, LIGHT_PIXELS_MAX];
    throw new JobError("too_many_pixels", `The ${name} has ${count} pixels; the limit is ${most}.`);
  }
  const picture = decoded(bytes, from, size);
  const clipped = await fromLight(picture, output);
  return { warnings: clipped ? [CLIPPED_WARNING] : [] };
};

const CLIPPED_WARNING: Warning = {
  code: "highlights_clipped",
  detail: "Parts of the image are brighter than white and were clipped to white.",
};

/** Decoders report unsupported features in their messages; all other errors come from damaged files. */
const decoded = (bytes: Buffer, from: FormatId, size: PictureSize): LightPicture => {
  const buffer = new Uint8Array(bytes).buffer;
  try {
    const exr = from === "exr";
    const { data } = exr
      ? new EXRLoader().setDataType(FloatType).parse(buffer)
      : new HDRLoader().setDataType(FloatType).parse(buffer);
    if (!(data instanceof Float32Array) || data.length !== size.width * size.height * 4) {
      throw new Error("Truncated pixel data.");
    }
    return { ...size, data, bottomUp: exr };
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : "";
    const code = /unsupported|not supported|cannot/i.test(message) ? "unsupported_feature" : "source_corrupt";
    throw new JobError(code, `The ${formatOf(from).name} could not be read.`, { cause });
  }
};

const HEADER_BYTES = 8_192;

/** @returns the size from the header: the data window of an EXR, the line after the text of a Radiance image */
const sizeOf = (bytes: Buffer, from: FormatId): PictureSize | undefined => {
  const head = bytes.toString("latin1", 0, HEADER_BYTES);
  if (from === "hdr") {
    const [, height, width] = /[-+]Y (\d{1,9}) [-+]X (\d{1,9})\n/.exec(head) ?? [];
    return width === undefined ? undefined : { width: Number(width), height: Number(height) };
  }
  const at = head.indexOf("dataWindow\0box2i\0");
  const values = at + "dataWindow\0box2i\0".length + 4;
  if (at === -1 || values + 16 > bytes.length) {
    return undefined;
  }
  const [left = 0, top = 0, right = 0, bottom = 0] = [0, 4, 8, 12].map((offset) => bytes.readInt32LE(values + offset));
  return right < left || bottom < top ? undefined : { width: right - left + 1, height: bottom - top + 1 };
};

const write = async (task: EngineTask): Promise<EngineResult> => {
  const { picture, size, warnings } = await openPicture(task);
  if (size.width * size.height > LIGHT_PIXELS_MAX) {
    throw new JobError(
      "too_many_pixels",
      `The image is too large for ${formatOf(task.to).name}: the limit is ${LIGHT_PIXELS_MAX} pixels.`,
    );
  }
  const light = await toLight(picture).catch((error: unknown) => {
    throw translated(error, task.from);
  });
  await writeFile(task.output, task.to === "exr" ? writeExr(light) : writeHdr(light));
  return { warnings };
};
