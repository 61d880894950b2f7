import { JobError } from "../../../domain/errors.ts";
import { type ProgramRun, pathsOf, programBytes } from "../../core/program.ts";
import { sevenZipError } from "./errors.ts";

const PROGRAM = "7zz";

/** Time limit for archive programs in milliseconds; most lanes stop them sooner. */
export const PROGRAM_MS_MAX = 840_000;

/** Environment: sets the language of names, the time zone, and the folder for settings (the step's). */
export const environmentIn = (folder: string): Readonly<Record<string, string>> => ({
  LC_ALL: "C.UTF-8",
  TZ: "UTC",
  HOME: folder,
  TMPDIR: folder,
});

/** An archive, or one compressed file, that 7-Zip reads. */
export interface Reading {
  readonly input: string;
  /** 7-Zip's name of the format; without it, 7-Zip would try all fifty formats it knows. */
  readonly type: string;
  /** Our name of the format, for error messages. */
  readonly name: string;
  /** The step's folder. */
  readonly folder: string;
  readonly password?: string | undefined;
}

/**
 * @param folder the step's folder
 * @param within the working directory
 * @returns a run of 7-Zip
 */
export const sevenZip = (args: readonly string[], folder: string, within = folder): ProgramRun => ({
  program: PROGRAM,
  arguments: args,
  folder: within,
  environment: environmentIn(folder),
  timeoutMs: PROGRAM_MS_MAX,
});

/** A password that nobody uses: without one, 7-Zip would prompt. */
const NO_PASSWORD = "-p\u0001";

/** @returns a run that reads. The password goes to standard input, because any process could read the arguments. */
export const readingRun = (command: readonly string[], { input, type, folder, password }: Reading): ProgramRun => {
  const secret = password === undefined ? [NO_PASSWORD] : [];
  return {
    ...sevenZip([...command, `-t${type}`, "-bd", ...secret, "--", input], folder),
    ...(password !== undefined && { input: Buffer.from(`${password}\n`) }),
  };
};

/**
 * Returns the contents of all files of an archive, concatenated: no name in it reaches the disk.
 *
 * @throws JobError `source_corrupt`, `password_required`, `unsupported_feature`
 */
export const sevenZipBytes = (reading: Reading): AsyncGenerator<Buffer> => {
  if (pathsOf(PROGRAM).length === 0) {
    throw new JobError("unsupported_feature", `The ${reading.name} needs 7-Zip, which this server does not have.`);
  }
  return programBytes(readingRun(["x", "-so"], reading), ({ code, stderr }) => {
    if (code !== 0) {
      throw sevenZipError(stderr, reading.name);
    }
  });
};
