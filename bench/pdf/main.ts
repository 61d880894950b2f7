import { mkdir, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { installedEngines } from "../../local/engines/installed.ts";
import { type Converter, enginesAt, otherConverters, serviceConverter, type Target } from "./converters.ts";
import { regressions, saveFloors } from "./floors.ts";
import { type Case, type Measurement, measure } from "./measure.ts";
import { pageCount } from "./pictures.ts";
import { printSamples, scanSamples } from "./print/print.ts";
import { printClasses, printConverters, printCost, printFiles, printWorst } from "./report.ts";
import { type SheetRow, writeSheet } from "./sheet.ts";
import { fileName, realFiles } from "./truth/files.ts";
import { truthOf } from "./truth/samples.ts";

/**
 * `node bench pdf [OPTIONS]`: how much of a PDF survives the conversion to DOCX, HTML, text and XLSX. Samples with known
 * content are printed by Chromium, LibreOffice and Typst, some of them scanned, converted, read and scored; other
 * converters are scored in the same run. Exits with 1 if a class is worse than in `floors.json`.
 *
 *     --files DIR        also real PDFs of this folder; default: the environment variable ANYFORM_PDFS
 *     --against DIR      also the converter of another checkout, as "before"
 *     --pdf2docx PATH    also this program: its arguments are the PDF and the DOCX
 *     --alone            no other converters
 *     --only TEXT,TEXT   only files whose name contains one of these
 *     --targets LIST     only these formats; default: docx,html,txt,xlsx
 *     --no-pictures      pages are not rendered
 *     --out FILE         writes all scores as JSON
 *     --sheet FILE       writes a picture of the first pages of real files, next to those of the results in Word
 *     --cache DIR        keeps printed samples and results of other converters; default: in the system's folder
 *     --save-floors      stores the scores as the new floors
 *     --help             prints these options
 */

const OWN = "anyform";

const options = {
  files: { type: "string", default: process.env.ANYFORM_PDFS ?? "" },
  against: { type: "string" },
  pdf2docx: { type: "string" },
  alone: { type: "boolean", default: false },
  only: { type: "string", default: "" },
  targets: { type: "string", default: "docx,html,txt,xlsx" },
  pictures: { type: "boolean", default: true },
  out: { type: "string" },
  sheet: { type: "string" },
  cache: { type: "string", default: join(tmpdir(), "anyform-bench-pdf") },
  "save-floors": { type: "boolean", default: false },
  help: { type: "boolean", default: false },
} as const;

const main = async (): Promise<void> => {
  const { values } = parseArgs({ options, allowNegative: true });
  if (values.help) {
    const source = await readFile(import.meta.filename, "utf8");
    console.log(source.match(/(?<=^ \* {5})--.*/gmu)?.join("\n"));
    return;
  }
  await mkdir(values.cache, { recursive: true });
  const engines = await enginesAt(join(import.meta.dirname, "../.."));
  const converters = [
    serviceConverter(OWN, engines, false),
    ...(values.against === undefined ? [] : [serviceConverter("before", await enginesAt(values.against), true)]),
    ...(values.alone ? [] : otherConverters(values.pdf2docx)),
  ];
  const bench = { folder: values.cache, renderer: engines, withPictures: values.pictures };
  try {
    const cases = await casesOf(values);
    const targets = values.targets.split(",");
    const rows: Measurement[] = [];
    for (const [index, file] of cases.entries()) {
      process.stderr.write(`${index + 1}/${cases.length} ${file.name}\n`);
      for (const [converter, target] of pairs(converters, targets)) {
        rows.push(await measure(file, converter, target, bench));
      }
    }
    if (values.out !== undefined) {
      await writeFile(values.out, JSON.stringify(rows));
    }
    if (values.sheet !== undefined) {
      await writeSheet(sheetRows(rows), values.sheet);
    }
    print(rows);
    await compareWithFloors(rows, values["save-floors"]);
  } finally {
    await Promise.all(converters.map((converter) => converter.stop()));
  }
};

const casesOf = async ({ files, only, cache }: { files: string; only: string; cache: string }): Promise<Case[]> => {
  const wanted = only.split(",");
  const isWanted = ({ name }: Case): boolean => wanted.some((part) => name.includes(part));
  const printed = await printSamples(join(cache, "samples"));
  const samples = printed.map(({ sample, printer, path }) => ({
    name: `${sample.name}-${printer}`,
    kind: sample.kind,
    path,
    pages: 0,
    known: true,
    truth: truthOf(sample),
  }));
  // Recognition does not find the style of letters.
  const scanned = installedEngines().has("tesseract") ? printed : [];
  const scans = (await scanSamples(scanned)).map(({ sample, path }) => ({
    ...{ name: `${sample.name}-scan`, kind: "scan", path, pages: 0, known: true },
    truth: { ...truthOf(sample), words: [] },
  }));
  const real = files === "" ? [] : await realFiles(files, cache);
  const all = [
    ...samples,
    ...scans,
    ...real.map((file) => ({ ...file, name: fileName(file.path), known: false, pages: 0 })),
  ];
  return Promise.all(all.filter(isWanted).map(async (file) => ({ ...file, pages: await pageCount(file.path) })));
};

const pairs = (converters: readonly Converter[], wanted: readonly string[]): [Converter, Target][] =>
  converters.flatMap((converter) =>
    converter.targets
      .filter((target) => wanted.includes(target))
      .map((target): [Converter, Target] => [converter, target]),
  );

/** @returns for each real file the source, then the results of all converters */
const sheetRows = (rows: readonly Measurement[]): SheetRow[] => {
  const shown = rows.filter(({ known, target }) => !known && target === "docx");
  return [...Map.groupBy(shown, ({ name }) => name)].map(([label, group]) => ({
    label,
    pdfs: [...new Set(group.flatMap(({ pdfs }) => pdfs))],
  }));
};

const print = (rows: readonly Measurement[]): void => {
  printFiles(rows, OWN);
  printClasses(rows);
  printConverters(rows);
  printWorst(rows, OWN);
  printCost(rows, OWN);
};

const compareWithFloors = async (rows: readonly Measurement[], save: boolean): Promise<void> => {
  const own = rows.filter(({ converter }) => converter === OWN);
  if (save) {
    await saveFloors(own);
    return;
  }
  const worse = await regressions(own);
  if (worse.length > 0) {
    console.error(`\nWorse than the floors:\n${worse.join("\n")}`);
    process.exitCode = 1;
  }
};

await main();
