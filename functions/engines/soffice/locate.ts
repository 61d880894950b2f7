import { realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { JobError } from "../../domain/errors.ts";
import { isProgram, pathsOf, runProgram } from "../io/program.ts";

/** Where LibreOffice is: the program itself, and a Python that can speak with it. */
export interface OfficePaths {
  readonly program: string;
  readonly python: string;
}

const MACOS = "/Applications/LibreOffice.app/Contents";
const LOOK_MS_MAX = 20_000;

/** Without what this user has set or installed for Python, and without a trace of the program beside its source. */
export const PYTHON_ARGUMENTS = ["-B", "-E", "-s"] as const;

/**
 * Finds `soffice` on the path, and the Python that came with it (the makers' own packages have one beside the program)
 * or that of the system, which Debian gives the bridge. Another Python that stands first on the path has none.
 *
 * @throws JobError `engine_failed` when one of them is not there
 */
export const locateOffice = async (): Promise<OfficePaths> => {
  const [started] = pathsOf("soffice");
  if (started === undefined) {
    throw new JobError("engine_failed", "LibreOffice is not installed: there is no soffice on the path.");
  }
  const folder = dirname(realpathSync(started));
  // The script starts a program that starts the one that works. Homebrew's script stands elsewhere.
  const program = [join(folder, "soffice.bin"), join(MACOS, "MacOS/soffice")].find(isProgram) ?? started;
  const pythons = [join(folder, "python"), join(MACOS, "Resources/python"), "/usr/bin/python3", ...pathsOf("python3")];
  for (const python of new Set(pythons.filter(isProgram))) {
    if (await speaksUno(python)) {
      return { program, python };
    }
  }
  throw new JobError("engine_failed", "No Python has the module uno; in Debian the package python3-uno brings it.");
};

const speaksUno = async (program: string): Promise<boolean> => {
  const look = { program, arguments: [...PYTHON_ARGUMENTS, "-c", "import uno"], folder: "/", timeoutMs: LOOK_MS_MAX };
  return (await runProgram(look)).code === 0;
};
