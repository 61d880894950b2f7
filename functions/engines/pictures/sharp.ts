import { mkdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { BYTES_INPUT_MAX, PARTS_MAX } from "../../domain/conversions/conversion-limits.ts";
import { changesFrames, sizedOptions } from "../../domain/conversions/picture-changes.ts";
import { JobError } from "../../domain/errors.ts";
import { extensionOf, type FormatId } from "../../domain/formats/formats.ts";
import type { Warning } from "../../domain/warning.ts";
import {
  type BytesResult,
  type BytesTask,
  type Engine,
  type EngineResult,
  type EngineTask,
  HelperNeeded,
  type Part,
} from "../core/engine.ts";
import { encode, encodeBytes } from "./sharp/encode.ts";
import { translated } from "./sharp/errors.ts";
import { mergePictures } from "./sharp/merge.ts";
import { openPicture } from "./sharp/open.ts";
import type { Plan } from "./sharp/plan.ts";
import { mergeSheet } from "./sharp/sheet.ts";
import { tiffPages } from "./sharp/tiff-pages.ts";

/**
 * Images with sharp and libvips: JPEG, PNG, WebP, GIF, TIFF and AVIF in both directions, animated PNG too, SVG as
 * input.
 */
export const sharpEngine: Engine = {
  name: "sharp",
  version: async () => sharp.versions.sharp ?? "unknown",
  convert: async (task) => {
    try {
      return await converted(task);
    } catch (error) {
      throw translated(error, task.from);
    }
  },
  convertBytes: async (task) => {
    try {
      return await convertBytes(task);
    } catch (error) {
      throw translated(error, task.from);
    }
  },
};

const converted = async (task: EngineTask): Promise<EngineResult> => {
  if (task.to === "json") {
    const { describePicture } = await import("./describe/describe.ts");
    return describePicture(task);
  }
  return task.further.length > 0 ? merge(task) : convert(task);
};

/** @returns undefined for images that can have several results, and for those that are written to files */
const convertBytes = async (task: BytesTask): Promise<BytesResult | undefined> => {
  const { sizes, target_size, watermark_upload_id } = task.options;
  if (
    task.to === "apng" ||
    task.to === "json" ||
    [sizes, target_size, watermark_upload_id].some((option) => option !== undefined)
  ) {
    return undefined;
  }
  const opened = await openPicture(task);
  const isSplit = (task.from === "tiff" || task.options.split === true) && opened.plan.pagesLeft > 0;
  if (isSplit) {
    return undefined;
  }
  const { bytes, warnings } = await encodeBytes(opened, task);
  return { bytes, warnings: [...opened.warnings, ...warnings] };
};

/** Formats with one image: several images become a contact sheet. */
const SHEETS: readonly FormatId[] = ["jpg", "png"];

const merge = (task: EngineTask): Promise<EngineResult> =>
  SHEETS.includes(task.to) ? mergeSheet(task) : mergePictures(task);

const convert = async (task: EngineTask): Promise<EngineResult> => {
  if (task.options.sizes !== undefined) {
    return convertSizes(task);
  }
  const opened = await openPicture({ ...task, input: inMemory(task) });
  if (task.from === "tiff" && opened.plan.pagesLeft > 0) {
    const pages = await tiffPages(task.input);
    if (pages.length > 1) {
      // Pages that are not read together become one file again, if the target has pages.
      return task.to === "tiff" && changesFrames(task.options) ? mergePictures(task) : convertPages(task, pages);
    }
    const written = await encode(opened, task);
    return { warnings: [...opened.warnings.filter(({ code }) => code !== "pages_dropped"), ...written] };
  }
  if (task.options.split && opened.plan.pagesLeft > 0) {
    return convertPages(task, framesOf(opened.plan));
  }
  if (task.from === "webp" && task.to === "avif" && opened.plan.pagesLeft > 0 && task.helper !== undefined) {
    return animate(task);
  }
  const written = await encode(opened, task);
  return { warnings: [...opened.warnings, ...written] };
};

/** Converts the image to each of the sizes. The pages of a TIFF, and split frames, have all of them. */
const convertSizes = async (task: EngineTask): Promise<EngineResult> => {
  const parts: Part[] = [];
  const warnings: Warning[] = [];
  const all = sizedOptions(task.options);
  for (const [index, [size, options]] of all.entries()) {
    const output = join(task.folder, `${size}.${extensionOf(task.to)}`);
    const folder = join(task.folder, size);
    mkdirSync(folder);
    const result = await convert({ ...task, options, output, folder, progress: () => {} });
    warnings.push(...result.warnings);
    const { parts: own = [{ path: output, name: "" }] } = result;
    parts.push(...own.map(({ path, name }) => ({ path, name: [name, size].filter(Boolean).join("-") })));
    task.progress((index + 1) / all.length);
  }
  return { warnings, parts };
};

/** @throws HelperNeeded if another lane has ffmpeg */
const animate = async (task: EngineTask): Promise<EngineResult> => {
  if (task.helper === "elsewhere") {
    throw new HelperNeeded();
  }
  const { writeAnimation } = await import("./avif/write-frames.ts");
  return { warnings: (await writeAnimation(task)) ?? [] };
};

/**
 * libvips opens a file several times, and so does this code. @returns the content of a small file, otherwise its path
 */
const inMemory = ({ input, from }: EngineTask): string | Buffer => {
  const size = statSync(input, { throwIfNoEntry: false })?.size;
  return from !== "svg" && size !== undefined && size <= BYTES_INPUT_MAX ? readFileSync(input) : input;
};

const framesOf = ({ frames, pagesLeft }: Plan): number[] => {
  const count = frames + pagesLeft;
  if (count > PARTS_MAX) {
    throw new JobError(
      "output_too_large",
      `The animation has ${count} frames; the limit for splitting is ${PARTS_MAX}.`,
    );
  }
  return Array.from({ length: count }, (_, index) => index);
};

/** Converts each page to a separate image, when they cannot be stored in one file. */
const convertPages = async (task: EngineTask, pages: readonly number[]): Promise<EngineResult> => {
  const parts: Part[] = [];
  const warnings: Warning[] = [];
  const digits = String(pages.length).length;
  for (const [index, page] of pages.entries()) {
    const name = `${task.from === "tiff" ? "page" : "frame"}-${String(index + 1).padStart(digits, "0")}`;
    const path = join(task.folder, `${name}.${extensionOf(task.to)}`);
    const opened = await openPicture(task, page);
    const written = await encode(opened, { ...task, output: path });
    warnings.push(...opened.warnings, ...written);
    parts.push({ path, name });
    task.progress((index + 1) / pages.length);
  }
  return { warnings, parts };
};
