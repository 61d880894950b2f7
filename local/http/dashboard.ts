import { createHash } from "node:crypto";
import { globSync, readFileSync, statSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { extname, join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, gzip } from "node:zlib";
import {
  CACHE_AND_ASK,
  CACHE_FOR_EVER,
  HASHED_FILES,
  isFilePath,
  PAGE,
  pageMediaType,
} from "../../functions/domain/site/page-files.ts";
import { contentSecurityPolicy, pageHeaders } from "../../functions/domain/site/page-policy.ts";

/** Serves the built pages of the dashboard, from memory. */
export type Dashboard = (request: IncomingMessage, response: ServerResponse, path: string) => Promise<void>;

/** What all files of a build may have together: they are kept in memory. One has some 0.5 MB. */
const BUILD_BYTES_MAX = 20_000_000;

/** Bytes below which compressing a file saves nothing. */
const WORTHWHILE_BYTES_MIN = 512;

/** Formats that are compressed already. */
const PACKED: ReadonlySet<string> = new Set([".png", ".webp", ".woff2"]);

type Encoding = "br" | "gzip" | "identity";

const encoders: Readonly<Record<Encoding, (bytes: Buffer) => Promise<Buffer>>> = {
  br: promisify<Buffer, Buffer>(brotliCompress),
  gzip: promisify<Buffer, Buffer>(gzip),
  identity: async (bytes) => bytes,
};

/** A file of the build. Its forms are made at their first request, and kept. */
interface PageFile {
  readonly path: string;
  readonly mediaType: string;
  readonly bytes: Buffer;
  readonly hash: string;
  readonly forms: Map<Encoding, Promise<Buffer>>;
}

/**
 * @param folder what `npx vite build dashboard` built
 * @returns what answers GET and HEAD of every path that is not the API's; undefined where nothing was built
 * @throws Error when the build is larger than any known build
 */
export const dashboard = (folder: string): Dashboard | undefined => {
  const files = readBuild(folder);
  const page = files.get(PAGE);
  return page && ((request, response, path) => answer(request, response, fileAt(files, page, path)));
};

/** Every path of the app is its one page; a file that is not there is not. */
const fileAt = (files: ReadonlyMap<string, PageFile>, page: PageFile, path: string): PageFile | undefined =>
  files.get(path) ?? (isFilePath(path) ? undefined : page);

const readBuild = (folder: string): ReadonlyMap<string, PageFile> => {
  const names = globSync("**/*", { cwd: folder }).filter((name) => statSync(join(folder, name)).isFile());
  const size = names.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
  if (size > BUILD_BYTES_MAX) {
    throw new Error(`The pages in ${folder} have ${size} bytes; ${BUILD_BYTES_MAX} are allowed.`);
  }
  return new Map(names.map((name) => [`/${name.replaceAll("\\", "/")}`, readPage(folder, name)]));
};

const readPage = (folder: string, name: string): PageFile => {
  const bytes = readFileSync(join(folder, name));
  return {
    path: `/${name.replaceAll("\\", "/")}`,
    mediaType: pageMediaType(name),
    bytes,
    hash: createHash("sha256").update(bytes).digest("base64url").slice(0, 27),
    forms: new Map(),
  };
};

const answer = async (
  request: IncomingMessage,
  response: ServerResponse,
  file: PageFile | undefined,
): Promise<void> => {
  // What a client sends along with GET is nothing to us.
  request.resume();
  for (const [name, value] of Object.entries(pageHeaders)) {
    response.setHeader(name, value);
  }
  response.setHeader("content-security-policy", contentSecurityPolicy());
  if (file === undefined) {
    response.writeHead(404, { "content-type": "text/plain; charset=utf-8", "cache-control": CACHE_AND_ASK });
    response.end(request.method === "HEAD" ? undefined : "File not found.\n");
    return;
  }
  await sendFile(request, response, file);
};

const sendFile = async (request: IncomingMessage, response: ServerResponse, file: PageFile): Promise<void> => {
  const encoding = encodingFor(request, file);
  const etag = `"${file.hash}-${encoding}"`;
  response.setHeader("etag", etag);
  response.setHeader("vary", "accept-encoding");
  response.setHeader("cache-control", file.path.startsWith(HASHED_FILES) ? CACHE_FOR_EVER : CACHE_AND_ASK);
  if (isKnown(request, etag)) {
    response.writeHead(304).end();
    return;
  }
  const body = await formOf(file, encoding);
  if (encoding !== "identity") {
    response.setHeader("content-encoding", encoding);
  }
  response.writeHead(200, { "content-type": file.mediaType, "content-length": body.length });
  response.end(request.method === "HEAD" ? undefined : body);
};

/** @returns the smallest form that the client reads (RFC 9110, 12.5.3); `q=0` means that it does not */
const encodingFor = (request: IncomingMessage, { bytes, path }: PageFile): Encoding => {
  if (bytes.length < WORTHWHILE_BYTES_MIN || PACKED.has(extname(path))) {
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

const formOf = ({ bytes, forms }: PageFile, encoding: Encoding): Promise<Buffer> => {
  const form = forms.get(encoding) ?? encoders[encoding](bytes);
  forms.set(encoding, form);
  return form;
};

/** @returns whether the client has this form already (RFC 9110, 13.1.2: weak comparison) */
const isKnown = (request: IncomingMessage, etag: string): boolean =>
  (request.headers["if-none-match"] ?? "")
    .split(",")
    .map((tag) => tag.trim().replace(/^W\//, ""))
    .some((tag) => tag === "*" || tag === etag);
