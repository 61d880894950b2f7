import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { zipHolds } from "../engines/support/entries.ts";
import { fixture, sampleOf } from "../engines/support/fixtures.ts";
import { scratchFolder } from "../engines/support/scratch.ts";

/** `npm run convert` as typed in a terminal. */

const scratch = scratchFolder();

const convert = (...args: string[]) => {
  const program = join(import.meta.dirname, "../../local/convert.ts");
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
    cwd: scratch.folder,
    encoding: "utf8",
    timeout: 150_000,
  });
  return { status, stdout, stderr };
};

describe("npm run convert", () => {
  test("takes the value of an option that was once on or off, but not the name of the next file", () => {
    const { status, stderr } = convert(sampleOf("jpg"), "bare.png", "--strip_metadata", "gps");
    expect([status, stderr]).toEqual([0, expect.stringContaining("bare.png")]);
    expect(convert("--strip_metadata", sampleOf("jpg"), "plain.png").status).toBe(0);
  });

  test("converts a file with options, and prints the steps with their durations", async () => {
    const { status, stderr } = convert(sampleOf("heic"), "small.webp", "--width", "48", "--lossless");
    expect(stderr).toMatch(/^small\.webp: lossy, .* → png \d+ ms, sharp → webp \d+ ms\n/);
    expect(status).toBe(0);
    expect(await sharp(scratch.path("small.webp")).metadata()).toMatchObject({ format: "webp", width: 48 });
  });

  test("accepts options before the files and with an equals sign", async () => {
    expect(convert("--lossless", "--height=32", sampleOf("png"), "first.webp").status).toBe(0);
    expect(await sharp(scratch.path("first.webp")).metadata()).toMatchObject({ height: 32 });
  });

  test("merges files of different formats, and packs files with their names", async () => {
    expect(convert(sampleOf("jpg"), fixture("alpha.png"), "both.webp", "--delay", "90").status).toBe(0);
    const { pages, delay } = await sharp(scratch.path("both.webp"), { pages: -1 }).metadata();
    expect([pages, delay]).toEqual([2, [90, 90]]);
    expect(convert(sampleOf("eml"), sampleOf("png"), "pack.zip").status).toBe(0);
    expect(Object.keys(await zipHolds(scratch.path("pack.zip")))).toEqual(["sample.eml", "sample.png"]);
    const refused = convert(sampleOf("jpg"), sampleOf("mp3"), "none.pdf");
    expect(refused).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/^unsupported_conversion: mp3 files cannot/),
    });
  });

  test("lists the formats that a file can be converted to", () => {
    expect(convert(sampleOf("gif"))).toMatchObject({ status: 0, stdout: expect.stringMatching(/ is GIF\. .*webp/) });
  });

  test("overwrites files only with --force", () => {
    writeFileSync(scratch.path("kept.png"), "mine");
    expect(convert(sampleOf("jpg"), "kept.png")).toMatchObject({ status: 2, stderr: expect.stringMatching(/--force/) });
    expect(readFileSync(scratch.path("kept.png"), "utf8")).toBe("mine");
    expect(convert(sampleOf("jpg"), "kept.png", "--force").status).toBe(0);
    expect(readFileSync(scratch.path("kept.png")).subarray(1, 4).toString()).toBe("PNG");
  });

  const wrong: readonly [string, number, RegExp, readonly string[]][] = [
    ["no file", 2, /Missing input file[\s\S]*Usage/, []],
    ["a missing file", 2, /File not found: gone\.png/, ["gone.png", "a.jpg"]],
    ["an unknown extension", 2, /Unknown output format: a\.nothing/, [sampleOf("png"), "a.nothing"]],
    ["an unsupported target", 1, /unsupported_conversion: .*Supported targets: /, [sampleOf("png"), "a.csv"]],
    [
      "an unknown option",
      1,
      /invalid_options: .*Supported options: [\s\S]*\/options/,
      [sampleOf("png"), "a.jpg", "--x", "1"],
    ],
    ["an option with a wrong value", 1, /\/options\/quality/, [sampleOf("png"), "a.jpg", "--quality", "good"]],
    ["several files for a single-image format", 1, /cannot be merged/, [sampleOf("png"), sampleOf("png"), "a.bmp"]],
  ];
  test.each(wrong)("exits with an error for %s, with code %d", (_, status, words, args) => {
    const ended = convert(...args);
    expect(ended.stderr).toMatch(words);
    expect(ended.status).toBe(status);
    expect([scratch.path("a.jpg"), scratch.path("a.bmp")].some((path) => existsSync(path))).toBe(false);
  });

  test("reports the error code of a corrupt file", () => {
    const input = scratch.file(readFileSync(sampleOf("png")).subarray(0, 100));
    expect(convert(input, "b.jpg")).toMatchObject({ status: 1, stderr: expect.stringMatching(/^source_corrupt: /) });
  });
});
