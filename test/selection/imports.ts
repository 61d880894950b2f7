import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

/** The dependencies of a module, direct and indirect. */
export interface Needs {
  /** Paths of modules, from the root. */
  readonly files: ReadonlySet<string>;
  /** Names of packages. */
  readonly packages: ReadonlySet<string>;
}

/** `import … from "x"`, `export … from "x"`, `import "x"` and `import("x")`. */
const IMPORTS = /(?:\bfrom\s*|\bimport\s*\(?\s*)["']([^"']+)["']/g;

/**
 * @param stops modules whose imports do not count, such as tables of everything
 * @returns a function that returns the dependencies of modules
 */
export const importsIn = (root: string, stops: ReadonlySet<string>): ((...paths: string[]) => Needs) => {
  const known = new Map<string, readonly string[]>();
  const importsOf = (path: string): readonly string[] => {
    const found = known.get(path) ?? readImports(root, path);
    known.set(path, found);
    return found;
  };
  return (...paths) => {
    const [files, packages] = [new Set<string>(), new Set<string>()];
    const waiting = [...paths];
    for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
      if (files.has(path)) {
        continue;
      }
      files.add(path);
      for (const name of stops.has(path) && !paths.includes(path) ? [] : importsOf(path)) {
        if (name.startsWith(".")) {
          waiting.push(relative(root, join(root, dirname(path), name)));
        } else {
          packages.add(packageOf(name));
        }
      }
    }
    return { files, packages };
  };
};

const readImports = (root: string, path: string): readonly string[] => {
  const full = join(root, path);
  return existsSync(full) ? [...readFileSync(full, "utf8").matchAll(IMPORTS)].map(([, name = ""]) => name) : [];
};

/** @returns the package of an import: `@scope/name/part` belongs to `@scope/name` */
const packageOf = (name: string): string =>
  name
    .split("/")
    .slice(0, name.startsWith("@") ? 2 : 1)
    .join("/");
