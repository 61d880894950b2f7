import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { degrees, PDFDocument } from "@cantoo/pdf-lib";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import type { Options } from "../../../functions/domain/conversions/options.ts";
import type { OptionFile } from "../../../functions/engines/core/engine.ts";
import { engines } from "../../../functions/engines/index.ts";
import { codeOf } from "../support/convert.ts";
import { checkByQpdf, type PageView, viewPdf } from "../support/documents/pdf.ts";
import { typeset } from "../support/documents/typeset.ts";
import { scratchFolder } from "../support/scratch.ts";
import { taskOf } from "../support/task.ts";

/** Watermarks, page numbers, margins and sheets, as poppler and PDFium read them. */

const scratch = scratchFolder();

const change = async (input: string, wanted: Options, file?: OptionFile) => {
  const options = { ...wanted, ...(file && { watermark_upload_id: "upl_1" }) };
  const path = `${scratch.fresh()}.pdf`;
  const { convert } = await engines.qpdf();
  const optionFiles = file === undefined ? {} : { watermark_upload_id: file };
  const task = { input, output: path, from: "pdf", to: "pdf", options, optionFiles } as const;
  const { warnings } = await convert(taskOf(task, scratch.folder));
  checkByQpdf(path, options.user_password);
  return { path, codes: warnings.map(({ code }) => code) };
};

/** Pages of 400 × 600 points with a few words each. */
const pages = (count: number): string =>
  scratch.file(
    typeset(
      `#set page(width: 400pt, height: 600pt, margin: 60pt)\n${Array.from({ length: count }, (_, index) => `= Content ${index + 1}`).join("\n#pagebreak()\n")}`,
    ),
  );

/** One page that is empty, with a rotation and a crop box. */
const empty = async (angle: number): Promise<string> => {
  const document = await PDFDocument.create();
  const page = document.addPage([500, 700]);
  page.setCropBox(50, 30, 400, 600);
  page.setRotation(degrees(angle));
  return scratch.file(await document.save());
};

const textOf = (path: string, page: number): string =>
  execFileSync("pdftotext", ["-f", String(page), "-l", String(page), path, "-"], { encoding: "utf8" }).trim();

/** @returns the parts of the page, as a grid of 3 × 3 from the upper left, that are not white */
const inked = ({ pixels, pixelWidth, pixelHeight }: PageView): number[] => {
  const cells = new Set<number>();
  for (let index = 0; index < pixels.length; index += 3) {
    const [x, y] = [(index / 3) % pixelWidth, Math.floor(index / 3 / pixelWidth)];
    if ((pixels[index] ?? 255) + (pixels[index + 1] ?? 255) + (pixels[index + 2] ?? 255) < 3 * 240) {
      cells.add(Math.floor((3 * x) / pixelWidth) + 3 * Math.floor((3 * y) / pixelHeight));
    }
  }
  return [...cells].toSorted((one, other) => one - other);
};

const viewOne = async (path: string): Promise<PageView> => {
  const [view] = await viewPdf(path);
  if (view === undefined) {
    throw new Error("The PDF has no page.");
  }
  return view;
};

const PLACED = { watermark_text: "DRAFT", watermark_size: 25, watermark_opacity: 1 } as const;

describe("a watermark", () => {
  test.each([0, 90, 180, 270])(
    "is at its position on what a viewer shows of a page rotated by %i degrees",
    async (angle) => {
      const source = await empty(angle);
      const at = async (watermark_position: Options["watermark_position"]) =>
        inked(await viewOne((await change(source, { ...PLACED, watermark_position })).path));
      expect(await at("top_left")).toEqual([0]);
      expect(await at("bottom_right")).toEqual([8]);
      expect(await at("center")).toEqual([4]);
    },
  );

  test("is searchable text in its color and size, only on the wanted pages", async () => {
    const source = pages(3);
    const { path } = await change(source, {
      ...{ watermark_text: "Entwurf für Zoë", watermark_color: "#f00", watermark_font_size: 20, watermark_opacity: 1 },
      ...{ watermark_pages: "2-", watermark_position: "top" },
    });
    expect([1, 2, 3].map((page) => textOf(path, page).includes("Entwurf für Zoë"))).toEqual([false, true, true]);
    const [, view] = await viewPdf(path);
    const { pixels = new Uint8Array() } = view ?? {};
    const reds = pixels.filter((value, index) => index % 3 === 0 && value > 200 && (pixels[index + 1] ?? 255) < 60);
    expect(reds.length).toBeGreaterThan(100);
    const bounds = execFileSync("pdftotext", ["-bbox", "-f", "2", "-l", "2", path, "-"], { encoding: "utf8" });
    const [, top, bottom] = /yMin="([\d.]+)"[^>]*yMax="([\d.]+)">Entwurf/.exec(bounds) ?? [];
    expect(Number(bottom) - Number(top)).toBeCloseTo(20, -1);
  });

  test.each(["草稿 秘密", "مسودة", "Черновик"])("of %s is drawn in the installed fonts", async (watermark_text) => {
    const { path } = await change(await empty(0), { watermark_text, watermark_opacity: 1 });
    expect(inked(await viewOne(path))).toContain(4);
  });

  test("is an image, drawn with its transparency and the requested opacity", async () => {
    const logo = await sharp({
      create: { width: 40, height: 40, channels: 4, background: { r: 0, g: 0, b: 255, alpha: 1 } },
    })
      .extend({ left: 40, background: { r: 0, g: 0, b: 0, alpha: 0 } })
      .png()
      .toBuffer();
    const file = { path: scratch.file(logo), from: "png", name: "logo.png" } as const;
    const { path } = await change(await empty(0), { watermark_size: 50, watermark_opacity: 0.5 }, file);
    const { pixels, pixelWidth, pixelHeight } = await viewOne(path);
    const at = (x: number, y: number) => {
      const index = 3 * (Math.round(y * pixelHeight) * pixelWidth + Math.round(x * pixelWidth));
      return [...pixels.subarray(index, index + 3)];
    };
    expect(at(0.35, 0.5)).toEqual([255, 255, 255]);
    const [red = 0, green = 0, blue = 0] = at(0.65, 0.5);
    expect([Math.round(red / 10), Math.round(green / 10), blue]).toEqual([13, 13, 255]);
  });

  test.each(["svg", "jpg", "pdf"] as const)("is an upload in the format %s", async (from) => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="90" height="90"><rect width="90" height="90"/></svg>';
    const files = {
      svg: () => Buffer.from(svg),
      jpg: () => sharp(Buffer.from(svg)).jpeg().toBuffer(),
      pdf: () => typeset("#set page(width: 90pt, height: 90pt, fill: black, margin: 0pt)\n"),
    };
    const file = { path: scratch.file(await files[from]()), from, name: `logo.${from}` };
    const { path } = await change(await empty(90), { watermark_size: 20, watermark_position: "left" }, file);
    expect(inked(await viewOne(path))).toEqual([3]);
  });

  test("can be an empty page, which changes nothing", async () => {
    const blank = await PDFDocument.create();
    blank.addPage([90, 90]);
    const file = { path: scratch.file(Buffer.from(await blank.save())), from: "pdf", name: "blank.pdf" } as const;
    expect(blank.getPage(0).node.Contents()).toBeUndefined();
    expect(inked(await viewOne((await change(await empty(0), {}, file)).path))).toEqual([]);
  });

  test("below the content does not cover it, and above it does", async () => {
    const source = scratch.file(typeset("#set page(width: 300pt, height: 300pt, fill: yellow)\n"));
    const at = async (watermark_layer: "above" | "below") =>
      inkedDark(await viewOne((await change(source, { ...PLACED, watermark_color: "#000", watermark_layer })).path));
    expect([await at("above"), await at("below")]).toEqual([true, false]);
  });

  test("is repeated over the complete page, and rotated", async () => {
    const tiled = await change(await empty(0), { ...PLACED, watermark_position: "tile", watermark_rotation: -45 });
    expect(inked(await viewOne(tiled.path))).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
    const steep = await change(await empty(0), { ...PLACED, watermark_size: 70, watermark_rotation: 90 });
    expect(inked(await viewOne(steep.path))).toEqual([1, 4, 7]);
  });
});

const inkedDark = ({ pixels }: PageView): boolean =>
  pixels.some((value, index) => index % 3 === 0 && value < 60 && (pixels[index + 1] ?? 255) < 60);

describe("page numbers", () => {
  test("are counted from a start over the wanted pages", async () => {
    const { path } = await change(pages(4), {
      ...{ page_number_format: "Seite {page} von {pages}", page_number_start: 5, page_number_pages: "2-" },
    });
    expect([1, 2, 3, 4].map((page) => /Seite.*/.exec(textOf(path, page))?.[0])).toEqual([
      undefined,
      "Seite 5 von 7",
      "Seite 6 von 7",
      "Seite 7 von 7",
    ]);
  });

  test("are at the bottom by default, or at their position", async () => {
    const plain = await change(await empty(270), { page_numbers: true });
    expect([inked(await viewOne(plain.path)), textOf(plain.path, 1)]).toEqual([[7], "1"]);
    const top = await change(await empty(0), { page_numbers: true, page_number_position: "top_right" });
    expect(inked(await viewOne(top.path))).toEqual([2]);
  });
});

test("margins are hidden, as a viewer shows the pages", async () => {
  const { path } = await change(await empty(90), { crop_margins: "10,20,0,5" });
  const { width, height } = await viewOne(path);
  const millimeter = 72 / 25.4;
  expect(width).toBeCloseTo(600 - 25 * millimeter, 0);
  expect(height).toBeCloseTo(400 - 10 * millimeter, 0);
  expect(await codeOf(change(await empty(0), { crop_margins: "300" }))).toBe("unsupported_feature");
});

describe("sheets", () => {
  test.each([
    [2, [600, 400], 3],
    [4, [400, 600], 2],
    [6, [600, 400], 1],
    [9, [400, 600], 1],
  ] as const)(
    "of %i pages have the size of the first page, and the pages in order",
    async (pages_per_sheet, size, count) => {
      const { path, codes } = await change(pages(6), { pages_per_sheet });
      const views = await viewPdf(path);
      expect(views.map(({ width, height }) => [Math.round(width), Math.round(height)])).toEqual(
        Array.from({ length: count }, () => [...size]),
      );
      const numbers = views.flatMap((_, index) => [...textOf(path, index + 1).matchAll(/Content (\d)/g)]);
      expect(numbers.map(([, number]) => number)).toEqual(["1", "2", "3", "4", "5", "6"]);
      expect(codes).toEqual(["bookmarks_dropped"]);
    },
  );

  test("are one file each, and encrypted like any other result", async () => {
    const { convert } = await engines.qpdf();
    const options = { pages_per_sheet: 2, split: true, user_password: "open" } as const;
    const { parts = [] } = await convert(
      taskOf({ input: pages(5), output: `${scratch.fresh()}.pdf`, from: "pdf", to: "pdf", options }, scratch.folder),
    );
    expect(parts.map(({ name }) => name)).toEqual(["page-01", "page-02", "page-03"]);
    expect(readFileSync(parts[2]?.path ?? "").includes("/Encrypt")).toBe(true);
  });
});
