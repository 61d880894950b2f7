import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { BYTES_INPUT_MAX, PARTS_MAX } from "../../domain/conversions/conversion-limits.ts";
import { JobError } from "../../domain/errors.ts";
import { extensionOf } from "../../domain/formats/formats.ts";
import type { Warning } from "../../domain/warning.ts";
import type { BytesResult, BytesTask, Engine, EngineResult, EngineTask, Part } from "../core/engine.ts";
import { encode, encodeBytes } from "./sharp/encode.ts";
import { translated } from "./sharp/errors.ts";
import { mergePictures } from "./sharp/merge.ts";
import { openPicture } from "./sharp/open.ts";
import type { Plan } from "./sharp/plan.ts";
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
      return await (task.further.length > 0 ? mergePictures(task) : convert(task));
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

/** @returns undefined for images that can have several results, and for animated PNGs, which are written to files */
const convertBytes = async (task: BytesTask): Promise<BytesResult | undefined> => {
  if (task.to === "apng") {
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

const convert = async (task: EngineTask): Promise<EngineResult> => {
  const opened = await openPicture({ ...task, input: inMemory(task) });
  if (task.from === "tiff" && opened.plan.pagesLeft > 0) {
    const pages = await tiffPages(task.input);
    if (pages.length > 1) {
      return convertPages(task, pages);
    }
    const written = await encode(opened, task);
    return { warnings: [...opened.warnings.filter(({ code }) => code !== "pages_dropped"), ...written] };
  }
  if (task.options.split && opened.plan.pagesLeft > 0) {
    return convertPages(task, framesOf(opened.plan));
  }
  const written = await encode(opened, task);
  return { warnings: [...opened.warnings, ...written] };
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
