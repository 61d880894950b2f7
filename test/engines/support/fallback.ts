import { mkdtempSync } from "node:fs";
import { basename, join } from "node:path";
import type { Options } from "../../../functions/domain/conversions/options.ts";
import { planRoutes } from "../../../functions/domain/conversions/plan.ts";
import type { FormatId } from "../../../functions/domain/formats/formats.ts";
import { type ConversionResult, convert } from "../../../functions/engines/core/convert.ts";
import { withFallbacks } from "../../../functions/engines/core/with-fallbacks.ts";
import { installedEngines } from "../../../local/engines/installed.ts";
import type { Scratch } from "./scratch.ts";

const routes = planRoutes(new Set(installedEngines().keys()));

/** The result, and the readers that refused the file before. */
export type Read = ConversionResult & { readonly tried: readonly string[] };

/**
 * @returns a function that converts by the best route, then by the next readers, in this process
 * @throws TypeError if the pair has no route with these options
 */
export const convertingWithFallbacks =
  (scratch: Scratch, onRun: () => void = () => {}) =>
  async (input: string, [from, to]: readonly [FormatId, FormatId], options: Options = {}): Promise<Read> => {
    const route = routes.find(from, to, Object.keys(options));
    if (route === undefined) {
      throw new TypeError(`No route from ${from} to ${to} with ${Object.keys(options).join()}.`);
    }
    const { result, taken } = await withFallbacks(
      { route },
      {
        convert: (steps) => {
          onRun();
          const folder = mkdtempSync(join(scratch.folder, "job-"));
          return convert({ input, name: basename(input), folder, steps, options }, () => {});
        },
        next: (refusal) => {
          const next = routes.fallback({ from, to, options }, refusal.tried);
          return next && { route: next, refusal };
        },
      },
    );
    return { ...result, tried: taken.refusal?.tried ?? [] };
  };

/** @returns a TIFF of gray samples as 64-bit numbers (TIFF 6.0, section 19), which sharp does not support */
export const tiffOfDoubles = (width: number, height: number): Buffer => {
  const entries = [
    [256, 4, width],
    [257, 4, height],
    [258, 3, 64],
    [259, 3, 1],
    [262, 3, 1],
    [273, 4, 8],
    [277, 3, 1],
    [278, 4, height],
    [279, 4, width * height * 8],
    [339, 3, 3],
  ] as const;
  const pixels = Buffer.alloc(width * height * 8);
  for (let index = 0; index < width * height; index += 1) {
    pixels.writeDoubleLE((index % width) / (width - 1), index * 8);
  }
  const head = Buffer.from("49492a0000000000", "hex");
  head.writeUInt32LE(8 + pixels.length, 4);
  const directory = Buffer.alloc(2 + entries.length * 12 + 4);
  directory.writeUInt16LE(entries.length, 0);
  for (const [index, [tag, type, value]] of entries.entries()) {
    const at = 2 + index * 12;
    directory.writeUInt16LE(tag, at);
    directory.writeUInt16LE(type, at + 2);
    directory.writeUInt32LE(1, at + 4);
    directory.writeUInt32LE(value, at + 8);
  }
  return Buffer.concat([head, pixels, directory]);
};
