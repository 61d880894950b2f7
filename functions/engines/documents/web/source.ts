import { readFile, stat } from "node:fs/promises";
import { extname } from "node:path";
import { JobError } from "../../../domain/errors.ts";
import type { FormatId } from "../../../domain/formats/formats.ts";
import { readZip } from "../../archives/zip/reader.ts";
import type { EngineTask } from "../../core/engine.ts";
import { DOCUMENT_URL, type ServedFile } from "../chromium/ready.ts";
import { readHtml } from "../html/reader.ts";

/** A page to open. */
export interface WebSource {
  readonly url: string;
  /** The files of the page by URL; nothing else is loaded then. @default the page is on the network */
  readonly files?: ReadonlyMap<string, ServedFile>;
  /** Whether scripts run by default. */
  readonly scripts: boolean;
}

/** An internet shortcut is a few lines. */
const SHORTCUT_BYTES_MAX = 16_384;

const pageOfShortcut = async ({ input }: EngineTask): Promise<WebSource> => {
  const { size } = await stat(input);
  const text = size > SHORTCUT_BYTES_MAX ? "" : await readFile(input, "utf8");
  const address = /^\s*URL\s*=\s*(\S+)\s*$/im.exec(text)?.[1] ?? "";
  const url = URL.parse(address);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "") {
    throw new JobError("source_corrupt", "The file contains no http: or https: URL without a user name.");
  }
  return { url: url.href, scripts: true };
};

const pageOfHtml = async ({ input, options }: EngineTask): Promise<WebSource> => {
  const bytes = Buffer.from(await readHtml(input, options.encoding));
  const files = new Map([[DOCUMENT_URL, { mediaType: "text/html; charset=utf-8", bytes }]]);
  return { url: DOCUMENT_URL, files, scripts: false };
};

const INDEX = /^(?:[^/]+\/)?index\.html?$/i;

/** Files that macOS and Windows add to archives. */
const ADDED = /^__MACOSX\/|(?:^|\/)(?:\.DS_Store|Thumbs\.db)$/i;

const SITE_FILES_MAX = 1_000;
const SITE_BYTES_MAX = 70_000_000;

const pageOfSite = ({ input }: EngineTask): Promise<WebSource> =>
  readZip(
    input,
    async (zip) => {
      const paths = zip.paths.filter((path) => !ADDED.test(path));
      const index = paths.filter((path) => INDEX.test(path)).sort((one, other) => one.length - other.length)[0];
      if (index === undefined) {
        throw new JobError("unsupported_feature", "The archive has no index.html, so it is not a web page.");
      }
      if (paths.length > SITE_FILES_MAX) {
        throw new JobError(
          "unsupported_feature",
          `The page has ${paths.length} files; the limit is ${SITE_FILES_MAX}.`,
        );
      }
      const files = new Map<string, ServedFile>();
      let total = 0;
      for (const path of paths) {
        const bytes = (await zip.read(path)) ?? new Uint8Array();
        total += bytes.length;
        if (total > SITE_BYTES_MAX) {
          throw new JobError("unsupported_feature", `The files of the page exceed ${SITE_BYTES_MAX} bytes.`);
        }
        files.set(urlOf(path), { mediaType: mediaTypeOf(path), bytes });
      }
      return { url: urlOf(index), files, scripts: false };
    },
    "zip",
  );

const urlOf = (path: string): string => new URL(path.split("/").map(encodeURIComponent).join("/"), DOCUMENT_URL).href;

/** Media types that browsers require; they detect those of images, sound and fonts themselves. */
const MEDIA_TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".htm": "text/html",
  ".xhtml": "application/xhtml+xml",
  ".css": "text/css",
  ".js": "text/javascript",
  ".mjs": "text/javascript",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".xml": "text/xml",
  ".txt": "text/plain",
  ".wasm": "application/wasm",
};

const mediaTypeOf = (path: string): string => MEDIA_TYPES[extname(path).toLowerCase()] ?? "application/octet-stream";

/** How each format is opened. */
export const SOURCES: Partial<Record<FormatId, (task: EngineTask) => Promise<WebSource>>> = {
  url: pageOfShortcut,
  html: pageOfHtml,
  zip: pageOfSite,
};
