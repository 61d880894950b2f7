import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { type PDFiumDocument, PDFiumLibrary, type PDFiumObjectType } from "@hyzyla/pdfium";
import { withTool } from "../tools.ts";

/** A page as read by PDFium. */
export interface PageView {
  /** In points, after the page's rotation. */
  readonly width: number;
  readonly height: number;
  readonly text: string;
  /** Kinds of the objects on the page, without those inside forms. */
  readonly objects: readonly PDFiumObjectType[];
  /** The page rendered on white, three bytes per pixel. */
  readonly pixels: Uint8Array;
  /** Size of the rendering. */
  readonly pixelWidth: number;
  readonly pixelHeight: number;
}

/** Rendering size: pixels per point, or total pixels. */
type Drawing = { readonly scale: number } | { readonly width: number; readonly height: number };

/** @returns the pages of a PDF as read by PDFium, which did not write them */
export const viewPdf = async (path: string, drawing: Drawing = { scale: 1 }): Promise<readonly PageView[]> => {
  loading ??= PDFiumLibrary.init();
  const library = await loading;
  const document = await library.loadDocument(readFileSync(path));
  try {
    return await viewPages(document, drawing);
  } finally {
    document.destroy();
  }
};

let loading: Promise<PDFiumLibrary> | undefined;

const viewPages = async (document: PDFiumDocument, drawing: Drawing): Promise<PageView[]> => {
  const views: PageView[] = [];
  for (const page of document.pages()) {
    const { originalWidth, originalHeight } = page.getOriginalSize();
    // Rendering closes the page, so it comes last.
    const [text, objects] = [page.getText(), [...page.objects()].map(({ type }) => type)];
    const { data, width, height } = await page.render({ ...drawing, render: async (drawn) => drawn.data });
    views.push({
      width: originalWidth,
      height: originalHeight,
      text,
      objects,
      pixels: withoutAlpha(data),
      pixelWidth: width,
      pixelHeight: height,
    });
  }
  return views;
};

const withoutAlpha = (rgba: Uint8Array): Uint8Array => {
  const rgb = new Uint8Array((rgba.length / 4) * 3);
  for (let from = 0, to = 0; from < rgba.length; from += 4, to += 3) {
    rgb.set(rgba.subarray(from, from + 3), to);
  }
  return rgb;
};

/** Fails if qpdf, if installed, finds an error in the structure of a PDF. */
export const checkByQpdf = (path: string, password = ""): void => {
  if (withTool("qpdf")) {
    execFileSync("qpdf", ["--check", `--password=${password}`, path], { stdio: "pipe" });
  }
};

/** @returns the output of a poppler program about a PDF; undefined if it is not installed */
export const poppler = (program: string, ...args: readonly string[]): string | undefined =>
  withTool(program) ? execFileSync(program, args, { encoding: "utf8", stdio: "pipe" }) : undefined;
