import { readFile, stat } from "node:fs/promises";
import { JobError } from "../../domain/errors.ts";

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
