import { readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { type EngineId, engineIds, engineOf, namesOf } from "../../functions/domain/conversions/engines.ts";
import { isProgram } from "../../functions/engines/core/program.ts";
import { packageFolder } from "../files/package-folder.ts";

/** @returns the installed engines and their versions (`system` for programs), without starting any */
export const installedEngines = (path = process.env.PATH ?? ""): ReadonlyMap<EngineId, string> =>
  new Map(
    engineIds.flatMap((id) => {
      const { packages, programs = [] } = engineOf(id);
      const versions = packages.map(versionOf);
      const complete =
        !versions.includes(undefined) && programs.every((program) => installedName(program, path) !== undefined);
      return complete ? [[id, programs.length > 0 ? "system" : (versions[0] ?? process.version)] as const] : [];
    }),
  );

/** @returns the missing programs of engines that are not optional; the preferred name if there are several */
export const missingPrograms = (path = process.env.PATH ?? ""): readonly string[] => {
  const programs = new Set(engineIds.flatMap((id) => (engineOf(id).optional ? [] : (engineOf(id).programs ?? []))));
  const missing = [...programs].filter((program) => installedName(program, path) === undefined);
  return missing.flatMap((program) => namesOf(program)[0] ?? []);
};

/** @returns the name under which a program of an engine is installed */
export const installedName = (program: string, path = process.env.PATH ?? ""): string | undefined =>
  namesOf(program).find((name) => isOnPath(name, path));

/** @returns whether the program is in one of the folders of `PATH` */
export const isOnPath = (program: string, path = process.env.PATH ?? ""): boolean =>
  path.split(delimiter).some((folder) => isProgram(join(folder, program)));

const versionOf = (name: string): string | undefined => {
  const folder = packageFolder(name);
  return folder === undefined ? undefined : versionIn(join(folder, "package.json"));
};

/** @returns the version of the package; undefined if the file does not name one */
const versionIn = (path: string): string | undefined => {
  try {
    const { version }: { version?: string } = JSON.parse(readFileSync(path, "utf8"));
    return version;
  } catch {
    return undefined;
  }
};
