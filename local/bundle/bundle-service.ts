import { randomUUID } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
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

/**
 * Sources find the files next to them from the bundle, too.
 *
 * @param onRead called before a source is read: if it is changed later, the bundle is out of date
 */
const ownPlaces = (onRead: (path: string) => void): Plugin => ({
  name: "own-places",
  setup: ({ onLoad }) =>
    onLoad({ filter: /\.ts$/ }, ({ path }) => {
      onRead(path);
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
});

/**
 * The bundler's names have hashes of the content. By these, Node's compile cache would keep the code of each earlier bundle.
 *
 * @param paths those of the bundle's files
 * @returns names without hashes, by the bundler's names
 */
const lastingNames = (paths: readonly string[]): ReadonlyMap<string, string> => {
  const stems = paths.map((path) => basename(path).replace(HASH, ""));
  return new Map(
    paths.map((path, index) => {
      const before = stems.slice(0, index).filter((stem) => stem === stems[index]).length;
      return [basename(path), before === 0 ? `${stems[index]}.mjs` : `${stems[index]}-${before + 1}.mjs`];
    }),
  );
};

const HASH = /(?:-[A-Z0-9]{8})?\.mjs$/;

const main = async (folder: string): Promise<void> => {
  // It stands for the packages, whose files have other times in each installation.
  const sources = [sourceFile(ROOT, "package-lock.json")];
  const { outputFiles } = await build({
    absWorkingDir: ROOT,
    entryPoints: ["local/main.ts"],
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    write: false,
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
    plugins: [laterPackages, ownPlaces((path) => sources.push(sourceFile(ROOT, relative(ROOT, path))))],
  });
  const written: BundleSources = { root: ROOT, sources: sources.filter((source) => source !== undefined) };
  const fresh = `${folder}-${randomUUID()}`;
  try {
    mkdirSync(fresh, { recursive: true });
    const names = lastingNames(outputFiles.map(({ path }) => path));
    const named = (name: string): string => names.get(name) ?? name;
    for (const { path, text } of outputFiles) {
      const content = text.replace(/[\w-]+\.mjs\b/g, named);
      writeFileSync(join(fresh, named(basename(path))), content, { flush: true });
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
