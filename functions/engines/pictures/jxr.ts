import { existsSync } from "node:fs";
import { join } from "node:path";
import { JobError } from "../../domain/errors.ts";
import type { Engine, EngineResult, EngineTask } from "../core/engine.ts";
import { inputWithExtension } from "../core/input.ts";
import { runProgram } from "../core/program.ts";
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
