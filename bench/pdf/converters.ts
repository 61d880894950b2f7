import { existsSync } from "node:fs";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { FormatId } from "../../functions/domain/formats/formats.ts";
import { run, runOffice } from "./tools.ts";

export type Target = "docx" | "html" | "txt" | "xlsx";

/** A program that converts PDF. */
export interface Converter {
  readonly name: string;
  readonly targets: readonly Target[];
  /** Whether results never change, so that they are kept. */
  readonly kept: boolean;
  /** Converts into the folder, which exists. @returns the path of the result */
  readonly convert: (pdf: string, target: Target, folder: string) => Promise<string>;
  readonly stop: () => Promise<void>;
}

/** Converts any pair of formats with the service's engines. */
export interface Engines {
  readonly convert: (input: string, pair: readonly [FormatId, FormatId], folder: string) => Promise<string>;
  readonly stop: () => Promise<void>;
}

const CONVERSION_MS_MAX = 600_000;

/** @param root a checkout of this repository */
export const enginesAt = async (root: string): Promise<Engines> => {
  const { converterPool } = (await import(
    join(root, "functions/engines/core/run.ts")
  )) as typeof import("../../functions/engines/core/run.ts");
  const { planRoutes } = (await import(
    join(root, "functions/domain/conversions/plan.ts")
  )) as typeof import("../../functions/domain/conversions/plan.ts");
  const { installedEngines } = (await import(
    join(root, "local/engines/installed.ts")
  )) as typeof import("../../local/engines/installed.ts");
  const pool = converterPool({ size: 1, entry: join(root, "functions/engines/core/converter.ts") });
  const routes = planRoutes(new Set(installedEngines().keys()));
  return {
    convert: async (input, [from, to], folder) => {
      const steps = routes.find(from, to)?.steps;
      if (steps === undefined) {
        throw new Error(`There is no route from ${from} to ${to}.`);
      }
      const task = { input, folder, steps, options: {}, helper: "here" } as const;
      const { output } = await pool.run(task, { timeoutMs: CONVERSION_MS_MAX });
      return output;
    },
    stop: () => pool.stop(),
  };
};

export const serviceConverter = (name: string, engines: Engines, kept: boolean): Converter => ({
  name,
  targets: ["docx", "html", "txt", "xlsx"],
  kept,
  convert: (pdf, target, folder) => engines.convert(pdf, ["pdf", target], folder),
  stop: () => engines.stop(),
});

const program = (
  name: string,
  targets: readonly Target[],
  start: (pdf: string, result: string, folder: string) => Promise<unknown>,
): Converter => ({
  name,
  targets,
  kept: true,
  convert: async (pdf, target, folder) => {
    const result = join(folder, `result.${target}`);
    await start(pdf, result, folder);
    return result;
  },
  stop: async () => undefined,
});

/** LibreOffice's import of PDF into Writer. It names the result after the source. */
const libreOffice = program("libreoffice", ["docx"], async (pdf, result, folder) => {
  await runOffice(["--infilter=writer_pdf_import", "--convert-to", "docx", "--outdir", folder, pdf]);
  await rename(join(folder, `${pdf.slice(pdf.lastIndexOf("/") + 1, -".pdf".length)}.docx`), result);
});

const pdfToText = program("pdftotext", ["txt"], (pdf, result) => run("pdftotext", [pdf, result]));

const pdfToHtml = program("pdftohtml", ["html"], (pdf, result) =>
  run("pdftohtml", ["-q", "-i", "-s", "-noframes", pdf, result]),
);

/** @param command a program with two arguments: PDF and DOCX. Only measured: its library PyMuPDF is under the AGPL */
const pdf2docx = (command: string): Converter =>
  program("pdf2docx", ["docx"], (pdf, result) => run(command, [pdf, result]));

export const otherConverters = (pdf2docxCommand: string | undefined): Converter[] => [
  libreOffice,
  pdfToText,
  pdfToHtml,
  ...(pdf2docxCommand === undefined ? [] : [pdf2docx(pdf2docxCommand)]),
];

/** Time of a conversion, and its result or the reason why there is none. */
export interface Conversion {
  readonly ms: number;
  readonly path?: string;
  readonly failure?: string;
}

/** @returns the conversion, from the folder if it was kept there before */
export const conversionOf = async (
  converter: Converter,
  { pdf, target, folder }: { readonly pdf: string; readonly target: Target; readonly folder: string },
): Promise<Conversion> => {
  const record = join(folder, `${target}.json`);
  if (converter.kept && existsSync(record)) {
    return JSON.parse(await readFile(record, "utf8")) as Conversion;
  }
  await rm(join(folder, target), { recursive: true, force: true });
  await mkdir(join(folder, target), { recursive: true });
  const start = performance.now();
  const end = await converter
    .convert(pdf, target, join(folder, target))
    .then((path) => ({ path }))
    .catch((error: unknown) => ({ failure: reasonOf(error) }));
  const conversion = { ms: performance.now() - start, ...end };
  await writeFile(record, JSON.stringify(conversion));
  return conversion;
};

const REASON_LENGTH_MAX = 300;

/** The reason of a server error is in its cause only. */
const reasonOf = (error: unknown): string => {
  const cause = error instanceof Error && error.cause !== undefined ? ` ${String(error.cause)}` : "";
  return `${error instanceof Error ? error.message : String(error)}${cause}`.slice(0, REASON_LENGTH_MAX);
};
