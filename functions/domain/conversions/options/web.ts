import * as z from "zod/mini";
import { described, withDefault } from "./described.ts";

/** Longest time that a page may take after it has loaded, in milliseconds. */
const WEB_WAIT_MS_MAX = 30_000;

/** Headers and footers are copied into each printed page. */
const TEMPLATE_CHARACTERS_MAX = 32_000;
/** Cookies and headers of a request; servers accept about 8 kB each. */
const HEADER_CHARACTERS_MAX = 8_000;
const MARGIN_MILLIMETERS_MAX = 500;
/** Longest side of a page that viewers display, in millimeters: 14,400 points (ISO 32000-1, annex C.2). */
const SIDE_MILLIMETERS_MAX = 5_080;

/** Fonts and pictures of a template are not fetched, and printing fails with style sheets that do. */
const fetchesNothing = (html: string): boolean => !/@import|@font-face|url\(\s*["']?\s*(?:https?:)?\/\//i.test(html);

const template = (place: string) =>
  described(
    z
      .string()
      .check(
        z.maxLength(TEMPLATE_CHARACTERS_MAX),
        z.refine(fetchesNothing, "HTML without `@import`, `@font-face` and remote URLs"),
      ),
    `HTML of the ${place} of each page. The elements with the classes \`pageNumber\`, \`totalPages\`, \`date\`, \`title\` and ` +
      "`url` are filled in. Set a font size and a margin; images must be `data:` URLs.",
  );

const margin = (side: string) =>
  described(
    z.number().check(z.minimum(0), z.maximum(MARGIN_MILLIMETERS_MAX)),
    `${side} page margin in millimeters. Default: \`page_margin\`.`,
  );

const side = (name: string) =>
  described(
    z.number().check(z.minimum(5), z.maximum(SIDE_MILLIMETERS_MAX)),
    `${name} of the page in millimeters, instead of \`page_size\`.`,
  );

/** `Name: value`, one a line. */
const HEADER_LINE = /^[A-Za-z0-9-]{1,100}:[\t\x20-\x7e]*$/;
/** Set by the browser and by the connection. */
const RESERVED_HEADER =
  /^(?:host|content-length|connection|transfer-encoding|cookie|proxy-[a-z-]*|upgrade|te|trailer):/i;

const isHeader = (line: string): boolean => HEADER_LINE.test(line) && !RESERVED_HEADER.test(line);

/** What a browser does with a page before it prints or draws it. */
export const webOptions = {
  javascript: described(
    z.boolean(),
    "Run the scripts of the page. They have no network access unless the source is a URL. Default: true for a URL, " +
      "otherwise false.",
  ),
  wait_until: withDefault(
    z.enum(["domcontentloaded", "load", "network_almost_idle", "network_idle"]),
    "load",
    "The event after which the page is complete. `network_idle` is half a second without requests.",
  ),
  wait_for_selector: described(
    z.string().check(z.minLength(1), z.maxLength(1_000)),
    "A CSS selector. The page is complete when an element matches it.",
  ),
  wait_ms: described(
    z.int().check(z.minimum(0), z.maximum(WEB_WAIT_MS_MAX)),
    "Further milliseconds to wait after that. Default: 0.",
  ),
  full_page: described(
    z.boolean(),
    "Draw the complete page, not only what a window of `width` and `height` shows. Default: true without `height`.",
  ),
  transparent: described(z.boolean(), "Leave the background transparent where the page has none. Default: false."),
  page_width: side("Width"),
  page_height: side("Height"),
  margin_top: margin("Top"),
  margin_right: margin("Right"),
  margin_bottom: margin("Bottom"),
  margin_left: margin("Left"),
  single_page: described(z.boolean(), "Print everything on one page, as long as the content. Default: false."),
  css_page_size: described(
    z.boolean(),
    "Prefer the page size of the page's own style sheets to the requested one. Default: true if no size is requested.",
  ),
  header_template: template("header"),
  footer_template: template("footer"),
  cookies: described(
    z.string().check(z.maxLength(HEADER_CHARACTERS_MAX), z.regex(/^[\t\x20-\x7e]*$/, "ASCII text")),
    "Cookies for the host of the URL: `session=abc; theme=dark`. Never returned.",
  ),
  request_headers: described(
    z.string().check(
      z.maxLength(HEADER_CHARACTERS_MAX),
      z.refine((text) => text.split("\n").every(isHeader), "lines of `Name: value` with headers that clients may set"),
    ),
    "Headers of requests to the origin of the URL, one a line: `Authorization: Bearer abc`. Never returned.",
  ),
  user_agent: described(
    z.string().check(z.minLength(1), z.maxLength(500), z.regex(/^[\x20-\x7e]*$/, "ASCII text")),
    "The `User-Agent` of the browser.",
  ),
} as const;
