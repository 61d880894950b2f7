import { mkdirSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { planRoutes } from "../../../functions/domain/conversions/plan.ts";
import { type ConverterPool, converterPool } from "../../../functions/engines/core/run.ts";
import { bundledOnce } from "../../support/run/bundled.ts";
import { sampleOf } from "../support/fixtures.ts";
import { scratchFolder } from "../support/scratch.ts";

/** The converter as deployed on Lambda: bundled, with its engines in a layer that only NODE_PATH locates. */

const scratch = scratchFolder();
let pool: ConverterPool;
beforeAll(() => {
  const { folder } = bundledOnce();
  process.env.NODE_PATH = join(import.meta.dirname, "../../../node_modules");
  pool = converterPool({ size: 1, entry: join(folder, "convert-file/converter.mjs") });
});
afterAll(() => pool.stop());

test.each(["jpg", "heic", "svg"] as const)("converts %s to WebP", async (from) => {
  const folder = scratch.fresh();
  mkdirSync(folder);
  const steps = planRoutes(new Set(["sharp", "magick"])).find(from, "webp")?.steps ?? [];
  const { output } = await pool.run({ input: sampleOf(from), folder, steps, options: {} }, { timeoutMs: 60_000 });
  expect(await sharp(output).metadata()).toMatchObject({ format: "webp", width: 96, height: 64 });
});
