import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { type Cacheable, cacheable, cacheableGzip } from "../middleware/cacheable.ts";

/** The files of the page at `/api/v1/docs`: those of the Swagger UI package, and our additions. */

/** Shows the document next to the page. No other host is contacted, not even for the validator badge. */
const START = `SwaggerUIBundle({
  url: "openapi.json",
  dom_id: "#docs",
  deepLinking: true,
  displayRequestDuration: true,
  defaultModelsExpandDepth: 0,
  validatorUrl: null,
});
`;

const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#1d4ed8"/><path d="M9 11h11l-3-3m6 13H12l3 3" fill="none" stroke="#fff" stroke-width="3"/></svg>
`;

interface DocsFile {
  readonly mediaType: string;
  /** Our own content. @default the package's file with that name */
  readonly content?: string;
}

const files: Readonly<Record<string, DocsFile>> = {
  "swagger-ui-bundle.js": { mediaType: "text/javascript; charset=utf-8" },
  "swagger-ui-bundle.js.LICENSE.txt": { mediaType: "text/plain; charset=utf-8" },
  "swagger-ui.css": { mediaType: "text/css; charset=utf-8" },
  "start.js": { mediaType: "text/javascript; charset=utf-8", content: START },
  "icon.svg": { mediaType: "image/svg+xml", content: ICON },
};

const read = new Map<string, Promise<Cacheable>>();

/** @returns the page's file with this name, read once; undefined when there is none */
export const docsFile = (name: string): Promise<Cacheable> | undefined => {
  const file = Object.hasOwn(files, name) ? files[name] : undefined;
  if (file === undefined) {
    return undefined;
  }
  const known = read.get(name) ?? load(name, file);
  read.set(name, known);
  return known;
};

const load = async (name: string, { mediaType, content }: DocsFile): Promise<Cacheable> => {
  if (content !== undefined) {
    return cacheable(Buffer.from(content), mediaType);
  }
  // A function's bundle contains them, compressed; from source, they are read from the npm package.
  return import.meta.filename.endsWith(".ts")
    ? cacheableGzip(gzipSync(await readFile(join(packageFolder(), name))), mediaType)
    : cacheableGzip(await readFile(join(import.meta.dirname, `${name}.gz`)), mediaType);
};

const packageFolder = (): string => join(createRequire(import.meta.url).resolve("swagger-ui-dist/package.json"), "..");
