import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { PDFDocument } from "@cantoo/pdf-lib";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { planRoutes } from "../../../functions/domain/conversions/plan.ts";
import { JobError } from "../../../functions/domain/errors.ts";
import type { FormatId } from "../../../functions/domain/formats/formats.ts";
import { FileRefused } from "../../../functions/engines/core/engine.ts";
import { withFormatsNamed, withSourceNamed } from "../../../functions/engines/core/source-named.ts";
import { withFallbacks } from "../../../functions/engines/core/with-fallbacks.ts";
import { installedEngines } from "../../../local/engines/installed.ts";
import { withMember } from "../support/attacks/attack.ts";
import { convertingWithFallbacks, joinedTiffs, tiffOfDoubles, tiffOfSeparateTiles } from "../support/fallback.ts";
import { fixture, sampleOf } from "../support/fixtures.ts";
import { tiffOf } from "../support/pictures/tiff.ts";
import { scratchFolder } from "../support/scratch.ts";
import { isInstalled } from "../support/task.ts";

/** Files that one engine refuses and another one reads, and files that none should try. */

const scratch = scratchFolder();
const routes = planRoutes(new Set(installedEngines().keys()));
let runs = 0;
const convert = convertingWithFallbacks(scratch, () => {
  runs += 1;
});

/** @returns the number of engines that the conversion tried, and its error */
const refused = async (...conversion: Parameters<typeof convert>) => {
  runs = 0;
  const error: unknown = await convert(...conversion).catch((reason: unknown) => reason);
  return { error, tried: runs };
};

describe("a file that the first engine refuses", () => {
  test("is read by the next one, and the options apply", async () => {
    const input = scratch.file(tiffOfDoubles(64, 32));
    const { output, timings, tried } = await convert(input, ["tiff", "jpg"], { width: 16, quality: 90 });
    expect(await sharp(output).metadata()).toMatchObject({ format: "jpeg", width: 16, height: 8 });
    expect(timings.map(({ engine }) => engine)).toEqual(["magick", "sharp"]);
    expect(tried).toEqual(["sharp"]);
    const { data } = await sharp(output).greyscale().raw().toBuffer({ resolveWithObject: true });
    expect(data[0]).toBeLessThan(40);
    expect(data[15]).toBeGreaterThan(215);
  });

  test.each(["png", "webp", "pdf", "ico"] as const)("is read for %s as well", async (to) => {
    const { tried } = await convert(scratch.file(tiffOfDoubles(64, 32)), ["tiff", to]);
    expect(tried).toEqual(["sharp"]);
  });

  test.skipIf(!isInstalled("ffmpeg"))("is read by the third engine if the second refuses it, too", async () => {
    const input = `${scratch.fresh()}.jpg`;
    execFileSync("ffmpeg", ["-v", "error", "-i", sampleOf("png"), "-pix_fmt", "bgr24", "-c:v", "ljpeg", input]);
    const { output, tried } = await convert(input, ["jpg", "png"]);
    expect(tried).toEqual(["sharp", "magick"]);
    const [made, source] = await Promise.all([output, sampleOf("png")].map((path) => sharp(path).metadata()));
    expect([made?.width, made?.height]).toEqual([source?.width, source?.height]);
  });

  test.skipIf(!isInstalled("ffmpeg"))("is turned upright by the third engine, too", async () => {
    const plain = `${scratch.fresh()}.jpg`;
    const pixels = { create: { width: 32, height: 16, channels: 3, background: "#00f" } } as const;
    const left = {
      input: { create: { width: 8, height: 16, channels: 3, background: "#f00" } },
      left: 0,
      top: 0,
    } as const;
    const png = await sharp(pixels).composite([left]).png().toBuffer();
    execFileSync("ffmpeg", ["-v", "error", "-i", scratch.file(png), "-pix_fmt", "bgr24", "-c:v", "ljpeg", plain]);
    const upright = await sharp(png).jpeg().withMetadata({ orientation: 6 }).toBuffer();
    const start = upright.indexOf("ffe1", "hex");
    const exif = upright.subarray(start, start + 2 + upright.readUInt16BE(start + 2));
    const bytes = readFileSync(plain);
    const input = scratch.file(Buffer.concat([bytes.subarray(0, 2), exif, bytes.subarray(2)]));
    const { output, tried } = await convert(input, ["jpg", "png"]);
    expect(tried).toEqual(["sharp", "magick"]);
    const { data, info } = await sharp(output).removeAlpha().raw().toBuffer({ resolveWithObject: true });
    // The left edge of the stored picture is the upper one.
    expect([info.width, info.height]).toEqual([16, 32]);
    expect([data[0], data.at(-1)]).toEqual([expect.closeTo(255, -1.5), expect.closeTo(255, -1.5)]);
  });

  test.skipIf(!isInstalled("avif")).each(["gif", "webp"] as const)("keeps the frames of an AVIF as %s", async (to) => {
    const animated = await convert(fixture("animated.gif"), ["gif", "avif"]);
    const { output, timings } = await convert(animated.output, ["avif", to]);
    expect(timings.map(({ engine }) => engine)).toEqual(["avif", "sharp"]);
    expect(await sharp(output, { pages: -1 }).metadata()).toMatchObject({ pages: 3, delay: [100, 200, 300] });
  });

  test("keeps all pages of a TIFF", async () => {
    const input = scratch.file(joinedTiffs(tiffOfDoubles(64, 32), tiffOfDoubles(32, 64)));
    const { output, tried } = await convert(input, ["tiff", "pdf"]);
    expect(tried).toEqual(["sharp"]);
    const pages = (await PDFDocument.load(readFileSync(output))).getPages();
    expect(pages.map((each) => each.getWidth() > each.getHeight())).toEqual([true, false]);
  });

  test.skipIf(!isInstalled("soffice"))("is a Word document that LibreOffice repairs for pandoc", async () => {
    const bytes = Buffer.from(readFileSync(sampleOf("docx")));
    // The length of the comment at the end of the zip: more bytes than follow.
    bytes.writeUInt16LE(9, bytes.length - 2);
    const { output, tried } = await convert(scratch.file(bytes), ["docx", "html"]);
    expect(tried).toEqual(["pandoc"]);
    expect(readFileSync(output, "utf8")).toContain("Harbour report");
  });
});

describe("a file that no engine should try again", () => {
  test("is a truncated image", async () => {
    const bytes = readFileSync(sampleOf("jpg"));
    const { error, tried } = await refused(scratch.file(bytes.subarray(0, bytes.length / 2)), ["jpg", "png"]);
    expect(error).toMatchObject({ code: "source_corrupt", message: expect.stringContaining("premature end") });
    expect(tried).toBe(1);
  });

  test("is a damaged TIFF, which ffmpeg would fill with black", async () => {
    const bytes = tiffOf([{ width: 64, height: 32 }]);
    // The only strip begins where the file ends.
    bytes.writeUInt32LE(bytes.length, bytes.indexOf(Buffer.from([273 & 255, 273 >> 8, 4, 0])) + 8);
    const { error, tried } = await refused(scratch.file(bytes), ["tiff", "png"]);
    expect(error).toMatchObject({ code: "source_corrupt" });
    expect(tried).toBe(1);
  });

  test("is a TIFF with separate tiles for each color, which others read without color", async () => {
    const { error, tried } = await refused(scratch.file(tiffOfSeparateTiles()), ["tiff", "png"]);
    expect(error).toMatchObject({ code: "unsupported_feature", message: expect.stringContaining("separate planes") });
    expect(tried).toBe(1);
  });

  test("is an image with too many pixels", async () => {
    const wide = await sharp({ create: { width: 16_000, height: 7_000, channels: 3, background: "red" } })
      .png()
      .toBuffer();
    const { error, tried } = await refused(scratch.file(wide), ["png", "jpg"]);
    expect(error).toMatchObject({ code: "too_many_pixels" });
    expect(tried).toBe(1);
  });

  test("is a document with custom entities", async () => {
    const bytes = await withMember("docx", "word/document.xml", (xml) =>
      xml.replace("<w:document", '<!DOCTYPE x [<!ENTITY a "b">]><w:document'),
    );
    const { error, tried } = await refused(scratch.file(bytes), ["docx", "html"]);
    expect(error).toMatchObject({ code: "unsupported_feature" });
    expect(tried).toBe(1);
  });

  test("is one with a sheet that does not exist", async () => {
    const { error, tried } = await refused(sampleOf("xlsx"), ["xlsx", "csv"], { sheet: "Nowhere" });
    expect(error).toMatchObject({ code: "unsupported_feature" });
    expect(tried).toBe(1);
  });
});

test("a password that only the second engine asks for is reported, not the damage that the first one saw", async () => {
  const steps = routes.find("docx", "html")?.steps ?? [];
  const failing = withFallbacks(
    { route: { steps, fidelity: "lossy" } },
    {
      convert: ([step]) =>
        Promise.reject(
          step?.engine === steps[0]?.engine
            ? new FileRefused("source_corrupt", "The Word document is damaged.")
            : new JobError("password_required", "The Word document is encrypted."),
        ),
      next: (refusal) => {
        const route = routes.fallback({ from: "docx", to: "html", options: {} }, refusal.tried);
        return route && { route, refusal };
      },
    },
  );
  await expect(failing).rejects.toMatchObject({ code: "password_required" });
});

test.each(["docx", "xlsx"] as const)("an encrypted %s is recognized by the first engine", async (from) => {
  const { error, tried } = await refused(fixture(`encrypted.${from}`), [from, from === "docx" ? "html" : "csv"]);
  expect(error).toMatchObject({ code: "password_required" });
  expect(tried).toBe(1);
});

test("a compressed drawing that is too complex is named by its own format", async () => {
  const nested = `<svg xmlns="http://www.w3.org/2000/svg">${"<g>".repeat(300)}${"</g>".repeat(300)}</svg>`;
  const { error } = await refused(scratch.file(gzipSync(nested)), ["svgz", "png"]);
  expect(error).toMatchObject({ message: expect.stringMatching(/^The SVG, compressed is too complex/) });
});

/** @returns each distinct error code of the file */
const verdicts = async (path: string, from: FormatId, targets: readonly FormatId[]) => {
  const codes = new Map<FormatId, unknown>();
  for (const to of targets) {
    const { error } = await refused(path, [from, to]);
    codes.set(to, error instanceof Error && "code" in error ? error.code : error);
  }
  return Object.fromEntries(codes);
};

const DOCUMENTS = ["pdf", "html", "md", "txt", "odt", "epub"] as const satisfies readonly FormatId[];
const TABLES = ["pdf", "csv", "json", "html", "ods", "xlsb"] as const satisfies readonly FormatId[];
const IMAGES = ["png", "jpg", "webp", "pdf", "ico", "psd"] as const satisfies readonly FormatId[];

describe.skipIf(!isInstalled("soffice"))("a file gets the same verdict, whatever the target", () => {
  const all = (targets: readonly FormatId[], code: string) => Object.fromEntries(targets.map((to) => [to, code]));

  test.each([
    ["docx", DOCUMENTS],
    ["xlsx", TABLES],
  ] as const)("an encrypted %s needs its password", async (from, targets) => {
    expect(await verdicts(fixture(`encrypted.${from}`), from, targets)).toEqual(all(targets, "password_required"));
  });

  test("an encrypted ODT needs its password", async () => {
    const targets = [...DOCUMENTS.filter((to) => to !== "odt"), "docx"] as const;
    expect(await verdicts(fixture("encrypted.odt"), "odt", targets)).toEqual(all(targets, "password_required"));
  });

  test.each([
    ["docx", DOCUMENTS],
    ["xlsx", TABLES],
    ["jpg", IMAGES.filter((to) => to !== "jpg")],
    ["tiff", IMAGES],
    ["gif", IMAGES],
    ["heic", ["png", "jpg", "pdf"]],
  ] as const)("a truncated %s is damaged", async (from, targets) => {
    const bytes = readFileSync(sampleOf(from));
    const half = scratch.file(bytes.subarray(0, Math.floor(bytes.length * 0.6)));
    expect(await verdicts(half, from, targets)).toEqual(all(targets, "source_corrupt"));
  });

  test.each([
    ["docx", [...DOCUMENTS, "docbook"]],
    ["xlsx", [...TABLES.filter((to) => to !== "pdf"), "parquet"]],
  ] as const)("an encrypted %s opens with its password for every target", async (from, targets) => {
    for (const to of targets) {
      const { output } = await convert(fixture(`encrypted.${from}`), [from, to], { password: "Ströme 7" });
      expect(readFileSync(output).length).toBeGreaterThan(0);
    }
    const wrong = await refused(fixture(`encrypted.${from}`), [from, "html"], { password: "guess" });
    expect(wrong.error).toMatchObject({ code: "password_required", message: expect.stringContaining("Wrong") });
  });
});

test("an error of a later step names the client's format, not the intermediate one", () => {
  const named = (message: string) => {
    const error = withSourceNamed(new JobError("unsupported_feature", message), {
      step: { from: "html" },
      source: "md",
    });
    return error instanceof JobError ? [error.code, error.message] : [];
  };
  expect(named("The HTML has more than 5 nodes.")).toEqual([
    "unsupported_feature",
    "The Markdown has more than 5 nodes.",
  ]);
  expect(named("The file a.HTML in HTML5.")[1]).toBe("The file a.HTML in HTML5.");
});

test("a warning names the client's formats, not intermediate ones", () => {
  const named = (detail: string, from: FormatId, to: FormatId) =>
    withFormatsNamed({ code: "styles_dropped", detail }, { step: { from, to }, source: "docx", target: "epub" }).detail;
  expect(named("The HTML has no colors.", "docx", "html")).toBe("The EPUB has no colors.");
  expect(named("The HTML has no colors.", "html", "epub")).toBe("The Word has no colors.");
  expect(named("The Word has no colors. The EPUB has some.", "docx", "html")).toContain(
    "The Word has no colors. The E",
  );
  expect(named("Styles of page.HTML in HTML5 were left out.", "docx", "html")).toContain("page.HTML in HTML5");
});

test("a Word document that becomes a book loses its colors in the book, not in the HTML between", async () => {
  const red = '<w:p><w:r><w:rPr><w:color w:val="C00000"/></w:rPr><w:t>Red</w:t></w:r></w:p>';
  const styled = await withMember("docx", "word/document.xml", (xml) => xml.replace("<w:body>", `<w:body>${red}`));
  const { warnings } = await convert(scratch.file(styled), ["docx", "epub"]);
  expect(warnings.filter(({ code }) => code === "styles_dropped")).toEqual([
    { code: "styles_dropped", detail: expect.stringMatching(/^The EPUB does not have the document's colors/) },
  ]);
  const { warnings: ofText } = await convert(scratch.file(styled), ["docx", "txt"]);
  expect(ofText.map(({ code }) => code)).not.toContain("styles_dropped");
});
