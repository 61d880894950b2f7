import { mkdtempSync } from "node:fs";
import { basename, join } from "node:path";
import type { Options } from "../../../functions/domain/conversions/options.ts";
import { planRoutes } from "../../../functions/domain/conversions/plan.ts";
import type { FormatId } from "../../../functions/domain/formats/formats.ts";
import { convert } from "../../../functions/engines/core/convert.ts";
import type { ConversionResult } from "../../../functions/engines/core/task.ts";
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
  return tiffFrom(
    pixels,
    entries.map(([tag, type, value]) => [tag, type, 1, value]),
  );
};

const TILE = 16;
const BEHIND_HEAD = 8;

/** @returns a red square in one tile for each of its colors (TIFF 6.0, section 15), which libvips does not support */
export const tiffOfSeparateTiles = (): Buffer => {
  const tiles = Buffer.concat([255, 0, 0].map((value) => Buffer.alloc(TILE * TILE, value)));
  const lists = Buffer.from(new Uint16Array([8, 8, 8, 0]).buffer);
  const offsets = Buffer.from(new Uint32Array([0, 1, 2].map((index) => BEHIND_HEAD + index * TILE * TILE)).buffer);
  const counts = Buffer.from(new Uint32Array([TILE * TILE, TILE * TILE, TILE * TILE]).buffer);
  const at = BEHIND_HEAD + tiles.length;
  return tiffFrom(Buffer.concat([tiles, lists, offsets, counts]), [
    [256, 4, 1, TILE],
    [257, 4, 1, TILE],
    [258, 3, 3, at],
    [259, 3, 1, 1],
    [262, 3, 1, 2],
    [277, 3, 1, 3],
    [284, 3, 1, 2],
    [322, 4, 1, TILE],
    [323, 4, 1, TILE],
    [324, 4, 3, at + lists.length],
    [325, 4, 3, at + lists.length + offsets.length],
  ]);
};

type Entry = readonly [tag: number, type: number, count: number, value: number];

/** @param body what follows the head of 8 bytes, before the only directory */
const tiffFrom = (body: Buffer, entries: readonly Entry[]): Buffer => {
  const head = Buffer.from("49492a0000000000", "hex");
  head.writeUInt32LE(BEHIND_HEAD + body.length, 4);
  const directory = Buffer.alloc(2 + entries.length * 12 + 4);
  directory.writeUInt16LE(entries.length, 0);
  for (const [index, [tag, type, count, value]] of entries.entries()) {
    const at = 2 + index * 12;
    directory.writeUInt16LE(tag, at);
    directory.writeUInt16LE(type, at + 2);
    directory.writeUInt32LE(count, at + 4);
    directory.writeUInt32LE(value, at + 8);
  }
  return Buffer.concat([head, body, directory]);
};

/** @returns a TIFF with the pages of both, which have one page each and little-endian offsets to their directories and pixels */
export const joinedTiffs = (first: Buffer, second: Buffer): Buffer => {
  const [one, other] = [Buffer.from(first), Buffer.from(second)];
  const moved = one.length;
  const directory = other.readUInt32LE(4);
  for (let at = directory + 2; at < other.length - 4; at += 12) {
    if (other.readUInt16LE(at) === STRIP_OFFSETS) {
      other.writeUInt32LE(other.readUInt32LE(at + 8) + moved, at + 8);
    }
  }
  one.writeUInt32LE(directory + moved, one.length - 4);
  return Buffer.concat([one, other]);
};

const STRIP_OFFSETS = 273;
