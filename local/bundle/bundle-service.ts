import { randomUUID } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { build, type Plugin } from "esbuild";
import { replaceFolder } from "../files/replace-folder.ts";
import { sourceFile } from "../files/source-files.ts";
import { type BundleSources, bundledStart, SOURCES } from "./service-bundle.ts";

/** Writes the bundle into the folder of the argument: see `service-bundle.ts`. */

const ROOT = join(import.meta.dirname, "../..");

/** Packages that are only loaded when they are needed. */
const laterPackages: Plugin = {
  name: "later-packages",
  setup: ({ onResolve }) =>
    onResolve({ filter: /^[^.#/]/ }, ({ kind }) => (kind === "dynamic-import" ? { external: true } : undefined)),
};

/** Sources find the files next to them from the bundle, too. */
const ownPlaces: Plugin = {
  name: "own-places",
  setup: ({ onLoad }) =>
    onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const places: Readonly<Record<string, string>> = {
        dirname: dirname(path),
        filename: path,
        url: pathToFileURL(path).href,
      };
      const contents = readFileSync(path, "utf8").replace(/\bimport\.meta\.(dirname|filename|url)\b/g, (_, name) =>
        JSON.stringify(places[name]),
      );
      return { contents, loader: "ts" };
    }),
};

const main = async (folder: string): Promise<void> => {
  const { metafile, outputFiles } = await build({
    absWorkingDir: ROOT,
    entryPoints: ["local/main.ts"],
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    write: false,
    metafile: true,
    platform: "node",
    target: "node24",
    format: "esm",
    mainFields: ["module", "main"],
    conditions: ["anyform-local"],
    logLevel: "error",
    // Packages in CommonJS use it for modules of Node.
    banner: {
      js: `const require = process.getBuiltinModule("node:module").createRequire(${JSON.stringify(join(ROOT, "package.json"))});`,
    },
    plugins: [laterPackages, ownPlaces],
  });
  // The lock file stands for the packages, whose files have other times in each installation.
  const paths = [
    "package-lock.json",
    ...Object.keys(metafile.inputs).filter((path) => !path.includes("node_modules/")),
  ];
  const written: BundleSources = { root: ROOT, sources: paths.flatMap((path) => sourceFile(ROOT, path) ?? []) };
  const fresh = `${folder}-${randomUUID()}`;
  try {
    mkdirSync(fresh, { recursive: true });
    for (const { path, contents } of outputFiles) {
      writeFileSync(join(fresh, basename(path)), contents, { flush: true });
    }
    writeFileSync(join(fresh, SOURCES), JSON.stringify(written), { flush: true });
    // Several services can write it at once, and one that starts now may read the first.
    if (bundledStart(folder) === undefined) {
      await replaceFolder(fresh, folder);
    }
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
};

await main(resolve(process.argv[2] ?? ""));
