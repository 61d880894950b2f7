import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { conversions } from "../../../functions/domain/conversions.ts";
import { detectFormat } from "../../../functions/domain/detect.ts";
import { DETECTION_BYTES } from "../../../functions/domain/limits.ts";
import { engines } from "../../../functions/engines/index.ts";
import { sampleOf } from "../support/fixtures.ts";
import { PICTURE_HEIGHT, PICTURE_WIDTH, picturePixels } from "../support/picture.ts";
import { scratchFolder } from "../support/scratch.ts";
import { distance, viewByMagick, viewBySharp } from "../support/views.ts";

/** Every declared conversion, on the sample of its source; the result is opened by a tool that did not make it. */

/** How far pixels may be off in the mean, of 255: samples of formats that lose are off by 0.3 already. */
const DISTANCE_MAX = { lossless: 0.5, lossy: 4, content_only: 255 } as const;

const scratch = scratchFolder();

describe.each(conversions)("$from → $to by $engine", ({ from, to, engine: engineId, fidelity }) => {
  test("shows the same picture in the format that was asked for", async () => {
    const engine = await engines[engineId]();
    const output = scratch.path(`${engineId}-${from}-${to}`);
    const { warnings } = await engine.convert({ input: sampleOf(from), output, from, to, options: {} });
    expect(detectFormat((await readFile(output)).subarray(0, DETECTION_BYTES))).toBe(to);
    const view = engineId === "sharp" ? await viewByMagick(output, to) : await viewBySharp(output);
    expect(view).toMatchObject({ width: PICTURE_WIDTH, height: PICTURE_HEIGHT, orientation: 1, frames: 1 });
    expect(distance(view.pixels, picturePixels())).toBeLessThan(DISTANCE_MAX[fidelity]);
    expect(warnings.map(({ code }) => code)).toEqual(from === "jpg" && to === "tiff" ? ["metadata_dropped"] : []);
  });
});
