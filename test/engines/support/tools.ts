import { execFileSync, spawnSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, resolve } from "node:path";
import { leaveOut } from "../../support/run/left-out.ts";

/**
 * Tools that open a result a second time, which `npm run engines` does not install. If one is missing, only its check
 * is skipped, and the last line of the run reports it; if everything is required (`ANYFORM_REQUIRE_ALL`, as in CI), it
 * is a failure.
 */

/** Debian's Python: another one earlier on PATH does not have Debian's modules. */
export const PYTHON = "/usr/bin/python3";

const known = new Map<string, boolean>();

const isThere = (tool: string, find: () => boolean): boolean => {
  const found = known.get(tool) ?? find();
  known.set(tool, found);
  if (!found) {
    leaveOut(tool);
  }
  return found;
};

/** @returns whether a program is on PATH or an executable file */
export const withTool = (name: string): boolean =>
  isThere(name, () => (process.env.PATH ?? "").split(delimiter).some((folder) => isProgram(resolve(folder, name))));

/** @returns whether Debian's Python is installed with these modules; Calibre brings a Python without them */
export const withPython = (...modules: readonly string[]): boolean =>
  isThere(
    ["python3", ...modules].join(" "),
    () => spawnSync(PYTHON, ["-c", `import ${["sys", ...modules].join(", ")}`]).status === 0,
  );

/** Debian's ImageMagick 6: a native build, with other decoders than the WebAssembly build of ImageMagick 7. */
export const MAGICK = "convert-im6.q16";

/** @returns whether Debian's ImageMagick is installed and reads a format: OpenEXR and JPEG 2000 depend on its build */
export const withMagick = (format: string): boolean =>
  withTool(MAGICK) && isThere(`${MAGICK} ${format}`, () => magickReads().has(format.toUpperCase()));

let formats: ReadonlySet<string> | undefined;

/** A line of its list is `EXR* EXR rw- High Dynamic-range (OpenEXR)`. */
const magickReads = (): ReadonlySet<string> => {
  formats ??= new Set(
    [...execFileSync(MAGICK, ["-list", "format"], { encoding: "utf8" }).matchAll(/^ *(\w+)\*? +\S+ +r/gm)].map(
      ([, name = ""]) => name,
    ),
  );
  return formats;
};

const isProgram = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};
