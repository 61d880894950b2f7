import { readFileSync } from "node:fs";
import type { Options } from "../../../../functions/domain/conversions/options.ts";
import type { FormatId } from "../../../../functions/domain/formats/formats.ts";
import type { Scratch } from "../scratch.ts";
import { convertingBy } from "../task.ts";

/** @returns a function that converts text or bytes to structured data, with the codes of the warnings */
export const makingTrees = (scratch: Scratch) => {
  const convert = convertingBy("structured", scratch);
  return async (input: string | Uint8Array, pair: readonly [FormatId, FormatId], options: Options = {}) => {
    const { path, codes } = await convert(scratch.file(input), pair, options);
    const bytes = readFileSync(path);
    return { path, bytes, text: bytes.toString(), codes };
  };
};

/** @returns a function that converts a text to a format and back */
export const thereAndBack = (made: ReturnType<typeof makingTrees>) => async (json: string, format: FormatId) => {
  const there = await made(json, ["json", format]);
  const back = await made(there.bytes, [format, "json"], { indent: 0 });
  return { json: back.text.trim(), codes: [...there.codes, ...back.codes] };
};
