import { copyFile, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { JobError } from "../../domain/errors.ts";
import { extensionOf } from "../../domain/formats/formats.ts";
import type { EngineTask } from "./engine.ts";

/** Maximum size of an input in bytes, and its name in the error message. */
interface InputLimit {
  readonly max: number;
  readonly name: string;
}

/** @throws JobError `output_too_large` for a file over the limit */
export const checkInput = async (path: string, { max, name }: InputLimit): Promise<void> => {
  const { size } = await stat(path);
  if (size > max) {
    throw new JobError("output_too_large", `The ${name} is too large: ${size} bytes; the limit is ${max} bytes.`);
  }
};

/** @returns the bytes of a file whose size is checked first @throws JobError `output_too_large` */
export const readInput = async (path: string, limit: InputLimit): Promise<Buffer> => {
  await checkInput(path, limit);
  return readFile(path);
};

/** @returns the path of a copy with the extension of its format, for programs that detect formats by it: uploads have none */
export const inputWithExtension = async ({
  input,
  folder,
  from,
}: Pick<EngineTask, "input" | "folder" | "from">): Promise<string> => {
  const path = join(folder, `source.${extensionOf(from)}`);
  await copyFile(input, path);
  return path;
};
