import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { EngineId } from "../functions/domain/lanes.ts";

const require = createRequire(import.meta.url);

/** The npm package that an engine comes with. */
const packages: Readonly<Record<EngineId, string>> = { sharp: "sharp", magick: "@imagemagick/magick-wasm" };

/** @returns the engines that are installed here and their versions; none is loaded for it */
export const installedEngines = (): ReadonlyMap<EngineId, string> =>
  new Map(
    Object.entries(packages).flatMap(([engine, name]) => {
      const version = versionOf(name);
      return version === undefined ? [] : [[engine as EngineId, version] as const];
    }),
  );

const versionOf = (name: string): string | undefined => {
  const versions = require.resolve.paths(name)?.map((path) => versionIn(join(path, name)));
  return versions?.find((version) => version !== undefined);
};

/** @returns the version of the package in the folder; undefined where there is none */
const versionIn = (folder: string): string | undefined => {
  try {
    const { version }: { version?: string } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    return version;
  } catch {
    return undefined;
  }
};
