import { readFile, writeFile } from "node:fs/promises";
import { FloatType, REVISION } from "three";
import { EXRLoader } from "three/examples/jsm/loaders/EXRLoader.js";
import { HDRLoader } from "three/examples/jsm/loaders/HDRLoader.js";
import { LIGHT_PIXELS_MAX } from "../domain/conversion-limits.ts";
import { JobError } from "../domain/errors.ts";
import { type FormatId, formatOf } from "../domain/formats.ts";
import type { Warning } from "../domain/jobs.ts";
import { checkPicture, type PictureSize } from "../domain/pictures.ts";
import type { Engine, EngineResult, EngineTask } from "./engine.ts";
import { isExrHeader } from "./light/exr-header.ts";
import { writeExr } from "./light/exr-writer.ts";
import { writeHdr } from "./light/hdr-writer.ts";
import { fromLight, type LightPicture, toLight } from "./light/values.ts";
import { translated } from "./sharp/errors.ts";
import { openPicture } from "./sharp/open.ts";

/**
 * Pictures of light, whose values are proportional to it and have no upper end: OpenEXR and Radiance HDR. ImageMagick's
 * eight bits would leave a few dozen steps of their shadows.
 */
export const lightEngine: Engine = {
  name: "light",
  version: async () => REVISION,
  convert: async (task) => (task.to === "png" ? read(task) : write(task)),
};

const read = async ({ input, from, output }: EngineTask): Promise<EngineResult> => {
  const bytes = await readFile(input);
  const size = sizeOf(bytes, from);
  const { name } = formatOf(from);
  if (size === undefined || size.width * size.height === 0) {
    throw new JobError("source_corrupt", `The ${name} does not tell its size.`);
  }
  checkPicture(size);
  if (from === "exr" && !isExrHeader(bytes)) {
    throw new JobError("source_corrupt", `The header of the ${name} is damaged.`);
  }
  if (size.width * size.height > LIGHT_PIXELS_MAX) {
    const [count, most] = [`${size.width} × ${size.height}`, LIGHT_PIXELS_MAX];
    throw new JobError("too_many_pixels", `The ${name} has ${count} pixels; at most ${most} are allowed.`);
  }
  const picture = decoded(bytes, from, size);
  const clipped = await fromLight(picture, output);
  return { warnings: clipped ? [CLIPPED_WARNING] : [] };
};

const CLIPPED_WARNING: Warning = {
  code: "highlights_clipped",
  detail: "Some of the picture is brighter than white; it is white in the result.",
};

/** What a decoder could not do says so in its words; all else comes from damaged bytes. */
const decoded = (bytes: Buffer, from: FormatId, size: PictureSize): LightPicture => {
  const buffer = new Uint8Array(bytes).buffer;
  try {
    const exr = from === "exr";
    const { data } = exr
      ? new EXRLoader().setDataType(FloatType).parse(buffer)
      : new HDRLoader().setDataType(FloatType).parse(buffer);
    if (!(data instanceof Float32Array) || data.length !== size.width * size.height * 4) {
      throw new Error("The pixels break off.");
    }
    return { ...size, data, bottomUp: exr };
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : "";
    const code = /unsupported|not supported|cannot/i.test(message) ? "unsupported_feature" : "source_corrupt";
    throw new JobError(code, `The ${formatOf(from).name} could not be read.`, { cause });
  }
};

const HEADER_BYTES = 8_192;

/** @returns the size that the header tells: of an EXR the data window, of a Radiance picture the line behind its text */
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
    throw new JobError("too_many_pixels", `At most ${LIGHT_PIXELS_MAX} pixels become ${formatOf(task.to).name}.`);
  }
  const light = await toLight(picture).catch((error: unknown) => {
    throw translated(error, task.from);
  });
  await writeFile(task.output, task.to === "exr" ? writeExr(light) : writeHdr(light));
  return { warnings };
};
