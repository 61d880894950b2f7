import { join } from "node:path";
import sharp from "sharp";
import { afterAll, describe, expect, test } from "vitest";
import { flowAt, oneCallAt } from "../../bench/api/flow.ts";
import { startBareService } from "../../bench/api/start-bare-service.ts";
import { alternate, rotated, type System } from "../../bench/peers/rounds.ts";
import { HEADER, markdown, rowsOf } from "../../bench/peers/table.ts";
import { lowestQuality, ssim } from "../../bench/support/likeness.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const folder = temporaryFolder();
afterAll(() => folder.remove());

/** Records which system converted, in order. */
const recorders = (names: readonly string[]): { readonly calls: string[]; readonly systems: readonly System[] } => {
  const calls: string[] = [];
  const systems = names.map((name) => ({ name, convert: async (input: string) => calls.push(`${name} ${input}`) }));
  return { calls, systems };
};

describe("the comparison with other services", () => {
  test("gives each system the first place of a round in turn", () => {
    expect([0, 1, 2, 3].map((round) => rotated(["a", "b", "c"], round).join(""))).toEqual(["abc", "bca", "cab", "abc"]);
  });

  test("runs as many conversions to warm up as it says, then all systems in each round", async () => {
    const { calls, systems } = recorders(["a", "b"]);
    const figures = await alternate(systems, "x", { rounds: 2, perRound: 2, warmUps: 3 });
    expect(calls.map(([name]) => name).join("")).toBe(`aaabbb${"aabb"}${"bbaa"}`);
    expect(figures.map(({ name, times, rounds }) => [name, times.length, rounds.length])).toEqual([
      ["a", 4, 2],
      ["b", 4, 2],
    ]);
    expect(figures[0]?.ratios).toEqual([1, 1]);
  });

  test("never runs more conversions at once than requested", async () => {
    let [running, most] = [0, 0];
    const convert = async (): Promise<void> => {
      running += 1;
      most = Math.max(most, running);
      await new Promise(setImmediate);
      running -= 1;
    };
    await alternate([{ name: "a", convert }], "x", { rounds: 1, perRound: 8, atOnce: 3, warmUps: 1 });
    expect(most).toBe(3);
  });

  test("counts failed conversions, and does not time them", async () => {
    let turn = 0;
    const convert = async (): Promise<void> => {
      turn += 1;
      if (turn % 2 === 0) {
        throw new Error("even");
      }
    };
    const [figures] = await alternate([{ name: "a", convert }], "x", { rounds: 1, perRound: 4, warmUps: 1 });
    expect(figures).toMatchObject({ failed: 2, times: { length: 2 } });
  });

  test("prints one Markdown table with the medians of the ratios", () => {
    const figures = {
      coldMs: 9,
      times: [1, 2, 3],
      rounds: [1, 2, 3],
      ratios: [1, 2, 6],
      cpuSeconds: 0.0042,
      failed: 1,
    };
    const [row = []] = rowsOf("small", [{ name: "a", ...figures }]);
    expect(row).toEqual(["small", "a", "3/1", "2.00", "1.00–6.00", "2.0", "3.0", "9", "4.2"]);
    expect(
      markdown([HEADER, row])
        .split("\n")
        .map((line) => line.split(" | ").length),
    ).toEqual([9, 9, 9]);
  });
});

describe("the bare service", () => {
  test("makes transparent pixels white in a JPEG, like ours", async () => {
    const { url, stop } = await startBareService();
    try {
      const input = join(folder.path, "transparent.png");
      await sharp({ create: { width: 16, height: 16, channels: 4, background: "#f000" } }).toFile(input);
      const { channels } = await sharp(await oneCallAt(url, "none")(input, "jpg")).stats();
      expect(channels.map(({ mean }) => mean)).toEqual([255, 255, 255]);
    } finally {
      await stop();
    }
  });

  test("converts in one call and in separate calls, like ours", async () => {
    const pairs = [
      ["bare.png", "jpg", "jpeg"],
      ["bare.jpg", "webp", "webp"],
    ] as const;
    const { url, stop } = await startBareService();
    try {
      for (const [name, target, format] of pairs) {
        const input = join(folder.path, name);
        await sharp({ create: { width: 40, height: 30, channels: 3, background: "teal" } }).toFile(input);
        for (const convert of [oneCallAt(url, "none"), flowAt(url, "none")]) {
          expect(await sharp(await convert(input, target)).metadata()).toMatchObject({ format, width: 40 });
        }
      }
    } finally {
      await stop();
    }
  });
});

describe("the search for an equal quality", () => {
  test("finds the lowest sufficient quality", async () => {
    const tried: number[] = [];
    const reaches = async (quality: number) => tried.push(quality) > 0 && quality >= 61;
    expect(await lowestQuality([30, 95], reaches)).toBe(61);
    expect(tried.length).toBeLessThanOrEqual(7);
    expect(await lowestQuality([30, 95], async () => false)).toBe(95);
  });

  test("compares images by SSIM: 1 for equal ones, less for lower quality", async () => {
    const paths = [90, 20].map((quality) => [quality, join(folder.path, `${quality}.jpg`)] as const);
    const noise = Buffer.from(Array.from({ length: 64 * 64 * 3 }, (_, index) => (index * 7_919) % 256));
    const source = join(folder.path, "source.png");
    await sharp(noise, { raw: { width: 64, height: 64, channels: 3 } }).toFile(source);
    for (const [quality, path] of paths) {
      await sharp(source).jpeg({ quality }).toFile(path);
    }
    const [good = 0, bad = 0] = await Promise.all(paths.map(([, path]) => ssim(source, path)));
    expect(await ssim(source, source)).toBeCloseTo(1);
    expect(good).toBeLessThan(1);
    expect(bad).toBeLessThan(good);
  });
});
