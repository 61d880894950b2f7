import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

/** What a module needs, with what that needs in turn. */
export interface Needs {
  /** Paths of modules, from the root. */
  readonly files: ReadonlySet<string>;
  /** Names of packages. */
  readonly packages: ReadonlySet<string>;
}

/** `import … from "x"`, `export … from "x"`, `import "x"` and `import("x")`. */
const IMPORTS = /(?:\bfrom\s*|\bimport\s*\(?\s*)["']([^"']+)["']/g;

/**
 * @param stops modules whose own imports do not count: tables that gather everything
 * @returns a function that finds what modules need
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

/** @returns the package of a name that is imported: `@scope/name/part` is of `@scope/name` */
const packageOf = (name: string): string =>
  name
    .split("/")
    .slice(0, name.startsWith("@") ? 2 : 1)
    .join("/");
