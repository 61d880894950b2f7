import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import type { OptionName, Options } from "../../functions/domain/conversions/options.ts";
import { optionsJsonSchema } from "../../functions/domain/conversions/options-json.ts";
import { planRoutes } from "../../functions/domain/conversions/plan.ts";
import type { FormatId } from "../../functions/domain/formats/formats.ts";
import { convert } from "../../functions/engines/core/convert.ts";
import { installedEngines } from "../../local/engines/installed.ts";
import { poppler } from "./support/documents/pdf.ts";
import { fixture, sampleFor } from "./support/fixtures.ts";
import { scratchFolder } from "./support/scratch.ts";
import { isInstalled } from "./support/task.ts";

/** The defaults that the list of formats shows are those that the engines use. */

const routes = planRoutes(new Set(installedEngines().keys()));
const scratch = scratchFolder();

/** @returns the defaults that the service lists for the pair */
const defaultsOf = (from: FormatId, to: FormatId): Options => {
  const { properties = {} } = optionsJsonSchema(routes.optionsOf(from, to)) as {
    properties?: Record<string, { default?: unknown }>;
  };
  const entries = Object.entries(properties).filter(([, schema]) => schema.default !== undefined);
  return Object.fromEntries(entries.map(([name, schema]) => [name, schema.default]));
};

/**
 * Programs that show a result whose bytes differ: a random ID in Matroska, the numbers of tags in a printed PDF, and the
 * objects of a PDF that qpdf writes for changes, also for those without effect.
 */
const shown = (output: string, from: FormatId, to: FormatId): string | undefined => {
  if (to === "mkv" || to === "webm") {
    const args = ["-v", "error", "-i", output, "-c", "copy", "-f", "streamhash", "-"];
    return execFileSync("ffmpeg", args, { encoding: "utf8" });
  }
  return to === "pdf" && (from === "html" || from === "svg" || from === "pdf")
    ? poppler("pdftotext", "-bbox", output, "-")?.replace(/<meta [^>]*>/g, "")
    : undefined;
};

/** @returns the result, without the time at which it was made */
const resultOf = async (input: string, [from, to]: readonly [FormatId, FormatId], options: Options = {}) => {
  const route = routes.find(from, to, Object.keys(options));
  if (route === undefined) {
    throw new Error(`No route from ${from} to ${to}: an engine may not be installed.`);
  }
  const folder = mkdtempSync(join(scratch.folder, "job-"));
  const { output } = await convert({ input, folder, steps: route.steps, options }, () => {});
  const plain = () => readFileSync(output, "latin1").replace(/\/(?:CreationDate|ModDate) ?\([^)]*\)/g, "");
  return shown(output, from, to) ?? plain();
};

type Case = readonly [from: FormatId, to: FormatId, names: readonly OptionName[], input?: string];

const CASES: readonly Case[] = [
  ["png", "jpg", ["quality", "background", "fit", "strip_metadata"], "alpha.png"],
  ["png", "webp", ["quality", "lossless"]],
  ["png", "avif", ["quality", "lossless"]],
  ["png", "jxl", ["quality", "lossless"]],
  ["jpg", "png", ["fit", "strip_metadata"]],
  ["gif", "webp", ["quality", "split"]],
  ["heic", "jpg", ["quality", "background", "strip_metadata"]],
  ["pdf", "png", ["dpi", "background"]],
  ["pdf", "jpg", ["dpi", "quality", "background"]],
  ["pdf", "webp", ["dpi", "quality", "lossless"]],
  ["pdf", "pdf", ["split", "dpi"]],
  ["jpg", "txt", ["ocr"]],
  ["pdf", "csv", ["delimiter"]],
  ["jpg", "pdf", ["page_size", "page_orientation", "page_margin"]],
  ["webp", "pdf", ["quality", "lossless", "page_margin"]],
  ["wav", "mp3", ["volume", "strip_metadata"]],
  ["mp3", "m4a", ["volume"]],
  ["mp3", "png", ["width", "height"]],
  ["mp4", "mkv", ["fit", "background", "volume", "subtitles", "strip_metadata"]],
  ["mp4", "jpg", ["quality", "background"]],
  ["mp4", "webp", ["quality", "background"]],
  ["gif", "mp4", ["crf", "background"], "animated.gif"],
  ["gif", "webm", ["crf", "background"], "animated.gif"],
  ["csv", "json", ["header", "indent"]],
  ["json", "csv", ["delimiter"]],
  ["xlsx", "csv", ["delimiter"]],
  ["xlsx", "json", ["header", "indent"]],
  ["sqlite", "csv", ["delimiter"]],
  ["parquet", "csv", ["delimiter"]],
  ["geojson", "csv", ["delimiter"]],
  ["vcf", "csv", ["delimiter"]],
  ["json", "xml", ["indent"]],
  ["html", "png", ["width", "dpi", "css_media"]],
  ["html", "jpg", ["width", "dpi", "css_media", "quality"]],
  ["html", "pdf", ["css_media", "print_background", "page_numbers", "page_size", "page_orientation"]],
  ["svg", "pdf", ["page_margin", "page_size", "page_orientation"]],
  ["tar", "zip", ["level"]],
  ["tar", "tgz", ["level"]],
  ["tar", "tzst", ["level"]],
  ["tar", "tbr", ["level"]],
  ["png", "svg", ["colors"]],
  ["docx", "md", ["markdown"]],
];

describe("a conversion with the listed defaults has the same result as one without options", () => {
  const cases = CASES.map(([from, to, names, input]) => ({ from, to, names, input }));
  const possible = cases.filter(({ from, to }) => routes.find(from, to) !== undefined);
  test.each(possible)("$from to $to: $names", async ({ from, to, names, input }) => {
    const defaults = defaultsOf(from, to);
    expect(Object.keys(defaults)).toEqual(expect.arrayContaining([...names]));
    const path = input === undefined ? sampleFor(from, to) : fixture(input);
    expect(await resultOf(path, [from, to], defaults)).toBe(await resultOf(path, [from, to]));
  });

  test.skipIf(!isInstalled("tesseract"))("the resolution of recognized scans", async () => {
    const page = '<svg width="600" height="200"><rect width="600" height="200" fill="#fff"/>';
    const text = '<text x="30" y="120" font-size="48" font-family="sans-serif">Invoice 2026</text></svg>';
    const jpeg = scratch.file(
      await sharp(Buffer.from(page + text))
        .jpeg()
        .toBuffer(),
    );
    const scan = scratch.file(Buffer.from(await resultOf(jpeg, ["jpg", "pdf"]), "latin1"));
    const recognized = (options: Options) => resultOf(scan, ["pdf", "pdf"], { ocr: "auto", ...options });
    const plain = await recognized({});
    expect(await recognized({ dpi: 300 })).toBe(plain);
    expect(await recognized({ dpi: 72 })).not.toBe(plain);
  });
});
