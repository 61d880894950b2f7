import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { FormatId } from "../../functions/domain/formats/formats.ts";
import { magickEngine } from "../../functions/engines/pictures/magick.ts";
import { hugePng } from "../support/png.ts";
import { codeOf, convertingBySharp } from "./support/convert.ts";
import { fixture, sampleOf } from "./support/fixtures.ts";
import { canvasGif } from "./support/pictures/gif.ts";
import { tiffOf } from "./support/pictures/tiff.ts";
import { scratchFolder } from "./support/scratch.ts";
import { taskOf } from "./support/task.ts";

const scratch = scratchFolder();
const convert = convertingBySharp(scratch);

const SOURCES = ["jpg", "png", "webp", "gif", "tiff", "avif", "svg"] as const satisfies readonly FormatId[];

describe("too many pixels", () => {
  const cases: readonly [string, FormatId, FormatId, () => string | Uint8Array][] = [
    ["a PNG of 60,000 × 60,000 by its header", "png", "jpg", () => hugePng(60_000, 60_000)],
    ["a PNG that unpacks to 12,000 × 12,000", "png", "jpg", () => hugePng(12_000, 12_000, 12_000)],
    [
      "a GIF of 12,000 × 12,000",
      "gif",
      "png",
      () => canvasGif({ width: 12_000, height: 12_000, frames: 1, side: 12_000 }),
    ],
    [
      "a GIF whose frames total 400 megapixels",
      "gif",
      "webp",
      () => canvasGif({ width: 2_000, height: 2_000, frames: 100 }),
    ],
    ["a GIF of 2,001 frames", "gif", "webp", () => canvasGif({ width: 4, height: 4, frames: 2_001 })],
    ["a PNG wider than WebP can be", "png", "webp", () => hugePng(20_000, 10, 10)],
    ["a PNG wider than AVIF can be", "png", "avif", () => hugePng(20_000, 10, 10)],
    ["a PNG wider than JPEG can be", "png", "jpg", () => hugePng(70_000, 10, 10)],
    ["a PNG of 64 megapixels, more than AVIF can do", "png", "avif", () => hugePng(8_000, 8_000)],
    ["an SVG of 20,000 × 20,000", "svg", "png", () => svg("", 20_000)],
  ];
  test.each(cases)("rejects %s", async (_, from, to, bytes) => {
    expect(await codeOf(convert(scratch.file(bytes()), from, to))).toBe("too_many_pixels");
  });

  test("are rejected in the result too, before rendering", async () => {
    const thin = scratch.file(svg("", 1, 1_000));
    expect(await codeOf(convert(thin, "svg", "png", { width: 16_000 }))).toBe("too_many_pixels");
    expect(await codeOf(convert(thin, "svg", "png", { width: 16_000, height: 10, fit: "cover" }))).toBe(
      "too_many_pixels",
    );
    expect(await codeOf(convert(sampleOf("png"), "png", "jpg", { width: 16_383, fit: "inside" }))).toBe(
      "too_many_pixels",
    );
  });

  test("are harmless if only one of many frames is read", async () => {
    const { warnings } = await convert(
      scratch.file(canvasGif({ width: 2_000, height: 2_000, frames: 100 })),
      "gif",
      "png",
    );
    expect(warnings).toEqual(["frames_dropped"]);
  });

  test("an SVG rendered at a small size may declare any size", async () => {
    const { path } = await convert(scratch.file(svg("", 100_000)), "svg", "png", { width: 50 });
    expect(await sharp(path).metadata()).toMatchObject({ width: 50, height: 50 });
  });

  test("the error states the size, the limit and the alternative", async () => {
    const refusal = convert(scratch.file(hugePng(20_000, 10, 10)), "png", "webp");
    await expect(refusal).rejects.toThrow("20000 × 10");
    await expect(refusal).rejects.toThrow("16383");
  });
});

describe("damaged files", () => {
  const complete: Readonly<
    Record<(typeof SOURCES)[number] | "animated gif" | "animated webp" | "interlaced png", string>
  > = {
    jpg: sampleOf("jpg"),
    png: sampleOf("png"),
    webp: sampleOf("webp"),
    gif: sampleOf("gif"),
    tiff: sampleOf("tiff"),
    avif: sampleOf("avif"),
    svg: sampleOf("svg"),
    "animated gif": fixture("animated.gif"),
    "animated webp": fixture("animated.webp"),
    "interlaced png": sampleOf("png"),
  };
  const read = async (name: keyof typeof complete): Promise<Buffer> =>
    name === "interlaced png"
      ? sharp(complete[name]).png({ progressive: true, compressionLevel: 0 }).toBuffer()
      : readFileSync(complete[name]);
  const names = Object.keys(complete) as (keyof typeof complete)[];

  describe.each(names)("%s", (name) => {
    test.each([0.3, 0.6, 0.9])("truncated at %d of its length is corrupt, for every target", async (part) => {
      const bytes = await read(name);
      const from = SOURCES.find((format) => name.endsWith(format)) ?? "png";
      const input = scratch.file(bytes.subarray(0, Math.floor(bytes.length * part)));
      for (const to of ["jpg", "png", "webp", "gif", "tiff", "avif"] as const) {
        expect([to, await codeOf(convert(input, from, to))]).toEqual([to, "source_corrupt"]);
      }
    });
  });

  test("a TIFF whose pixels are truncated after its directory is corrupt", async () => {
    const bytes = tiffOf([{ width: 60, height: 40 }]);
    expect(await codeOf(convert(scratch.file(bytes.subarray(0, -1_000)), "tiff", "png"))).toBe("source_corrupt");
  });

  test.each(SOURCES)("an empty file, and text that claims to be %s, are corrupt", async (from) => {
    expect(await codeOf(convert(scratch.file(""), from, "png"))).toBe("source_corrupt");
    expect(await codeOf(convert(scratch.file("This is a text, and no picture."), from, "png"))).toBe("source_corrupt");
  });

  test("the error contains no path", async () => {
    const input = scratch.file(readFileSync(sampleOf("avif")).subarray(0, 250));
    const message = await convert(input, "avif", "png").then(
      () => "",
      (error: Error) => error.message,
    );
    expect(message).toMatch(/^The AVIF /);
    expect(message).not.toContain("/");
  });

  test("a picture in another format than declared is a mismatch", async () => {
    expect(await codeOf(convert(sampleOf("jpg"), "png", "webp"))).toBe("source_mismatch");
    expect(await codeOf(convert(fixture("sample.heic"), "avif", "png"))).toBe("source_mismatch");
  });

  test("a JPEG-LS, which starts like a JPEG, is an unsupported feature", async () => {
    const input = scratch.file(Buffer.from("ffd8fff7000b080004000401011100ffda0008010100000000ffd9", "hex"));
    expect(await codeOf(convert(input, "jpg", "png"))).toBe("unsupported_feature");
  });

  test.each([0.1, 0.5, 0.9])("a HEIC truncated at %d of its length is corrupt", async (part) => {
    const bytes = readFileSync(fixture("sample.heic"));
    const input = scratch.file(bytes.subarray(0, Math.floor(bytes.length * part)));
    const task = { input, output: scratch.fresh(), from: "heic", to: "png", options: {} } as const;
    expect(await codeOf(magickEngine.convert(taskOf(task)))).toBe("source_corrupt");
  });
});

test("internal errors are not blamed on the file", async () => {
  const task = { input: sampleOf("png"), output: "/dev/full", from: "png", to: "jpg", options: {} } as const;
  const { sharpEngine } = await import("../../functions/engines/pictures/sharp.ts");
  await expect(sharpEngine.convert(taskOf(task, scratch.folder))).rejects.toThrow("No space left on device");
  await expect(codeOf(sharpEngine.convert(taskOf(task, scratch.folder)))).rejects.toThrow("No space left on device");
  await expect(codeOf(convert(scratch.path("gone"), "png", "jpg"))).rejects.toThrow("missing");
});

test("reads a file again after another one had the same path", async () => {
  const input = scratch.file(readFileSync(sampleOf("png")));
  await convert(input, "png", "jpg");
  writeFileSync(input, hugePng(8, 8, 8));
  const { path } = await convert(input, "png", "jpg");
  expect(await sharp(path).metadata()).toMatchObject({ width: 8, height: 8 });
});

const svg = (content: string, width = 40, height = width, before = ""): string =>
  `${before}<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="${width}" height="${height}">${content}</svg>`;

describe("external references in SVG", () => {
  const server = createServer((_request, response) => {
    requests += 1;
    response.end();
  });
  let requests = 0;
  let outside = "";
  beforeAll(async () => {
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    outside = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
    writeFileSync(scratch.path("red.png"), await sharp(sampleOf("png")).png().toBuffer());
  });
  afterAll(() => server.close());

  const references: readonly [string, (place: string) => string][] = [
    ["an image", (place) => `<image href="${place}" width="40" height="40"/>`],
    ["an image by xlink", (place) => `<image xlink:href="${place}" width="40" height="40"/>`],
    [
      "a filter image",
      (place) => `<filter id="f"><feImage href="${place}"/></filter><rect width="40" height="40" filter="url(#f)"/>`,
    ],
    ["a use", (place) => `<use href="${place}#a"/>`],
    [
      "a style",
      (place) =>
        `<style>@import url("${place}"); rect { fill: url("${place}#a") }</style><rect width="40" height="40" fill-opacity="0"/>`,
    ],
    [
      "foreign HTML",
      (place) =>
        `<foreignObject width="40" height="40"><iframe xmlns="http://www.w3.org/1999/xhtml" src="${place}"/></foreignObject>`,
    ],
    [
      "an inclusion",
      (place) => `<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="${place}" parse="text"/>`,
    ],
  ];
  const places: readonly [string, () => string][] = [
    ["on the network", () => `${outside}/picture.png`],
    ["in a file by URL", () => `file://${scratch.path("red.png")}`],
    ["in a file by path", () => scratch.path("red.png")],
    ["in a file in the same folder", () => "red.png"],
  ];

  describe.each(references)("by %s", (_name, reference) => {
    test.each(places)("%s are not read", async (_place, place) => {
      const input = scratch.file(svg(reference(place())));
      const { path } = await convert(input, "svg", "png");
      const { channels } = await sharp(path).stats();
      expect(channels[3]?.max).toBe(0);
      expect(requests).toBe(0);
    });
  });

  test("by an entity are not read", async () => {
    const before = `<!DOCTYPE svg [<!ENTITY host SYSTEM "file:///etc/hostname">]>`;
    const drawing = convert(scratch.file(svg(`<text y="20">&host;</text>`, 40, 40, before)), "svg", "png");
    await expect(drawing).rejects.toThrow("Entity 'host' not defined");
  });
});

describe("SVG expansion attacks", () => {
  const entities = ["a", "b", "c", "d", "e", "f", "g", "h"].map((name, index, all) =>
    index === 0 ? `<!ENTITY a "aaaaaaaaaa">` : `<!ENTITY ${name} "${`&${all[index - 1]};`.repeat(10)}">`,
  );
  const groups = Array.from(
    { length: 10 },
    (_, index) => `<g id="u${index + 1}">${`<use href="#u${index}"/>`.repeat(10)}</g>`,
  );
  const cases: readonly [string, string][] = [
    ["by entities", svg("<text>&h;</text>", 40, 40, `<!DOCTYPE svg [${entities.join("")}]>`)],
    ["by references", svg(`<defs><rect id="u0" width="1" height="1"/>${groups.join("")}</defs><use href="#u10"/>`)],
    ["by depth", svg(`${"<g>".repeat(20_000)}${"</g>".repeat(20_000)}`)],
    ["by a comment of 11 MB", svg(`<!--${"x".repeat(11_000_000)}-->`)],
    ["by a missing size", `<svg xmlns="http://www.w3.org/2000/svg"/>`],
  ];
  test.each(cases)("%s are rejected", async (_, text) => {
    expect(await codeOf(convert(scratch.file(text), "svg", "png"))).toBe("unsupported_feature");
  });
});
