import { existsSync } from "node:fs";
import { JobError } from "../../domain/errors.ts";
import type { Engine, EngineResult, EngineTask } from "../core/engine.ts";
import { runProgram } from "../core/program.ts";
import { withDocument } from "./pdfium/page/document.ts";

const PROGRAM = "gs";

/** PostScript is a programming language, so a file can run forever: most take less than a second. */
const TIMEOUT_MS = 60_000;

/** Maximum memory of PostScript objects, in kilobytes. */
const MEMORY_KILOBYTES = 1_000_000;

/**
 * PostScript to PDF with Ghostscript, if the operator has installed it: its license is the AGPL, so the container image
 * does not include it. `-dSAFER` refuses all other files and programs, in addition to the sandbox.
 */
export const ghostscriptEngine: Engine = {
  name: "ghostscript",
  version: async () => {
    const { stdout } = await runProgram({ program: PROGRAM, arguments: ["--version"], folder: "/", timeoutMs: 10_000 });
    return stdout.toString("latin1").trim() || "unknown";
  },
  convert: async (task) => {
    const { code, stdout, stderr } = await runProgram({
      program: PROGRAM,
      arguments: argumentsFor(task),
      folder: task.folder,
      // A program may read and write the folder for temporary files even with `-dSAFER`.
      environment: { TMPDIR: task.folder },
      timeoutMs: TIMEOUT_MS,
    });
    if (code !== 0) {
      throw failure(`${stdout.toString("latin1")}\n${stderr}`);
    }
    return finished(task);
  },
};

/** Pictures keep their pixels, and pages are not rotated by the direction of their text. */
const argumentsFor = ({ input, output }: EngineTask): string[] => [
  ...["-dSAFER", "-dBATCH", "-dNOPAUSE", "-dNOPROMPT", "-q", "-P-", `-K${MEMORY_KILOBYTES}`],
  ...["-sDEVICE=pdfwrite", "-dEPSCrop", "-dAutoRotatePages=/None"],
  ...["Color", "Gray", "Mono"].map((kind) => `-dDownsample${kind}Images=false`),
  ...["Color", "Gray"].flatMap((kind) => [`-dAutoFilter${kind}Images=false`, `-d${kind}ImageFilter=/FlateEncode`]),
  // A percent sign would number the pages.
  `-sOutputFile=${output.replaceAll("%", "%%")}`,
  ...["-f", input],
];

/** A program without an error may still draw nothing. @throws JobError `source_corrupt`, `too_many_pages` */
const finished = async ({ output }: EngineTask): Promise<EngineResult> => {
  const pages = existsSync(output) ? await withDocument(output, undefined, async (document) => document.pages) : 0;
  if (pages === 0) {
    throw new JobError("source_corrupt", "The PostScript draws no page.");
  }
  return { warnings: [] };
};

const MEANINGS = [
  [/\/invalidfileaccess/, "unsupported_feature", "The PostScript reads or writes other files, which is not allowed."],
  [/\/VMerror/, "out_of_memory", "The PostScript needs more memory than the limit."],
  [/\/limitcheck/, "unsupported_feature", "The PostScript exceeds a limit of the interpreter."],
] as const;

/** @returns the error by the name that PostScript gives it */
const failure = (messages: string): JobError => {
  const known = MEANINGS.find(([name]) => name.test(messages));
  if (known !== undefined) {
    return new JobError(known[1], known[2]);
  }
  const name = /Error: \/(\w{1,40})/.exec(messages)?.[1];
  return new JobError("source_corrupt", `The PostScript could not be read${name === undefined ? "" : `: ${name}`}.`);
};
