import { WEB_MARGIN_MILLIMETERS } from "../../../domain/conversions/by-engine/documents/web.ts";
import { DOCUMENT_PAGES_MAX } from "../../../domain/conversions/conversion-limits.ts";
import type { Options } from "../../../domain/conversions/options.ts";
import { JobError } from "../../../domain/errors.ts";
import type { EngineTask, Part } from "../../core/engine.ts";
import { contentSize, type Page } from "../chromium/page.ts";
import { drawPieces } from "../chromium/picture.ts";
import { HEIGHT_MAX, printedRanges, printPages, tooManyPages } from "../chromium/print.ts";
import { Refused } from "../chromium/protocol.ts";
import { MARGIN_MILLIMETERS, pageMillimeters } from "../chromium/sheet.ts";
import type { Visit } from "./site.ts";

const MILLIMETERS_PER_INCH = 25.4;
const CSS_DPI = 96;

/** Draws what a window of the requested size shows, or the complete page. */
export const drawSite = async (page: Page, task: EngineTask, window: Visit["window"]): Promise<readonly Part[]> => {
  const { height, full_page: isComplete = height === undefined } = task.options;
  if (task.options.transparent === true) {
    const color = { r: 0, g: 0, b: 0, a: 0 };
    await page.call("Emulation.setDefaultBackgroundColorOverride", { color });
  }
  const { height: content } = await contentSize(page);
  const high = Math.round((isComplete ? Math.max(content, window.height) : window.height) * window.scale);
  return drawPieces(page, task, { width: window.width, high, scale: window.scale });
};

/** Prints the page to the task's output. @throws JobError `too_many_pages`, `unsupported_feature` */
export const printSite = async (page: Page, { from, options: requested, output }: EngineTask): Promise<void> => {
  const margin = from === "html" ? MARGIN_MILLIMETERS : WEB_MARGIN_MILLIMETERS;
  const options = { page_margin: margin, ...requested };
  const content = await contentSize(page);
  if (content.height > HEIGHT_MAX) {
    throw tooManyPages();
  }
  const params = { ...paper(options, content.height), ...templates(options) };
  const pages = await printPages(
    page,
    {
      ...params,
      printBackground: options.print_background ?? true,
      scale: options.scale ?? 1,
      // One more than the limit, to detect documents that exceed it.
      pageRanges: printedRanges(options),
      generateDocumentOutline: true,
      generateTaggedPDF: true,
    },
    output,
  ).catch((error: unknown) => {
    throw error instanceof Refused ? refusalOf(error) : error;
  });
  if (pages > DOCUMENT_PAGES_MAX) {
    throw tooManyPages();
  }
};

/** The browser's reasons for which the options are to blame. */
const refusalOf = (error: Refused): unknown =>
  /paper|margin|content area|scale|printing failed/i.test(error.message)
    ? new JobError("unsupported_feature", `The page cannot be printed with these options: ${error.message}.`)
    : error;

/** @returns the paper and its margins, in inches */
const paper = (options: Options, contentHeight: number) => {
  const { page_width, page_height, page_size = "auto", page_margin: margin = 0 } = options;
  const [width, height] = pageMillimeters(options);
  const inches = (millimeters: number): number => millimeters / MILLIMETERS_PER_INCH;
  const margins = {
    marginTop: inches(options.margin_top ?? margin),
    marginRight: inches(options.margin_right ?? margin),
    marginBottom: inches(options.margin_bottom ?? margin),
    marginLeft: inches(options.margin_left ?? margin),
  };
  const isRequested = page_width !== undefined || page_height !== undefined || page_size !== "auto";
  const long = (contentHeight * (options.scale ?? 1)) / CSS_DPI + margins.marginTop + margins.marginBottom;
  const isSingle = options.single_page === true;
  return {
    ...margins,
    paperWidth: inches(page_width ?? width),
    // Rounded up, so that the last line does not begin a second page.
    paperHeight: isSingle ? Math.min(SIDE_INCHES_MAX, long + 0.05) : inches(page_height ?? height),
    preferCSSPageSize: options.css_page_size ?? !(isRequested || isSingle),
  };
};

/** Longest side of a page that viewers display: 14,400 points (ISO 32000-1, annex C.2). */
const SIDE_INCHES_MAX = 200;

const NUMBERS =
  '<div style="width:100%;text-align:center;font:9px sans-serif;color:#555">' +
  '<span class="pageNumber"></span> / <span class="totalPages"></span></div>';

/** The browser prints its own header or footer in place of an empty one. */
const NOTHING = "<span></span>";

const templates = ({ header_template: header, footer_template, page_numbers }: Options) => {
  const footer = footer_template ?? (page_numbers === true ? NUMBERS : undefined);
  return header === undefined && footer === undefined
    ? {}
    : { displayHeaderFooter: true, headerTemplate: header ?? NOTHING, footerTemplate: footer ?? NOTHING };
};
