import { realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { JobError } from "../../../domain/errors.ts";
import { isProgram, pathsOf, runProgram } from "../../core/program.ts";

/** The location of LibreOffice: the program, and a Python that can communicate with it. */
export interface OfficePaths {
  readonly program: string;
  readonly python: string;
}

const MACOS = "/Applications/LibreOffice.app/Contents";
const CHECK_MS_MAX = 20_000;

/** Ignores the user's Python settings and packages, and writes no bytecode next to the source. */
export const PYTHON_ARGUMENTS = ["-B", "-E", "-s"] as const;

/**
 * Finds `soffice` on the PATH, and a Python with the UNO bridge: either the one bundled with LibreOffice (upstream
 * packages) or the system's (Debian packages). Another Python that comes first on the PATH lacks the bridge.
 *
 * @throws JobError `engine_failed` when either is missing
 */
export const locateOffice = async (): Promise<OfficePaths> => {
  const [started] = pathsOf("soffice");
  if (started === undefined) {
    throw new JobError("engine_failed", "LibreOffice is not installed: soffice is not on the PATH.");
  }
  const folder = dirname(realpathSync(started));
  // `soffice` is a script that starts a program that starts the actual one. Homebrew installs the script elsewhere.
  const program = [join(folder, "soffice.bin"), join(MACOS, "MacOS/soffice")].find(isProgram) ?? started;
  const pythons = [join(folder, "python"), join(MACOS, "Resources/python"), "/usr/bin/python3", ...pathsOf("python3")];
  for (const python of new Set(pythons.filter(isProgram))) {
    if (await speaksUno(python)) {
      return { program, python };
    }
  }
  throw new JobError("engine_failed", "No Python with the uno module found. On Debian, install python3-uno.");
};

const speaksUno = async (program: string): Promise<boolean> => {
  const check = { program, arguments: [...PYTHON_ARGUMENTS, "-c", "import uno"], folder: "/", timeoutMs: CHECK_MS_MAX };
  return (await runProgram(check)).code === 0;
};
