import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import typst from "@myriaddreamin/typst-ts-node-compiler";
import { samples } from "../samples/all.ts";
import type { Printer, Sample } from "../samples/sample.ts";
import { run, runOffice } from "../tools.ts";
import { htmlOf } from "./html.ts";
import { writeScan } from "./scan.ts";
import { typstOf } from "./typst.ts";
import { wordOf } from "./word.ts";

export interface PrintedSample {
  readonly sample: Sample;
  readonly printer: Printer;
  readonly path: string;
}

const PRINTERS: readonly Printer[] = ["chromium", "office", "typst"];

/** Classes of which the pages printed by Typst are scored as scans, too. */
const SCANNED: readonly string[] = ["columns", "ruled", "unruled", "invoice", "letter"];

/** Makes scans of printed samples. Those of unchanged samples are taken from the folder. */
export const scanSamples = async (printed: readonly PrintedSample[]): Promise<PrintedSample[]> => {
  const scanned = printed.filter(({ sample, printer }) => printer === "typst" && SCANNED.includes(sample.kind));
  for (const { path } of scanned) {
    if (!existsSync(scanPath(path))) {
      await writeScan(path, `${scanPath(path)}.part`);
      await rename(`${scanPath(path)}.part`, scanPath(path));
    }
  }
  return scanned.map(({ path, ...one }) => ({ ...one, path: scanPath(path) }));
};

const scanPath = (path: string): string => path.replace(/\.pdf$/u, "-scan.pdf");

/** Prints all samples. Unchanged samples are taken from the folder. */
export const printSamples = async (folder: string): Promise<PrintedSample[]> => {
  await mkdir(folder, { recursive: true });
  const printed: PrintedSample[] = [];
  for (const sample of samples) {
    for (const printer of sample.printers ?? PRINTERS) {
      printed.push({ sample, printer, path: await print(sample, printer, folder) });
    }
  }
  return printed;
};

const print = async (sample: Sample, printer: Printer, folder: string): Promise<string> => {
  // A Word document contains the time, so its key is the content of the sample.
  const source = { chromium: htmlOf, office: JSON.stringify, typst: typstOf }[printer](sample);
  const key = createHash("sha256").update(source).digest("hex").slice(0, 12);
  const path = join(folder, `${sample.name}-${printer}-${key}.pdf`);
  if (!existsSync(path)) {
    await PRINT[printer](sample, join(folder, `${sample.name}-${printer}`));
    await rename(join(folder, `${sample.name}-${printer}.pdf`), path);
  }
  return path;
};

/** Each writes `STEM.pdf`. */
const PRINT: Readonly<Record<Printer, (sample: Sample, stem: string) => Promise<void>>> = {
  chromium: async (sample, stem) => {
    await writeFile(`${stem}.html`, htmlOf(sample));
    const settings = ["--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer"];
    await run("chromium", [...settings, `--print-to-pdf=${stem}.pdf`, `file://${stem}.html`]);
  },
  office: async (sample, stem) => {
    await writeFile(`${stem}.docx`, await wordOf(sample));
    await runOffice(["--convert-to", "pdf", "--outdir", join(stem, ".."), `${stem}.docx`]);
  },
  typst: async (sample, stem) => {
    const compiler = typst.NodeCompiler.create({ workspace: "/", fontArgs: [{ fontPaths: ["/usr/share/fonts"] }] });
    await writeFile(`${stem}.pdf`, compiler.pdf({ mainFileContent: typstOf(sample) }));
  },
};
