import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { PICTURE_PIXELS_MAX } from "../../../functions/domain/conversions/conversion-limits.ts";
import type { Options } from "../../../functions/domain/conversions/options.ts";
import type { FormatId } from "../../../functions/domain/formats/formats.ts";
import { archiveEngine } from "../../../functions/engines/archives/archive.ts";
import type { Engine, FurtherFile } from "../../../functions/engines/core/engine.ts";
import { pdflibEngine } from "../../../functions/engines/pdf/pdflib.ts";
import { sharpEngine } from "../../../functions/engines/pictures/sharp.ts";
import { codeOf } from "../support/convert.ts";
import { viewPdf } from "../support/documents/pdf.ts";
import { zipBytes } from "../support/entries.ts";
import { fixture, sampleOf } from "../support/fixtures.ts";
import { scratchFolder } from "../support/scratch.ts";
import { taskOf } from "../support/task.ts";
import { withTool } from "../support/tools.ts";

/** Names are printed in UTF-8, independent of the user's locale. */
const UTF8 = { ...process.env, LC_ALL: "C.UTF-8" };
const TEXT = { encoding: "utf8", env: UTF8 } as const;

const scratch = scratchFolder();

/** Merges files with an engine. @returns the path of the result, and the codes of its warnings */
const merge = async (engine: Engine, files: readonly FurtherFile[], to: FormatId, options: Options = {}) => {
  const [{ path: input, from, name: packAs } = { path: "", from: to, name: undefined }, ...further] = files;
  const output = `${scratch.fresh()}.${to}`;
  const packed = packAs !== undefined && { packAs };
  const task = taskOf({ input, further, output, from, to, options, ...packed }, scratch.folder);
  const { warnings } = await engine.convert(task);
  return { path: output, codes: warnings.map(({ code }) => code) };
};

const picture = async (background: string, [width, height]: readonly [number, number], from: FormatId = "png") => {
  const create = { width, height, channels: 4, background } as const;
  const format = from === "jpg" ? "jpeg" : from === "webp" ? "webp" : "png";
  return { path: scratch.file(await sharp({ create }).toFormat(format, { quality: 100 }).toBuffer()), from };
};

/** Each frame of an animation as displayed: the color at its center and the opacity at its edge. */
const framesOf = async (path: string) => {
  const { pages = 1, delay, loop, width, pageHeight = 0 } = await sharp(path, { pages: -1 }).metadata();
  const seen: string[] = [];
  for (let page = 0; page < pages; page += 1) {
    const { data, info } = await sharp(path, { page }).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
    const at = (x: number, y: number) => [...data.subarray((y * info.width + x) * 4, (y * info.width + x) * 4 + 4)];
    const [middle, corner] = [at(info.width >> 1, info.height >> 1), at(0, 0)];
    seen.push(`${middle.slice(0, 3).map((value) => Math.round(value / 255))} ${corner[3] === 0 ? "padded" : "full"}`);
  }
  return { seen, delay, loop, width, height: pageHeight };
};

describe("images of several formats and sizes", () => {
  const three = async () => [
    await picture("#ff0000", [60, 40], "jpg"),
    await picture("#00ff00", [30, 40]),
    await picture("#0000ff", [120, 80], "webp"),
  ];

  test.each(["gif", "webp"] as const)(
    "become an animated %s: the first is the canvas, the others fit in",
    async (to) => {
      const { path } = await merge(sharpEngine, await three(), to);
      expect(await framesOf(path)).toEqual({
        seen: ["1,0,0 full", "0,1,0 padded", "0,0,1 full"],
        delay: [500, 500, 500],
        loop: 0,
        width: 60,
        height: 40,
      });
    },
  );

  test("have the requested display time, crop and size", async () => {
    const { path } = await merge(sharpEngine, await three(), "gif", { delay: 120, width: 30, fit: "cover" });
    const frames = await framesOf(path);
    expect(frames).toMatchObject({ delay: [120, 120, 120], width: 30, height: 20 });
    expect(frames.seen).toEqual(["1,0,0 full", "0,1,0 full", "0,0,1 full"]);
  });

  test("become an animated PNG", async () => {
    const { path } = await merge(sharpEngine, await three(), "apng", { delay: 250 });
    const bytes = readFileSync(path);
    const control = bytes.indexOf("acTL");
    expect([bytes.readUInt32BE(control + 4), bytes.readUInt16BE(bytes.indexOf("fcTL") + 24)]).toEqual([3, 250]);
    expect((await sharp(path).metadata()).width).toBe(60);
  });

  test("keep the frames of an animation and their display times", async () => {
    const own = await sharp(fixture("animated.gif"), { pages: -1 }).metadata();
    const animation = { path: fixture("animated.gif"), from: "gif" } as const;
    const { path } = await merge(sharpEngine, [await picture("#ff0000", [60, 40]), animation], "webp");
    expect((await framesOf(path)).delay).toEqual([500, ...(own.delay ?? [])]);
  });

  test("become a TIFF with a page for each in its original size, including all pages of a TIFF", async () => {
    const tiff = { path: fixture("pages.tiff"), from: "tiff" } as const;
    const { path } = await merge(sharpEngine, [...(await three()), tiff], "tiff");
    if (withTool("identify")) {
      const own = execFileSync("identify", ["-format", "%wx%h\n", tiff.path], TEXT);
      const pages = execFileSync("identify", ["-format", "%wx%h\n", path], TEXT);
      expect(pages).toBe(`60x40\n30x40\n120x80\n${own}`);
    }
    const third = await sharp(path, { page: 2 }).removeAlpha().raw().toBuffer();
    expect([...third.subarray(0, 3)].map((value) => Math.round(value / 255))).toEqual([0, 0, 1]);
  });

  test("become a PDF with a page for each", async () => {
    const heic = { path: sampleOf("heic"), from: "heic" } as const;
    const { path } = await merge(pdflibEngine, [...(await three()), heic], "pdf");
    if (withTool("pdfinfo")) {
      expect(execFileSync("pdfinfo", [path], TEXT)).toMatch(/^Pages: +4$/m);
    }
    const colors = (await viewPdf(path))
      .slice(0, 3)
      .map(({ pixels }) => pixels.slice(0, 3).map((value) => value & 128));
    expect(colors.map((color) => [...color])).toEqual([
      [128, 0, 0],
      [0, 128, 0],
      [0, 0, 128],
    ]);
  });

  test("become a PDF together with other PDFs, in order", async () => {
    const [red, green] = await three();
    const { path: paper } = await merge(pdflibEngine, red ? [red] : [], "pdf");
    const files = [green, { path: paper, from: "pdf" } as const, green].filter((file) => file !== undefined);
    const { path } = await merge(pdflibEngine, files, "pdf");
    const reds = (await viewPdf(path)).map(({ pixels }) => pixels[0] ?? 0);
    expect(reds.map((value) => value > 200)).toEqual([false, true, false]);
  });
});

describe("merging rejects", () => {
  test("a damaged file, and names its number", async () => {
    const broken = { path: scratch.file(readFileSync(sampleOf("jpg")).subarray(0, 300)), from: "jpg" } as const;
    for (const to of ["gif", "tiff"] as const) {
      const merged = merge(sharpEngine, [await picture("#f00", [9, 9]), broken], to);
      await expect(merged).rejects.toMatchObject({
        code: "source_corrupt",
        message: expect.stringMatching(/^File 2: /),
      });
    }
  });

  test("an animation with too many pixels, before decoding", async () => {
    const side = Math.ceil(Math.sqrt(PICTURE_PIXELS_MAX / 3));
    const large = await picture("#123", [side, side]);
    expect(await codeOf(merge(sharpEngine, [large, large, large], "gif"))).toBe("too_many_pixels");
    const small = await picture("#f00", [9, 9]);
    const { path } = await merge(sharpEngine, [large, small, large], "gif", { width: 50 });
    expect((await framesOf(path)).delay).toHaveLength(3);
  });
});

describe("files of any format", () => {
  const files = (): FurtherFile[] => [
    { path: sampleOf("jpg"), from: "jpg", name: "Ünï code.jpg" },
    { path: sampleOf("eml"), from: "eml", name: "a.tar.gz" },
    { path: sampleOf("tar"), from: "tar", name: "A.TAR.GZ" },
    { path: sampleOf("jpg"), from: "jpg", name: "../../etc/passwd" },
    { path: sampleOf("jpg"), from: "jpg", name: `${"ä".repeat(250)}.jpg` },
    { path: sampleOf("jpg"), from: "jpg", name: ".." },
  ];
  const NAMES = ["Ünï code.jpg", "a.tar.gz", "A (2).TAR.GZ", "passwd", expect.stringMatching(/^ä{100,}\.jpg$/), "file"];

  test.each([
    ["zip", "unzip", ["-Z1"]],
    ["tar", "tar", ["--quoting-style=literal", "-tf"]],
    ["tgz", "tar", ["--quoting-style=literal", "-tzf"]],
  ] as const)("are packed into a %s under names that are safe, and differ in any case", async (to, program, list) => {
    const { path, codes } = await merge(archiveEngine, files(), to);
    expect(codes).toEqual([]);
    if (withTool(program)) {
      expect(
        execFileSync(program, [...list, path], TEXT)
          .trimEnd()
          .split("\n"),
      ).toEqual(NAMES);
    }
  });

  test("are unchanged", async () => {
    const { path } = await merge(archiveEngine, files(), "zip", { level: 9 });
    const packed = (await zipBytes(path))["A (2).TAR.GZ"];
    expect(packed?.equals(readFileSync(sampleOf("tar")))).toBe(true);
    if (withTool("unzip")) {
      execFileSync("unzip", ["-tq", path], TEXT);
      const bytes = execFileSync("unzip", ["-p", path, "A (2).TAR.GZ"], { env: UTF8 });
      expect(bytes.equals(readFileSync(sampleOf("tar")))).toBe(true);
    }
  });

  test("may be a single file", async () => {
    const [one] = files();
    const { path } = await merge(archiveEngine, one ? [one] : [], "zip");
    expect(Object.keys(await zipBytes(path))).toEqual(["Ünï code.jpg"]);
    if (withTool("unzip")) {
      expect(execFileSync("unzip", ["-Z1", path], TEXT)).toBe("Ünï code.jpg\n");
    }
  });
});
