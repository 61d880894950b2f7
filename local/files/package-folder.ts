import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const require = createRequire(import.meta.url);

/**
 * Most folders do not have the package, and asking first takes a tenth of a failed reading.
 *
 * @returns the folder of an installed package; undefined if it is not installed
 */
export const packageFolder = (name: string): string | undefined =>
  require.resolve
    .paths(name)
    ?.map((path) => join(path, name))
    .find((path) => existsSync(join(path, "package.json")));
