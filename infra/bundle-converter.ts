import { globSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { build, type Metafile, type Plugin } from "esbuild";
import { commonOptions } from "./bundle-options.ts";

/**
 * Bundles the program that the convert function starts: modules in parts, because a job needs few of them. Node compiles
 * the parts that it loads; in a single file, compiling the engines of all other jobs took three quarters of a start.
 */

/** The file that is started, without its extension, below `dist/functions`. */
export const CONVERTER = "convert-file/converter";

/** Writes the converter and its parts to the folder. @returns the inputs of each file */
export const bundleConverter = async (root: string, dist: string): Promise<Metafile["outputs"]> => {
  const { metafile } = await build({
    ...commonOptions,
    entryPoints: { [CONVERTER]: "functions/engines/core/converter.ts" },
    outdir: dist,
    outExtension: { ".js": ".mjs" },
    chunkNames: "convert-file/parts/[name]-[hash]",
    splitting: true,
    format: "esm",
    mainFields: ["module", "main"],
    banner: { js: 'import{createRequire}from"node:module";const require=createRequire(import.meta.url);' },
    plugins: [requiredPackages(layerPackages(root))],
  });
  return metafile.outputs;
};

/** @returns the packages that come from layers: the dependencies that `layers/` names */
const layerPackages = (root: string): ReadonlySet<string> =>
  new Set(
    globSync("layers/*/package.json", { cwd: root }).flatMap((path) =>
      Object.keys(JSON.parse(readFileSync(join(root, path), "utf8")).dependencies),
    ),
  );

/** Packages that a module imports with an `import` declaration, and with an `import()` expression. */
const [DECLARED, ON_DEMAND] = ["layer", "layer-on-demand"];

/** Layers are resolved through `NODE_PATH`, which `require` uses and `import` does not. */
const requiredPackages = (names: ReadonlySet<string>): Plugin => ({
  name: "required-packages",
  setup: (build) => {
    build.onResolve({ filter: /^[^./]/ }, ({ path, namespace, kind }) => {
      const [name = ""] = /^(?:@[^/]+\/)?[^/]+/.exec(path) ?? [];
      if (!names.has(name)) {
        return undefined;
      }
      return namespace === DECLARED || namespace === ON_DEMAND
        ? { path, external: true }
        : { path, namespace: kind === "dynamic-import" ? ON_DEMAND : DECLARED };
    });
    build.onLoad({ filter: /.*/, namespace: DECLARED }, ({ path }) => ({
      contents: `module.exports = require(${JSON.stringify(path)});`,
    }));
    build.onLoad({ filter: /.*/, namespace: ON_DEMAND }, ({ path }) => ({ contents: moduleOf(path) }));
  },
});

/** @returns a module with the same exports: an `import()` expression gets no other names of a CommonJS module */
const moduleOf = (path: string): string => {
  const names = Object.keys(createRequire(import.meta.url)(path));
  return [
    `const loaded = require(${JSON.stringify(path)});`,
    ...names.map((name, index) => `const export${index} = loaded[${JSON.stringify(name)}];`),
    `export { ${names.map((name, index) => `export${index} as ${JSON.stringify(name)}`).join(", ")} };`,
    ...(names.includes("default") ? [] : ["export default loaded;"]),
  ].join("\n");
};
