import { accessSync, constants, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, join } from "node:path";
import { type EngineId, engineIds, engineOf } from "../functions/domain/engines.ts";

const require = createRequire(import.meta.url);

/** @returns the engines that are installed here and their versions; none is loaded for it */
export const installedEngines = (path = process.env.PATH ?? ""): ReadonlyMap<EngineId, string> =>
  new Map(
    engineIds.flatMap((id) => {
      const { packages, programs = [] } = engineOf(id);
      const versions = packages.map(versionOf);
      const complete = !versions.includes(undefined) && programs.every((program) => isOnPath(program, path));
      return complete ? [[id, versions[0] ?? (programs.length === 0 ? process.version : "system")] as const] : [];
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

const isOnPath = (program: string, path: string): boolean =>
  path.split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
