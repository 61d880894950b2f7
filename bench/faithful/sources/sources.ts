import { existsSync } from "node:fs";
import { copyFile, mkdir, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { extensionOf, type FormatId } from "../../../functions/domain/formats/formats.ts";
import { sampleFor } from "../../../test/engines/support/fixtures.ts";
import { corpusFiles } from "../corpus/manifest.ts";
import { uploadFormat } from "../service.ts";
import { writeSource } from "./made.ts";
import { madeData } from "./made-data.ts";
import { madeDocuments } from "./made-documents.ts";
import { madeMedia } from "./made-media.ts";

/** A file to convert. */
export interface Source {
  /** `made/…`, `fixture/…` or `corpus/…`. */
  readonly name: string;
  readonly format: FormatId;
  readonly path: string;
}

/** Larger files of the corpus are not converted. */
const BYTES_MAX = 1_500_000;
const CORPUS_FILES_MAX = 2;

/** Writes or copies all sources into the folder, with the usual extension of their format. */
export const gatherSources = async (
  formats: readonly FormatId[],
  { corpus, folder }: { readonly corpus: string; readonly folder: string },
): Promise<Source[]> => {
  await mkdir(folder, { recursive: true });
  const sources: Source[] = [];
  const add = async (name: string, format: FormatId, place: (path: string) => Promise<void>): Promise<void> => {
    const path = join(folder, `${sources.length}-${format}.${extensionOf(format)}`);
    await place(path);
    sources.push({ name, format, path });
  };
  for (const format of formats) {
    const path = sampleFor(format, format);
    await add(`fixture/${basename(path)}`, format, (to) => copyFile(path, to));
  }
  for (const made of [...madeDocuments, ...madeData, ...madeMedia].filter(({ format }) => formats.includes(format))) {
    await add(`made/${made.name}.${extensionOf(made.format)}`, made.format, (to) => writeSource(made, to));
  }
  for (const [format, files] of Map.groupBy(await corpusOf(corpus), ({ format }) => format)) {
    for (const { file, path } of formats.includes(format) ? files.slice(0, CORPUS_FILES_MAX) : []) {
      await add(`corpus/${file}`, format, (to) => copyFile(path, to));
    }
  }
  return sources;
};

/** Files that the other programs cannot read, or do not read the same way twice. */
const SKIPPED: readonly string[] = [
  // Formulas with the time and with random numbers.
  "document/test_files__formula_stress_test.ods",
  // Encrypted.
  "archive/tika__test-documents-enc.rar",
  // PostScript outlines, which need other targets.
  "font/file__fixture-otto.woff",
  "font/fonttools__TestWOFF.woff",
];

/** @returns valid files, each with its detected format; none if there is no corpus */
const corpusOf = async (corpus: string) => {
  if (!existsSync(join(corpus, "MANIFEST.tsv"))) {
    return [];
  }
  const found: { readonly file: string; readonly path: string; readonly format: FormatId }[] = [];
  for (const { file, path, kind, detail } of await corpusFiles(corpus)) {
    const isWanted =
      kind === "valid" && detail !== "encrypted" && !SKIPPED.includes(file) && (await stat(path)).size <= BYTES_MAX;
    const { format } = isWanted ? await uploadFormat(path) : {};
    found.push(...(format === undefined ? [] : [{ file, path, format }]));
  }
  return found;
};
