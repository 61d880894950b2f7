import { existsSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { JobError } from "../../domain/errors.ts";
import type { Engine, EngineResult, EngineTask } from "../core/engine.ts";
import { inputWithExtension } from "../core/input.ts";
import { runProgram } from "../core/program.ts";
import { jxrValues } from "./files/declared-size.ts";
import { checkDeclared } from "./magick/check-declared.ts";
import { translated } from "./sharp/errors.ts";
import { openPicture } from "./sharp/open.ts";

const PROGRAM = "JxrDecApp";
/** A photo of 12 megapixels takes 2 s. */
const TIMEOUT_MS = 60_000;

/** JPEG XR, which Windows and Xbox write, with the decoder of its reference library (Debian: `libjxr-tools`). */
export const jxrEngine: Engine = {
  name: "jxr",
  version: async () => {
    const { stdout, stderr } = await runProgram({ program: PROGRAM, arguments: [], folder: "/", timeoutMs: 10_000 });
    return /Copyright (\d+)/.exec(`${String(stdout)}${stderr}`)?.[1] ?? "unknown";
  },
  convert: async (task) => {
    await checkDeclared(task);
    await checkComplete(task.input);
    return convert(task);
  },
};

const convert = async (task: EngineTask): Promise<EngineResult> => {
  const { output, folder, from } = task;
  const path = join(folder, "picture.tif");
  const { code } = await runProgram({
    program: PROGRAM,
    arguments: ["-i", await inputWithExtension(task), "-o", path],
    folder,
    timeoutMs: TIMEOUT_MS,
  });
  if (code !== 0 || !existsSync(path)) {
    throw new JobError("source_corrupt", "The JPEG XR could not be read.");
  }
  try {
    const { picture } = await openPicture({ input: path, from: "tiff", to: "png", options: {} });
    await picture.png({ compressionLevel: 0 }).toFile(output);
  } catch (error) {
    throw translated(error, from);
  }
  return { warnings: [] };
};

/** Tags with the offset and the length of the image and of its transparency (ITU-T T.832, annex A). */
const PARTS = [
  [0xbcc0, 0xbcc1],
  [0xbcc2, 0xbcc3],
] as const;
const HEAD_BYTES = 65_536;

/** The program decodes a truncated file to a partial picture, without an error. @throws JobError `source_corrupt` */
const checkComplete = async (input: string): Promise<void> => {
  const file = await open(input);
  try {
    const { size } = await file.stat();
    const head = Buffer.alloc(Math.min(size, HEAD_BYTES));
    await file.read(head, 0, head.length, 0);
    const values = jxrValues(head);
    if (PARTS.some(([offset, length]) => (values.get(offset) ?? 0) + (values.get(length) ?? 0) > size)) {
      throw new JobError("source_corrupt", "The JPEG XR is truncated.");
    }
  } finally {
    await file.close();
  }
};
