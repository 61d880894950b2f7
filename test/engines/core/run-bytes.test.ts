import { mkdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import sharp from "sharp";
import { afterEach, describe, expect, test } from "vitest";
import type { RouteStep } from "../../../functions/domain/conversions/plan.ts";
import type { BytesConversion } from "../../../functions/engines/core/convert-bytes.ts";
import { type ConverterPool, type ConverterPoolSettings, converterPool } from "../../../functions/engines/core/run.ts";
import { chooseEnclosure } from "../../../functions/engines/core/sandbox/choose.ts";
import { codeOf } from "../support/convert.ts";
import { fixture, sampleOf } from "../support/fixtures.ts";
import { locatedPhoto, motionPhoto, ultraHdrPhoto } from "../support/pictures/photo.ts";
import { childrenOf, until } from "../support/processes/processes.ts";
import { scratchFolder } from "../support/scratch.ts";

/** Conversions of bytes without files, with real processes. */

const scratch = scratchFolder();
const entry = join(import.meta.dirname, "../../../functions/engines/core/converter.ts");
const odd = join(import.meta.dirname, "../support/processes/odd-converter.ts");
const LONG = { timeoutMs: 150_000 };

let pools: ConverterPool[] = [];
const poolOf = (settings: Partial<ConverterPoolSettings> = {}): ConverterPool => {
  const pool = converterPool({ size: 1, entry, ...settings });
  pools.push(pool);
  return pool;
};
afterEach(async () => {
  await Promise.all(pools.map((pool) => pool.stop()));
  pools = [];
});

const step = (from: RouteStep["from"], to: RouteStep["to"]): RouteStep => ({
  engine: "sharp",
  from,
  to,
  options: ["width", "split"],
});
const conversion = (
  input: Buffer,
  [from, to]: readonly [RouteStep["from"], RouteStep["to"]] = ["png", "jpg"],
  options: BytesConversion["options"] = {},
): BytesConversion => ({ input: [input.subarray(0, 9), input.subarray(9)], step: step(from, to), options });
const png = () => readFileSync(sampleOf("png"));

describe("a conversion of bytes", () => {
  test("is forgotten when it has ended, while its process runs", async () => {
    setFlagsFromString("--expose-gc");
    const collect: () => void = runInNewContext("gc");
    const pool = poolOf();
    const convert = async () => {
      // The service's callback holds the input.
      const input = { bytes: png() };
      const onProgress = () => void input.bytes.length;
      await pool.runBytes(conversion(input.bytes), { ...LONG, onProgress });
      return new WeakRef(input);
    };
    const inputs = [await convert(), await convert(), await convert()];
    await until(() => {
      collect();
      return inputs.every((input) => input.deref() === undefined);
    });
  });

  test("reads the next input into the same memory, without what is left of the one before", async () => {
    const pool = poolOf();
    const [large, small] = [png(), await sharp(png()).resize(9).png({ palette: false }).toBuffer()];
    expect(small.length).toBeLessThan(large.length);
    const widths: (number | undefined)[] = [];
    for (const input of [large, small, large]) {
      const made = await pool.runBytes(conversion(input), LONG);
      widths.push((await sharp(made?.output).metadata()).width);
    }
    const { width } = await sharp(large).metadata();
    expect(widths).toEqual([width, 9, width]);
  });

  test("that is cancelled before it starts leaves no input to the next one in the same process", async () => {
    const pool = poolOf();
    await pool.runBytes(conversion(png()), LONG);
    const [before] = childrenOf();
    const other = await sharp(png()).resize(9).png().toBuffer();
    const reason = new Error("cancelled");
    const cancelled = pool.runBytes(conversion(other), { ...LONG, signal: AbortSignal.abort(reason) });
    await expect(cancelled).rejects.toBe(reason);
    const made = await pool.runBytes(conversion(png()), LONG);
    expect((await sharp(made?.output).metadata()).width).toBe((await sharp(png()).metadata()).width);
    expect(childrenOf()).toEqual([before]);
  });

  test.each(["jpg", "webp", "gif", "tiff", "avif"] as const)("to %s makes the same file as with files", async (to) => {
    const pool = poolOf();
    const made = await pool.runBytes(conversion(png(), ["png", to], { width: 64 }), LONG);
    const folder = scratch.fresh();
    mkdirSync(folder);
    const steps = [step("png", to)];
    const file = await pool.run({ input: sampleOf("png"), folder, steps, options: { width: 64 } }, LONG);
    expect(Buffer.from(made?.output ?? []).equals(readFileSync(file.output))).toBe(true);
    expect(made?.timings.map(({ engine, to: target }) => [engine, target])).toEqual([["sharp", to]]);
    expect(made?.warnings).toEqual(file.warnings);
  });

  test.each([
    ["location", locatedPhoto],
    ["gain map", ultraHdrPhoto],
    ["video", motionPhoto],
  ] as const)("of a photo with a %s has the metadata and warnings of one with files", async (_, photoOf) => {
    const pool = poolOf();
    const photo = await photoOf();
    const input = scratch.file(photo);
    for (const to of ["jpg", "png", "webp", "tiff", "avif"] as const) {
      for (const options of [{}, { strip_metadata: "gps" }] as const) {
        const only: RouteStep = { ...step("jpg", to), options: ["strip_metadata"] };
        const folder = scratch.fresh();
        mkdirSync(folder);
        const made = await pool.runBytes({ input: [photo], step: only, options }, LONG);
        const file = await pool.run({ input, folder, steps: [only], options }, LONG);
        expect(made?.warnings).toEqual(file.warnings);
        expect(Buffer.from(made?.output ?? []).equals(readFileSync(file.output))).toBe(true);
      }
    }
  });

  test("of a megabyte in each direction arrives completely, in the complete sandbox", async () => {
    const gaussian = { type: "gaussian", mean: 128, sigma: 60 } as const;
    const create = { width: 1_000, height: 1_000, channels: 3, background: "#888", noise: gaussian } as const;
    const noise = await sharp({ create }).png({ compressionLevel: 0 }).toBuffer();
    const { enclosure } = await chooseEnclosure("auto", {
      scratchFolder: scratch.folder,
      entry,
      environment: process.env,
    });
    const made = await poolOf({ enclosure, scratchFolder: scratch.folder }).runBytes(
      conversion(noise, ["png", "tiff"]),
      LONG,
    );
    expect(made?.output.length).toBeGreaterThan(1_000_000);
    expect(await sharp(made?.output).metadata()).toMatchObject({ format: "tiff", width: 1_000, height: 1_000 });
  });

  test("needs files for several pages, for several results and for animated PNGs", async () => {
    const pool = poolOf();
    const pages = readFileSync(fixture("pages.tiff"));
    expect(await pool.runBytes(conversion(pages, ["tiff", "png"]), LONG)).toBeUndefined();
    expect(await pool.runBytes(conversion(png(), ["png", "apng"]), LONG)).toBeUndefined();
    expect(await pool.runBytes(conversion(png()), LONG)).toBeDefined();
  });

  test("of a damaged file fails with its code, and the next one succeeds in the same process", async () => {
    const pool = poolOf();
    const failure = pool.runBytes(conversion(png().subarray(0, 150)), LONG);
    await expect(codeOf(failure)).resolves.toBe("source_corrupt");
    const [before] = childrenOf();
    expect(await pool.runBytes(conversion(png()), LONG)).toBeDefined();
    expect(childrenOf()).toEqual([before]);
  });
});

describe("a converter that sends other bytes than it announced", () => {
  const said = (text: string) => conversion(Buffer.from(text));

  test.each(["a file", "too large"])("with %s in the reply fails, and is replaced", async (answer) => {
    const pool = poolOf({ entry: odd });
    await expect(codeOf(pool.runBytes(said(answer), LONG))).resolves.toBe("engine_crashed");
    expect((await pool.runBytes(said("exact"), LONG))?.output.toString()).toBe("exact");
  });

  test("more: they never reach the next conversion", async () => {
    const pool = poolOf({ entry: odd });
    await pool.runBytes(said("exact"), LONG);
    const [before] = childrenOf();
    expect((await pool.runBytes(said("too many bytes"), LONG))?.output.toString()).toBe("1");
    expect((await pool.runBytes(said("exact"), LONG))?.output.toString()).toBe("exact");
    expect(childrenOf()).not.toEqual([before]);
  });

  test("fewer: the conversion times out", async () => {
    const running = poolOf({ entry: odd, size: availableParallelism() }).runBytes(said("too few bytes"), {
      timeoutMs: 2_000,
    });
    await expect(codeOf(running)).resolves.toBe("timed_out");
  });
});
