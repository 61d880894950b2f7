import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { watched } from "../support/process-tree.ts";
import { type Converter, conversionOf, type Engines, type Target } from "./converters.ts";
import { type PictureScore, pictureScore } from "./pictures.ts";
import { readDocx } from "./read/docx.ts";
import { readHtml } from "./read/html.ts";
import { readXlsx } from "./read/xlsx.ts";
import type { Content } from "./result.ts";
import { type Score, scoreOf, type Truth } from "./score.ts";
import { bodyLines } from "./truth/files.ts";

/** A PDF with what is known about it. */
export interface Case {
  readonly name: string;
  readonly kind: string;
  readonly path: string;
  readonly pages: number;
  /** Whether it is a sample whose content is known, or a file from elsewhere. */
  readonly known: boolean;
  readonly truth: Truth;
}

/** A result of a converter. */
export interface Measurement {
  readonly name: string;
  readonly kind: string;
  readonly known: boolean;
  readonly converter: string;
  readonly target: Target;
  readonly pages: number;
  readonly ms: number;
  /** Peak of the resident memory of this process and all converters. */
  readonly memoryBytes: number;
  readonly failure?: string | undefined;
  readonly score: Score;
  readonly picture?: PictureScore | undefined;
  /** The source, and the result as printed by LibreOffice. */
  readonly pdfs: readonly string[];
}

export interface Bench {
  /** Keeps results of other programs, and pages rendered by LibreOffice. */
  readonly folder: string;
  /** Renders results. */
  readonly renderer: Engines;
  readonly withPictures: boolean;
}

const READERS: Readonly<Record<Target, (path: string) => Promise<Content>>> = {
  docx: readDocx,
  html: readHtml,
  xlsx: readXlsx,
  txt: async (path) => ({ lines: bodyLines(await readFile(path, "utf8")), grids: [], words: [] }),
};

/** Text has no tables to score; a workbook has only tables. */
const TRUTHS: Readonly<Record<Target, (truth: Truth) => Truth>> = {
  docx: (truth) => truth,
  html: (truth) => truth,
  xlsx: (truth) => ({ ...truth, orders: [] }),
  txt: (truth) => ({ ...truth, grids: undefined }),
};

/** Converts, reads and scores one file by one converter to one format. */
export const measure = async (file: Case, converter: Converter, target: Target, bench: Bench): Promise<Measurement> => {
  const key = createHash("sha256")
    .update(await readFile(file.path))
    .digest("hex")
    .slice(0, 16);
  const folder = join(bench.folder, converter.name, `${file.name}-${key}`);
  await mkdir(folder, { recursive: true });
  const { result: conversion, usage } = await watched(process.pid, () =>
    conversionOf(converter, { pdf: file.path, target, folder }),
  );
  const { name, kind, known, pages } = file;
  const base = {
    name,
    kind,
    known,
    pages,
    converter: converter.name,
    target,
    ms: conversion.ms,
    memoryBytes: usage.memoryBytes,
  };
  if (conversion.path === undefined) {
    return { ...base, failure: conversion.failure, score: {}, pdfs: [file.path] };
  }
  const score = scoreOf(TRUTHS[target](file.truth), await READERS[target](conversion.path));
  const picture =
    target === "docx" && bench.withPictures ? await rendered(file.path, conversion.path, bench) : undefined;
  const pdfs = [file.path, ...(picture === undefined ? [] : [`${conversion.path}.pdf`])];
  return { ...base, score, picture, pdfs };
};

/**
 * Compares the source's pages with the result's pages as LibreOffice shows them. Scores are kept: most results of two
 * runs are equal.
 */
const rendered = async (
  source: string,
  docx: string,
  { folder, renderer }: Bench,
): Promise<PictureScore | undefined> => {
  const hash = createHash("sha256")
    .update(await readFile(source))
    .update(await readFile(docx));
  const stem = join(folder, "rendered", hash.digest("hex").slice(0, 24));
  const scratch = await mkdtemp(join(tmpdir(), "anyform-bench-pdf-"));
  try {
    if (!existsSync(`${stem}.json`)) {
      await mkdir(join(folder, "rendered"), { recursive: true });
      await copyFile(await renderer.convert(docx, ["docx", "pdf"], scratch), `${stem}.pdf`);
      await writeFile(`${stem}.json`, JSON.stringify(await pictureScore(source, `${stem}.pdf`, scratch)));
    }
    await copyFile(`${stem}.pdf`, `${docx}.pdf`);
    return JSON.parse(await readFile(`${stem}.json`, "utf8")) as PictureScore;
  } catch (error) {
    console.error(`${basename(source)}: the result was not rendered: ${String(error).slice(0, 200)}`);
    return undefined;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
};
