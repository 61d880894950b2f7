import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { codeOf } from "../support/convert.ts";
import { DRAWING_TEXT } from "../support/documents/office.ts";
import { viewPdf } from "../support/documents/pdf.ts";
import { sampleOf } from "../support/fixtures.ts";
import { PICTURE_COLORS, PICTURE_HEIGHT, PICTURE_WIDTH } from "../support/pictures/picture.ts";
import { scratchFolder } from "../support/scratch.ts";
import { convertingBy, isInstalled } from "../support/task.ts";

const scratch = scratchFolder();
const convert = convertingBy("djvu", scratch);

/** @returns a document with these texts, one page each */
const withTexts = (texts: readonly string[]): string => {
  const pages = texts.map((text) => {
    const page = scratch.file(readFileSync(sampleOf("djvu")));
    const script = scratch.file(
      `select 1\nset-txt\n(page 0 0 96 64 (word 4 40 92 56 ${JSON.stringify(text)}))\n.\nsave\n`,
    );
    execFileSync("djvused", [page, "-f", script]);
    return page;
  });
  const path = `${scratch.fresh()}.djvu`;
  execFileSync("djvm", ["-c", path, ...pages]);
  return path;
};

describe.skipIf(!isInstalled("djvu"))("DjVu", () => {
  test("becomes a PDF with its picture, and its words at their places", async () => {
    const { path } = await convert(sampleOf("djvu"), ["djvu", "pdf"]);
    const [page, ...others] = await viewPdf(path, { width: PICTURE_WIDTH, height: PICTURE_HEIGHT });
    expect(others).toEqual([]);
    expect([page?.width, page?.height]).toEqual([PICTURE_WIDTH, PICTURE_HEIGHT]);
    expect(page?.text).toContain(DRAWING_TEXT);
    for (const [index, color] of PICTURE_COLORS.entries()) {
      const at = ((index < 2 ? 16 : 48) * PICTURE_WIDTH + (index % 2 === 0 ? 24 : 72)) * 3;
      const seen = [...(page?.pixels.subarray(at, at + 3) ?? [])];
      expect(Math.max(...seen.map((value, channel) => Math.abs(value - (color[channel] ?? 0))))).toBeLessThan(24);
    }
  });

  test("becomes text in any script, page by page", async () => {
    const { path, codes } = await convert(withTexts(['Порт "7"', "港"]), ["djvu", "txt"]);
    expect(readFileSync(path, "utf8").split(/\s*\n\s*/)).toEqual(['Порт "7"', "港", ""]);
    expect(codes).toEqual([]);
  });

  test("without text says so", async () => {
    const path = scratch.file(readFileSync(sampleOf("djvu")));
    execFileSync("djvused", [path, "-e", "select 1; remove-txt; save"]);
    expect((await convert(path, ["djvu", "txt"])).codes).toEqual(["no_text"]);
  });

  test("whose pages are in other files is not supported", async () => {
    const folder = scratch.fresh();
    mkdirSync(folder);
    execFileSync("djvmcvt", ["-i", withTexts(["a", "b"]), folder, "index.djvu"]);
    const alone = scratch.fresh();
    mkdirSync(alone);
    const path = join(alone, "index.djvu");
    copyFileSync(join(folder, "index.djvu"), path);
    await expect(convert(path, ["djvu", "pdf"])).rejects.toMatchObject({
      code: "unsupported_feature",
      message: expect.stringContaining("in other files"),
    });
  });

  test("that is truncated, or declares a huge page, is refused", async () => {
    const bytes = readFileSync(sampleOf("djvu"));
    const half = scratch.file(bytes.subarray(0, bytes.length / 2));
    expect(await codeOf(convert(half, ["djvu", "pdf"]))).toBe("source_corrupt");
    const huge = `${scratch.fresh()}.djvu`;
    const large = Buffer.from(bytes);
    const info = large.indexOf("INFO") + 8;
    large.writeUInt16BE(30_000, info);
    large.writeUInt16BE(30_000, info + 2);
    writeFileSync(huge, large);
    expect(await codeOf(convert(huge, ["djvu", "pdf"]))).toBe("too_many_pixels");
  });
});
