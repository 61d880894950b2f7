import { realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { JobError } from "../../../domain/errors.ts";
import { isProgram, pathsOf } from "../../core/program.ts";

/** The location of LibreOffice: the program, and the Pythons that may have its bridge, best first. */
export interface OfficePaths {
  readonly program: string;
  readonly pythons: readonly string[];
}

const MACOS = "/Applications/LibreOffice.app/Contents";

/** Ignores the user's Python settings and packages, and writes no bytecode next to the source. */
export const PYTHON_ARGUMENTS = ["-B", "-E", "-s"] as const;

/**
 * Finds `soffice` on the PATH. Its bridge for Python is either in the Python bundled with LibreOffice (upstream packages)
 * or in the system's (Debian packages). Another Python that comes first on the PATH lacks the bridge.
 *
 * @throws JobError `engine_failed` if LibreOffice is missing
 */
export const locateOffice = (): OfficePaths => {
  const [started] = pathsOf("soffice");
  if (started === undefined) {
    throw new JobError("engine_failed", "LibreOffice is not installed: soffice is not on the PATH.");
  }
  const folder = dirname(realpathSync(started));
  // `soffice` is a script that starts a program that starts the actual one. Homebrew installs the script elsewhere.
  const program = [join(folder, "soffice.bin"), join(MACOS, "MacOS/soffice")].find(isProgram) ?? started;
  const pythons = [join(folder, "python"), join(MACOS, "Resources/python"), "/usr/bin/python3", ...pathsOf("python3")];
  return { program, pythons: [...new Set(pythons.filter(isProgram))] };
};
