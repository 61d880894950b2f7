import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { codeOf } from "../support/convert.ts";
import { fixture, sampleOf } from "../support/fixtures.ts";
import { PICTURE_COLORS } from "../support/pictures/picture.ts";
import { scratchFolder } from "../support/scratch.ts";
import { convertingBy, convertingByRoute } from "../support/task.ts";
import { distance, viewBySharp } from "../support/views.ts";

/** Images traced to drawings, and compressed drawings. */

const scratch = scratchFolder();
const trace = convertingBy("vectorizer", scratch);
const pack = convertingBy("svgz", scratch);
const route = convertingByRoute(scratch);

const fills = (path: string): Set<string> =>
  new Set([...readFileSync(path, "utf8").matchAll(/fill="([^"]+)"/g)].map(([, fill = ""]) => fill.toLowerCase()));

describe("a traced image", () => {
  test("keeps colors by default, and only black in black-and-white mode", async () => {
    const { path } = await trace(sampleOf("png"), ["png", "svg"]);
    const colors = [...fills(path)].map((fill) => Buffer.from(fill.slice(1), "hex"));
    // Some more colors are between the areas.
    expect(colors.length).toBeLessThan(9);
    for (const color of PICTURE_COLORS) {
      expect(Math.min(...colors.map((fill) => distance(fill, Uint8Array.from(color))))).toBeLessThan(8);
    }
    const { path: plain } = await trace(sampleOf("png"), ["png", "svg"], { colors: "black_white" });
    expect([...fills(plain)]).toEqual(["#000000"]);
  });

  test("keeps details of two pixels, as in the letters of a small logo", async () => {
    const dots = Array.from({ length: 20 }, (_, index) => 4 + index * 8);
    const marks = dots.map((x) => `<rect x="${x}" y="10" width="2" height="2" fill="#333"/>`).join("");
    const logo = `<svg xmlns="http://www.w3.org/2000/svg" width="170" height="40"><rect width="170" height="40" fill="#fff"/>${marks}</svg>`;
    const input = scratch.file(await sharp(Buffer.from(logo)).png().toBuffer());
    const { path } = await trace(input, ["png", "svg"]);
    const { data, info } = await sharp(path).flatten({ background: "#fff" }).grayscale().raw().toBuffer({
      resolveWithObject: true,
    });
    expect(info).toMatchObject({ width: 170, height: 40 });
    expect(dots.filter((x) => (data[(10 * info.width + x) * info.channels] ?? 255) > 160)).toEqual([]);
  });

  test("keeps transparency", async () => {
    const { path } = await trace(fixture("alpha.png"), ["png", "svg"]);
    const { data, info } = await sharp(path).raw().toBuffer({ resolveWithObject: true });
    expect(info).toMatchObject({ width: 96, height: 64, channels: 4 });
    expect(data[3]).toBe(0);
    expect(data[(32 * 96 + 48) * 4 + 3]).toBe(255);
  });

  test("keeps its size, although fewer pixels are traced", async () => {
    const large = scratch.file(
      await sharp(sampleOf("png")).resize(2_400, 1_600, { kernel: "nearest" }).png().toBuffer(),
    );
    const { path } = await trace(large, ["png", "svg"]);
    expect(await sharp(path).metadata()).toMatchObject({ width: 2_400, height: 1_600 });
    expect(/viewBox="0 0 (\d+) (\d+)"/.exec(readFileSync(path, "utf8"))?.slice(1).map(Number)).toEqual([1_224, 816]);
  });

  test("applies size and background color", async () => {
    const { path } = await trace(fixture("alpha.png"), ["png", "svg"], { width: 192, background: "#ff0000" });
    const { data, info } = await sharp(path).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
    expect(info).toMatchObject({ width: 192, height: 128 });
    expect(distance(data.subarray(0, 4), Uint8Array.from([255, 0, 0, 255]))).toBeLessThan(10);
  });

  test("can be created from HEIC", async () => {
    const { output } = await route(sampleOf("heic"), ["heic", "svg"]);
    expect(await sharp(output).metadata()).toMatchObject({ format: "svg", width: 96, height: 64 });
  });

  test("rejects a damaged image", async () => {
    const bytes = readFileSync(sampleOf("png"));
    expect(await codeOf(trace(scratch.file(bytes.subarray(0, 200)), ["png", "svg"]))).toBe("source_corrupt");
  });
});

describe("a compressed drawing", () => {
  test("is unchanged by compression and decompression", async () => {
    const { path } = await pack(sampleOf("svg"), ["svg", "svgz"]);
    expect(readFileSync(path).subarray(0, 2).toString("hex")).toBe("1f8b");
    const { path: back } = await pack(path, ["svgz", "svg"]);
    expect(readFileSync(back, "utf8")).toBe(readFileSync(sampleOf("svg"), "utf8"));
  });

  test("is rendered like an uncompressed one, at the requested size", async () => {
    const { output } = await route(sampleOf("svgz"), ["svgz", "png"], { width: 192 });
    expect(await viewBySharp(output)).toMatchObject({ width: 192, height: 128 });
  });

  test.each([
    ["that unpacks to 60 MB", () => gzipSync(Buffer.alloc(60_000_000, " ")), "archive_unsafe"],
    ["that is truncated", () => readFileSync(sampleOf("svgz")).subarray(0, 60), "source_corrupt"],
    ["that contains text", () => gzipSync("This is a text."), "source_mismatch"],
  ] as const)("%s is rejected", async (_, bytes, code) => {
    expect(await codeOf(pack(scratch.file(bytes()), ["svgz", "svg"]))).toBe(code);
  });
});
