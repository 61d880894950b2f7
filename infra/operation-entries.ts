import { globSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Plugin } from "esbuild";
import type { AnyOperation } from "../functions/api/operation.ts";
import { documentAt, fallbackRoute, routes } from "../functions/api/routes.ts";
import { bundleName } from "./bundle-name.ts";

/**
 * Generated entry points of the operation bundles: each serves the operation that it imports. An operation that needs
 * facts about all others gets them as JSON, so that its bundle does not contain them.
 */

const SCHEME = "operation:";

/** Entry points by bundle. */
export const operationEntries: Readonly<Record<string, string>> = Object.fromEntries(
  [...routes, fallbackRoute].map(({ id }) => [`${bundleName(id)}/index`, `${SCHEME}${id}`]),
);

/** @param root the folder of the project */
export const operationEntry = (root: string): Plugin => ({
  name: "operation-entry",
  setup: (build) => {
    const folder = join(root, "functions/api");
    build.onResolve({ filter: new RegExp(`^${SCHEME}`) }, ({ path }) => ({
      path: path.slice(SCHEME.length),
      namespace: "operation",
    }));
    build.onLoad({ filter: /.*/, namespace: "operation" }, ({ path: id }) => ({
      contents: entryOf(id, fileOf(folder, id)),
      loader: "js",
      resolveDir: folder,
    }));
  },
});

/** @throws Error unless exactly one file has the name of the operation */
const fileOf = (folder: string, id: string): string => {
  const files = globSync([`${bundleName(id)}.ts`, `*/${bundleName(id)}.ts`], { cwd: folder });
  const [file] = files;
  if (file === undefined || files.length > 1) {
    throw new Error(`${id} must be in one file ${bundleName(id)}.ts, not in ${files.length}.`);
  }
  return file;
};

const entryOf = (id: string, file: string): string =>
  [
    `import { ${id} } from ${JSON.stringify(`./${file}`)};`,
    `import { gunzipSync } from "node:zlib";`,
    `import { serve } from "./http.ts";`,
    `const unzipped = (text) => gunzipSync(Buffer.from(text, "base64")).toString();`,
    `export const handler = serve(${id}${facts[id]?.() ?? ""});`,
  ].join("\n");

const addressOf = ({ auth, methods, path, aliases }: AnyOperation) => ({ auth, methods, path, aliases });

/** Placeholder of the base URL in the bundled document. */
const BASE_URL = "https://base-url.invalid";

/** Arguments of operations that need facts about all others. */
const facts: Readonly<Record<string, () => string>> = {
  getOpenapi: () => {
    // Compressed, because the code is read at each cold start, and the document of 260 kB is rarely needed.
    const document = gzipSync(JSON.stringify(documentAt(BASE_URL)), { level: 9 }).toString("base64");
    return `((baseUrl) => JSON.parse(unzipped("${document}").replaceAll("${BASE_URL}", baseUrl)))`;
  },
  fallback: () => `(() => ${JSON.stringify(routes.map(addressOf))})`,
};
