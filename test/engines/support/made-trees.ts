import { readFileSync } from "node:fs";
import type { FormatId } from "../../../functions/domain/formats.ts";
import type { Options } from "../../../functions/domain/options.ts";
import type { Scratch } from "./scratch.ts";
import { convertingBy } from "./task.ts";

/** @returns a function that tells what a text or bytes become as a tree, and the codes of the warnings */
export const makingTrees = (scratch: Scratch) => {
  const convert = convertingBy("trees", scratch);
  return async (input: string | Uint8Array, pair: readonly [FormatId, FormatId], options: Options = {}) => {
    const { path, codes } = await convert(scratch.file(input), pair, options);
    const bytes = readFileSync(path);
    return { path, bytes, text: bytes.toString(), codes };
  };
};
