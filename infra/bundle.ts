import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build, type Metafile } from "esbuild";
import { fallbackRoute, routes } from "../functions/api/routes.ts";

/**
 * Bundles every function into `dist/functions/<name>/index.js`: minified CommonJS with the SDK inside, which starts
 * fastest (as ES modules or with the runtime's own SDK the same code needs 1.4 and 1.7 times the CPU at import).
 */

const root = join(import.meta.dirname, "..");

/** A function's code. `name` is its folder; `entries` are the files in it, without `.js`, with their sources. */
export interface Bundle {
  readonly name: string;
  readonly entries: Readonly<Record<string, string>>;
}

const single = (name: string, source: string): Bundle => ({ name, entries: { index: source } });

/** The code of every function. The converter's second file is the program that it starts to convert in. */
export const bundles: readonly Bundle[] = [
  ...[...routes, fallbackRoute].map(({ file }) => single(file, `functions/api/${file}.ts`)),
  {
    name: "convert-file",
    entries: { index: "functions/events/convert-file.ts", converter: "functions/engines/converter.ts" },
  },
  single("sweep-jobs", "functions/events/sweep-jobs.ts"),
  single("fail-job", "functions/events/fail-job.ts"),
];

/** @returns the packages that come from layers: the dependencies that `layers/` names */
export const layerPackages = (): readonly string[] =>
  globSync("layers/*/package.json", { cwd: root }).flatMap((path) =>
    Object.keys(JSON.parse(readFileSync(join(root, path), "utf8")).dependencies),
  );

/** Writes one function's code below the folder. @returns what went into it, as esbuild tells it */
export const bundleFunction = async (bundle: Bundle, dist: string): Promise<Metafile> => {
  const folder = join(dist, bundle.name);
  rmSync(folder, { recursive: true, force: true });
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: { ...bundle.entries },
    outdir: folder,
    bundle: true,
    platform: "node",
    target: "node24",
    format: "cjs",
    mainFields: ["module", "main"],
    minify: true,
    legalComments: "none",
    external: [...layerPackages()],
    // A layer is found by NODE_PATH, which `require` follows and `import()` does not.
    supported: { "dynamic-import": false },
    // CommonJS has no import.meta: without these lines esbuild leaves it empty.
    banner: { js: 'const importMetaUrl=require("node:url").pathToFileURL(__filename).href;' },
    define: {
      "import.meta.url": "importMetaUrl",
      "import.meta.dirname": "__dirname",
      "import.meta.filename": "__filename",
    },
    metafile: true,
    logLevel: "warning",
  });
  return metafile;
};

if (import.meta.main) {
  const dist = join(root, "dist/functions");
  rmSync(dist, { recursive: true, force: true });
  mkdirSync(dist, { recursive: true });
  // Not deployed: it keeps a local Node from taking the bundles for ES modules, as the project's own files are.
  writeFileSync(join(dist, "package.json"), '{ "type": "commonjs" }\n');
  const sizes = await Promise.all(
    bundles.map(async (bundle) => {
      const { outputs } = await bundleFunction(bundle, dist);
      return Object.entries(outputs).map(([path, { bytes }]) => `${path}: ${Math.ceil(bytes / 1_000)} kB`);
    }),
  );
  console.log(sizes.flat().join("\n"));
}
