import { accessSync, constants } from "node:fs";
import { delimiter, resolve } from "node:path";

/**
 * Tells whether a program of the system is there that looks at a result. Without it that one look is left out; where
 * everything is required (`ANYFORM_REQUIRE_ALL`, as in CI), its absence is a failure.
 */
export const withTool = (name: string): boolean => {
  const found = (process.env.PATH ?? "").split(delimiter).some((folder) => isProgram(resolve(folder, name)));
  if (!found && process.env.ANYFORM_REQUIRE_ALL) {
    throw new Error(`The program ${name} is needed to look at results, and is not installed.`);
  }
  return found;
};

/** Debian's own Python: another one that stands before it on PATH does not have Debian's modules. */
export const PYTHON = "/usr/bin/python3";

const isProgram = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};
