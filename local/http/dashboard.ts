import type { IncomingMessage, ServerResponse } from "node:http";
import { extname } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, gzip } from "node:zlib";
import {
  CACHE_IMMUTABLE,
  CACHE_REVALIDATED,
  HASHED_FILES,
  isFilePath,
  PAGE,
  pageFile,
  type SiteSettings,
} from "../../functions/domain/site/page-files.ts";
import { contentSecurityPolicy, pageHeaders } from "../../functions/domain/site/page-policy.ts";
import { type PageFile, type PageFiles, pageFiles } from "./page-files.ts";

/** Serves the built pages of the dashboard. */
export type Dashboard = (request: IncomingMessage, response: ServerResponse, path: string) => Promise<void>;

/** Minimum size in bytes of compressed files: compressing smaller ones saves nothing. */
const WORTHWHILE_BYTES_MIN = 512;

/** Formats that are already compressed. */
const COMPRESSED: ReadonlySet<string> = new Set([".png", ".webp", ".woff2"]);

type Encoding = "br" | "gzip" | "identity";

const encoders: Readonly<Record<Encoding, (bytes: Buffer) => Promise<Buffer>>> = {
  br: promisify<Buffer, Buffer>(brotliCompress),
  gzip: promisify<Buffer, Buffer>(gzip),
  identity: async (bytes) => bytes,
};

/**
 * @param folder the output folder of `npx vite build dashboard`
 * @param settings with the public origin of the service, such as `https://anyform.example`
 * @returns a handler for GET and HEAD of all paths outside the API; undefined without a build
 */
export const dashboard = (folder: string, settings?: SiteSettings): Dashboard | undefined => {
  const files = pageFiles(folder, settings);
  return files && (async (request, response, path) => respond(request, response, await answerAt(files, path)));
};

interface Answer {
  readonly status: 200 | 404;
  readonly file: PageFile;
}

/** For an unknown page, the app shows that it does not exist. @returns undefined for a missing file */
const answerAt = async (files: PageFiles, path: string): Promise<Answer | undefined> => {
  const file = (await files.read(path)) ?? (await files.read(pageFile(path)));
  if (file !== undefined) {
    return { status: 200, file };
  }
  const page = isFilePath(path) ? undefined : await files.read(PAGE);
  return page && { status: 404, file: page };
};

const respond = async (
  request: IncomingMessage,
  response: ServerResponse,
  answer: Answer | undefined,
): Promise<void> => {
  // Discards the body, if any.
  request.resume();
  for (const [name, value] of Object.entries(pageHeaders)) {
    response.setHeader(name, value);
  }
  response.setHeader("content-security-policy", contentSecurityPolicy());
  if (answer === undefined) {
    response.writeHead(404, { "content-type": "text/plain; charset=utf-8", "cache-control": CACHE_REVALIDATED });
    response.end(request.method === "HEAD" ? undefined : "File not found.\n");
    return;
  }
  await sendFile(request, response, answer);
};

const sendFile = async (
  request: IncomingMessage,
  response: ServerResponse,
  { status, file }: Answer,
): Promise<void> => {
  const encoding = encodingFor(request, file);
  const etag = `"${file.hash}-${encoding}"`;
  response.setHeader("etag", etag);
  response.setHeader("vary", "accept-encoding");
  response.setHeader("cache-control", file.path.startsWith(HASHED_FILES) ? CACHE_IMMUTABLE : CACHE_REVALIDATED);
  if (status === 200 && isKnown(request, etag)) {
    response.writeHead(304).end();
    return;
  }
  const body = await encodedAs(file, encoding);
  if (encoding !== "identity") {
    response.setHeader("content-encoding", encoding);
  }
  response.writeHead(status, { "content-type": file.mediaType, "content-length": body.length });
  response.end(request.method === "HEAD" ? undefined : body);
};

/** @returns the best encoding that the client accepts (RFC 9110, 12.5.3); `q=0` means not acceptable */
const encodingFor = (request: IncomingMessage, { bytes, path }: PageFile): Encoding => {
  if (bytes.length < WORTHWHILE_BYTES_MIN || COMPRESSED.has(extname(path))) {
    return "identity";
  }
  const accepted = String(request.headers["accept-encoding"] ?? "")
    .toLowerCase()
    .split(",")
    .map((entry) => entry.split(";").map((part) => part.trim()))
    .filter(([, weight]) => !/^q=0(?:\.0*)?$/.test(weight ?? ""))
    .map(([name]) => name);
  return (["br", "gzip"] as const).find((encoding) => accepted.includes(encoding)) ?? "identity";
};

const encodedAs = ({ bytes, encoded }: PageFile, encoding: Encoding): Promise<Buffer> => {
  const bytesInEncoding = encoded.get(encoding) ?? encoders[encoding](bytes);
  encoded.set(encoding, bytesInEncoding);
  return bytesInEncoding;
};

/** @returns whether the client has cached this version (RFC 9110, 13.1.2: weak comparison) */
const isKnown = (request: IncomingMessage, etag: string): boolean =>
  (request.headers["if-none-match"] ?? "")
    .split(",")
    .map((tag) => tag.trim().replace(/^W\//, ""))
    .some((tag) => tag === "*" || tag === etag);
