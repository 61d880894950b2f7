import { readFile } from "node:fs/promises";
import { GotenbergError, notOffered } from "./errors.ts";
import type { GotenbergForm } from "./form.ts";
import { defined, flag, json, millimeters, milliseconds, number, text } from "./values.ts";

/** Options of web pages from the fields of Gotenberg's Chromium routes, with Gotenberg's defaults. */

type Fields = GotenbergForm["fields"];

const DEFAULT_WIDTH = 215.9;
const DEFAULT_HEIGHT = 279.4;
const DEFAULT_MARGIN = 9.906;

/** Fields that change the result and have no equivalent. */
const NOT_OFFERED = [
  ...["pdfua", "splitMode", "selector", "emulatedMediaFeatures", "waitWindowStatus"],
  ...["waitForExpression", "failOnConsoleExceptions", "failOnResourceLoadingFailed", "failOnResourceHttpStatusCodes"],
];

/** @throws GotenbergError 501 for the first field that is set and has no equivalent */
export const checkOffered = (fields: Fields, names: readonly string[] = NOT_OFFERED): void => {
  const set = names.find((name) => !["", "false", "[]", "{}"].includes(fields.get(name) ?? ""));
  if (set !== undefined) {
    throw notOffered(`The form field '${set}'`);
  }
};

const loading = (fields: Fields, url: string | undefined) => ({
  javascript: true,
  wait_until:
    flag(fields, "skipNetworkIdleEvent") === false
      ? "network_idle"
      : flag(fields, "skipNetworkAlmostIdleEvent") === false
        ? "network_almost_idle"
        : undefined,
  wait_for_selector: text(fields, "waitForSelector"),
  wait_ms: milliseconds(fields, "waitDelay"),
  css_media: text(fields, "emulatedMediaType"),
  ...(url !== undefined && {
    cookies: cookiesFor(url, json(fields, "cookies")),
    request_headers: headersOf(json(fields, "extraHttpHeaders")),
    user_agent: text(fields, "userAgent"),
  }),
});

/** @returns the cookies whose domain is that of the URL, as a header */
const cookiesFor = (url: string, cookies: unknown): string | undefined => {
  if (cookies === undefined) {
    return undefined;
  }
  if (!Array.isArray(cookies)) {
    throw new GotenbergError(400, "Invalid form data: form field 'cookies' is not a list.");
  }
  const host = URL.parse(url)?.hostname ?? "";
  const own = cookies.filter(({ domain = host }) => `.${host}`.endsWith(`.${String(domain).replace(/^\./, "")}`));
  return own.length === 0 ? undefined : own.map(({ name, value }) => `${name}=${value}`).join("; ");
};

const headersOf = (headers: unknown): string | undefined => {
  if (headers === undefined) {
    return undefined;
  }
  const entries = Object.entries(headers ?? {}).map(([name, value]) => {
    if (/;\s*scope=/.test(String(value))) {
      throw notOffered("A scope of 'extraHttpHeaders'");
    }
    return `${name}: ${value}`;
  });
  return entries.length === 0 ? undefined : entries.join("\n");
};

/** @param url the URL of the page, unless it is in the form's files */
export const printOptions = async (form: GotenbergForm, url?: string): Promise<Record<string, unknown>> => {
  const { fields } = form;
  checkOffered(fields);
  const [width, height] = [
    millimeters(fields, "paperWidth") ?? DEFAULT_WIDTH,
    millimeters(fields, "paperHeight") ?? DEFAULT_HEIGHT,
  ];
  const isLandscape = flag(fields, "landscape") === true;
  return defined({
    ...loading(fields, url),
    css_media: text(fields, "emulatedMediaType") ?? "print",
    single_page: flag(fields, "singlePage"),
    page_width: isLandscape ? height : width,
    page_height: isLandscape ? width : height,
    margin_top: millimeters(fields, "marginTop") ?? DEFAULT_MARGIN,
    margin_bottom: millimeters(fields, "marginBottom") ?? DEFAULT_MARGIN,
    margin_left: millimeters(fields, "marginLeft") ?? DEFAULT_MARGIN,
    margin_right: millimeters(fields, "marginRight") ?? DEFAULT_MARGIN,
    css_page_size: flag(fields, "preferCssPageSize") ?? false,
    print_background: flag(fields, "printBackground") ?? false,
    scale: number(fields, "scale"),
    pages: text(fields, "nativePageRanges"),
    header_template: await contentOf(form, "header.html"),
    footer_template: await contentOf(form, "footer.html"),
  });
};

/** The templates are complete documents, of which the browser takes head and body alike. */
const contentOf = async ({ files }: GotenbergForm, name: string): Promise<string | undefined> => {
  const file = files.find((each) => each.name === name);
  return file && readFile(file.path, "utf8");
};

const FORMATS: Readonly<Record<string, string>> = { png: "png", jpeg: "jpg", webp: "webp" };

const DEFAULT_WINDOW = { width: 800, height: 600 } as const;

/** @returns the target format and the options of a screenshot */
export const screenshotOptions = ({ fields }: GotenbergForm, url?: string) => {
  checkOffered(fields);
  const format = text(fields, "format") ?? "png";
  const target = FORMATS[format];
  if (target === undefined) {
    throw new GotenbergError(400, `Invalid form data: form field 'format' is invalid (got '${format}').`);
  }
  const scale = number(fields, "deviceScaleFactor") ?? 1;
  const isJpeg = target === "jpg";
  const options = defined({
    ...loading(fields, url),
    width: Math.round((number(fields, "width") ?? DEFAULT_WINDOW.width) * scale),
    height: Math.round((number(fields, "height") ?? DEFAULT_WINDOW.height) * scale),
    dpi: scale === 1 ? undefined : Math.round(96 * scale),
    full_page: flag(fields, "clip") !== true,
    quality: target === "png" ? undefined : (number(fields, "quality") ?? 100),
    transparent: isJpeg ? undefined : flag(fields, "omitBackground"),
  });
  return { target, options };
};
