import { isWithoutText, OPERATOR_PLACEHOLDER, type OperatorTexts } from "./operator-pages.ts";

/** The files of the dashboard, served by the gateway of one machine, or by CloudFront from a bucket. */

/** The file of the front page. It is also the content of the response for unknown paths. */
export const PAGE = "/index.html";

/** @returns the file of a page, for example `/plans.html` for `/plans` */
export const pageFile = (path: string): string => (path === "/" ? PAGE : `${path}.html`);

/** Stands for the public origin, such as `https://anyform.example`, in the files of a build. */
export const ORIGIN_PLACEHOLDER = "__ORIGIN__";

/** Lists the public pages for search engines with absolute URLs, which require a known origin. */
const SITEMAP = "/sitemap.xml";

/** A file of the site, and its bytes. */
interface SiteFile {
  /** Starts with a slash. */
  readonly path: string;
  readonly bytes: Buffer;
}

/** What a deployment adds to the files of a build. */
export interface SiteSettings {
  /** The public origin; without one, there are no canonical URLs, and there is no list of pages. @default unknown */
  readonly origin?: string | undefined;
  /** @default none: these pages do not exist */
  readonly operatorTexts?: OperatorTexts | undefined;
}

/** @returns the bytes as they are served; undefined if the file is not served */
export const servedBytes = (
  { path, bytes }: SiteFile,
  { origin, operatorTexts = {} }: SiteSettings,
): Buffer | undefined => {
  if ((origin === undefined && path === SITEMAP) || isWithoutText(path, operatorTexts)) {
    return undefined;
  }
  if (!/\.(?:html|txt|xml)$/.test(path)) {
    return bytes;
  }
  const text = origin === undefined ? withoutOrigin(bytes.toString()) : bytes.toString();
  const names = Object.keys(operatorTexts).join(" ");
  return Buffer.from(text.replaceAll(ORIGIN_PLACEHOLDER, origin ?? "").replaceAll(OPERATOR_PLACEHOLDER, names));
};

/**
 * @returns the text without what must be an absolute URL: search engines and messengers ignore a relative one, or report it
 * as an error. The dashboard still finds the page in other languages.
 */
const withoutOrigin = (text: string): string =>
  text
    .replace(/^Sitemap:.*\n/m, "")
    .replaceAll(/^ *<(?:link rel="canonical"|meta property="og:(?:image|url)")[^>]*>\n?/gm, "")
    .replaceAll('<link rel="alternate" hreflang=', '<link rel="anyform-language" hreflang=');

/** Files below this path have a content hash in their names. */
export const HASHED_FILES = "/assets/";

/** For immutable files. Caches treat a year as forever. */
export const CACHE_IMMUTABLE = "public, max-age=31536000, immutable";

/** For all others: cached, but always revalidated. */
export const CACHE_REVALIDATED = "no-cache";

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  css: "text/css; charset=utf-8",
  html: "text/html; charset=utf-8",
  ico: "image/x-icon",
  js: "text/javascript; charset=utf-8",
  json: "application/json",
  md: "text/markdown; charset=utf-8",
  png: "image/png",
  svg: "image/svg+xml",
  txt: "text/plain; charset=utf-8",
  webmanifest: "application/manifest+json",
  webp: "image/webp",
  woff2: "font/woff2",
  xml: "application/xml; charset=utf-8",
};

/** @returns the media type of a dashboard file, by its name */
export const pageMediaType = (name: string): string =>
  MEDIA_TYPES[name.slice(name.lastIndexOf(".") + 1)] ?? "application/octet-stream";

/** @returns whether a path is that of a file: its last segment has a dot. All others are paths of pages */
export const isFilePath = (path: string): boolean => path.slice(path.lastIndexOf("/")).includes(".");
