/** The files of the dashboard, served by the gateway of one machine, or by CloudFront from a bucket. */

/** The file for all paths of the app. */
export const PAGE = "/index.html";

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
  png: "image/png",
  svg: "image/svg+xml",
  txt: "text/plain; charset=utf-8",
  webmanifest: "application/manifest+json",
  webp: "image/webp",
  woff2: "font/woff2",
};

/** @returns the media type of a dashboard file, by its name */
export const pageMediaType = (name: string): string =>
  MEDIA_TYPES[name.slice(name.lastIndexOf(".") + 1)] ?? "application/octet-stream";

/** @returns whether a path is that of a file: its last segment has a dot. All others are pages of the app */
export const isFilePath = (path: string): boolean => path.slice(path.lastIndexOf("/")).includes(".");
